//! What people and other programs see of a heap dump.
//!
//! Reading order: [`rows`] makes tables, [`held`] words one object; [`analysis`], [`roots`] and [`size`] print.

pub mod analysis;
mod held;
pub mod roots;
mod rows;
pub mod size;
