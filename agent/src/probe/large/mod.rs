//! Structures too large to count in one visit.
//!
//! [`large_structure`] (the choice of a method), [`slots`] over [`fill`], [`passes`] over [`cursor`], [`sampled`].

pub mod cursor;
pub mod fill;
pub mod large_structure;
pub mod passes;
pub mod sampled;
pub mod slots;
