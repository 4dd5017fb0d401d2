//! Findings in a heap dump, as text and figures that outlive the heap: from heap, graph and searches to the report
//! models of [`crate::report::dump`]. Reads no file and prints nothing.
//!
//! Reading order: [`words`] (names), [`ways`] (paths from GC roots), [`place`] (the place of a structure), [`held`]
//! (one object), [`analysis`] with its [`verdict`], [`roots`], [`size`].

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

/// Called with the name of each phase before it begins; it shows progress.
pub type OnPhase<'a> = &'a mut dyn FnMut(&'static str);
