//! Counting by a number of the program that follows the size.
//!
//! [`candidates`] (candidates and trust) over [`span`] (the uncertainty of a count); [`backoff`] (when counts are made
//! for counters alone).

pub mod backoff;
pub mod candidates;
pub mod span;
