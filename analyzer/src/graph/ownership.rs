//! Who owns what, on any heap: immediate dominators and exact retained sizes, over all GC roots alike.
//!
//! [`super::DominatorTree`] serves the search for growing structures, which enters the graph by chosen roots and walks
//! subtrees; this serves whoever asks what an object keeps alive.

use super::{DominatorTree, Entries, Referrers};
use crate::heap::{Heap, ObjectIdx};

/// Immediate dominators and retained sizes.
#[derive(Debug)]
pub struct Ownership {
    tree: DominatorTree,
    retained: Vec<u64>,
    reachable_bytes: u64,
}

impl Ownership {
    /// Over all roots of the heap.
    pub fn new(heap: &Heap) -> Self {
        let entries = Entries::all(heap);
        let referrers = Referrers::new(heap);
        let tree = DominatorTree::new(heap, &referrers, &entries);
        let mut retained = vec![0; heap.object_count()];
        let mut reachable_bytes = 0;
        for &object in tree.preorder().iter().rev() {
            retained[object.at()] += heap.shallow_bytes(object);
            reachable_bytes += heap.shallow_bytes(object);
            if let Some(dominator) = tree.immediate_dominator(object) {
                retained[dominator.at()] += retained[object.at()];
            }
        }
        Self { tree, retained, reachable_bytes }
    }

    /// Whether a GC root reaches the object.
    #[inline]
    pub fn is_reachable(&self, object: ObjectIdx) -> bool {
        self.tree.is_reachable(object)
    }

    /// How many objects the GC roots reach.
    pub fn reachable_count(&self) -> usize {
        self.tree.reachable_count()
    }

    /// Shallow sizes of all that the GC roots reach.
    pub fn reachable_bytes(&self) -> u64 {
        self.reachable_bytes
    }

    /// The nearest object through which all ways from the roots lead; `None` where there is none, or no way at all.
    #[inline]
    pub fn immediate_dominator(&self, object: ObjectIdx) -> Option<ObjectIdx> {
        self.tree.immediate_dominator(object)
    }

    /// What would go with the object: its shallow size and those of all that it dominates; 0 where nothing reaches it.
    #[inline]
    pub fn retained_bytes(&self, object: ObjectIdx) -> u64 {
        self.retained[object.at()]
    }
}
