//! The depth-first search that gives every object its owner: the first child is explored to its end before the next.

use super::parents::Children;
use super::{HeapRoot, HeapRoots};
use crate::graph::BitSet;
use crate::heap::{Heap, ObjectIdx};

/// The search, root after root.
pub(super) struct Search<'h> {
    heap: &'h Heap,
    children: Children<'h>,
    reached: BitSet,
    /// Objects whose children are being explored: index in the order, and number of children already examined.
    open: Vec<(u32, u32)>,
    found: HeapRoots,
}

impl<'h> Search<'h> {
    pub(super) fn new(heap: &'h Heap) -> Self {
        let count = heap.object_count();
        let (order, subtree_counts) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let found = HeapRoots { roots: Vec::new(), order, subtree_counts };
        let (children, reached) = (Children::new(heap), BitSet::new(count));
        Self { heap, children, reached, open: Vec::new(), found }
    }

    /// All objects that some root owns.
    pub(super) fn reached(&self) -> &BitSet {
        &self.reached
    }

    pub(super) fn is_complete(&self) -> bool {
        self.found.order.len() == self.heap.object_count()
    }

    pub(super) fn finish(self) -> HeapRoots {
        self.found
    }

    /// Assigns a root all objects that it reaches and that no earlier root has taken.
    pub(super) fn take(&mut self, root: ObjectIdx, is_artificial: bool) {
        if !self.reached.insert(root.at()) {
            return;
        }
        let place = self.enter(root);
        let mut maximum_depth = 0;
        while let Some((at, looked)) = self.open.pop() {
            match self.next_child(at, looked) {
                Some((child, looked)) => {
                    self.open.push((at, looked));
                    self.enter(child);
                    maximum_depth = maximum_depth.max(self.open.len() - 1);
                }
                None => self.found.subtree_counts[at as usize] = self.found.order.len() as u32 - at,
            }
        }
        let owned = &self.found.order[place as usize..];
        self.found.roots.push(HeapRoot {
            object: root,
            is_artificial,
            descendant_count: owned.len() as u32 - 1,
            subtree_bytes: owned.iter().map(|&each| self.heap.shallow_bytes(each)).sum(),
            maximum_depth: maximum_depth as u32,
            place,
        });
    }

    fn enter(&mut self, object: ObjectIdx) -> u32 {
        let place = self.found.order.len() as u32;
        self.found.order.push(object);
        self.found.subtree_counts.push(1);
        self.open.push((place, 0));
        place
    }

    /// The next child that no root has taken, and the number of children examined up to it.
    fn next_child(&mut self, place: u32, looked: u32) -> Option<(ObjectIdx, u32)> {
        let object = self.found.order[place as usize];
        let class = self.children.left_out(object);
        let row = &self.children.row(object)[looked as usize..];
        let mut numbered = row.iter().zip(looked + 1..);
        let (&child, looked) = numbered.find(|&(&child, _)| Some(child) != class && self.reached.insert(child.at()))?;
        Some((child, looked))
    }
}
