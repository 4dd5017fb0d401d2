//! Single-entry regions (LeakBot §3.2): by this collapse the paper's graphs have an eighth of their nodes.
//!
//! Regions are Muchnik's extended basic blocks (the paper's reference for these terms). An object heads a region if the
//! graph is entered through it, or if an object other than its immediate dominator refers to it. Referrers that it
//! dominates itself (parent pointers, cycles) do not count. Any other object belongs to the region of its dominator. In
//! Figure 2 `ActiveOrders`, which has several parents, is a head; the `Vector` and its array are not.

use super::{BitSet, DominatorTree, Entries, Referrers};
use crate::heap::{Heap, ObjectIdx};

/// Heads of single-entry regions, and the region of each object.
#[derive(Debug)]
pub struct SingleEntry {
    head: Vec<ObjectIdx>,
}

impl SingleEntry {
    /// Finds the head of every object, dominators before the objects they dominate.
    pub fn new(heap: &Heap, referrers: &Referrers, dominators: &DominatorTree, entries: &Entries) -> Self {
        let mut is_entry = BitSet::new(heap.object_count());
        for entry in entries.objects() {
            is_entry.insert(entry.at());
        }
        let mut head: Vec<ObjectIdx> = heap.objects().collect();
        for &object in dominators.preorder() {
            let Some(dominator) = dominators.immediate_dominator(object) else { continue };
            let enters = |&referrer: &ObjectIdx| {
                referrer != dominator && dominators.is_reachable(referrer) && !dominators.dominates(object, referrer)
            };
            if !is_entry.contains(object.at()) && !referrers.of(object).iter().any(enters) {
                head[object.at()] = head[dominator.at()];
            }
        }
        Self { head }
    }

    /// Whether the object heads its region.
    #[inline]
    pub fn is_head(&self, object: ObjectIdx) -> bool {
        self.head[object.at()] == object
    }

    /// Head of the object's region.
    #[inline]
    pub fn head_of(&self, object: ObjectIdx) -> ObjectIdx {
        self.head[object.at()]
    }
}
