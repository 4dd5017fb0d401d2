//! The way of a probe through its structure, without names.
//!
//! [`automaton`] (places, steps, and where each may lead), [`shape`] (the kind of structure), [`walk`] (one step of any
//! walk, and its cost), [`traversal`] (a walk over everything) and [`sum`] (a number of each part).

pub mod automaton;
pub mod shape;
pub mod sum;
pub mod traversal;
pub mod walk;
