//! INSANE's structure size (P. Nejedlý, *Insane*): the transitive closure of some objects, breadth first, with a filter:
//! a reference to what is skipped counts as null. How many instances of which class, and how many bytes, exactly.
//!
//! Reading order: [`pattern`] (names with `*`), [`target`] (what `--from` and `--skip` mean), [`closure`], [`near`] (what
//! somebody may have meant).

mod closure;
mod near;
mod pattern;
mod target;

pub use closure::{Closure, ClosureRow, Skipped, measure};
pub use pattern::Pattern;
pub use target::{Target, TargetError};

#[cfg(test)]
mod tests;
