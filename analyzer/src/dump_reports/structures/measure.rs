//! Sizes of groups of heads. An object of several structures of a group counts once.

use super::StructureOrder;
use super::groups::Group;
use super::items::Leaves;
use crate::graph::{self, Dominance, Entries, Intervals};
use crate::heap::{Heap, ObjectIdx};
use crate::report::growth::Size;
use crate::report::structures::Sizes;
use crate::structures::{Layout, Members, reached, retained_by_each};

/// Groups whose retained sizes take one pass.
const GROUPS_IN_PASS: usize = 64;

/// Measures groups of one heap.
pub(super) struct Measurer<'a> {
    tree: &'a Intervals<'a>,
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
    pub(super) fn new(tree: &'a Intervals<'a>, entries: &'a Entries, layout: &'a Layout) -> Self {
        Self { tree, entries, members: Members::new(tree.heap(), layout) }
    }

    /// The sizes of each group. Deep sizes take a search each, so they are measured where they are the order.
    pub(super) fn each(&mut self, groups: &[Group], order: StructureOrder) -> Vec<Measured> {
        self.each_and(groups, &[], order).0
    }

    /// The same, and the retained sizes of as many of the leaves, from the first on, as take no further pass.
    pub(super) fn each_and(
        &mut self,
        groups: &[Group],
        leaves: &[Leaves],
        order: StructureOrder,
    ) -> (Vec<Measured>, Vec<Option<Size>>) {
        let mut heads: Vec<&[ObjectIdx]> = groups.iter().map(|group| group.heads.as_slice()).collect();
        let passing = heads.iter().filter(|heads| heads.len() != 1).count();
        let room = passing.next_multiple_of(GROUPS_IN_PASS).max(GROUPS_IN_PASS) - passing;
        let single = |leaves: &&Leaves| leaves.objects.len() == 1;
        let mut taken = 0;
        let chosen = leaves.iter().take_while(|leaves| {
            taken += usize::from(!single(leaves));
            taken <= room
        });
        heads.extend(chosen.map(|leaves| leaves.objects.as_slice()));
        let mut retained = self.retained(&heads);
        heads.truncate(groups.len());
        let mut of_leaves: Vec<Option<Size>> = retained.drain(groups.len()..).map(Some).collect();
        of_leaves.resize(leaves.len(), None);
        let heap = self.tree.heap();
        let mut one = |heads: &[ObjectIdx], retained| {
            let [own, deep] = self.members.measure_both(heads);
            let sizes = Sizes {
                shallow: Some(shallow(heap, heads)),
                deep: (order == StructureOrder::Deep).then(|| size(reached(heap, heads))),
                retained: Some(retained),
                structure: Some(size(own.size)),
                deep_structure: Some(size(deep.size)),
            };
            Measured { sizes, leaves: deep.leaves }
        };
        (heads.iter().zip(retained).map(|(heads, retained)| one(heads, retained)).collect(), of_leaves)
    }

    /// The retained size of each group of objects.
    fn retained(&self, groups: &[&[ObjectIdx]]) -> Vec<Size> {
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
