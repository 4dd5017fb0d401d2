//! INSANE's structure size (P. Nejedlý, *Insane*): the transitive closure of some objects, breadth first, with a
//! filter. A reference to a skipped object counts as null. The result is the exact number of instances of each class,
//! and of bytes.
//!
//! Reading order: [`target`] (the objects of `--from` and `--skip`), [`fields`] (instance fields of `--skip`),
//! [`closure`], [`near`] (similar names for suggestions).

mod closure;
mod fields;
mod near;
mod target;

pub use closure::{Closure, ClosureRow, Skipped, measure};
pub use fields::InstanceFields;
pub use target::{Target, TargetError, object_with_id};

#[cfg(test)]
mod tests;
