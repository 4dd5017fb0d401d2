//! The data of a heap that are kept when the next one is read: the number of objects at each place, by container.

use super::placed::Placed;
use super::places::PlaceIdx;
use crate::heap::ObjectIdx;
use std::collections::BTreeSet;

/// Objects by place and container.
#[derive(Debug, Default)]
pub struct Census {
    /// By place: number of objects that each container had there, most first.
    by_container: Vec<Vec<u32>>,
    reachable_count: u64,
}

impl Census {
    pub(super) fn new(placed: &Placed) -> Self {
        let mut by_container: Vec<Vec<u32>> = Vec::new();
        for group in Groups::new(placed).iter() {
            let at = group.place.at();
            if by_container.len() <= at {
                by_container.resize_with(at + 1, Vec::new);
            }
            let mut counts: Vec<u32> = group.containers().map(|members| members.len() as u32).collect();
            counts.sort_unstable_by(|a, b| b.cmp(a));
            by_container[at] = counts;
        }
        Self { by_container, reachable_count: placed.order.len() as u64 }
    }

    /// Number of objects that the roots reached.
    pub fn reachable_count(&self) -> u64 {
        self.reachable_count
    }

    /// Number of objects that each container had at that place, most first.
    pub(super) fn by_container(&self, place: PlaceIdx) -> &[u32] {
        self.by_container.get(place.at()).map_or(&[], Vec::as_slice)
    }

    /// Number of objects at the place.
    pub fn count_at(&self, place: PlaceIdx) -> u64 {
        self.by_container(place).iter().map(|&count| u64::from(count)).sum()
    }
}

/// The objects of a heap sorted by place and container, in preorder otherwise.
pub(super) struct Groups<'p> {
    placed: &'p Placed,
    sorted: Vec<ObjectIdx>,
}

/// The objects at one place.
pub(super) struct Group<'g> {
    pub(super) place: PlaceIdx,
    placed: &'g Placed,
    pub(super) members: &'g [ObjectIdx],
}

impl<'p> Groups<'p> {
    pub(super) fn new(placed: &'p Placed) -> Self {
        Self::sorted(placed, placed.order.clone())
    }

    /// Those of some places alone.
    pub(super) fn at(placed: &'p Placed, places: &BTreeSet<PlaceIdx>) -> Self {
        let mut are_such = vec![false; places.last().map_or(0, |last| last.at() + 1)];
        places.iter().for_each(|place| are_such[place.at()] = true);
        let is_such = |object: &ObjectIdx| are_such.get(placed.place[object.at()].at()) == Some(&true);
        Self::sorted(placed, placed.order.iter().copied().filter(is_such).collect())
    }

    fn sorted(placed: &'p Placed, mut sorted: Vec<ObjectIdx>) -> Self {
        // A stable sort keeps the preorder among equals.
        sorted.sort_by_key(|object| (placed.place[object.at()], placed.container[object.at()]));
        Self { placed, sorted }
    }

    /// The groups by ascending place: in the order in which places were found, from the roots down.
    pub(super) fn iter(&self) -> impl Iterator<Item = Group<'_>> {
        let place = |object: &ObjectIdx| self.placed.place[object.at()];
        let groups = self.sorted.chunk_by(move |one, other| place(one) == place(other));
        groups.map(|members| Group { place: self.placed.place[members[0].at()], placed: self.placed, members })
    }
}

impl<'g> Group<'g> {
    /// The members of each container.
    pub(super) fn containers(&self) -> impl Iterator<Item = &'g [ObjectIdx]> + use<'g> {
        let container = |object: &ObjectIdx| self.placed.container[object.at()];
        self.members.chunk_by(move |one, other| container(one) == container(other))
    }
}
