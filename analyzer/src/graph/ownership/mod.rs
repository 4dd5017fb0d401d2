//! Ownership on any heap: immediate dominators and exact retained sizes, over all GC roots equally.
//!
//! [`super::DominatorTree`] serves the search for growing structures, which enters the graph by chosen roots and walks
//! subtrees. This module answers which objects an object keeps alive, with little memory: 4 bytes an object, and 16 for
//! each that takes part in the search. *Private leaves* do not take part. Such an object refers to nothing and has one
//! reference to it, so it belongs to its referrer; about half of a heap are private leaves.
//!
//! Reading order: [`leaves`], [`numbering`], [`others`], [`dominated`], [`intervals`].

mod dominated;
mod intervals;
mod leaves;
mod numbering;
mod others;

pub use dominated::{Dominated, Visitor};
pub use intervals::Intervals;

use super::dominators::{VIRTUAL_ROOT, immediate_dominators};
use super::{Entries, Size};
use crate::heap::{Heap, MAX_OBJECTS, ObjectIdx};
use numbering::Numbering;

/// Immediate dominators and retained sizes.
#[derive(Debug)]
pub struct Ownership<'h> {
    heap: &'h Heap,
    /// By object: its number, that of its referrer with [`LEAF`], or 0 if it is unreachable.
    places: Vec<u32>,
    /// By number: the object. That of the virtual root names no object.
    vertex: Vec<ObjectIdx>,
    /// By number: the number of the immediate dominator, which is smaller.
    dominators: Vec<u32>,
    /// Retained bytes by number; for the virtual root, all reachable bytes.
    retained_bytes: Vec<u64>,
    /// Retained objects by number; for the virtual root, one more than all reachable ones.
    retained_count: Vec<u32>,
    reachable_count: usize,
}

/// Flag of private leaves; no number is as large, for a heap has fewer objects.
const LEAF: u32 = MAX_OBJECTS;

impl<'h> Ownership<'h> {
    /// Computes ownership over all roots of the heap, in time nearly linear in the references.
    pub fn new(heap: &'h Heap) -> Self {
        Self::of(heap, &Entries::all(heap))
    }

    /// The same over the entries: all that roots reach must be reachable from them.
    pub fn of(heap: &'h Heap, entries: &Entries) -> Self {
        let leaves = leaves::private_leaves(heap);
        let (Numbering { places, vertex, parents, others }, entries) = numbering::number(heap, &leaves, entries);
        drop(leaves);
        let incoming = others.by_referee(vertex.len());
        drop(others);
        let dominators = immediate_dominators(parents, entries.into_iter(), &incoming);
        drop(incoming);
        let (retained_bytes, mut retained_count) = (vec![0; vertex.len()], vec![0; vertex.len()]);
        retained_count[VIRTUAL_ROOT as usize] = 1;
        let mut ownership =
            Self { heap, places, retained_bytes, retained_count, vertex, dominators, reachable_count: 0 };
        ownership.add_up();
        ownership
    }

    /// Gives each number its own bytes with those of its private leaves, and then those of all that it dominates.
    fn add_up(&mut self) {
        for object in self.heap.objects() {
            let place = self.places[object.at()];
            if place != 0 {
                let number = (place & !LEAF) as usize;
                self.reachable_count += 1;
                self.retained_bytes[number] += self.heap.shallow_bytes(object);
                self.retained_count[number] += 1;
            }
        }
        for number in (1..self.dominators.len()).rev() {
            let dominator = self.dominators[number] as usize;
            self.retained_bytes[dominator] += self.retained_bytes[number];
            self.retained_count[dominator] += self.retained_count[number];
        }
    }

    /// The heap of these objects.
    pub fn heap(&self) -> &'h Heap {
        self.heap
    }

    /// Whether a GC root reaches the object.
    #[inline]
    pub fn is_reachable(&self, object: ObjectIdx) -> bool {
        self.places[object.at()] != 0
    }

    /// Number of objects that the GC roots reach.
    pub fn reachable_count(&self) -> usize {
        self.reachable_count
    }

    /// Shallow sizes of all that the GC roots reach.
    pub fn reachable_bytes(&self) -> u64 {
        self.retained_bytes[VIRTUAL_ROOT as usize]
    }

    /// The nearest object through which all paths from the roots lead; `None` if there is none, or no path at all.
    #[inline]
    pub fn immediate_dominator(&self, object: ObjectIdx) -> Option<ObjectIdx> {
        let place = self.places[object.at()];
        let dominator = if place & LEAF != 0 { place ^ LEAF } else { self.dominators[place as usize] };
        (dominator != VIRTUAL_ROOT).then(|| self.vertex[dominator as usize])
    }

    /// The object's retained size in bytes: its shallow size and those of all that it dominates; 0 if it is
    /// unreachable.
    #[inline]
    pub fn retained_bytes(&self, object: ObjectIdx) -> u64 {
        match self.places[object.at()] {
            0 => 0,
            place if place & LEAF != 0 => self.heap.shallow_bytes(object),
            number => self.retained_bytes[number as usize],
        }
    }

    /// Number of objects of [`Self::retained_bytes`].
    #[inline]
    pub fn retained_count(&self, object: ObjectIdx) -> u64 {
        match self.places[object.at()] {
            0 => 0,
            place if place & LEAF != 0 => 1,
            number => u64::from(self.retained_count[number as usize]),
        }
    }

    /// The object's retained size.
    #[inline]
    pub fn retained(&self, object: ObjectIdx) -> Size {
        Size { objects: self.retained_count(object), bytes: self.retained_bytes(object) }
    }
}
