//! What was found in a heap dump, in words and figures that outlive the heap: from heap, graph and searches to the report
//! models of [`crate::report::dump`]. Reads no file and prints nothing.
//!
//! Reading order: [`words`] (names of things), [`ways`] (from GC roots), [`place`] (where something is), [`held`] (one
//! object), [`analysis`] with its [`verdict`], [`roots`], [`size`].

mod analysis;
mod held;
mod place;
mod roots;
mod size;
mod verdict;
mod ways;
mod words;

pub use analysis::{AnalysisWanted, ClassOrder, analysis};
pub use roots::{Kinds, RootsWanted, SortBy, TreeWanted, roots};
pub use size::{SizeWanted, size};

/// Told as work goes on: what is done next, for people who wait.
pub type OnPhase<'a> = &'a mut dyn FnMut(&'static str);
