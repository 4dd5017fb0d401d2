//! The position of every object in the trees of the search: owner, sizes and depth of non-roots (HeapRoots: *based on
//! the objects below them in the tree*). 16 bytes an object.

use super::{HeapRoot, HeapRoots};
use crate::heap::{Heap, ObjectIdx};

/// Positions in the trees, with sums of sizes.
#[derive(Debug)]
pub struct Positions<'r> {
    roots: &'r HeapRoots,
    /// By object: its index in the order of the search.
    places: Vec<u32>,
    /// By index in that order: bytes of all objects before it; one entry more at the end.
    bytes_before: Vec<u64>,
    /// By index in that order: the index of the object above; of a root its own.
    parents: Vec<u32>,
}

impl<'r> Positions<'r> {
    /// The positions that a search gave the objects of a heap.
    pub fn new(heap: &Heap, roots: &'r HeapRoots) -> Self {
        let mut places = vec![0; roots.order.len()];
        let mut bytes_before = Vec::with_capacity(roots.order.len() + 1);
        let mut sum = 0;
        for (&object, place) in roots.order.iter().zip(0..) {
            places[object.at()] = place;
            bytes_before.push(sum);
            sum += heap.shallow_bytes(object);
        }
        bytes_before.push(sum);
        Self { roots, places, bytes_before, parents: parents(&roots.subtree_counts) }
    }

    /// The root that owns the object; a root owns itself.
    pub fn owner(&self, object: ObjectIdx) -> &'r HeapRoot {
        let place = self.places[object.at()];
        // Roots stand in the order of the search, and the first one at its beginning.
        let behind = self.roots.roots.partition_point(|root| root.place <= place);
        &self.roots.roots[behind.saturating_sub(1)]
    }

    /// Number of objects below it.
    pub fn descendant_count(&self, object: ObjectIdx) -> u32 {
        self.roots.subtree_counts[self.place(object)] - 1
    }

    /// Shallow sizes of it and of all objects below it, in bytes.
    pub fn subtree_bytes(&self, object: ObjectIdx) -> u64 {
        let place = self.place(object);
        self.bytes_before[place + self.roots.subtree_counts[place] as usize] - self.bytes_before[place]
    }

    /// Whether `object` is `above` or stands below it.
    pub fn is_at_or_below(&self, above: ObjectIdx, object: ObjectIdx) -> bool {
        let place = self.place(above);
        (place..place + self.roots.subtree_counts[place] as usize).contains(&self.place(object))
    }

    /// By object: number of objects on the longest path down the tree, without itself.
    pub fn maximum_depths(&self) -> Vec<u32> {
        let order = &self.roots.order;
        let mut depths = vec![0; order.len()];
        for place in (0..order.len()).rev() {
            let (object, above) = (order[place], order[self.parents[place] as usize]);
            if object != above {
                depths[above.at()] = depths[above.at()].max(depths[object.at()] + 1);
            }
        }
        depths
    }

    /// The object above it in the tree; `None` for a root.
    pub fn parent(&self, object: ObjectIdx) -> Option<ObjectIdx> {
        let parent = self.roots.order[self.parents[self.place(object)] as usize];
        (parent != object).then_some(parent)
    }

    pub(super) fn place(&self, object: ObjectIdx) -> usize {
        self.places[object.at()] as usize
    }
}

/// By place: the place of the object above, for which each subtree is one stretch that begins with its top.
fn parents(subtree_counts: &[u32]) -> Vec<u32> {
    let mut parents = Vec::with_capacity(subtree_counts.len());
    // The objects whose subtrees contain the current place, from the root down, each with the end of its subtree.
    let mut open: Vec<(u32, u32)> = Vec::new();
    for (&count, place) in subtree_counts.iter().zip(0..) {
        while open.pop_if(|&mut (_, end)| end <= place).is_some() {}
        parents.push(open.last().map_or(place, |&(above, _)| above));
        open.push((place, place + count));
    }
    parents
}
