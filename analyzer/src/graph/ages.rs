//! Old and new (LeakBot §3.2, *age*), with one correction for backing arrays.
//!
//! "When adding to an `ArrayList`, the underlying array is a transient object" (§5): a structure that outgrew its array
//! between two snapshots holds a new array with all the old members in it. Taken literally, none of the members that
//! were added would be on the fringe then, the new array alone would. So an object array that a field of an old object
//! holds is old: it is a part of that object.

use super::{BitSet, Referrers};
use crate::heap::{Heap, ObjectIdx};

/// Which objects count as new.
#[derive(Debug)]
pub struct Ages {
    new: BitSet,
}

impl Ages {
    /// Takes the generations of the heap, arrays corrected.
    pub fn new(heap: &Heap, referrers: &Referrers) -> Self {
        let mut new = BitSet::new(heap.object_count());
        for object in heap.objects() {
            if heap.is_new(object) && !is_backing_array_of_old(heap, referrers, object) {
                new.insert(object.at());
            }
        }
        Self { new }
    }

    /// Whether the object is of the latest generation.
    #[inline]
    pub fn is_new(&self, object: ObjectIdx) -> bool {
        self.new.contains(object.at())
    }
}

fn is_backing_array_of_old(heap: &Heap, referrers: &Referrers, object: ObjectIdx) -> bool {
    heap.is_object_array(object)
        && referrers.of(object).iter().any(|&holder| !heap.is_new(holder) && !heap.is_array(holder))
}
