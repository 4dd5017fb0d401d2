//! The metrics of a census that take passes over the whole heap: made for chosen entries, while the heap is there.

use super::census::{Detected, Taken};
use super::members::Members;
use super::sets::retained_in_one_pass;
use super::{Reach, reached_by_each, retained_by_each};
use crate::graph::{Dominance, Size};
use crate::heap::{Heap, ObjectIdx};

/// Classes of leaves whose retained sizes are measured.
pub struct LeavesOf<'c> {
    /// Indexes of entries.
    pub chosen: &'c [usize],
    /// Number of the largest classes of each, …
    pub most: usize,
    /// … and whether a further class of an entry is measured.
    pub also: &'c dyn Fn(usize, &str) -> bool,
}

/// The leaves of some classes.
#[derive(Default)]
struct LeafSets {
    /// The entry, and the place of the class among its leaves.
    of: Vec<(usize, usize)>,
    sets: Vec<Vec<ObjectIdx>>,
}

impl Taken {
    /// The retained size of chosen groups; single structures have theirs already. 64 take one pass.
    pub fn measure_retained<D: Dominance>(&mut self, of: &Detected<'_, D>, chosen: &[usize]) {
        let missing = self.without_retained(chosen);
        let groups: Vec<&[ObjectIdx]> = missing.iter().map(|&at| self.heads[at].as_slice()).collect();
        let sizes = retained_by_each(of.dominance, of.entries, &groups);
        let kept = &mut self.census.kept;
        missing.iter().zip(sizes).for_each(|(&at, size)| kept[at].sizes.retained = Some(size));
    }

    /// The deep size of chosen entries. 64 take one pass.
    pub fn measure_deep<D: Dominance>(&mut self, of: &Detected<'_, D>, chosen: &[usize]) {
        let groups: Vec<&[ObjectIdx]> = chosen.iter().map(|&at| self.heads[at].as_slice()).collect();
        let sizes = reached_by_each(of.dominance.heap(), of.referrers, &groups);
        chosen.iter().zip(sizes).for_each(|(&at, size)| self.census.kept[at].sizes.deep = Some(size));
    }

    /// What the leaves of each class retain together. 64 classes take one pass.
    pub fn measure_leaves<D: Dominance>(&mut self, of: &Detected<'_, D>, leaves: &LeavesOf<'_>) {
        let leaves = self.leaf_sets(of, leaves);
        let sets: Vec<&[ObjectIdx]> = leaves.sets.iter().map(Vec::as_slice).collect();
        let sizes = retained_by_each(of.dominance, of.entries, &sets);
        self.set_leaves(&leaves.of, sizes.into_iter().map(Some));
    }

    /// Both in one pass, as far as it goes: the chosen groups first.
    pub fn measure_retained_once<D: Dominance>(
        &mut self,
        of: &Detected<'_, D>,
        chosen: &[usize],
        leaves: &LeavesOf<'_>,
    ) {
        let (missing, leaves) = (self.without_retained(chosen), self.leaf_sets(of, leaves));
        let groups = missing.iter().map(|&at| self.heads[at].as_slice());
        let sets: Vec<&[ObjectIdx]> = groups.chain(leaves.sets.iter().map(Vec::as_slice)).collect();
        let sizes = retained_in_one_pass(of.dominance, of.entries, &sets);
        let (of_groups, of_leaves) = sizes.split_at(missing.len());
        let kept = &mut self.census.kept;
        missing.iter().zip(of_groups).for_each(|(&at, &size)| kept[at].sizes.retained = size);
        self.set_leaves(&leaves.of, of_leaves.iter().copied());
    }

    /// What chosen entries retain together; shared contents count, and none counts twice.
    pub fn retained_together<D: Dominance>(&self, of: &Detected<'_, D>, chosen: &[usize]) -> Size {
        let all: Vec<ObjectIdx> = chosen.iter().flat_map(|&at| self.heads[at].iter().copied()).collect();
        retained_by_each(of.dominance, of.entries, &[&all]).first().copied().unwrap_or_default()
    }

    fn without_retained(&self, chosen: &[usize]) -> Vec<usize> {
        chosen.iter().copied().filter(|&at| self.census.kept[at].sizes.retained.is_none()).collect()
    }

    fn leaf_sets<D: Dominance>(&self, of: &Detected<'_, D>, leaves: &LeavesOf<'_>) -> LeafSets {
        let heap = of.dominance.heap();
        let (mut members, mut found) = (Members::new(heap, of.layout), LeafSets::default());
        for &at in leaves.chosen {
            let classes = self.census.kept[at].leaves.iter().enumerate();
            let wanted = classes.filter(|(place, leaf)| *place < leaves.most || (leaves.also)(at, &leaf.class));
            let (places, names): (Vec<usize>, Vec<&str>) = wanted.map(|(place, leaf)| (place, &*leaf.class)).unzip();
            if places.is_empty() {
                continue;
            }
            found.of.extend(places.into_iter().map(|place| (at, place)));
            found.sets.extend(match self.leaves.get(at) {
                Some(leaves) => by_name(heap, leaves, &names),
                None => by_name(heap, &members.leaves(&self.heads[at], Reach::Deep), &names),
            });
        }
        found
    }

    fn set_leaves(&mut self, of: &[(usize, usize)], sizes: impl Iterator<Item = Option<Size>>) {
        for (&(at, place), size) in of.iter().zip(sizes) {
            self.census.kept[at].leaves[place].retained = size;
        }
    }
}

/// The objects of classes with each of these names.
fn by_name(heap: &Heap, objects: &[ObjectIdx], names: &[&str]) -> Vec<Vec<ObjectIdx>> {
    let place = |name: &str| names.iter().position(|wanted| *wanted == name);
    let of_class: Vec<Option<usize>> = heap.classes().iter().map(|(_, class)| place(&class.name)).collect();
    let mut sets = vec![Vec::new(); names.len()];
    for &object in objects {
        if let Some(set) = of_class[heap.class_of(object).at()] {
            sets[set].push(object);
        }
    }
    sets
}
