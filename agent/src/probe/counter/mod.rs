//! Counting by a number of the program that follows the size.
//!
//! [`candidates`] (candidates and trust) over [`span`] (the uncertainty of a count) and
//! [`sum`](super::route::sum) (the numbers of many parts).

pub mod candidates;
pub mod span;
