//! The reference graph and its attributes (LeakBot §3.2). Everything is an index or a bit per object.
//!
//! Reading order: [`Entries`] (where ownership begins), [`DominatorTree`] (unique ownership), [`Ages`] and [`Fringe`]
//! (old against new; `newness` where marks are a sample), [`SingleEntry`] (the collapsed graph), [`Reachability`] (which roots reach what),
//! [`dominance_frontier_nonempty`], [`RootPaths`] (ways from a GC root), and [`HeldArray`] (large arrays of values).

mod ages;
mod below;
mod bits;
mod dependents;
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

pub use ages::Ages;
pub use below::for_each_below;
pub use bits::BitSet;
pub use dependents::takes_age_of_holders;
pub use dominators::DominatorTree;
pub use entries::Entries;
pub use fringe::Fringe;
pub use frontier::dominance_frontier_nonempty;
pub use held_arrays::HeldArray;
pub use ownership::{Dominated, Ownership, Visitor};
pub use paths::{RootPath, RootPaths, shortest_path_within, usual_path_within};
pub use reachability::Reachability;
pub use referrers::Referrers;
pub use single_entry::SingleEntry;

use crate::heap::Heap;

/// What ownership is computed from, and what it is: nothing of it depends on ages.
#[derive(Debug)]
pub struct Owned {
    referrers: Referrers,
    entries: Entries,
    /// Who dominates whom.
    pub dominators: DominatorTree,
}

impl Owned {
    /// Of one heap.
    pub fn new(heap: &Heap) -> Self {
        let (referrers, entries) = (Referrers::new(heap), Entries::new(heap));
        let dominators = DominatorTree::new(heap, &referrers, &entries);
        Self { referrers, entries, dominators }
    }
}

/// A heap with every attribute that ranking and regions ask for.
#[derive(Debug)]
pub struct ObjectGraph<'h> {
    /// The heap itself.
    pub heap: &'h Heap,
    /// Who dominates whom.
    pub dominators: DominatorTree,
    /// Who is old and who is new.
    pub ages: Ages,
    /// New objects that old ones refer to.
    pub fringe: Fringe,
    /// Heads of single-entry regions.
    pub single_entry: SingleEntry,
    /// Which roots reach what.
    pub reachability: Reachability,
    /// Objects with a dominance frontier.
    pub frontier: BitSet,
}

impl<'h> ObjectGraph<'h> {
    /// Computes all attributes; near-linear in objects and references.
    pub fn new(heap: &'h Heap) -> Self {
        Self::of(heap, Owned::new(heap))
    }

    /// The same where ownership is known already: of this heap, or of one that differs in ages alone.
    pub fn of(heap: &'h Heap, owned: Owned) -> Self {
        let Owned { referrers, entries, dominators } = owned;
        let ages = Ages::new(heap, &referrers, &dominators);
        let fringe = Fringe::new(heap, &ages);
        let single_entry = SingleEntry::new(heap, &referrers, &dominators, &entries);
        let reachability = Reachability::new(heap, &referrers);
        drop(referrers);
        let frontier = dominance_frontier_nonempty(heap, &dominators);
        Self { heap, dominators, ages, fringe, single_entry, reachability, frontier }
    }
}
