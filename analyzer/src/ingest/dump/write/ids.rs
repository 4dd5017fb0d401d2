//! The ids of objects in a written dump: their addresses if the heap holds them, otherwise addresses as if the objects
//! lay directly one after another.

use crate::heap::{Heap, ObjectIdx};

/// First artificial address.
const FIRST: u64 = 0x1_0000;

/// One id for each object.
pub(super) struct Ids {
    by_object: Vec<u64>,
    /// An id above all others.
    pub(super) free: u64,
}

impl Ids {
    pub(super) fn new(heap: &Heap) -> Self {
        let known = |object| heap.dump_id(object).filter(|id| id % 8 == 0);
        let known: Option<Vec<u64>> = heap.objects().map(known).collect();
        let by_object = known.unwrap_or_else(|| made_up(heap));
        let free = by_object.iter().max().map_or(FIRST, |last| last + (1 << 20));
        Self { by_object, free }
    }

    #[inline]
    pub(super) fn get(&self, object: ObjectIdx) -> u64 {
        self.by_object[object.at()]
    }
}

fn made_up(heap: &Heap) -> Vec<u64> {
    let mut next = FIRST;
    let mut id = |object| {
        let id = next;
        next += heap.shallow_bytes(object).max(8).next_multiple_of(8);
        id
    };
    heap.objects().map(&mut id).collect()
}
