//! Everything that is tested from outside the crate.

mod framing;
mod page;
mod privacy;
