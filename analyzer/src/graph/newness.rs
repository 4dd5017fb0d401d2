//! Newness of objects without a mark, if marks are a sample.
//!
//! Objects of one class below the same container are a *group*. Of its m objects t bear a mark. The marks give the
//! number of older ones that it kept: n·t/s for each stratum of n objects of which s had been marked. Its gain, m −
//! kept, is spread evenly over the m − t others. A gain within two standard errors counts as none, except for the
//! group's increase in size, which is certain. Objects that came with a new holder are explained by it ([`explained`]).

mod copies;
mod explained;
mod finals;
mod groups;
mod knowledge;
mod owners;

use super::replaced::{Known, Replaced, replaced_parts};
use super::{DominatorTree, Referrers, below, dependents};
use crate::heap::{ClassIdx, Heap, ObjectIdx};
use explained::Explained;
use groups::Groups;
use knowledge::{Above, Knowledge};
use rayon::prelude::*;
use std::cell::RefCell;
use std::collections::HashMap;

/// The first two estimates: certainly old, and certainly new.
const OLD: u32 = 0;
const NEW: u32 = 1;
/// The estimate of the first group; those of the others follow.
const FIRST_GROUP: u32 = 2;
/// Not known yet; to be taken from its holders.
const DEPENDENT: u32 = u32::MAX;

/// The newness of a dependent object with fewer holders is found again each time.
const FEW_HOLDERS: usize = 16;

/// The estimate for all unmarked objects of one group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Estimate {
    /// Newness of each object.
    newness: f64,
    /// Variance of the group's gain, in equal parts to each.
    variance: f64,
}

/// An estimate for each object, and the newness of its holder: 8 bytes an object.
#[derive(Debug)]
pub(super) struct Newness {
    estimate: Vec<u32>,
    estimates: Vec<Estimate>,
    explained: Explained,
}

impl Newness {
    /// Whether some mark stands for others, or a plan left objects unmarked.
    pub(super) fn is_needed(heap: &Heap) -> bool {
        heap.marks().is_some_and(|table| table.leaves_inherit || !table.strata.is_empty())
            || heap.objects().any(|object| !heap.is_new(object) && heap.stands_for(object) > 1.0)
    }

    /// Estimates by groups, and the objects that are old because they replaced others ([`super::replaced`]).
    pub(super) fn new(heap: &Heap, referrers: &Referrers, dominators: &DominatorTree) -> (Self, Replaced) {
        let knowledge = Knowledge::new(heap, dominators);
        let leaves_do = knowledge.leaves_inherit();
        let by_generation = |object: u32| match ObjectIdx(object) {
            old if !heap.is_new(old) => OLD,
            // For unreachable objects, only the generation is known.
            new if dependents::takes_age_of_holders(heap, referrers, new, leaves_do) => DEPENDENT,
            _ => NEW,
        };
        let mut estimate: Vec<u32> = (0..heap.object_count() as u32).into_par_iter().map(by_generation).collect();
        let mut groups = Groups::default();
        let container = |object| knowledge.container(object);
        below::for_each_below(dominators, Above::ROOTS, container, |object, above, itself| {
            estimate[object.at()] =
                place(&knowledge, referrers, &mut groups, object, (above, itself, estimate[object.at()]));
        });
        let mut estimates = vec![Estimate { newness: 0.0, variance: 0.0 }, Estimate { newness: 1.0, variance: 0.0 }];
        let copies = copies::find((heap, dominators), knowledge.table, (&estimate, &groups));
        let (of_groups, gone) = groups.estimates(&knowledge, &copies.before);
        estimates.extend(of_groups);
        owners::settle(heap, dominators, &mut estimate, (&mut estimates, &gone));
        finals::settle(&knowledge, referrers, &mut estimate, &mut estimates);
        let replaced = replaced(heap, referrers, (&estimate, &estimates), copies.after);
        replaced.parts.iter().chain(&replaced.copies).for_each(|part| estimate[part.at()] = OLD);
        settle_copied(heap, &replaced.copied, &mut estimate);
        let explained = Explained::new(heap, dominators, &estimate, &estimates);
        let mut newness = Self { estimate, estimates, explained };
        newness.settle_dependents(heap, referrers);
        (newness, replaced)
    }

