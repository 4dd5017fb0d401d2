//! Ages inferred from counts: at each place, as many objects count as old as an earlier heap had there.
//!
//! The identity of the old objects is unknown and does not matter to the search, but their container does. Containers
//! that existed before are compared in the order of their sizes, the largest now with the largest then. So among many
//! lists, the grown one is recognized. Objects of a new container are new. Within a container, the first objects in
//! preorder are old, so that a chain grows at its end.

use super::census::{Census, Groups};
use super::placed::Placed;
use super::places::PlaceIdx;
use crate::heap::{Generation, ObjectIdx};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Age of objects that match those of the earlier heap.
const OLD: Generation = 0;
pub(super) const NEW: Generation = 1;
/// Age of objects not judged yet, which count as old: of places that form a cycle, one must come first.
const NOT_JUDGED: Generation = 2;

/// Ages of the objects of a later heap.
#[derive(Debug)]
pub struct InferredAges {
    /// By object. Unreachable objects are new.
    pub generation: Vec<Generation>,
    /// Number of objects that match one of the earlier heap.
    pub matched_count: u64,
    /// Number of reachable objects of this heap.
    pub reachable_count: u64,
    /// Number of reachable objects of the earlier heap without a match in this one.
    pub gone_count: u64,
}

impl InferredAges {
    /// Infers ages from the earlier heap's counts at each place.
    pub fn new(placed: &Placed, earlier: &Census) -> Self {
        let mut generation = vec![NOT_JUDGED; placed.place.len()];
        judge(&mut generation, &Groups::new(placed), placed, earlier);
        generation.iter_mut().filter(|age| **age == NOT_JUDGED).for_each(|age| *age = NEW);
        let matched_count = generation.iter().filter(|&&generation| generation == OLD).count() as u64;
        let gone_count = earlier.reachable_count() - matched_count.min(earlier.reachable_count());
        Self { generation, matched_count, reachable_count: placed.order.len() as u64, gone_count }
    }

    /// By object, the ages of those at some places. All others are old.
    pub fn at(places: &BTreeSet<PlaceIdx>, placed: &Placed, earlier: &Census) -> Vec<Generation> {
        let mut generation = vec![OLD; placed.place.len()];
        judge(&mut generation, &Groups::at(placed, places), placed, earlier);
        generation
    }
}

/// Sets the ages of the objects of some groups.
fn judge(generation: &mut [Generation], groups: &Groups<'_>, placed: &Placed, earlier: &Census) {
    for group in groups.iter() {
        let is_old = |members: &&[ObjectIdx]| {
            placed.container[members[0].at()].is_none_or(|container| generation[container.at()] != NEW)
        };
        let mut containers: Vec<&[ObjectIdx]> = group.containers().filter(is_old).collect();
        containers.sort_by_key(|members| Reverse(members.len()));
        group.members.iter().for_each(|member| generation[member.at()] = NEW);
        for (members, &before) in containers.iter().zip(earlier.by_container(group.place)) {
            members.iter().take(before as usize).for_each(|member| generation[member.at()] = OLD);
        }
    }
}
