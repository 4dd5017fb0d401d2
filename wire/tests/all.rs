//! Everything that is tested from outside the crate.

mod framing;
mod packing;
mod page;
mod privacy;
