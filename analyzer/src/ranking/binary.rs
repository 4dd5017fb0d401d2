//! Ranking step 1 (LeakBot §3.3): eight yes-or-no metrics, each of which alone rules an object out.
//!
//! S1–S4 use structure, T1–T3 ages. T4 needs the types of owned objects and is computed in [`super::datatypes`].

use super::attributes::{self, Attributes};
use crate::graph::ObjectGraph;
use crate::heap::ObjectIdx;

/// The binary metrics in the paper's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryMetric {
    /// Leaf nodes.
    S1,
    /// Arrays.
    S2,
    /// Internal nodes of single-entry regions.
    S3,
    /// Objects that uniquely own nothing.
    S4,
    /// Owns only old or only new objects.
    T1,
    /// Owns new arrays of references, but no new objects in them.
    T2,
    /// Owns no object on the fringe.
    T3,
    /// No type occurs among both the old and the new objects owned.
    T4,
}

/// Number of objects left after each metric, cumulatively.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Survivors {
    /// Reachable objects.
    pub objects: usize,
    /// After S1 … S4.
    pub after_s: [usize; 4],
    /// After T1 … T3.
    pub after_t: [usize; 3],
    /// After T4.
    pub after_t4: usize,
}

/// The first of S1–S4 that rules the object out.
fn ruled_out_by_structure(graph: &ObjectGraph<'_>, object: ObjectIdx) -> Option<BinaryMetric> {
    if graph.heap.references().of(object).is_empty() {
        Some(BinaryMetric::S1)
    } else if graph.heap.is_array(object) {
        Some(BinaryMetric::S2)
    } else if !graph.single_entry.is_head(object) {
        Some(BinaryMetric::S3)
    } else if graph.dominators.subtree(object).len() <= 1 {
        Some(BinaryMetric::S4)
    } else {
        None
    }
}

/// Sums of weights below this count as 0: less than half an object. Exact ages give whole numbers.
pub(super) const NOTHING: f64 = 0.5;
/// Least gain of an object, in standard errors.
const SIGNIFICANT: f64 = 2.0;

/// New objects from which on a structure that was empty at T1 is worth watching.
const LEAST_BEGUN: f64 = 16.0;

/// Whether an object owns enough new objects to be watched, though nothing of their kind was there at T1. By T1 or T4 it
/// is no candidate: what fills a structure for the first time is most often its initialisation. Whether that goes on,
/// only watching can tell.
fn may_have_begun(owned: &Attributes) -> bool {
    owned.new - owned.new_arrays >= LEAST_BEGUN
        && owned.new >= SIGNIFICANT * owned.new_error
        && owned.fringe >= NOTHING
        && owned.newness < NOTHING
}

/// The first of T1–T3 that rules the object out.
fn ruled_out_by_age(owned: &Attributes) -> Option<BinaryMetric> {
    if owned.old < NOTHING || owned.new < NOTHING || owned.new < SIGNIFICANT * owned.new_error {
        Some(BinaryMetric::T1)
    } else if owned.new - owned.new_arrays < NOTHING {
        Some(BinaryMetric::T2)
    } else if owned.fringe < NOTHING {
        Some(BinaryMetric::T3)
    } else {
        None
    }
}

/// What the filters leave.
pub(super) struct Filtered {
    pub(super) survivors: Survivors,
    /// Objects that S1–S4 and T1–T3 leave, in dominator-tree preorder, with their attributes.
    pub(super) remaining: Vec<(ObjectIdx, Attributes)>,
    /// Old objects that own enough new ones to have begun since T1, with their number. Candidates are among them.
    pub(super) may_have_begun: Vec<(ObjectIdx, f64)>,
}

/// Filters all objects.
pub(super) fn filter(graph: &ObjectGraph<'_>) -> Filtered {
    let mut survivors = Survivors { objects: graph.dominators.reachable_count(), ..Survivors::default() };
    let mut structural = Vec::new();
    for &object in graph.dominators.preorder() {
        let passed = ruled_out_by_structure(graph, object).map_or(4, |metric| metric as usize);
        survivors.after_s[..passed].iter_mut().for_each(|count| *count += 1);
        if passed == 4 {
            structural.push(object);
        }
    }
    let mut remaining = attributes::describe(graph, &structural);
    let gains = remaining.iter().filter(|(_, owned)| may_have_begun(owned));
    let may_have_begun = gains.map(|&(object, owned)| (object, owned.new)).collect();
    remaining.retain(|(_, owned)| {
        let passed = ruled_out_by_age(owned).map_or(3, |metric| metric as usize - BinaryMetric::T1 as usize);
        survivors.after_t[..passed].iter_mut().for_each(|count| *count += 1);
        passed == 3
    });
    Filtered { survivors, remaining, may_have_begun }
}
