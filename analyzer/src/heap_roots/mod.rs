//! HeapRoots (IBM): which objects are good places to begin reading a heap from, and who owns what by first reach.
//!
//! A *pure root* is an object that nobody refers to. What no pure root reaches hangs from cycles, of each of which one
//! object is chosen as an *artificial root*. From every root in turn, in the order of their addresses, a depth-first search
//! takes whatever no root before has taken: that is what the root owns, and the tree of the search says who is below whom.
//! So an object's place depends on the order of the search; dominators, which do not, are in [`crate::graph`].
//!
//! The reference of an object to its class is none here: a text heap dump has none, and every instance would own the class
//! with all its statics.
//!
//! Reading order: [`parents`] (who has one), [`artificial`], [`search`], [`softness`], [`outline`] (*dump from roots*).

mod artificial;
mod outline;
mod parents;
mod search;
mod softness;

pub use outline::{Outline, OutlineLimits, OutlineLine};
pub use softness::{LinkCounts, Softness};

use crate::heap::{Heap, ObjectIdx};

/// All roots of a heap, and what each owns. 8 bytes an object.
#[derive(Debug)]
pub struct HeapRoots {
    /// In the order in which the search took them.
    roots: Vec<HeapRoot>,
    /// The objects in the order in which the search reached them: every subtree is one piece that begins with its top.
    order: Vec<ObjectIdx>,
    /// By place in `order`: objects of the subtree, its top included.
    subtree_counts: Vec<u32>,
}

/// One root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeapRoot {
    /// The object.
    pub object: ObjectIdx,
    /// Whether it was chosen although somebody refers to it.
    pub is_artificial: bool,
    /// Objects that it owns, itself left out.
    pub descendant_count: u32,
    /// Shallow sizes of these and of itself.
    pub subtree_bytes: u64,
    /// Objects on the longest way down the tree of the search, itself left out.
    pub maximum_depth: u32,
    /// Its place in the order of the search.
    place: u32,
}

impl HeapRoots {
    /// Searches the whole heap, objects that no GC root reaches included.
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

    /// Pure ones first, each kind in the order of addresses.
    pub fn roots(&self) -> &[HeapRoot] {
        &self.roots
    }

    /// The objects of a root's subtree, itself first, in the order of the search.
    pub fn subtree(&self, root: &HeapRoot) -> &[ObjectIdx] {
        let place = root.place as usize;
        &self.order[place..place + self.subtree_counts[place] as usize]
    }

    /// By object: how many it has below it in the tree of the search.
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
