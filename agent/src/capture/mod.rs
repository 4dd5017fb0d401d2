//! T2: one walk over the whole reference graph, and the names that go with it. Reads no value of the program.
//!
//! Reading order: [`walk`] (inside the stop), [`names`] (after it).

pub mod names;
pub mod walk;
