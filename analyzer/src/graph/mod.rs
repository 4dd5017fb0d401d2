//! The reference graph and its attributes (LeakBot §3.2). Everything is an index or a bit per object.
//!
//! Reading order: [`Entries`] (where ownership begins), [`DominatorTree`] (unique ownership), [`Ages`] and [`Fringe`]
//! (old against new; `newness` where marks are a sample). Then [`SingleEntry`] (the collapsed graph), [`Reachability`]
//! (GC roots that reach an object), [`dominance_frontier_nonempty`], [`RootPaths`] (paths from a GC root), and
//! [`HeldArray`] (large arrays whose growth brings no new object).

mod ages;
mod beginnings;
mod below;
mod bits;
mod dependents;
mod dominance;
mod dominators;
mod entries;
mod fringe;
mod frontier;
mod held_arrays;
mod inflow;
mod newness;
mod ownership;
mod paths;
mod reachability;
mod referrers;
mod replaced;
mod rows;
mod single_entry;
mod wrappers;

pub use ages::Ages;
pub use below::for_each_below;
pub use bits::BitSet;
pub use dependents::takes_age_of_holders;
pub use dominance::{Dominance, Size, SizedTree};
pub use dominators::DominatorTree;
pub use entries::Entries;
pub use fringe::Fringe;
pub use frontier::dominance_frontier_nonempty;
pub use held_arrays::{HeldArray, reference_bytes};
pub use inflow::join_inflow;
pub use ownership::{Dominated, Intervals, Ownership, Visitor};
pub use paths::{Found, RootPath, RootPaths, shortest_path_within, usual_path_within};
pub use reachability::Reachability;
pub use referrers::Referrers;
pub use single_entry::SingleEntry;

use crate::heap::{Generation, Heap};
use std::sync::Arc;

/// Ownership and the data from which it is computed; it does not depend on ages.
#[derive(Debug)]
pub struct Owned {
    /// The referrers of each object.
    pub referrers: Referrers,
    /// The objects through which the graph is entered.
    pub entries: Entries,
    /// The dominator of each object; graphs of several ages share it.
    pub dominators: Arc<DominatorTree>,
}

impl Owned {
    /// Computes the ownership of one heap.
    pub fn new(heap: &Heap) -> Self {
        let (referrers, entries) = rayon::join(|| Referrers::new(heap), || Entries::new(heap));
        let dominators = DominatorTree::new(heap, &referrers, &entries);
        Self { referrers, entries, dominators: Arc::new(dominators) }
    }

    /// With the heap that it was computed from.
    #[must_use]
    pub fn of<'g>(&'g self, heap: &'g Heap) -> OwnedHeap<'g> {
        OwnedHeap { heap, dominators: &self.dominators }
    }
}

/// A heap with its ownership, whatever the ages.
#[derive(Clone, Copy, Debug)]
pub struct OwnedHeap<'g> {
    /// The heap itself.
    pub heap: &'g Heap,
    /// The dominator of each object.
    pub dominators: &'g DominatorTree,
}

/// A heap with every attribute that ranking and regions need.
#[derive(Debug)]
pub struct ObjectGraph<'h> {
    /// The heap itself.
    pub heap: &'h Heap,
    /// The dominator of each object.
    pub dominators: Arc<DominatorTree>,
    /// The age of each object.
    pub ages: Ages,
    /// New objects that old ones refer to.
    pub fringe: Fringe,
    /// Heads of single-entry regions.
    pub single_entry: Arc<SingleEntry>,
    /// The roots that reach each object.
    pub reachability: Arc<Reachability>,
    /// Objects with a dominance frontier.
    pub frontier: Arc<BitSet>,
}

impl<'h> ObjectGraph<'h> {
    /// Computes all attributes; near-linear in objects and references.
    pub fn new(heap: &'h Heap) -> Self {
        Self::of(heap, &Owned::new(heap))
    }

    /// The same with known ownership: of this heap, or of one that differs only in ages.
    pub fn of(heap: &'h Heap, owned: &Owned) -> Self {
        let ages = Ages::new(heap, &owned.referrers, &owned.dominators);
        Self::with(heap, owned, ages)
    }

    /// The same with ages that are known otherwise: one generation for each object; all above 0 are new.
    pub fn of_ages(heap: &'h Heap, owned: &Owned, generation: &[Generation]) -> Self {
        let ages = Ages::exact(heap, &owned.referrers, |object| generation[object.at()] > 0);
        Self::with(heap, owned, ages)
    }

    /// The same with other ages. All that does not depend on ages is shared.
    #[must_use]
    pub fn with_ages(&self, ages: Ages) -> Self {
        let Self { heap, dominators, single_entry, reachability, frontier, .. } = self;
        let fringe = Fringe::new(heap, &ages);
        let (dominators, single_entry) = (Arc::clone(dominators), Arc::clone(single_entry));
        let (reachability, frontier) = (Arc::clone(reachability), Arc::clone(frontier));
        Self { heap, dominators, ages, fringe, single_entry, reachability, frontier }
    }

    /// The same without ages.
    #[must_use]
    pub fn owned(&self) -> OwnedHeap<'_> {
        OwnedHeap { heap: self.heap, dominators: &self.dominators }
    }

    fn with(heap: &'h Heap, owned: &Owned, ages: Ages) -> Self {
        let Owned { referrers, entries, dominators } = owned;
        let ((reachability, frontier), (fringe, single_entry)) = rayon::join(
            || (Reachability::new(heap, referrers), dominance_frontier_nonempty(heap, dominators)),
            || (Fringe::new(heap, &ages), SingleEntry::new(heap, referrers, dominators, entries)),
        );
        let (dominators, single_entry) = (Arc::clone(dominators), Arc::new(single_entry));
        let (reachability, frontier) = (Arc::new(reachability), Arc::new(frontier));
        Self { heap, dominators, ages, fringe, single_entry, reachability, frontier }
    }
}
