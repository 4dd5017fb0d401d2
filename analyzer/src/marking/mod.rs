//! Marking: the few objects that bear an identity from one capture to the next, and the paths by which the agent
//! reaches them. No code here sends messages or depends on the name of a class.
//!
//! Reading order: [`containers`] (objects marked for themselves), [`strata`] (objects marked by sample, and the sizes
//! of the samples), [`paths`] (paths to objects). Then [`plan`] and [`writer`] (the tree of steps that is sent),
//! [`Selection`] (the meaning of the marks at the next capture; `graph/newness.rs` reads it), [`owner`] (the path to
//! one object).

mod containers;
mod owner;
mod paths;
mod plan;
mod random;
mod selection;
mod strata;
mod writer;

pub use owner::{NoPath, OwnerPaths};
pub use selection::Selection;

use crate::graph::Owned;
use crate::heap::{Heap, ObjectIdx};
use paths::Paths;
use rootbound_wire::ids::SnapshotId;
use rootbound_wire::message::MarkPlan;
use std::collections::HashMap;
use strata::Strata;

/// Limits of a selection.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Most marks.
    pub budget: usize,
    /// Seed of the random choice.
    pub seed: u64,
    /// Whether the agent may pause the program for some milliseconds, to find the beginnings of structures that only
    /// local variables hold. Otherwise their objects bear no marks.
    pub may_iterate: bool,
}

/// Chooses objects of the capture `snapshot` within the limits, and the paths to them. The same arguments give the same
/// selection.
pub fn select(heap: &Heap, snapshot: SnapshotId, limits: Limits) -> Selection {
    Selecting::new(heap, snapshot, limits).among(&Owned::new(heap))
}

/// A selection of which the part is made that needs no ownership: as long as another thread computes that. Its paths
/// serve heads of data structures, too.
#[derive(Debug)]
pub struct Selecting<'h> {
    heap: &'h Heap,
    snapshot: SnapshotId,
    limits: Limits,
    paths: Paths,
}

impl<'h> Selecting<'h> {
    /// Searches the paths for a selection of the capture `snapshot`.
    pub fn new(heap: &'h Heap, snapshot: SnapshotId, limits: Limits) -> Self {
        Self { heap, snapshot, limits, paths: Paths::shortest(heap, limits.may_iterate) }
    }

    /// The selection.
    pub fn among(&self, Owned { referrers, dominators, .. }: &Owned) -> Selection {
        let Self { heap, paths, limits: Limits { budget, seed, .. }, .. } = self;
        let reached = || dominators.preorder().iter().copied().filter(|&object| paths.reach(object));
        let fits = reached().nth(*budget).is_none();
        let containers = containers::choose(heap, dominators, paths, if fits { *budget } else { budget / 2 });
        let strata = Strata::new((heap, referrers, dominators), paths, &containers, !fits);
        let sampled: HashMap<ObjectIdx, u32> =
            strata.draw(paths, budget - containers.len(), *seed).into_iter().collect();
        let mut wanted: Vec<ObjectIdx> = sampled.keys().copied().chain(containers).collect();
        if fits {
            wanted.extend(reached().filter(|&object| heap.class_of_mirror(object).is_some()));
        }
        // An object below a container has a larger number than the container.
        wanted.sort_unstable_by_key(|&object| dominators.position(object));
        let planned = plan::plan(heap, paths, &wanted);
        selection::assemble(&strata, &sampled, planned, (self.snapshot, fits))
    }

    /// The same as [`heads`], without a search for paths.
    pub fn heads(&self, wanted: &[ObjectIdx], first: u32) -> (MarkPlan, Vec<ObjectIdx>) {
        heads_by(self.heap, &self.paths, wanted, first)
    }
}

/// The plan to those of the `wanted` objects that paths from classes and threads reach, none of which takes a pause;
/// and these objects. An object's number is its index plus `first`.
pub fn heads(heap: &Heap, wanted: &[ObjectIdx], first: u32) -> (MarkPlan, Vec<ObjectIdx>) {
    heads_by(heap, &Paths::to(heap, wanted), wanted, first)
}

fn heads_by(heap: &Heap, paths: &Paths, wanted: &[ObjectIdx], first: u32) -> (MarkPlan, Vec<ObjectIdx>) {
    let wanted: Vec<ObjectIdx> = wanted.iter().copied().filter(|&object| paths.reach_without_pause(object)).collect();
    let (mut plan, reached) = plan::plan(heap, paths, &wanted);
    plan.steps.iter_mut().filter(|step| step.mark != 0).for_each(|step| step.mark += first - 1);
    (plan, reached)
}

#[cfg(test)]
mod tests;
