//! Dominators (LeakBot §3.2, *unique ownership*): an object owns what every path from a GC root reaches through it.
//!
//! Above all GC roots stands a virtual root, so that an object which two roots reach belongs to nobody.

mod search;
mod semi_nca;

use super::Referrers;
use crate::heap::{Heap, ObjectIdx};

/// No object: the virtual root, or unreachable.
const NONE: u32 = u32::MAX;

/// The dominator tree over all reachable objects.
#[derive(Debug)]
pub struct DominatorTree {
    /// By object: immediate dominator, [`NONE`] below the virtual root and for unreachable objects.
    idom: Vec<u32>,
    /// By object: place in `preorder`, [`NONE`] for unreachable objects.
    position: Vec<u32>,
    /// Reachable objects, every dominator before what it dominates, each subtree in one stretch.
    preorder: Vec<ObjectIdx>,
    /// By place in `preorder`: number of objects in the subtree.
    size: Vec<u32>,
    /// By place in `preorder`: distance from the virtual root.
    depth: Vec<u32>,
}

impl DominatorTree {
    /// Computes the tree by semi-NCA (Georgiadis 2005), iteratively throughout.
    pub fn new(heap: &Heap, referrers: &Referrers) -> Self {
        let order = search::DepthFirst::new(heap);
        let idom = semi_nca::immediate_dominators(heap, referrers, &order);
        Self::from_idoms(&idom, &order)
    }

    /// Lays the tree out in preorder. `idom` is by depth-first number, where 0 is the virtual root.
    fn from_idoms(idom: &[u32], order: &search::DepthFirst) -> Self {
        let reached = order.objects.len();
        let mut size = vec![1u32; reached + 1];
        for number in (1..=reached).rev() {
            size[idom[number] as usize] += size[number];
        }
        // A dominator has a smaller number than what it dominates, so places can be dealt out in that order.
        let mut place = vec![0u32; reached + 1];
        let mut next_free: Vec<u32> = vec![0; reached + 1];
        let mut depth_of_number = vec![0u32; reached + 1];
        for number in 1..=reached {
            let above = idom[number] as usize;
            place[number] = next_free[above];
            next_free[above] += size[number];
            next_free[number] = place[number] + 1;
            depth_of_number[number] = depth_of_number[above] + 1;
        }
        let mut tree = Self {
            idom: vec![NONE; order.number.len()],
            position: vec![NONE; order.number.len()],
            preorder: vec![ObjectIdx(0); reached],
            size: vec![0; reached],
            depth: vec![0; reached],
        };
        for number in 1..=reached {
            let object = order.objects[number - 1];
            let at = place[number] as usize;
            tree.preorder[at] = object;
            tree.size[at] = size[number];
            tree.depth[at] = depth_of_number[number];
            tree.position[object.at()] = place[number];
            if idom[number] != 0 {
                tree.idom[object.at()] = order.objects[idom[number] as usize - 1].0;
            }
        }
        tree
    }

    /// Whether a GC root reaches the object.
    #[inline]
    pub fn is_reachable(&self, object: ObjectIdx) -> bool {
        self.position[object.at()] != NONE
    }

    /// Number of reachable objects.
    pub fn reachable_count(&self) -> usize {
        self.preorder.len()
    }

    /// The immediate dominator; `None` when it is the virtual root, or the object is unreachable.
    #[inline]
    pub fn immediate_dominator(&self, object: ObjectIdx) -> Option<ObjectIdx> {
        let above = self.idom[object.at()];
        (above != NONE).then_some(ObjectIdx(above))
    }

    /// Reachable objects; each dominator precedes what it dominates, and subtrees are contiguous.
    pub fn preorder(&self) -> &[ObjectIdx] {
        &self.preorder
    }

    /// The object and all that it dominates; empty for an unreachable object.
    pub fn subtree(&self, object: ObjectIdx) -> &[ObjectIdx] {
        let at = self.position[object.at()];
        if at == NONE { &[] } else { &self.preorder[at as usize..][..self.size[at as usize] as usize] }
    }

    /// Place in [`Self::preorder`] of a reachable object.
    #[inline]
    pub fn position(&self, object: ObjectIdx) -> u32 {
        self.position[object.at()]
    }

    /// Whether `above` dominates `below`, or is it; `false` when either is unreachable.
    #[inline]
    pub fn dominates(&self, above: ObjectIdx, below: ObjectIdx) -> bool {
        let (above, below) = (self.position[above.at()], self.position[below.at()]);
        above != NONE && below != NONE && below >= above && below - above < self.size[above as usize]
    }

    /// Distance from the virtual root (1 for its children); 0 for an unreachable object.
    #[inline]
    pub fn depth(&self, object: ObjectIdx) -> u32 {
        let at = self.position[object.at()];
        if at == NONE { 0 } else { self.depth[at as usize] }
    }
}
