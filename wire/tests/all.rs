//! Everything that is tested from outside the crate.

mod class_table;
mod framing;
mod packing;
mod page;
mod privacy;
