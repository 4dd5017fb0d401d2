//! References turned around: who refers to an object. Compressed sparse rows as the forward references are, without
//! the labels, which nobody asks for in this direction.

use crate::heap::{Heap, ObjectIdx};

/// All references of a heap, by referee: 4 bytes an object and 4 bytes a reference.
#[derive(Debug)]
pub struct Referrers {
    offsets: Vec<u32>,
    referrers: Vec<ObjectIdx>,
}

impl Referrers {
    /// Turns the references around by counting, in two passes.
    pub fn new(heap: &Heap) -> Self {
        let references = heap.references();
        let mut offsets = row_ends(heap);
        let mut referrers = vec![ObjectIdx(0); references.len()];
        // Rows are filled from their ends, so that each offset finishes at its row's start; going through the
        // referrers from the last to the first leaves each row in ascending order.
        for referrer in (0..heap.object_count() as u32).rev().map(ObjectIdx) {
            for referee in references.of(referrer) {
                let at = &mut offsets[referee.at()];
                *at -= 1;
                referrers[*at as usize] = referrer;
            }
        }
        Self { offsets, referrers }
    }

    /// The objects that refer to `referee`, ascending, one entry for each reference.
    #[inline]
    pub fn of(&self, referee: ObjectIdx) -> &[ObjectIdx] {
        &self.referrers[self.offsets[referee.at()] as usize..self.offsets[referee.at() + 1] as usize]
    }
}

/// For each object the end of its row; one more entry closes the last row once it has moved to its start.
fn row_ends(heap: &Heap) -> Vec<u32> {
    let mut ends = vec![0u32; heap.object_count() + 1];
    for referrer in heap.objects() {
        for referee in heap.references().of(referrer) {
            ends[referee.at()] += 1;
        }
    }
    let mut end = 0;
    for row in &mut ends {
        end += *row;
        *row = end;
    }
    ends
}
