//! Depth-first numbering from the virtual root, with an explicit stack.

use crate::graph::Entries;
use crate::heap::{Heap, ObjectIdx};

/// A depth-first search. Number 0 is the virtual root; objects are numbered from 1 in the order of first visit.
pub(super) struct DepthFirst {
    /// By object: its number, 0 when unreachable.
    pub(super) number: Vec<u32>,
    /// By number − 1: the object.
    pub(super) objects: Vec<ObjectIdx>,
    /// By number: number of the parent in the search tree.
    pub(super) parent: Vec<u32>,
}

impl DepthFirst {
    /// Visits everything that the entries reach, one after another.
    pub(super) fn new(heap: &Heap, entries: &Entries) -> Self {
        let mut search = Self { number: vec![0; heap.object_count()], objects: Vec::new(), parent: vec![0] };
        let mut stack: Vec<(u32, u32)> = Vec::new();
        for &entry in entries.objects() {
            search.visit(entry, 0, &mut stack);
            while let Some((number, next)) = stack.last_mut() {
                let (number, at) = (*number, *next as usize);
                *next += 1;
                match heap.references().of(search.objects[number as usize - 1]).get(at) {
                    Some(&referee) => search.visit(referee, number, &mut stack),
                    None => drop(stack.pop()),
                }
            }
        }
        search
    }

    fn visit(&mut self, object: ObjectIdx, parent: u32, stack: &mut Vec<(u32, u32)>) {
        if self.number[object.at()] == 0 {
            self.objects.push(object);
            self.parent.push(parent);
            let number = self.objects.len() as u32;
            self.number[object.at()] = number;
            stack.push((number, 0));
        }
    }
}
