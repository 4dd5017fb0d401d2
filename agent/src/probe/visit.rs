//! A visit to a structure that no plain visit can count wholly: its reads, and its result.

use super::budget::Grant;
use super::counter::candidates::{Counters, Dropped, Watch};
use super::counter::span::Span;
use super::failure::VisitFailure;
use super::members::owner_path::PathState;
use super::observation::Observation;
use super::reading::reader::HeapReader;
use super::route::automaton::Route;

/// One visit.
pub struct Visit<'v, R: HeapReader> {
    /// The heap.
    pub reader: &'v R,
    /// The route.
    pub route: &'v Route,
    /// The object where it begins.
    pub owner: &'v R::Ref,
    /// The candidate counters that a whole count checks.
    pub counters: &'v Counters,
    /// Objects that may be read.
    pub budget: u32,
    /// Objects that may be read instead for a single-visit count.
    pub grant: Grant,
}

/// The result of a visit.
pub struct Outcome {
    /// The size, or the reason why there is none.
    pub found: Result<Observation, VisitFailure>,
    /// A whole count that has ended.
    pub lesson: Option<Lesson>,
    /// Counters that contradicted the size.
    pub dropped: Vec<Dropped>,
    /// The path to the members, where the method sees more of it.
    pub path: PathState,
    /// Objects read.
    pub reads: u32,
}

/// A whole count, from which counters learn.
pub struct Lesson {
    /// Values of the counters meanwhile.
    pub watch: Watch,
    /// The size.
    pub size: Span,
    /// The program may have changed the structure a little while it was counted.
    pub is_disturbed: bool,
}

impl Outcome {
    /// A size, or the reason why there is none, and the objects read.
    pub fn new(found: Result<Observation, VisitFailure>, reads: u32) -> Self {
        Self { found, lesson: None, dropped: Vec::new(), path: PathState::default(), reads }
    }
}

impl<R: HeapReader> Visit<'_, R> {
    /// The same visit with other reads.
    pub fn within(&self, budget: u32, grant: Grant) -> Self {
        Self { budget, grant, ..*self }
    }
}
