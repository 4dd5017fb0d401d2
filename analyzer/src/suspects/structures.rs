//! Units of the search: an object with its retained size and that of its largest child; or a chain of equal nodes, each
//! the largest child of the one before, as if it were one object.
//!
//! HeapLens examines only objects. In a singly linked list, every node passes nearly all of its retained size on to the
//! next one. So only the last few nodes would ever be reported, and these retain nothing.

use super::Forest;
use crate::graph::BitSet;
use crate::heap::ObjectIdx;
use std::collections::HashMap;

/// Least number of nodes in a row that make a chain. Arrays of arrays and wrappers of wrappers are shorter.
const LEAST_CHAIN: u64 = 8;

/// Stands for no object.
const NONE: ObjectIdx = ObjectIdx(u32::MAX);

/// An object or a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Structure {
    /// The object, or the first node of the chain.
    pub head: ObjectIdx,
    /// 1, or the number of nodes of the chain.
    pub node_count: u64,
    /// Its retained size in bytes.
    pub retained_bytes: u64,
    /// Retained size of the largest object that it, or for a chain any node, dominates immediately.
    pub largest_below_bytes: u64,
    /// The same for the second largest.
    pub second_below_bytes: u64,
}

impl Structure {
    /// Big drop: the difference between its retained size and that of its largest child, in bytes.
    pub fn drop_bytes(&self) -> u64 {
        self.retained_bytes - self.largest_below_bytes
    }

    /// Whether memory fans out here: the drop is not mostly one other child, which is reported by itself.
    pub fn fans_out(&self) -> bool {
        2 * self.second_below_bytes <= self.drop_bytes()
    }
}

/// Every structure that retains at least `least_bytes`, the largest first. All nodes of a chain but the first are left
/// out.
pub(super) fn above(forest: &Forest<'_>, least_bytes: u64) -> Vec<Structure> {
    let heavy = Heavy::new(forest, least_bytes);
    let chains = heavy.chains();
    let mut within = BitSet::new(heavy.objects.len());
    for &at in chains.values().flat_map(|chain| &chain.later_nodes) {
        within.insert(at as usize);
    }
    let outside = (0..heavy.objects.len()).filter(|&at| !within.contains(at));
    let structure = |at: usize| chains.get(&at).map_or_else(|| heavy.single(at), |chain| chain.structure);
    let mut structures: Vec<Structure> = outside.map(structure).collect();
    structures.sort_by_key(|each| (std::cmp::Reverse(each.retained_bytes), each.head));
    structures
}

/// The structure that begins with an object.
pub(super) fn of(forest: &Forest<'_>, object: ObjectIdx) -> Structure {
    let nothing = Heavy { forest, objects: Vec::new(), largest: Vec::new() };
    let single = || nothing.structure(object, 1, Largest::of(forest, forest.dominated.of(object)));
    nothing.chain(object).map_or_else(single, |chain| chain.structure)
}

/// The first node of the chain that contains the object; the object itself if it is in none.
pub(super) fn chain_head(forest: &Forest<'_>, object: ObjectIdx) -> ObjectIdx {
    let class = forest.class_of(object);
    let mut head = object;
    let mut steps = 0;
    for above in forest.above(object) {
        if forest.class_of(above) != class || forest.dominated.largest(above) != Some(head) {
            break;
        }
        head = above;
        steps += 1;
    }
    if steps + 1 >= LEAST_CHAIN { head } else { object }
}

/// The objects above a size. Each dominator of such an object is one, too.
struct Heavy<'a> {
    forest: &'a Forest<'a>,
    /// The objects, ascending.
    objects: Vec<ObjectIdx>,
    /// By index in `objects`: the largest child. A list may make very many objects heavy, so no more is kept.
    largest: Vec<ObjectIdx>,
}

/// Sizes of the two largest of some objects.
#[derive(Clone, Copy)]
struct Largest {
    bytes: u64,
    second_bytes: u64,
}