    fn settle_dependents(&mut self, heap: &Heap, referrers: &Referrers) {
        for object in heap.objects().filter(|object| self.estimate[object.at()] == DEPENDENT).collect::<Vec<_>>() {
            let settled = dependents::holders(heap, referrers, object)
                .map(|holder| (self.of(holder), holder))
                .min_by(|a, b| a.0.total_cmp(&b.0));
            let Some((_, oldest)) = settled else {
                self.estimate[object.at()] = NEW;
                continue;
            };
            self.estimate[object.at()] = self.estimate[oldest.at()];
            self.explained.copy(oldest, object);
        }
    }

    #[inline]
    fn estimate(&self, object: ObjectIdx) -> Estimate {
        self.estimates[self.estimate[object.at()] as usize]
    }

    #[inline]
    pub(super) fn of(&self, object: ObjectIdx) -> f64 {
        self.explained.newness(object, self.estimate[object.at()])
    }

    /// The newness that its holder does not explain.
    #[inline]
    pub(super) fn unexplained(&self, object: ObjectIdx) -> f64 {
        self.explained.unexplained(object, self.estimate[object.at()])
    }

    #[inline]
    pub(super) fn variance_of(&self, object: ObjectIdx) -> f64 {
        if self.of(object) == 0.0 { 0.0 } else { self.estimate(object).variance }
    }
}

/// Nodes of these classes replaced others one for one, whichever of a group they are.
fn settle_copied(heap: &Heap, copied: &[ClassIdx], estimate: &mut [u32]) {
    if copied.is_empty() {
        return;
    }
    for object in heap.objects().filter(|&object| copied.contains(&heap.class_of(object))) {
        if (FIRST_GROUP..DEPENDENT).contains(&estimate[object.at()]) {
            estimate[object.at()] = OLD;
        }
    }
}

/// Wrappers that structures have replaced, by the current estimates. A dependent object is as new as its oldest holder.
fn replaced(
    heap: &Heap,
    referrers: &Referrers,
    (estimate, estimates): (&[u32], &[Estimate]),
    copies: Vec<ObjectIdx>,
) -> Replaced {
    let known = |object: ObjectIdx| estimates.get(estimate[object.at()] as usize).map_or(1.0, |each| each.newness);
    let oldest_holder = |object| dependents::holders(heap, referrers, object).map(known).fold(1.0, f64::min);
    // A content that a million nodes share is asked for by each of them.
    let shared: RefCell<HashMap<ObjectIdx, f64>> = RefCell::default();
    let as_holders = |object| match referrers.of(object).len() {
        0..FEW_HOLDERS => oldest_holder(object),
        _ => *shared.borrow_mut().entry(object).or_insert_with(|| oldest_holder(object)),
    };
    let is_dependent = |object: ObjectIdx| estimate[object.at()] == DEPENDENT;
    let newness = |object: ObjectIdx| if is_dependent(object) { as_holders(object) } else { known(object) };
    let by_mark = |object: ObjectIdx| if heap.is_new(object) { 0.0 } else { heap.stands_for(object) };
    let stands_for = |object: ObjectIdx| (!is_dependent(object)).then(|| by_mark(object));
    replaced_parts(heap, referrers, Known { newness, stands_for }, copies)
}

/// Chooses the estimate for the object; `known` is the estimate from its generation. Counts the object in its group.
fn place(
    knowledge: &Knowledge<'_>,
    referrers: &Referrers,
    groups: &mut Groups,
    object: ObjectIdx,
    (above, itself, known): (Above, Option<Above>, u32),
) -> u32 {
    let heap = knowledge.heap;
    if let Some(is_new) = knowledge.mirror_is_new(object) {
        return if is_new { NEW } else { OLD };
    }
    if let Some(Above::Known(container)) = itself {
        groups.met(container);
        return OLD;
    }
    let is_new = heap.is_new(object);
    if known == DEPENDENT
        || !is_new && dependents::takes_age_of_holders(heap, referrers, object, knowledge.leaves_inherit())
    {
        return known;
    }
    let Some(key) = knowledge.group(object, above) else { return if is_new { NEW } else { OLD } };
    let group = groups.group(key);
    if is_new {
        groups.unmarked(group);
        return group + FIRST_GROUP;
    }
    groups.marked(group, heap.stands_for(object), knowledge.stratum(object));
    OLD
}
