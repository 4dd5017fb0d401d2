//! A depth-first spanning tree of all objects reachable from the entries, with the numbering on which dominators are
//! computed.

use super::{SearchTree, VIRTUAL_ROOT};
use crate::graph::Entries;
use crate::heap::{Heap, ObjectIdx};

/// Reachable objects numbered 1, 2, 3 … in the order of a depth-first walk below the virtual root.
pub(super) struct SpanningTree {
    /// By object: its number, or 0 if it is unreachable.
    pub(super) number: Vec<u32>,
    /// By number: the object. The entry of the virtual root names no object.
    pub(super) vertex: Vec<ObjectIdx>,
    /// By number: the parent.
    pub(super) tree: SearchTree,
    /// By group of entries: the number behind all that the walk numbered from it.
    pub(super) ends: Vec<u32>,
}

/// The number of an entry of a later group, until that group is entered.
const LATER: u32 = u32::MAX;

/// An object whose references are being followed, and the number of those already followed.
struct Visit {
    number: u32,
    followed: u32,
}

impl SpanningTree {
    /// Walks from the entries in their order, along references in theirs. What one group of entries reaches is numbered
    /// before the next group is entered.
    pub(super) fn new(heap: &Heap, entries: &Entries) -> Self {
        let mut tree = Self {
            number: vec![0; heap.object_count()],
            vertex: vec![ObjectIdx(u32::MAX)],
            tree: SearchTree::new(heap.object_count() + 1),
            ends: Vec::new(),
        };
        for entry in entries.objects() {
            tree.number[entry.at()] = LATER;
        }
        for group in entries.groups() {
            tree.walk_from(heap, group);
        }
        tree.vertex.shrink_to_fit();
        tree
    }

    /// Numbers all that a group of entries reaches and that has no number yet.
    fn walk_from(&mut self, heap: &Heap, group: &[ObjectIdx]) {
        group.iter().for_each(|entry| self.number[entry.at()] = 0);
        let mut open = Vec::new();
        for &entry in group {
            if self.number[entry.at()] == 0 {
                open.push(self.enter(entry, VIRTUAL_ROOT));
                self.exhaust(heap, &mut open);
            }
        }
        group.iter().for_each(|entry| self.tree.refer(VIRTUAL_ROOT, self.number[entry.at()]));
        self.ends.push(self.tree.len() as u32);
    }

    fn enter(&mut self, object: ObjectIdx, parent: u32) -> Visit {
        let number = self.tree.add(parent);
        self.number[object.at()] = number;
        self.vertex.push(object);
        Visit { number, followed: 0 }
    }

    fn exhaust(&mut self, heap: &Heap, open: &mut Vec<Visit>) {
        while let Some(mut visit) = open.pop() {
            let referees = heap.references().of(self.vertex[visit.number as usize]);
            let next = referees[visit.followed as usize..].iter().position(|referee| self.number[referee.at()] == 0);
            let Some(skipped) = next else { continue };
            let child = referees[visit.followed as usize + skipped];
            visit.followed += skipped as u32 + 1;
            let parent = visit.number;
            // An object whose last reference is being followed is not revisited: so a list takes no stack.
            if (visit.followed as usize) < referees.len() {
                open.push(visit);
            }
            let entered = self.enter(child, parent);
            open.push(entered);
        }
    }
}
