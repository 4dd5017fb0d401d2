//! Ownership on any heap: immediate dominators and exact retained sizes, over all GC roots equally or over [`Entries`].
//!
//! [`super::DominatorTree`] serves the search for growing structures, which enters the graph by chosen roots and walks
//! subtrees. This module answers which objects an object keeps alive, with little memory: 4 bytes an object, and 16 for
//! each that takes part in the search. *Private leaves* do not take part. Such an object refers to nothing and has one
//! reference to it, so it belongs to its referrer; a third to a half of a heap are private leaves.
//!
//! Before, the search for dominators takes 13 bytes for each object that takes part, and about two for each reference
//! from a larger number to a smaller one; renumbering takes 20.
//!
//! Reading order: [`leaves`], [`numbering`], [`others`], [`layout`], [`sums`], [`dominated`], [`intervals`].

mod dominated;
mod intervals;
mod layout;
mod leaves;
mod numbering;
mod others;
mod sums;

pub use dominated::{Dominated, Visitor};
pub use intervals::Intervals;

use super::Entries;
use super::dominators::{VIRTUAL_ROOT, immediate_dominators};
use crate::heap::{Heap, MAX_OBJECTS, ObjectIdx};
use layout::Layout;
use numbering::Numbering;
use others::OtherReferrers;
use sums::Sums;

/// Immediate dominators and retained sizes. Objects have numbers in the preorder of the dominator tree.
#[derive(Debug)]
pub struct Ownership<'h> {
    heap: &'h Heap,
    /// By object: its number, that of its referrer with [`LEAF`], or 0 if it is unreachable.
    places: Vec<u32>,
    /// By number: the object. That of the virtual root names no object.
    vertex: Vec<ObjectIdx>,
    /// By number: the number of the immediate dominator, which is smaller.
    dominators: Vec<u32>,
    /// By number: the number behind all that it dominates.
    ends: Vec<u32>,
    /// Retained bytes by number; for the virtual root, all reachable bytes.
    retained_bytes: Sums,
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
        let Numbering { places, tree, others } = numbering::number(heap, &leaves, entries);
        drop(leaves);
        let dominators = immediate_dominators(tree, &mut OtherReferrers::new(others));
        let Layout { dominators, ends, numbers } = layout::lay_out(dominators);
        let vertex = vec![ObjectIdx(u32::MAX); dominators.len()];
        let retained_bytes = Sums::new(dominators.len(), heap.size_unit(), heap.total_bytes());
        let mut ownership = Self { heap, places, vertex, dominators, ends, retained_bytes, reachable_count: 0 };
        ownership.renumber(&numbers);
        ownership.retained_bytes.gather(&ownership.dominators);
        ownership
    }

    /// Replaces the numbers of the walk, and adds up the bytes of each number with those of its private leaves.
    fn renumber(&mut self, numbers: &[u32]) {
        for (place, object) in self.places.iter_mut().zip(self.heap.objects()) {
            if *place == 0 {
                continue;
            }
            let number = numbers[(*place & !LEAF) as usize];
            if *place & LEAF == 0 {
                self.vertex[number as usize] = object;
            }
            *place = number | *place & LEAF;
            self.reachable_count += 1;
            self.retained_bytes.add(number as usize, self.heap.shallow_bytes(object));
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
        self.retained_bytes.bytes(VIRTUAL_ROOT as usize)
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
            number => self.retained_bytes.bytes(number as usize),
        }
    }
}
