//! INSANE's structure size (P. Nejedlý, *Insane*): the transitive closure of some objects, breadth first, with a
//! filter. A reference to a skipped object counts as null. The result is the exact number of instances of each class,
//! and of bytes.
//!
//! Reading order: [`pattern`] (names with `*`), [`target`] (the objects of `--from` and `--skip`), [`closure`],
//! [`near`] (similar names for suggestions).

mod closure;
mod near;
mod pattern;
mod target;

pub use closure::{Closure, ClosureRow, Skipped, measure};
pub use pattern::Pattern;
pub use target::{Target, TargetError};

#[cfg(test)]
mod tests;
