//! The GC roots that reach an object (LeakBot §3.2, *reachability*), by kind.
//!
//! "Each element of the vector counts the number of GC roots of a particular type that reach that single-entry
//! subgraph." Exact counts would need a set of roots per region. A few bits per kind count few roots exactly and many
//! roots as many, which suffices for the metrics.

use super::{Referrers, join_inflow};
use crate::heap::{Heap, ObjectIdx, RootKind, RootKinds};

const ALL_KINDS: [RootKind; 6] =
    [RootKind::Class, RootKind::JniGlobal, RootKind::Thread, RootKind::OnStack, RootKind::Monitor, RootKind::Other];
/// Bits per kind; 6 × 10 fit into a word.
const BITS_PER_KIND: u32 = 10;

/// Reachability vectors of all objects; 8 bytes each. Unlike the paper, it has one vector for each object, not for each
/// region: a local variable may refer to the middle of a region and then reaches only the rest of it.
#[derive(Debug)]
pub struct Reachability {
    /// By object: a few bits for each kind.
    vector: Vec<u64>,
}

impl Reachability {
    /// Assigns each root a bit and propagates the bits along the references; linear in those.
    pub fn new(heap: &Heap, referrers: &Referrers) -> Self {
        let mut vector = vec![0; heap.object_count()];
        let mut seen = [0; ALL_KINDS.len()];
        for root in heap.roots() {
            let number = &mut seen[root.kind as usize];
            vector[root.object.at()] |= bit(root.kind, *number);
            *number += 1;
        }
        join_inflow(referrers, |_| true, &mut vector);
        Self { vector }
    }

    /// The kinds of roots that reach the object.
    pub fn kinds(&self, object: ObjectIdx) -> RootKinds {
        let mut kinds = RootKinds::default();
        for kind in ALL_KINDS.into_iter().filter(|&kind| self.count(object, kind) > 0) {
            kinds.insert(kind);
        }
        kinds
    }

    /// Approximate number of roots of a kind that reach the object. It is never too large, never 0 if there is one, and
    /// exact if the heap has at most [`BITS_PER_KIND`] of that kind.
    pub fn count(&self, object: ObjectIdx, kind: RootKind) -> u32 {
        (self.vector[object.at()] & bits_of(kind)).count_ones()
    }

    /// Whether on-stack roots reach the object, and no others do.
    pub fn only_on_stack(&self, object: ObjectIdx) -> bool {
        let vector = self.vector[object.at()];
        vector != 0 && vector & !bits_of(RootKind::OnStack) == 0
    }
}

/// The bit of the root of that number among those of its kind.
fn bit(kind: RootKind, number: u32) -> u64 {
    1 << (kind as u32 * BITS_PER_KIND + number % BITS_PER_KIND)
}

fn bits_of(kind: RootKind) -> u64 {
    ((1 << BITS_PER_KIND) - 1) << (kind as u32 * BITS_PER_KIND)
}
