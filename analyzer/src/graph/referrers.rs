//! Reversed references: the referrers of an object. Compressed sparse rows as for the forward references, without the
//! labels, which are not needed in this direction.

use super::rows::Rows;
use crate::heap::{Heap, ObjectIdx};

/// All references of a heap, by referee: 4 bytes an object and 4 bytes a reference.
#[derive(Debug)]
pub struct Referrers(Rows<ObjectIdx>);

impl Referrers {
    /// Reverses the references.
    pub fn new(heap: &Heap) -> Self {
        let of = |referrer| heap.references().of(referrer).iter().rev().map(move |referee| (referee.0, referrer));
        let backward = || (0..heap.object_count() as u32).rev().map(ObjectIdx).flat_map(of);
        Self(Rows::new(heap.object_count(), ObjectIdx(0), backward))
    }

    /// The objects that refer to `referee`, ascending, one entry for each reference.
    #[inline]
    pub fn of(&self, referee: ObjectIdx) -> &[ObjectIdx] {
        self.0.of(referee.0)
    }
}
