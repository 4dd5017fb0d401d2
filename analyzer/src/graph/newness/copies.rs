//! Structures that were made anew from those before them, as by `map = new HashMap<>(map)`.
//!
//! The structure before was a container, and is gone. Its *successor* is an object without a mark, of the same class
//! below the same container, and of a similar size. From a field of an old object, new objects alone lead to it. So it
//! counts as old, with these objects, for it replaced another. Of its objects, classes of which hardly one survived
//! were copied: they replaced those before one for one, and only a higher number is a gain ([`super::groups`]).

use super::FIRST_GROUP;
use super::groups::Groups;
use crate::graph::DominatorTree;
use crate::heap::{Heap, MarkTable, ObjectIdx};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

/// Least size of a successor, as a share of the size before: one that is much smaller was emptied.
const SIMILAR: f64 = 0.5;
/// Least number of objects below a structure that may have been copied: smaller ones come and go.
const LEAST: usize = 16;
/// Most objects from an old one to a successor.
const LONGEST_WAY: usize = 16;

/// What was copied.
#[derive(Debug, Default)]
pub(super) struct Copies {
    /// Marks of the containers that were copied, by number.
    pub(super) before: HashSet<u32>,
    /// Their successors, and the objects that lead there from old ones.
    pub(super) after: Vec<ObjectIdx>,
}

/// Finds the successors of gone containers. `estimate` has the group of each object.
pub(super) fn find(
    (heap, dominators): (&Heap, &DominatorTree),
    table: Option<&MarkTable>,
    (estimate, groups): (&[u32], &Groups),
) -> Copies {
    let mut copies = Copies::default();
    let Some(table) = table else { return copies };
    let gone = gone_by_group(table, groups);
    if gone.is_empty() {
        return copies;
    }
    let mut has_gone = vec![false; gone.keys().next_back().map_or(0, |&last| last as usize + 1)];
    gone.keys().for_each(|&group| has_gone[group as usize] = true);
    let mut successors: BTreeMap<u32, Vec<(usize, Vec<ObjectIdx>)>> = BTreeMap::new();
    for &object in dominators.preorder() {
        let group = estimate[object.at()].wrapping_sub(FIRST_GROUP);
        let size = dominators.subtree(object).len();
        let may_be = has_gone.get(group as usize) == Some(&true) && are_similar(size, LEAST);
        if let Some(way) = may_be.then(|| way_from_old(heap, dominators, object)).flatten() {
            successors.entry(group).or_default().push((size, way));
        }
    }
    for (group, mut successors) in successors {
        successors.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
        for (&(before, number), (after, way)) in gone[&group].iter().zip(successors) {
            if are_similar(after, before) {
                copies.before.insert(number);
                copies.after.extend(way);
            }
        }
    }
    copies.after.sort_unstable();
    copies.after.dedup();
    copies
}

/// Whether a successor may be of this size.
fn are_similar(after: usize, before: usize) -> bool {
    after as f64 >= SIMILAR * before as f64
}

/// Size and mark of the gone containers of each group, the largest first. Objects that take the age of their holders
/// are in no stratum, so the size is the least that it was.
fn gone_by_group(table: &MarkTable, groups: &Groups) -> BTreeMap<u32, Vec<(usize, u32)>> {
    let mut sizes = vec![0; table.marks.len() + 1];
    for stratum in &table.strata {
        groups.above_gone(table, stratum.below).for_each(|number| sizes[number as usize] += stratum.count as usize);
    }
    let mut gone: BTreeMap<u32, Vec<(usize, u32)>> = BTreeMap::new();
    for number in 1..=table.marks.len() as u32 {
        if let Some(group) = groups.group_of_gone(table, number).filter(|_| sizes[number as usize] >= LEAST) {
            gone.entry(group).or_default().push((sizes[number as usize], number));
        }
    }
    gone.values_mut().for_each(|each| each.sort_by_key(|&(size, number)| (Reverse(size), number)));
    gone
}

/// The objects without a mark from this one up to the first that a field of an object with a mark holds; `None` where
/// an array of references holds one of them, nothing but a root does, or there are too many.
fn way_from_old(heap: &Heap, dominators: &DominatorTree, object: ObjectIdx) -> Option<Vec<ObjectIdx>> {
    let mut way = vec![object];
    let mut above = dominators.immediate_dominator(object)?;
    while heap.is_new(above) && heap.class_of_mirror(above).is_none() {
        if way.len() == LONGEST_WAY {
            return None;
        }
        way.push(above);
        above = dominators.immediate_dominator(above)?;
    }
    let is_held = |&object: &ObjectIdx| heap.references().of(above).contains(&object);
    let uppermost = way.last()?;
    let fits = !heap.is_array(above) && is_held(uppermost) && !way.iter().any(|&part| heap.is_array(part));
    fits.then_some(way)
}
