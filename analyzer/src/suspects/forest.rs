//! The dominator tree as the phases use it: dominators, dominated objects, and each object's share of the reachable
//! heap.

use crate::graph::{Dominated, Ownership};
use crate::heap::{ClassIdx, Heap, ObjectIdx};

/// A heap with its dominator tree in both directions.
#[derive(Clone, Copy, Debug)]
pub struct Forest<'a> {
    /// Dominators and retained sizes.
    pub ownership: &'a Ownership<'a>,
    /// The objects that each object dominates immediately.
    pub dominated: &'a Dominated<'a>,
}

impl<'a> Forest<'a> {
    /// The forest of one heap.
    pub fn new(ownership: &'a Ownership<'a>, dominated: &'a Dominated<'a>) -> Self {
        Self { ownership, dominated }
    }

    /// The heap.
    pub fn heap(&self) -> &'a Heap {
        self.ownership.heap()
    }

    /// The whole of all shares: the bytes of the reachable heap.
    pub fn reachable_bytes(&self) -> u64 {
        self.ownership.reachable_bytes()
    }

    /// The object's retained size in bytes.
    pub fn retained_bytes(&self, object: ObjectIdx) -> u64 {
        self.ownership.retained_bytes(object)
    }

    /// Bytes as a share of the reachable heap, in [0, 1].
    pub fn share(&self, bytes: u64) -> f64 {
        bytes as f64 / self.reachable_bytes().max(1) as f64
    }

    pub(super) fn class_of(&self, object: ObjectIdx) -> ClassIdx {
        self.heap().class_of(object)
    }

    /// The object's dominators, nearest first; not the object itself.
    pub(super) fn above(&self, object: ObjectIdx) -> impl Iterator<Item = ObjectIdx> {
        std::iter::successors(self.ownership.immediate_dominator(object), |&at| self.ownership.immediate_dominator(at))
    }
}
