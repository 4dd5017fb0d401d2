//! Groups of heads: those of one type, and of these those at one place.

use super::StructureOrder;
use super::rows::Found;
use crate::graph::Dominance;
use crate::heap::ObjectIdx;
use crate::matching::PlaceFinder;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Heads that are measured together.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// Never empty; ascending.
    pub(super) heads: Vec<ObjectIdx>,
    /// The sum of the heads' sizes in the requested order: the size of the group is no larger.
    pub(super) bound: u64,
}

impl Found<'_> {
    /// Groups by key, those with the largest bound first.
    pub(super) fn grouped<K: Ord>(
        &self,
        heads: impl Iterator<Item = ObjectIdx>,
        mut key: impl FnMut(ObjectIdx) -> K,
        order: StructureOrder,
    ) -> Vec<Group> {
        let mut by_key: BTreeMap<K, Vec<ObjectIdx>> = BTreeMap::new();
        heads.for_each(|head| by_key.entry(key(head)).or_default().push(head));
        let group = |heads: Vec<ObjectIdx>| Group { bound: self.bound(&heads, order), heads };
        let mut groups: Vec<Group> = by_key.into_values().map(group).collect();
        groups.sort_by_key(|group| (Reverse(group.bound), group.heads[0]));
        groups
    }

    /// The heads of a group by their places.
    pub(super) fn by_place(&self, group: &Group, places: &mut PlaceFinder<'_>, order: StructureOrder) -> Vec<Group> {
        self.grouped(group.heads.iter().copied(), |head| places.place_of(head), order)
    }

    fn bound(&self, heads: &[ObjectIdx], order: StructureOrder) -> u64 {
        let known = |head: ObjectIdx| self.structures.heads.of(head);
        let one = |&head: &ObjectIdx| match order {
            StructureOrder::Objects => 1,
            StructureOrder::Retained | StructureOrder::Deep => self.tree.retained(head).bytes,
            StructureOrder::Structure => {
                known(head).and_then(|head| self.structures.own(head)).map_or(0, |own| own.size.bytes)
            }
            StructureOrder::DeepStructure => {
                known(head).and_then(|head| self.structures.deep(head)).map_or(0, |deep| deep.size.bytes)
            }
        };
        heads.iter().map(one).sum()
    }
}
