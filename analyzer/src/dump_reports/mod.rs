//! Findings in a heap dump, as text and figures that outlive the heap: from heap, graph and searches to the report
//! models of [`crate::report::dump`]. Reads no file and prints nothing.
//!
//! Reading order: [`words`] (names), [`ways`] (paths from GC roots), [`place`] (the place of a structure), [`held`]
//! (one object), [`analysis`] with [`classes`], its [`verdict`] and [`advice`], [`roots`] with [`tree`], [`size`],
//! [`paths`], [`objects`], [`holders`] and [`structures`]. Growth between several heaps is in [`crate::growing`].

mod advice;
mod analysis;
mod classes;
mod held;
mod holders;
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
pub use holders::{HoldersWanted, holders};
pub use objects::{ObjectOrder, ObjectsWanted, objects};
pub use paths::{PathsWanted, paths};
pub use roots::{Kinds, RootsWanted, SortBy, TreeWanted, roots};
pub use size::{SizeWanted, size};
pub use structures::{StructureOrder, StructuresWanted, structures};

pub use crate::growing::OnPhase;
