//! HeapRoots (IBM): objects that are good starting points for reading a heap, and ownership by first reach.
//!
//! A *pure root* is an object that nothing refers to. Objects that no pure root reaches depend on cycles; of each of
//! these one object is chosen as an *artificial root*. From every root in turn, in the order of their addresses, a
//! depth-first search takes all objects that no earlier root has taken. These are the descendants that the root owns,
//! and the tree of the search gives their parents. So an object's position depends on the order of the search;
//! dominators, which do not depend on it, are in [`crate::graph`].
//!
//! The reference of an object to its class is left out: a text heap dump has none, and with it every instance would own
//! the class with all its statics.
//!
//! Reading order: [`parents`] (objects with a parent), [`artificial`], [`search`], [`softness`], [`positions`] (owner
//! and sizes of any object), [`outline`] (*dump from roots*).

mod artificial;
mod outline;
mod parents;
mod positions;
mod search;
mod softness;

pub use outline::{Edge, Outline, OutlineLimits, OutlineLine, Outlines};
pub use positions::Positions;
pub use softness::{LinkCounts, Softness};

use crate::heap::{Heap, ObjectIdx};

/// All roots of a heap, and the objects that each owns. 8 bytes an object.
#[derive(Debug)]
pub struct HeapRoots {
    /// The roots in the order of the search.
    roots: Vec<HeapRoot>,
    /// The objects in the order in which the search reached them: every subtree is one slice that begins with its top.
    order: Vec<ObjectIdx>,
    /// By index in `order`: number of objects of the subtree, including its top.
    subtree_counts: Vec<u32>,
}

/// One root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeapRoot {
    /// The object.
    pub object: ObjectIdx,
    /// Whether it was chosen although an object refers to it.
    pub is_artificial: bool,
    /// Number of objects that it owns, without itself.
    pub descendant_count: u32,
    /// Shallow sizes of these and of itself, in bytes.
    pub subtree_bytes: u64,
    /// Number of objects on the longest path down the tree of the search, without itself.
    pub maximum_depth: u32,
    /// Its index in the order of the search.
    place: u32,
}

impl HeapRoots {
    /// Searches the whole heap, including objects that no GC root reaches.
    pub fn new(heap: &Heap) -> Self {
        let has_parent = parents::of(heap);
        let pure: Vec<ObjectIdx> = heap.objects().filter(|object| !has_parent.contains(object.at())).collect();
        let mut search = search::Search::new(heap);
        for &object in &pure {
            search.take(object, false);
        }
        if !search.is_complete() {
            for object in artificial::choose(heap, search.reached()) {
                search.take(object, true);
            }
        }
        search.finish()
    }

    /// The roots: pure ones first, each kind in the order of addresses.
    pub fn roots(&self) -> &[HeapRoot] {
        &self.roots
    }

    /// The objects of a root's subtree, itself first, in the order of the search.
    pub fn subtree(&self, root: &HeapRoot) -> &[ObjectIdx] {
        let place = root.place as usize;
        &self.order[place..place + self.subtree_counts[place] as usize]
    }

    /// By object: number of objects below it in the tree of the search.
    pub fn descendant_counts(&self) -> Vec<u32> {
        let mut counts = vec![0; self.order.len()];
        for (object, count) in self.order.iter().zip(&self.subtree_counts) {
            counts[object.at()] = count - 1;
        }
        counts
    }
}

#[cfg(test)]
mod tests;
