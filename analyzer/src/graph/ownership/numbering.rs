//! The depth-first walk on which dominators are computed. Private leaves are noted, and get no number.

use super::LEAF;
use super::others::Others;
use crate::graph::dominators::VIRTUAL_ROOT;
use crate::graph::{BitSet, Entries};
use crate::heap::{Heap, ObjectIdx};

/// Reachable objects numbered 1, 2, 3 … in the order of a depth-first walk below the virtual root.
pub(super) struct Numbering {
    /// By object: its number, that of its referrer with [`LEAF`], or 0 if it is unreachable.
    pub(super) places: Vec<u32>,
    /// By number: the object. The entry of the virtual root names no object.
    pub(super) vertex: Vec<ObjectIdx>,
    /// By number: the number of the parent in the spanning tree. The virtual root is its own.
    pub(super) parents: Vec<u32>,
    /// The references that are not in the spanning tree.
    pub(super) others: Others,
}

/// An object whose references are being followed, and the number of those already followed.
struct Visit {
    number: u32,
    followed: u32,
}

struct Walk<'h> {
    heap: &'h Heap,
    leaves: &'h BitSet,
    open: Vec<Visit>,
    numbering: Numbering,
}

/// Walks from the entries. Also returns their numbers.
pub(super) fn number(heap: &Heap, leaves: &BitSet, entries: &Entries) -> (Numbering, Vec<u32>) {
    let most = heap.object_count() - leaves.count() + 1;
    let (mut vertex, mut parents) = (Vec::with_capacity(most), Vec::with_capacity(most));
    vertex.push(ObjectIdx(u32::MAX));
    parents.push(VIRTUAL_ROOT);
    let places = vec![0; heap.object_count()];
    let numbering = Numbering { places, vertex, parents, others: Others::default() };
    let mut walk = Walk { heap, leaves, open: Vec::new(), numbering };
    for &entry in entries.objects() {
        if walk.numbering.places[entry.at()] == 0 {
            walk.enter(entry, VIRTUAL_ROOT);
            walk.exhaust();
        }
    }
    let numbers = entries.objects().iter().map(|entry| walk.numbering.places[entry.at()]).collect();
    (walk.numbering, numbers)
}

impl Walk<'_> {
    fn enter(&mut self, object: ObjectIdx, parent: u32) {
        let number = self.numbering.vertex.len() as u32;
        self.numbering.places[object.at()] = number;
        self.numbering.vertex.push(object);
        self.numbering.parents.push(parent);
        self.open.push(Visit { number, followed: 0 });
    }

    fn exhaust(&mut self) {
        while let Some(visit) = self.open.pop() {
            let referees = self.heap.references().of(self.numbering.vertex[visit.number as usize]);
            if let Some((child, followed)) = self.next(visit.number, referees, visit.followed) {
                // An object whose last reference is being followed is not revisited: so a list takes no stack.
                if (followed as usize) < referees.len() {
                    self.open.push(Visit { number: visit.number, followed });
                }
                self.enter(child, visit.number);
            }
        }
    }

    /// The next object without a number, and the number of references followed up to it.
    fn next(&mut self, number: u32, referees: &[ObjectIdx], followed: u32) -> Option<(ObjectIdx, u32)> {
        for (&referee, at) in referees[followed as usize..].iter().zip(followed + 1..) {
            let place = &mut self.numbering.places[referee.at()];
            if self.leaves.contains(referee.at()) {
                *place = LEAF | number;
                continue;
            }
            match *place {
                0 => return Some((referee, at)),
                known => self.numbering.others.push(known, number),
            }
        }
        None
    }
}
