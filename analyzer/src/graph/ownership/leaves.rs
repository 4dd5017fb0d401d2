//! Objects whose owner is evident.

use crate::graph::BitSet;
use crate::heap::{Heap, ObjectIdx};

/// Objects without references that are no GC roots and that only one reference leads to: the referrer owns them.
pub(super) fn private_leaves(heap: &Heap) -> BitSet {
    let (mut met, mut shared) = (BitSet::new(heap.object_count()), BitSet::new(heap.object_count()));
    let mut meet = |object: ObjectIdx| {
        if !met.insert(object.at()) {
            shared.insert(object.at());
        }
    };
    for root in heap.roots() {
        // A root counts as two references.
        meet(root.object);
        meet(root.object);
    }
    heap.references().all().iter().for_each(|&referee| meet(referee));
    let mut leaves = BitSet::new(heap.object_count());
    for object in heap.objects() {
        let is_private = met.contains(object.at()) && !shared.contains(object.at());
        if is_private && heap.references().of(object).is_empty() {
            leaves.insert(object.at());
        }
    }
    leaves
}