/// A chain, by indexes into [`Heavy::objects`].
struct Chain {
    structure: Structure,
    later_nodes: Vec<u32>,
}

impl Largest {
    const NONE: Self = Self { bytes: 0, second_bytes: 0 };

    fn of(forest: &Forest<'_>, objects: impl Iterator<Item = ObjectIdx>) -> Self {
        objects.fold(Self::NONE, |found, object| found.or(forest.retained_bytes(object)))
    }

    fn or(self, bytes: u64) -> Self {
        if bytes > self.bytes {
            Self { bytes, second_bytes: self.bytes }
        } else {
            Self { second_bytes: self.second_bytes.max(bytes), ..self }
        }
    }
}

impl<'a> Heavy<'a> {
    fn new(forest: &'a Forest<'a>, least_bytes: u64) -> Self {
        let is_heavy = |object: &ObjectIdx| forest.retained_bytes(*object) >= least_bytes;
        let objects: Vec<ObjectIdx> = forest.heap().objects().filter(is_heavy).collect();
        let largest = objects.iter().map(|&object| forest.dominated.largest(object).unwrap_or(NONE)).collect();
        Self { forest, objects, largest }
    }

    fn place(&self, object: ObjectIdx) -> Option<usize> {
        self.objects.binary_search(&object).ok()
    }

    fn structure(&self, head: ObjectIdx, node_count: u64, below: Largest) -> Structure {
        Structure {
            head,
            node_count,
            retained_bytes: self.forest.retained_bytes(head),
            largest_below_bytes: below.bytes,
            second_below_bytes: below.second_bytes,
        }
    }

    fn single(&self, at: usize) -> Structure {
        let head = self.objects[at];
        self.structure(head, 1, Largest::of(self.forest, self.forest.dominated.of(head)))
    }

    /// The largest child, if it is of the same class.
    fn next(&self, at: usize) -> Option<ObjectIdx> {
        let (object, next) = (self.objects[at], self.largest[at]);
        (next != NONE && self.forest.class_of(next) == self.forest.class_of(object)).then_some(next)
    }

    /// Whether the object is the next node of the one above it.
    fn is_next(&self, at: usize) -> bool {
        let object = self.objects[at];
        let above = self.forest.ownership.immediate_dominator(object).and_then(|above| self.place(above));
        above.is_some_and(|above| self.next(above) == Some(object))
    }

    /// The chains by the index of their first node.
    fn chains(&self) -> HashMap<usize, Chain> {
        let heads = (0..self.objects.len()).filter(|&at| self.next(at).is_some() && !self.is_next(at));
        heads.filter_map(|at| Some((at, self.chain(self.objects[at])?))).collect()
    }

    fn chain(&self, head: ObjectIdx) -> Option<Chain> {
        let class = self.forest.class_of(head);
        let mut chain = Chain { structure: self.structure(head, 0, Largest::NONE), later_nodes: Vec::new() };
        let mut beside = Largest::NONE;
        let mut node = Some(head);
        while let Some(at) = node {
            chain.structure.node_count += 1;
            node = self.largest_below(at).filter(|&largest| self.forest.class_of(largest) == class);
            let others = self.forest.dominated.of(at).filter(|&child| Some(child) != node);
            beside = others.fold(beside, |found, child| found.or(self.forest.retained_bytes(child)));
            chain.later_nodes.extend(node.and_then(|next| self.place(next)).map(|at| at as u32));
        }
        chain.structure = self.structure(head, chain.structure.node_count, beside);
        (chain.structure.node_count >= LEAST_CHAIN).then_some(chain)
    }

    fn largest_below(&self, object: ObjectIdx) -> Option<ObjectIdx> {
        match self.place(object) {
            Some(at) => Some(self.largest[at]).filter(|&child| child != NONE),
            None => self.forest.dominated.largest(object),
        }
    }
}
