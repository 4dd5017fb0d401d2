//! Sizes of groups of heads. An object of several structures of a group counts once.

use super::StructureOrder;
use super::groups::Group;
use crate::graph::{self, Dominance, Entries, SizedTree};
use crate::heap::{Heap, ObjectIdx};
use crate::report::growth::Size;
use crate::report::structures::Sizes;
use crate::structures::{Layout, Members, Reach, reached, retained_by_each};

/// Measures groups of one heap.
pub(super) struct Measurer<'a> {
    tree: &'a SizedTree<'a>,
    entries: &'a Entries,
    pub(super) members: Members<'a>,
}

/// Sizes and deep leaves of a group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measured {
    pub(super) sizes: Sizes,
    pub(super) leaves: u64,
}

impl<'a> Measurer<'a> {
    pub(super) fn new(tree: &'a SizedTree<'a>, entries: &'a Entries, layout: &'a Layout) -> Self {
        Self { tree, entries, members: Members::new(tree.heap(), layout) }
    }

    /// The sizes of each group. Deep sizes take a search each, so they are measured where they are the order.
    pub(super) fn each(&mut self, groups: &[Group], order: StructureOrder) -> Vec<Measured> {
        let heads: Vec<&[ObjectIdx]> = groups.iter().map(|group| group.heads.as_slice()).collect();
        let retained = self.retained(&heads);
        let heap = self.tree.heap();
        let mut one = |heads: &[ObjectIdx], retained| {
            let own = self.members.measure(heads, Reach::Own);
            let deep = self.members.measure(heads, Reach::Deep);
            let sizes = Sizes {
                shallow: Some(shallow(heap, heads)),
                deep: (order == StructureOrder::Deep).then(|| size(reached(heap, heads))),
                retained: Some(retained),
                structure: Some(size(own.size)),
                deep_structure: Some(size(deep.size)),
            };
            Measured { sizes, leaves: deep.leaves }
        };
        heads.iter().zip(retained).map(|(heads, retained)| one(heads, retained)).collect()
    }

    /// The retained size of each group of objects.
    pub(super) fn retained(&self, groups: &[&[ObjectIdx]]) -> Vec<Size> {
        retained_by_each(self.tree, self.entries, groups).into_iter().map(size).collect()
    }
}

fn shallow(heap: &Heap, heads: &[ObjectIdx]) -> Size {
    Size { objects: heads.len() as u64, bytes: heads.iter().map(|&head| heap.shallow_bytes(head)).sum() }
}

/// A size as a report has it.
pub(super) fn size(size: graph::Size) -> Size {
    Size { objects: size.objects, bytes: size.bytes }
}

/// The size by which groups are ordered.
pub(super) fn key(sizes: &Sizes, order: StructureOrder) -> u64 {
    let bytes = |size: Option<Size>| size.map_or(0, |size| size.bytes);
    match order {
        StructureOrder::Retained => bytes(sizes.retained),
        StructureOrder::Deep => bytes(sizes.deep),
        StructureOrder::Structure => bytes(sizes.structure),
        StructureOrder::DeepStructure => bytes(sizes.deep_structure),
        StructureOrder::Objects => sizes.shallow.map_or(0, |size| size.objects),
    }
}
