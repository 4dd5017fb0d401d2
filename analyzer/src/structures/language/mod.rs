//! The language for data structures (AntTracks §3.1.2): files of descriptions, without any heap.
//!
//! Reading order: [`describe`] (the meaning of a file), [`complain`] (its errors), [`scan`] (words and signs),
//! [`cursor`] (a place among them), [`parse`] (descriptions).

mod complain;
mod cursor;
mod describe;
mod parse;
mod scan;

pub use complain::{Complaint, Fault};
pub use describe::{Described, Description, DescriptionFile, Language, PointedTo, Position};
pub use parse::parse;

#[cfg(test)]
mod tests;
