//! Dominators (LeakBot §3.2, *unique ownership*): an object owns all objects that every path from a GC root reaches
//! through it.
//!
//! A virtual root stands above all entries, so that an object which two of them reach has no owner. Between groups of
//! entries there is a priority (LeakBot, appendix A): what an earlier group reaches, a later one cannot share.

mod ascents;
mod depth_first;
mod layout;
mod semi_nca;

use super::{Entries, Referrers};
use crate::heap::{Heap, ObjectIdx};
use depth_first::SpanningTree;
pub(super) use semi_nca::{Incoming, SearchTree, VIRTUAL_ROOT, immediate_dominators};

/// Stands for an object that does not exist, and for the position of one that is not in the tree.
const NONE: u32 = u32::MAX;

/// Immediate dominators, and the tree laid out in preorder so that every subtree is a slice. 20 bytes an object.
///
/// Objects that no root reaches (the agent does not see all roots) are in no subtree and dominate nothing.
#[derive(Debug)]
pub struct DominatorTree {
    nodes: Vec<Node>,
    preorder: Vec<ObjectIdx>,
}

/// One object's position in the tree; the fields are stored together because they are read together.
#[derive(Clone, Copy, Debug)]
struct Node {
    dominator: u32,
    position: u32,
    subtree_count: u32,
    depth: u32,
}

impl Node {
    const UNREACHABLE: Self = Self { dominator: NONE, position: NONE, subtree_count: 0, depth: 0 };
}

impl DominatorTree {
    /// The dominator tree of all objects that the entries reach, in time nearly linear in the references.
    pub fn new(heap: &Heap, referrers: &Referrers, entries: &Entries) -> Self {
        let SpanningTree { number, vertex, tree, ends } = SpanningTree::new(heap, entries);
        let mut incoming = Numbered { referrers, number: &number, vertex: &vertex, ends: &ends };
        let dominators = immediate_dominators(tree, &mut incoming);
        drop(number);
        layout::lay_out(heap.object_count(), &vertex, &dominators)
    }

    /// Whether a GC root reaches the object.
    #[inline]
    pub fn is_reachable(&self, object: ObjectIdx) -> bool {
        self.nodes[object.at()].position != NONE
    }

    /// Number of objects that the GC roots reach.
    pub fn reachable_count(&self) -> usize {
        self.preorder.len()
    }

    /// The nearest object that dominates `object`. `None` if that is the virtual root, or if the object is unreachable.
    #[inline]
    pub fn immediate_dominator(&self, object: ObjectIdx) -> Option<ObjectIdx> {
        let dominator = self.nodes[object.at()].dominator;
        (dominator != NONE).then_some(ObjectIdx(dominator))
    }

    /// The reachable objects, each after its dominator and every subtree in one piece. Siblings stand in the order in
    /// which a depth-first walk from the roots meets them.
    pub fn preorder(&self) -> &[ObjectIdx] {
        &self.preorder
    }

    /// Bytes of the reachable objects.
    pub fn reachable_bytes(&self, heap: &Heap) -> u64 {
        self.preorder.iter().map(|&object| heap.shallow_bytes(object)).sum()
    }

    /// The object itself, then all objects that it dominates: a slice of [`Self::preorder`]. Empty if the object is
    /// unreachable.
    #[inline]
    pub fn subtree(&self, object: ObjectIdx) -> &[ObjectIdx] {
        let node = self.nodes[object.at()];
        if node.position == NONE {
            return &[];
        }
        let start = node.position as usize;
        &self.preorder[start..start + node.subtree_count as usize]
    }

    /// Whether every path from a root to `dominated` leads through `dominator`. Every reachable object dominates
    /// itself; with an unreachable object on either side it is false.
    #[inline]
    pub fn dominates(&self, dominator: ObjectIdx, dominated: ObjectIdx) -> bool {
        let node = self.nodes[dominator.at()];
        // An unreachable `dominated` is beyond every subtree; an unreachable `dominator` has an empty one.
        self.nodes[dominated.at()].position.wrapping_sub(node.position) < node.subtree_count
    }

    /// Number of objects that dominate `object`, itself included: 1 for children of the virtual root, 0 if unreachable.
    #[inline]
    pub fn depth(&self, object: ObjectIdx) -> u32 {
        self.nodes[object.at()].depth
    }

    /// Index into [`Self::preorder`]; `u32::MAX` if unreachable.
    #[inline]
    pub fn position(&self, object: ObjectIdx) -> u32 {
        self.nodes[object.at()].position
    }
}

/// Referrers by the numbers of a spanning tree.
struct Numbered<'a> {
    referrers: &'a Referrers,
    /// By object: its number.
    number: &'a [u32],
    /// By number: the object.
    vertex: &'a [ObjectIdx],
    /// By group of entries: the number behind all that it numbered.
    ends: &'a [u32],
}

impl Incoming for Numbered<'_> {
    #[inline]
    fn of(&mut self, number: u32) -> impl Iterator<Item = u32> {
        let referrers = self.referrers.of(self.vertex[number as usize]).iter();
        let end = self.ends[self.ends.partition_point(|&end| end <= number)];
        // Number 0 would be the virtual root; here it means that the referrer is unreachable. From the end on, only
        // later groups of entries reach the referrer.
        referrers.map(|referrer| self.number[referrer.at()]).filter(move |number| (1..end).contains(number))
    }
}
