//! Ages inferred from counts: of the objects at a place, as many are taken for old as an earlier heap had there.
//!
//! Which of them is not known and does not matter to the search, but where: containers that were there are compared in the
//! order of their sizes, the largest now with the largest then, so that of many lists the one that grew is seen to have
//! grown. What a new container holds is new. Within a container those are old that come first in preorder, so that a chain
//! grows at its end.

use super::census::{Census, Groups};
use super::placed::Placed;
use crate::heap::{Generation, ObjectIdx};
use std::cmp::Reverse;

/// Objects that stand for those of the earlier heap.
const OLD: Generation = 0;
const NEW: Generation = 1;
/// Of places that lie in a circle one must come first: containers that have not been judged yet count as old.
const NOT_JUDGED: Generation = 2;

/// Ages of the objects of a later heap.
#[derive(Debug)]
pub struct InferredAges {
    /// By object. What nothing reaches is new.
    pub generation: Vec<Generation>,
    /// Objects that stand where the earlier heap had one.
    pub matched_count: u64,
    /// Reachable objects of this heap.
    pub reachable_count: u64,
    /// Reachable objects of the earlier heap, for which nothing stands here.
    pub gone_count: u64,
}

impl InferredAges {
    /// From what the earlier heap had at each place.
    pub fn new(placed: &Placed, earlier: &Census) -> Self {
        let mut generation = vec![NOT_JUDGED; placed.place.len()];
        for group in Groups::new(placed).iter() {
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
        generation.iter_mut().filter(|age| **age == NOT_JUDGED).for_each(|age| *age = NEW);
        let matched_count = generation.iter().filter(|&&generation| generation == OLD).count() as u64;
        let gone_count = earlier.reachable_count() - matched_count.min(earlier.reachable_count());
        Self { generation, matched_count, reachable_count: placed.order.len() as u64, gone_count }
    }
}
