//! Structures too large to count in one visit.
//!
//! [`wide`] (which way serves), [`slots`] over [`fill`], [`passes`] over [`cursor`], [`sampled`]; [`visit`] (what one visit gives).

pub mod cursor;
pub mod fill;
pub mod large_structure;
pub mod passes;
pub mod sampled;
pub mod slots;
pub mod visit;
