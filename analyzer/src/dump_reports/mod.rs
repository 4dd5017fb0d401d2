//! What was found in a heap dump, in words and figures that outlive the heap: from heap, graph and searches to the report
//! models of [`crate::view::dump::report`]. Reads no file and prints nothing.
//!
//! Reading order: [`words`] (names of things), [`ways`] (from GC roots), [`held`] (one object), [`analysis`], [`roots`],
//! [`size`].

mod analysis;
mod held;
mod roots;
mod size;
mod ways;
mod words;

pub use analysis::{AnalysisWanted, ClassOrder, analysis};
pub use roots::{Kinds, RootsWanted, SortBy, TreeWanted, roots};
pub use size::{SizeWanted, size};

/// Told as work goes on: what is done next, for people who wait.
pub type OnPhase<'a> = &'a mut dyn FnMut(&'static str);
