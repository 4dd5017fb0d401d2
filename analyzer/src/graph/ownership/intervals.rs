//! Whether one object dominates another, in constant time: every number has an interval, and an object dominates all
//! whose interval lies within its own. 4 bytes for each object that is no private leaf.

use super::{LEAF, Ownership};
use crate::graph::dominators::VIRTUAL_ROOT;
use crate::graph::{Dominance, Size};
use crate::heap::{Heap, ObjectIdx};

/// Ownership with the interval of each number.
#[derive(Debug)]
pub struct Intervals<'o> {
    ownership: &'o Ownership<'o>,
    /// By number: the beginning of its interval, which is as long as the number of objects that it retains.
    begins: Vec<u32>,
}

impl<'o> Intervals<'o> {
    /// Lays the intervals out in one pass: a dominator has a smaller number than the objects that it dominates.
    pub fn new(ownership: &'o Ownership<'o>) -> Self {
        let counts = &ownership.retained_count;
        // Until its own interval is fixed, the entry of a number is unused; then it is the end of its placed children.
        let (mut begins, mut ends) = (vec![0; counts.len()], vec![0; counts.len()]);
        for number in 1..counts.len() {
            let end = &mut ends[ownership.dominators[number] as usize];
            begins[number] = *end;
            *end += counts[number];
            // The object itself takes the first place.
            ends[number] = begins[number] + 1;
        }
        Self { ownership, begins }
    }

    /// The number whose interval an object has: its own, or that of the owner of a private leaf.
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
        let (above, below) = (self.number(above) as usize, self.number(below) as usize);
        let distance = self.begins[below].wrapping_sub(self.begins[above]);
        distance < self.ownership.retained_count[above]
    }

    fn retained(&self, object: ObjectIdx) -> Size {
        self.ownership.retained(object)
    }

    fn reachable(&self) -> Size {
        let bytes = self.ownership.retained_bytes[VIRTUAL_ROOT as usize];
        Size { objects: self.ownership.reachable_count as u64, bytes }
    }
}
