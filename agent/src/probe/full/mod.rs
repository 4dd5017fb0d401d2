//! Counting everything in one visit.
//!
//! [`traversal`], and [`marked`] where several paths lead to each member.

pub mod marked;
pub mod traversal;
