//! The depth-first walk on which dominators are computed. Private leaves are noted, and get no number.

use super::LEAF;
use super::others::Others;
use crate::graph::dominators::{SearchTree, VIRTUAL_ROOT};
use crate::graph::{BitSet, Entries};
use crate::heap::{Heap, ObjectIdx};

/// Reachable objects numbered 1, 2, 3 … in the order of a depth-first walk below the virtual root.
pub(super) struct Numbering {
    /// By object: its number, that of its referrer with [`LEAF`], or 0 if it is unreachable.
    pub(super) places: Vec<u32>,
    /// The spanning tree, with the references from smaller numbers to larger ones.
    pub(super) tree: SearchTree,
    /// The references from larger numbers to smaller ones.
    pub(super) others: Others,
}

/// An object whose references are being followed, and the number of those already followed.
struct Visit {
    object: ObjectIdx,
    number: u32,
    followed: u32,
}

struct Walk<'h> {
    heap: &'h Heap,
    leaves: &'h BitSet,
    open: Vec<Visit>,
    /// The first number of the group of entries from which it walks.
    first: u32,
    /// Entries of later groups.
    later: BitSet,
    numbering: Numbering,
}

/// Walks from the entries, one group after another.
pub(super) fn number(heap: &Heap, leaves: &BitSet, entries: &Entries) -> Numbering {
    let most = heap.object_count() - leaves.count() + 1;
    let places = vec![0; heap.object_count()];
    let numbering = Numbering { places, tree: SearchTree::new(most), others: Others::new(most) };
    let mut later = BitSet::new(heap.object_count());
    for entry in entries.objects() {
        later.insert(entry.at());
    }
    let mut walk = Walk { heap, leaves, open: Vec::new(), first: 0, later, numbering };
    for group in entries.groups() {
        walk.first = walk.numbering.tree.len() as u32;
        group.iter().for_each(|entry| walk.later.remove(entry.at()));
        group.iter().for_each(|&entry| walk.walk_from(entry));
    }
    walk.numbering
}

impl Walk<'_> {
    fn walk_from(&mut self, entry: ObjectIdx) {
        match self.numbering.places[entry.at()] {
            0 => {
                self.enter(entry, VIRTUAL_ROOT);
                self.exhaust();
            }
            known => self.numbering.tree.refer(VIRTUAL_ROOT, known),
        }
    }

    fn enter(&mut self, object: ObjectIdx, parent: u32) {
        let number = self.numbering.tree.add(parent);
        self.numbering.places[object.at()] = number;
        self.open.push(Visit { object, number, followed: 0 });
    }

    fn exhaust(&mut self) {
        while let Some(visit) = self.open.pop() {
            let referees = self.heap.references().of(visit.object);
            if let Some((child, followed)) = self.next(visit.number, referees, visit.followed) {
                // An object whose last reference is being followed is not revisited: so a list takes no stack.
                if (followed as usize) < referees.len() {
                    self.open.push(Visit { followed, ..visit });
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
                0 if !self.later.contains(referee.at()) => return Some((referee, at)),
                known if known > number => self.numbering.tree.refer(number, known),
                known if known >= self.first => self.numbering.others.push(known, number),
                // It is an entry of a later group, or belongs to an earlier one.
                _ => {}
            }
        }
        None
    }
}
