//! The data structure that a growing place belongs to, as the user's descriptions have it: its head is on the path to
//! the growing reference, and its deep structure holds what grows.

use super::census::Placed;
use super::findings::Finding;
use super::spots::{Spot, Spots};
use crate::graph::{RootPaths, Size};
use crate::heap::{Heap, ObjectIdx};
use crate::naming::class::without_hidden_suffix;
use crate::report::rounds::DescribedStructure;
use crate::structures::{Language, Layout, LayoutOptions, Members, Reach};
use std::collections::HashSet;

/// Most heads on one path that are tried, the nearest first. Each costs a walk over its structure.
const TRIED: usize = 16;

/// Descriptions of data structures.
#[derive(Debug)]
pub struct Descriptions {
    /// The user's own: structures are named by their heads.
    pub own: Language,
    /// These and those that come with the program: structures go on by them.
    pub all: Language,
    /// How they are joined with the classes of a heap.
    pub options: LayoutOptions,
}

/// The heads at one spot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Heads {
    spot: Spot,
    class: String,
    count: u64,
    size: Size,
}

/// The descriptions, joined with one heap.
pub(super) struct Joined<'a> {
    heap: &'a Heap,
    own: Layout,
    all: Layout,
}

impl<'a> Joined<'a> {
    pub(super) fn new(descriptions: &Descriptions, heap: &'a Heap) -> Self {
        let layout = |language| Layout::new(language, heap, descriptions.options);
        Self { heap, own: layout(&descriptions.own), all: layout(&descriptions.all) }
    }

    /// Descriptions of the user's whose type is not in the heap.
    pub(super) fn unmatched(&self) -> Vec<String> {
        self.own.unmatched().iter().map(|place| format!("{}:{}: {}", place.file, place.at, place.of)).collect()
    }

    /// For each finding the nearest structure that holds its growing reference.
    pub(super) fn around(&self, paths: &RootPaths, placed: &Placed, found: &[Finding]) -> Vec<Option<Heads>> {
        let mut members = Members::new(self.heap, &self.all);
        found.iter().map(|finding| self.around_one(&mut members, paths, placed, finding.owner)).collect()
    }

    fn around_one(
        &self,
        members: &mut Members<'_>,
        paths: &RootPaths,
        placed: &Placed,
        owner: ObjectIdx,
    ) -> Option<Heads> {
        let path = paths.path_to(self.heap, owner)?;
        let mut seen = HashSet::new();
        // Of the nodes of a list, which are all at one spot, the first counts.
        let heads = path.steps.iter().map(|&(object, _)| object).filter(|&object| self.is_head(object));
        let heads: Vec<ObjectIdx> = heads.filter(|&head| seen.insert(placed.spot(head))).collect();
        let head = heads.into_iter().rev().take(TRIED).find(|&head| self.goes_on_at(members, head, owner))?;
        let class = without_hidden_suffix(&self.heap.classes().get(self.heap.class_shown_by(head)).name);
        Some(self.measured(members, placed, placed.spot(head)?, class))
    }

    fn is_head(&self, object: ObjectIdx) -> bool {
        self.own.is_head(self.own.type_of(self.heap, object))
    }

    /// Whether an object is a member of a structure, and no leaf of it.
    fn goes_on_at(&self, members: &mut Members<'_>, head: ObjectIdx, owner: ObjectIdx) -> bool {
        let is_member = members.of(&[head], Reach::Deep).contains(&owner);
        is_member && (head == owner || !members.leaves(&[head], Reach::Deep).contains(&owner))
    }

    /// All heads at a spot: the objects of their deep structures.
    fn measured(&self, members: &mut Members<'_>, placed: &Placed, spot: Spot, class: String) -> Heads {
        let is_there = |&object: &ObjectIdx| placed.spot(object) == Some(spot) && self.is_head(object);
        let heads: Vec<ObjectIdx> = self.heap.objects().filter(is_there).collect();
        let size = members.measure(&heads, Reach::Deep).size;
        Heads { spot, class, count: heads.len() as u64, size }
    }

    /// The same structures in this, earlier heap, with those of the later one.
    pub(super) fn grown(&self, placed: &Placed, later: &Heads, spots: &Spots) -> DescribedStructure {
        let mut members = Members::new(self.heap, &self.all);
        let before = self.measured(&mut members, placed, later.spot, String::new());
        DescribedStructure {
            class: later.class.clone(),
            place: spots.places.expression(spots.facts(later.spot).place),
            count: later.count,
            objects_before: before.size.objects,
            objects_after: later.size.objects,
            bytes_before: before.size.bytes,
            bytes_after: later.size.bytes,
        }
    }
}
