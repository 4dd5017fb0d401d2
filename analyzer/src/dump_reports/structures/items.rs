//! Structures of one type at one place, with their most frequent leaves.

use super::StructureOrder;
use super::groups::Group;
use super::measure::{Measured, Measurer};
use super::rows::Found;
use crate::graph::{Dominance, RootPaths};
use crate::heap::ObjectIdx;
use crate::matching::{NamedPlaces, PlaceFinder};
use crate::report::structures::{LeafRow, StructureItem, TypeRow};
use crate::structures::Reach;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Places of one type.
const PLACES: usize = 3;
/// Classes of leaves at one place.
const LEAF_CLASSES: usize = 3;

/// Leaves of one class.
pub(super) struct Leaves {
    item: usize,
    pub(super) objects: Vec<ObjectIdx>,
}

impl Found<'_> {
    /// The largest places of each type; the rows get their indexes.
    pub(super) fn items(
        &self,
        rows: &mut [TypeRow],
        groups: &[Group],
        measurer: &mut Measurer<'_>,
        (paths, order): (&RootPaths, StructureOrder),
    ) -> Vec<StructureItem> {
        let mut names = NamedPlaces::new();
        let mut places = PlaceFinder::new(self.heap, paths, &mut names);
        let mut shown: Vec<Group> = Vec::new();
        for (row, group) in rows.iter_mut().zip(groups) {
            let mut largest = self.by_place(group, &mut places, order);
            row.place_count = largest.len();
            largest.truncate(PLACES);
            row.items = (shown.len()..shown.len() + largest.len()).collect();
            shown.append(&mut largest);
        }
        let leaves = self.leaves_of_largest(&shown, measurer);
        let (measured, retained) = measurer.each_and(&shown, &leaves, order);
        let all = shown.iter().zip(measured);
        let mut items: Vec<StructureItem> =
            all.map(|(group, measured)| self.item(group, measured, &mut places)).collect();
        for (leaves, retained) in leaves.iter().zip(retained) {
            items[leaves.item].leaves.push(LeafRow {
                class: self.words.name(leaves.objects[0]),
                count: leaves.objects.len() as u64,
                retained_bytes: retained.map(|retained| retained.bytes),
            });
        }
        items
    }

    fn largest(&self, group: &Group) -> ObjectIdx {
        let key = |head: &&ObjectIdx| (Reverse(self.tree.retained(**head).bytes), **head);
        group.heads.iter().min_by_key(key).copied().unwrap_or(group.heads[0])
    }

    fn item(&self, group: &Group, measured: Measured, places: &mut PlaceFinder<'_>) -> StructureItem {
        let largest = self.largest(group);
        let place = places.place_of(largest);
        let is_top =
            |head: &ObjectIdx| self.structures.heads.of(*head).is_some_and(|head| self.structures.is_top_level(head));
        StructureItem {
            class: self.words.name(largest),
            place: places.places().expression(place),
            id: self.words.id(largest),
            alike: group.heads.len() as u64,
            is_top_level: group.heads.iter().all(is_top),
            share: self.share(&measured.sizes),
            sizes: measured.sizes,
            leaf_count: measured.leaves,
            leaves: Vec::new(),
        }
    }

    /// The leaves of each group, those of the largest groups first.
    fn leaves_of_largest(&self, groups: &[Group], measurer: &mut Measurer<'_>) -> Vec<Leaves> {
        let mut order: Vec<usize> = (0..groups.len()).collect();
        order.sort_by_key(|&item| Reverse(groups[item].bound));
        order.into_iter().flat_map(|item| self.leaves(item, &groups[item], measurer)).collect()
    }

    /// The most frequent classes of a group's deep leaves.
    fn leaves(&self, item: usize, group: &Group, measurer: &mut Measurer<'_>) -> Vec<Leaves> {
        let mut by_type: BTreeMap<_, Vec<ObjectIdx>> = BTreeMap::new();
        for leaf in measurer.members.leaves(&group.heads, Reach::Deep) {
            by_type.entry(self.layout.type_of(self.heap, leaf)).or_default().push(leaf);
        }
        let mut all: Vec<Leaves> = by_type.into_values().map(|objects| Leaves { item, objects }).collect();
        all.sort_by_key(|leaves| Reverse(leaves.objects.len()));
        all.truncate(LEAF_CLASSES);
        all
    }
}
