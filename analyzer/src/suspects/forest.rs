//! The dominator tree as the phases see it: who is above, who is below, and what share of the reachable heap each keeps.

use crate::graph::{Dominated, Ownership};
use crate::heap::{ClassIdx, Heap, ObjectIdx};

/// A heap with its dominator tree in both directions.
#[derive(Clone, Copy, Debug)]
pub struct Forest<'a> {
    /// Who owns what.
    pub ownership: &'a Ownership<'a>,
    /// Whom each object owns.
    pub dominated: &'a Dominated<'a>,
}

impl<'a> Forest<'a> {
    /// Of one heap.
    pub fn new(ownership: &'a Ownership<'a>, dominated: &'a Dominated<'a>) -> Self {
        Self { ownership, dominated }
    }

    /// The heap.
    pub fn heap(&self) -> &'a Heap {
        self.ownership.heap()
    }

    /// What all shares are of.
    pub fn reachable_bytes(&self) -> u64 {
        self.ownership.reachable_bytes()
    }

    /// What the object retains.
    pub fn retained_bytes(&self, object: ObjectIdx) -> u64 {
        self.ownership.retained_bytes(object)
    }

    /// As a share of the reachable heap, in [0, 1].
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
