//! *Dump from roots*: a root's tree from the top, as far as depth, size and number of lines allow. Sizes are added up
//! on demand, so only the order of the search is kept.

use super::{HeapRoot, HeapRoots, Softness};
use crate::heap::{Heap, Label, ObjectIdx};

/// Limits of an outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutlineLimits {
    /// Most levels below the root.
    pub depth: u32,
    /// Least bytes of a subtree that is listed; smaller ones are only counted.
    pub least_bytes: u64,
    /// Most lines in all.
    pub lines: usize,
}

/// A root's tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// The tree, from the top.
    pub lines: Vec<OutlineLine>,
    /// Whether the limit of lines ended it.
    pub is_cut: bool,
}

/// One line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutlineLine {
    /// An object with its subtree.
    Object {
        /// Levels below the root.
        depth: u32,
        /// The object.
        object: ObjectIdx,
        /// The reference of its parent to it.
        label: Option<Label>,
        /// Whether that reference is soft.
        is_soft: bool,
        /// Number of objects below it.
        descendant_count: u32,
        /// Shallow sizes of it and all objects below, in bytes.
        subtree_bytes: u64,
    },
    /// Children of the object above that are not listed.
    Omitted {
        /// Their level.
        depth: u32,
        /// Number of these children.
        child_count: u64,
        /// Shallow sizes of them and all objects below, in bytes.
        subtree_bytes: u64,
    },
}

impl HeapRoots {
    /// The tree of one root.
    pub fn outline(&self, heap: &Heap, softness: &Softness<'_>, root: &HeapRoot, limits: OutlineLimits) -> Outline {
        let mut writer = Writer { roots: self, heap, softness, limits, outline: Outline::default() };
        writer.emit(root.place, None, 0, root.subtree_bytes);
        writer.emit_below(root.place);
        writer.outline
    }
}

struct Writer<'a> {
    roots: &'a HeapRoots,
    heap: &'a Heap,
    softness: &'a Softness<'a>,
    limits: OutlineLimits,
    outline: Outline,
}

/// An object whose children are being listed.
struct Open {
    place: usize,
    /// Index of its next child.
    next: usize,
    omitted_count: u64,
    omitted_bytes: u64,
}

impl Writer<'_> {
    fn emit_below(&mut self, top: u32) {
        let mut open = vec![self.open(top as usize)];
        while let Some(mut above) = open.pop() {
            if self.outline.lines.len() >= self.limits.lines {
                self.outline.is_cut = true;
                return;
            }
            let depth = open.len() as u32 + 1;
            if above.next == above.place + self.count(above.place) {
                self.omit(depth, &above);
                continue;
            }
            let child = above.next;
            above.next += self.count(child);
            let bytes = self.bytes(child);
            if depth > self.limits.depth || bytes < self.limits.least_bytes {
                above.omitted_count += 1;
                above.omitted_bytes += bytes;
                open.push(above);
            } else {
                self.emit(child as u32, Some(self.roots.order[above.place]), depth, bytes);
                open.push(above);
                open.push(self.open(child));
            }
        }
    }

    fn open(&self, place: usize) -> Open {
        Open { place, next: place + 1, omitted_count: 0, omitted_bytes: 0 }
    }

    fn count(&self, place: usize) -> usize {
        self.roots.subtree_counts[place] as usize
    }

    fn bytes(&self, place: usize) -> u64 {
        let subtree = &self.roots.order[place..place + self.count(place)];
        subtree.iter().map(|&object| self.heap.shallow_bytes(object)).sum()
    }

    fn emit(&mut self, place: u32, parent: Option<ObjectIdx>, depth: u32, subtree_bytes: u64) {
        let object = self.roots.order[place as usize];
        let labelled = parent.and_then(|parent| {
            let mut row = self.heap.references().labelled(parent);
            row.find(|&(child, _)| child == object).map(|(_, label)| (parent, label))
        });
        self.outline.lines.push(OutlineLine::Object {
            depth,
            object,
            label: labelled.map(|(_, label)| label),
            is_soft: labelled.is_some_and(|(parent, label)| self.softness.is_soft(parent, label)),
            descendant_count: self.roots.subtree_counts[place as usize] - 1,
            subtree_bytes,
        });
    }

    fn omit(&mut self, depth: u32, above: &Open) {
        if above.omitted_count > 0 {
            let (child_count, subtree_bytes) = (above.omitted_count, above.omitted_bytes);
            self.outline.lines.push(OutlineLine::Omitted { depth, child_count, subtree_bytes });
        }
    }
}
