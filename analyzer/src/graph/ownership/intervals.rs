//! Whether one object dominates another, in constant time, and how many objects each retains. 4 bytes for each object
//! that is no private leaf.

use super::sums::gather;
use super::{LEAF, Ownership};
use crate::graph::{Dominance, Size};
use crate::heap::{Heap, ObjectIdx};

/// Ownership with counts. An object dominates the numbers from its own up to its end.
#[derive(Debug)]
pub struct Intervals<'o> {
    ownership: &'o Ownership<'o>,
    /// Retained objects by number; for the virtual root, all reachable ones.
    retained_count: Vec<u32>,
}

impl<'o> Intervals<'o> {
    /// Counts the objects.
    pub fn new(ownership: &'o Ownership<'o>) -> Self {
        let mut retained_count = vec![0; ownership.vertex.len()];
        for &place in ownership.places.iter().filter(|place| **place != 0) {
            retained_count[(place & !LEAF) as usize] += 1;
        }
        gather(&mut retained_count, &ownership.dominators);
        Self { ownership, retained_count }
    }

    /// The number of an object, or that of the owner of a private leaf.
    fn number(&self, object: ObjectIdx) -> u32 {
        self.ownership.places[object.at()] & !LEAF
    }
}

impl Dominance for Intervals<'_> {
    fn heap(&self) -> &Heap {
        self.ownership.heap
    }

    fn is_reachable(&self, object: ObjectIdx) -> bool {
        self.ownership.is_reachable(object)
    }

    fn dominates(&self, above: ObjectIdx, below: ObjectIdx) -> bool {
        if !self.is_reachable(above) || !self.is_reachable(below) {
            return false;
        }
        if self.ownership.places[above.at()] & LEAF != 0 {
            return above == below;
        }
        let (above, below) = (self.number(above), self.number(below));
        (above..self.ownership.ends[above as usize]).contains(&below)
    }

    fn retained(&self, object: ObjectIdx) -> Size {
        let objects = match self.ownership.places[object.at()] {
            0 => 0,
            place if place & LEAF != 0 => 1,
            number => u64::from(self.retained_count[number as usize]),
        };
        Size { objects, bytes: self.ownership.retained_bytes(object) }
    }

    fn reachable(&self) -> Size {
        Size { objects: self.ownership.reachable_count as u64, bytes: self.ownership.reachable_bytes() }
    }
}
