//! The heads of a heap: the objects through which data structures are entered.

use super::Layout;
use crate::graph::Dominance;
use crate::heap::{ObjectIdx, RankedBits};

/// A head by its place in [`Heads`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HeadIdx(pub u32);

impl HeadIdx {
    /// The index into a column.
    #[inline]
    pub fn at(self) -> usize {
        self.0 as usize
    }
}

/// All reachable heads, ascending: 4 bytes each, and three bits for each object of the heap.
#[derive(Debug, Default)]
pub struct Heads {
    objects: Vec<ObjectIdx>,
    bits: RankedBits,
}

impl Heads {
    /// Finds the reachable objects whose description is a head (AntTracks §3.2.3).
    pub fn new(dominance: &impl Dominance, layout: &Layout) -> Self {
        let heap = dominance.heap();
        let is_head = |object: ObjectIdx| layout.is_head(layout.type_of(heap, object));
        let (mut words, mut objects) = (vec![0; heap.object_count().div_ceil(64)], Vec::new());
        for object in heap.objects().filter(|&object| is_head(object) && dominance.is_reachable(object)) {
            words[object.at() / 64] |= 1 << (object.at() % 64);
            objects.push(object);
        }
        Self { objects, bits: RankedBits::new(&words).unwrap_or_default() }
    }

    /// Number of heads; every [`HeadIdx`] below it is valid.
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// All heads.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (HeadIdx, ObjectIdx)> + '_ {
        self.objects.iter().enumerate().map(|(at, &object)| (HeadIdx(at as u32), object))
    }

    /// The object of a head.
    #[inline]
    pub fn object(&self, head: HeadIdx) -> ObjectIdx {
        self.objects[head.at()]
    }

    /// The head that an object is.
    #[inline]
    pub fn of(&self, object: ObjectIdx) -> Option<HeadIdx> {
        self.bits.place(object.at()).map(HeadIdx)
    }
}
