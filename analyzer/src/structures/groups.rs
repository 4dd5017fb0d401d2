//! Up to 64 groups of objects as bits: the groups that an object belongs to.

use crate::heap::{ClassIdx, Heap, ObjectIdx, RankedBits};

/// Groups of objects.
pub(super) trait Groups {
    /// The groups of an object, one bit each.
    fn of(&self, object: ObjectIdx) -> u64;
}

/// Groups whose objects are listed: 2 bits an object of the heap, 8 bytes a member.
#[derive(Debug)]
pub(super) struct Listed {
    members: RankedBits,
    /// By rank among the members.
    bits: Vec<u64>,
}

impl Listed {
    /// One bit for each of at most 64 groups; they may overlap.
    pub(super) fn new(object_count: usize, groups: &[&[ObjectIdx]]) -> Self {
        let mut words = vec![0u64; object_count.div_ceil(64)];
        groups.iter().copied().flatten().for_each(|object| words[object.at() / 64] |= 1 << (object.at() % 64));
        // A heap has fewer objects than the set can have.
        let members = RankedBits::new(&words).unwrap_or_default();
        let mut bits = vec![0; members.count() as usize];
        for (group, objects) in groups.iter().enumerate() {
            let places = objects.iter().filter_map(|object| members.place(object.at()));
            places.for_each(|place| bits[place as usize] |= 1 << group);
        }
        Self { members, bits }
    }
}

impl Groups for Listed {
    #[inline]
    fn of(&self, object: ObjectIdx) -> u64 {
        self.members.place(object.at()).map_or(0, |place| self.bits[place as usize])
    }
}

/// All instances of classes.
#[derive(Debug)]
pub(super) struct OfClasses<'h> {
    heap: &'h Heap,
    /// By class.
    bits: Vec<u64>,
}

impl<'h> OfClasses<'h> {
    /// One bit for each of at most 64 classes.
    pub(super) fn new(heap: &'h Heap, classes: &[ClassIdx]) -> Self {
        let mut bits = vec![0; heap.classes().len()];
        classes.iter().enumerate().for_each(|(bit, class)| bits[class.at()] |= 1 << bit);
        Self { heap, bits }
    }
}

impl Groups for OfClasses<'_> {
    #[inline]
    fn of(&self, object: ObjectIdx) -> u64 {
        self.bits[self.heap.class_of(object).at()]
    }
}
