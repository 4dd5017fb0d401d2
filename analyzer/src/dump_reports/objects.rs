//! Single objects, filtered and sorted (HeapRoots' table of objects).

use super::OnPhase;
use super::words::Words;
use crate::graph::Ownership;
use crate::heap::{Heap, ObjectIdx};
use crate::heap_roots::{HeapRoots, Positions};
use crate::naming::Pattern;
use crate::report::dump::{DumpFile, ObjectLine, ObjectsReport, SCHEMA};
use std::cmp::Reverse;
use std::ops::RangeInclusive;

/// Choice and order of objects.
#[derive(Clone, Debug)]
pub struct ObjectsWanted {
    /// Only objects of classes that fit; mirrors are of the class for which they stand.
    pub class: Option<Pattern>,
    /// Only objects with at least this shallow size.
    pub least_bytes: u64,
    /// Only objects at these addresses.
    pub addresses: Option<RangeInclusive<u64>>,
    /// The order.
    pub sort: ObjectOrder,
    /// Most objects.
    pub limit: usize,
}

/// Orders of objects; the largest first, except by address and class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectOrder {
    /// By shallow size.
    Size,
    /// By retained size.
    Retained,
    /// By the size of the subtree of HeapRoots.
    Subtree,
    /// By the number of objects in that subtree.
    Descendants,
    /// By the depth of that subtree.
    Depth,
    /// By address.
    Address,
    /// By the name of the class.
    Class,
}

impl ObjectOrder {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Size => "size",
            Self::Retained => "retained",
            Self::Subtree => "subtree",
            Self::Descendants => "descendants",
            Self::Depth => "depth",
            Self::Address => "address",
            Self::Class => "class",
        }
    }
}

/// Selects objects and measures them in every way.
pub fn objects(heap: &Heap, dump: DumpFile, wanted: &ObjectsWanted, on_phase: OnPhase<'_>) -> ObjectsReport {
    let words = Words::new(heap);
    let mut chosen = wanted.choose(heap);
    let (chosen_count, chosen_bytes) = (chosen.len() as u64, chosen.iter().map(|&each| heap.shallow_bytes(each)).sum());
    on_phase("finding out who owns what");
    let ownership = Ownership::new(heap);
    on_phase("searching from the roots");
    let roots = HeapRoots::new(heap);
    let positions = Positions::new(heap, &roots);
    let figures = Figures { ownership: &ownership, positions: &positions, depths: positions.maximum_depths() };
    first(&words, &figures, &mut chosen, wanted);
    ObjectsReport {
        schema: SCHEMA,
        report: "objects",
        dump,
        object_count: heap.object_count() as u64,
        total_bytes: heap.total_bytes(),
        chosen_count,
        chosen_bytes,
        sort: wanted.sort.name(),
        objects: chosen.into_iter().map(|object| figures.line(&words, object)).collect(),
    }
}

impl ObjectsWanted {
    fn choose(&self, heap: &Heap) -> Vec<ObjectIdx> {
        let fits: Option<Vec<bool>> = self
            .class
            .as_ref()
            .map(|pattern| heap.classes().iter().map(|(_, class)| pattern.fits(&class.name)).collect());
        let is_of_class = |object| fits.as_ref().is_none_or(|fits| fits[heap.class_shown_by(object).at()]);
        let lies_in = |range: &RangeInclusive<u64>, object| heap.dump_id(object).is_some_and(|id| range.contains(&id));
        let is_in_range = |object| self.addresses.as_ref().is_none_or(|range| lies_in(range, object));
        let is_chosen = |&object: &ObjectIdx| {
            heap.shallow_bytes(object) >= self.least_bytes && is_of_class(object) && is_in_range(object)
        };
        heap.objects().filter(is_chosen).collect()
    }
}

/// All figures of objects.
pub(super) struct Figures<'a> {
    pub(super) ownership: &'a Ownership<'a>,
    pub(super) positions: &'a Positions<'a>,
    /// By object: depth of its subtree.
    pub(super) depths: Vec<u32>,
}

impl Figures<'_> {
    fn key(&self, order: ObjectOrder, object: ObjectIdx) -> u64 {
        match order {
            ObjectOrder::Size => self.ownership.heap().shallow_bytes(object),
            ObjectOrder::Retained => self.ownership.retained_bytes(object),
            ObjectOrder::Subtree => self.positions.subtree_bytes(object),
            ObjectOrder::Descendants => u64::from(self.positions.descendant_count(object)),
            ObjectOrder::Depth => u64::from(self.depths[object.at()]),
            ObjectOrder::Address | ObjectOrder::Class => 0,
        }
    }

    pub(super) fn line(&self, words: &Words<'_>, object: ObjectIdx) -> ObjectLine {
        ObjectLine {
            id: words.id(object),
            class: words.name(object),
            shallow_bytes: words.heap.shallow_bytes(object),
            retained_bytes: self.ownership.retained_bytes(object),
            subtree_bytes: self.positions.subtree_bytes(object),
            descendant_count: u64::from(self.positions.descendant_count(object)),
            maximum_depth: u64::from(self.depths[object.at()]),
            owner: words.id(self.positions.owner(object).object),
            is_reachable: self.ownership.is_reachable(object),
        }
    }
}

/// Keeps only the first objects, in their order.
fn first(words: &Words<'_>, figures: &Figures<'_>, objects: &mut Vec<ObjectIdx>, wanted: &ObjectsWanted) {
    if wanted.sort == ObjectOrder::Class {
        let heap = words.heap;
        let mut classes: Vec<_> = heap.classes().iter().map(|(at, class)| (&class.name, at)).collect();
        classes.sort_unstable();
        let mut ranks = vec![0; classes.len()];
        classes.iter().zip(0..).for_each(|(&(_, class), rank)| ranks[class.at()] = rank);
        select(objects, wanted.limit, |object| ranks[heap.class_shown_by(object).at()]);
    } else {
        select(objects, wanted.limit, |object| Reverse(figures.key(wanted.sort, object)));
    }
}

/// The first `limit` objects by a key, and among equals by their addresses.
fn select<K: Ord>(objects: &mut Vec<ObjectIdx>, limit: usize, key: impl Fn(ObjectIdx) -> K) {
    if limit < objects.len() {
        objects.select_nth_unstable_by_key(limit, |&object| (key(object), object));
        objects.truncate(limit);
    }
    objects.sort_unstable_by_key(|&object| (key(object), object));
}
