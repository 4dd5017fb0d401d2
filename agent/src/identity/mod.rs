//! Who is who across snapshots: what a tag says, and how marks are set. Knows no message but [`MarkDone`]'s numbers.
//!
//! [`MarkDone`]: rootbound_wire::message::MarkDone

pub mod ages;
pub mod mark;
pub mod tag;
