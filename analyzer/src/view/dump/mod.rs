//! Views of a heap dump for people and other programs.
//!
//! Reading order: [`rows`] makes tables, [`held`] describes one object; [`analysis`], [`roots`] and [`size`] print.

pub mod analysis;
mod held;
pub mod roots;
mod rows;
pub mod size;
