//! The fringe (LeakBot §3.2): "the set of objects in the latest generation immediately pointed to by objects in
//! earlier generations".

use super::{Ages, BitSet};
use crate::heap::{Heap, ObjectIdx};

/// The set of objects on the fringe.
#[derive(Debug)]
pub struct Fringe {
    members: BitSet,
}

impl Fringe {
    /// Finds every new object that an old one refers to.
    pub fn new(heap: &Heap, ages: &Ages) -> Self {
        let mut members = BitSet::new(heap.object_count());
        for object in heap.objects().filter(|&object| !ages.is_new(object)) {
            for &referee in heap.references().of(object) {
                if ages.is_new(referee) {
                    members.insert(referee.at());
                }
            }
        }
        Self { members }
    }

    /// Whether the object is on the fringe.
    #[inline]
    pub fn contains(&self, object: ObjectIdx) -> bool {
        self.members.contains(object.at())
    }

    /// How many objects are.
    pub fn count(&self) -> usize {
        self.members.count()
    }
}
