//! Views of a heap dump for people and other programs.
//!
//! Reading order: [`rows`] makes tables, [`held`] describes one object; [`analysis`], [`roots`], [`size`],
//! [`paths`], [`objects`] and [`holders`] print, [`heaproots`]
//! in the lines of that tool.

pub mod analysis;
mod colours;
pub mod heaproots;
mod held;
pub mod holders;
mod independence;
pub mod objects;
pub mod paths;
pub mod roots;
pub(super) mod rows;
pub mod size;
