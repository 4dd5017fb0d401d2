//! References turned round: who refers to an object. Labels are not kept.

use crate::heap::{Heap, ObjectIdx};

/// Referrers of each object as compressed sparse rows.
#[derive(Debug)]
pub struct Referrers {
    offsets: Vec<u32>,
    referrers: Vec<ObjectIdx>,
}

impl Referrers {
    /// Turns all references of the heap round.
    pub fn new(heap: &Heap) -> Self {
        let references = heap.references();
        let mut offsets = vec![0u32; heap.object_count() + 1];
        for object in heap.objects() {
            for referee in references.of(object) {
                offsets[referee.at() + 1] += 1;
            }
        }
        for at in 0..heap.object_count() {
            offsets[at + 1] += offsets[at];
        }
        let mut next = offsets.clone();
        let mut referrers = vec![ObjectIdx(0); references.len()];
        for object in heap.objects() {
            for referee in references.of(object) {
                referrers[next[referee.at()] as usize] = object;
                next[referee.at()] += 1;
            }
        }
        Self { offsets, referrers }
    }

    /// Who refers to `object`, with repetitions.
    #[inline]
    pub fn of(&self, object: ObjectIdx) -> &[ObjectIdx] {
        &self.referrers[self.offsets[object.at()] as usize..self.offsets[object.at() + 1] as usize]
    }
}
