//! What people and other programs see of a heap dump.
//!
//! Reading order: [`report`] is the contract; [`place`] names a structure by the way that leads to it, [`verdict`] says the
//! answer in one sentence, [`rows`] makes tables; [`analysis`], [`roots`] and [`size`] print.

pub mod analysis;
mod held;
pub mod place;
pub mod report;
pub mod roots;
mod rows;
pub mod size;
pub mod verdict;
