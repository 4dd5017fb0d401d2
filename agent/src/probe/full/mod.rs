//! Counting everything in one visit.
//!
//! [`full`], and [`marked`] where several paths lead to each member.

pub mod full;
pub mod marked;
