//! Findings in a heap dump, as text and figures that outlive the heap: from heap, graph and searches to the report
//! models of [`crate::report::dump`]. Reads no file and prints nothing.
//!
//! Reading order: [`words`] (names), [`ways`] (paths from GC roots), [`place`] (the place of a structure), [`held`]
//! (one object), [`analysis`] with its [`verdict`] and [`advice`], [`roots`] with [`tree`], [`size`], [`paths`],
//! [`objects`], [`holders`], [`language`], [`structures`], [`growth`] (between several heaps) and [`growth_lines`].

mod advice;
mod analysis;
mod growth;
mod growth_lines;
mod held;
mod holders;
mod language;
mod objects;
mod paths;
mod place;
mod roots;
mod size;
mod structures;
mod tree;
mod verdict;
mod ways;
mod words;

pub use analysis::{AnalysisWanted, ClassOrder, analysis};
pub use growth::{Between, Compared, Growing, GrowthOrder, GrowthWanted, NamedHeap};
pub use holders::{HoldersWanted, holders};
pub use language::language;
pub use objects::{ObjectOrder, ObjectsWanted, objects};
pub use paths::{PathsWanted, paths};
pub use roots::{Kinds, RootsWanted, SortBy, TreeWanted, roots};
pub use size::{SizeWanted, size};
pub use structures::{StructureOrder, StructuresWanted, structures};

/// Called with the name of each phase before it begins; it shows progress.
pub type OnPhase<'a> = &'a mut dyn FnMut(&'static str);
