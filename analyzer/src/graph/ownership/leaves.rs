//! Objects whose owner is plain to see.

use crate::graph::BitSet;
use crate::heap::{Heap, ObjectIdx};

/// Objects that refer to nothing, that are no GC roots, and that one reference leads to: what holds that owns them.
pub(super) fn private_leaves(heap: &Heap) -> BitSet {
    let (mut met, mut shared) = (BitSet::new(heap.object_count()), BitSet::new(heap.object_count()));
    let mut meet = |object: ObjectIdx| {
        if !met.insert(object.at()) {
            shared.insert(object.at());
        }
    };
    for root in heap.roots() {
        // As if it were held twice.
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
