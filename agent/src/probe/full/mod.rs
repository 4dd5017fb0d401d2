//! Counting everything in one visit.
//!
//! [`whole`] over [`traversal`](super::route::traversal), or [`marked`] where several paths lead to each member.

pub mod marked;
pub mod whole;
