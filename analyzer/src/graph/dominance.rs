//! Unique ownership as a question, whichever way it was computed: [`super::Intervals`] over an
//! [`super::Ownership`], or [`SizedTree`] over a [`super::DominatorTree`].

use super::DominatorTree;
use crate::heap::{Heap, ObjectIdx};
use std::ops::AddAssign;

/// A number of objects, and the sum of their shallow sizes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Size {
    /// Number of objects.
    pub objects: u64,
    /// Bytes.
    pub bytes: u64,
}

impl Size {
    /// Adds one object.
    #[inline]
    pub fn add_object(&mut self, bytes: u64) {
        self.objects += 1;
        self.bytes += bytes;
    }
}

impl AddAssign for Size {
    fn add_assign(&mut self, other: Self) {
        self.objects += other.objects;
        self.bytes += other.bytes;
    }
}

/// Ownership of one heap.
pub trait Dominance {
    /// The heap.
    fn heap(&self) -> &Heap;
    /// Whether a GC root reaches the object.
    fn is_reachable(&self, object: ObjectIdx) -> bool;
    /// Whether every path from a root to `below` leads through `above`; every reachable object dominates itself.
    fn dominates(&self, above: ObjectIdx, below: ObjectIdx) -> bool;
    /// The object with all that it dominates; nothing if it is unreachable.
    fn retained(&self, object: ObjectIdx) -> Size;
    /// All objects that GC roots reach.
    fn reachable(&self) -> Size;
}

/// Objects of the preorder between two sums.
const STRIDE: usize = 32;

/// A dominator tree with the sizes of its subtrees: a quarter of a byte an object.
#[derive(Debug)]
pub struct SizedTree<'t> {
    heap: &'t Heap,
    tree: &'t DominatorTree,
    /// Bytes of the preorder before every position that is a multiple of [`STRIDE`].
    sums: Vec<u64>,
    reachable: Size,
}

impl<'t> SizedTree<'t> {
    /// Adds up the shallow sizes of the preorder.
    pub fn new(heap: &'t Heap, tree: &'t DominatorTree) -> Self {
        let (mut sums, mut bytes) = (Vec::with_capacity(tree.preorder().len() / STRIDE + 1), 0);
        for part in tree.preorder().chunks(STRIDE) {
            sums.push(bytes);
            bytes += shallow_bytes(heap, part);
        }
        sums.push(bytes);
        Self { heap, tree, sums, reachable: Size { objects: tree.reachable_count() as u64, bytes } }
    }

    /// Bytes of the preorder before a position.
    fn before(&self, position: usize) -> u64 {
        let whole = position / STRIDE;
        self.sums[whole] + shallow_bytes(self.heap, &self.tree.preorder()[whole * STRIDE..position])
    }
}

impl Dominance for SizedTree<'_> {
    fn heap(&self) -> &Heap {
        self.heap
    }

    fn is_reachable(&self, object: ObjectIdx) -> bool {
        self.tree.is_reachable(object)
    }

    fn dominates(&self, above: ObjectIdx, below: ObjectIdx) -> bool {
        self.tree.dominates(above, below)
    }

    fn retained(&self, object: ObjectIdx) -> Size {
        let objects = self.tree.subtree(object).len();
        if objects == 0 {
            return Size::default();
        }
        let begin = self.tree.position(object) as usize;
        Size { objects: objects as u64, bytes: self.before(begin + objects) - self.before(begin) }
    }

    fn reachable(&self) -> Size {
        self.reachable
    }
}

fn shallow_bytes(heap: &Heap, objects: &[ObjectIdx]) -> u64 {
    objects.iter().map(|&object| heap.shallow_bytes(object)).sum()
}
