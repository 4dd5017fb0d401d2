//! The metrics of a census that take passes over the whole heap: made for chosen entries, while the heap is there.

use super::census::{Detected, Taken};
use super::members::Members;
use super::{Reach, reached_by_each, retained_by_each};
use crate::graph::{Dominance, Size};
use crate::heap::ObjectIdx;
use std::collections::HashMap;

impl Taken {
    /// The retained size of chosen groups; single structures have theirs already. 64 take one pass.
    pub fn measure_retained<D: Dominance>(&mut self, of: &Detected<'_, D>, chosen: &[usize]) {
        let kept = &mut self.census.kept;
        let missing: Vec<usize> = chosen.iter().copied().filter(|&at| kept[at].sizes.retained.is_none()).collect();
        let groups: Vec<&[ObjectIdx]> = missing.iter().map(|&at| self.heads[at].as_slice()).collect();
        let sizes = retained_by_each(of.dominance, of.entries, &groups);
        missing.iter().zip(sizes).for_each(|(&at, size)| kept[at].sizes.retained = Some(size));
    }

    /// The deep size of chosen entries. 64 take one pass.
    pub fn measure_deep<D: Dominance>(&mut self, of: &Detected<'_, D>, chosen: &[usize]) {
        let groups: Vec<&[ObjectIdx]> = chosen.iter().map(|&at| self.heads[at].as_slice()).collect();
        let sizes = reached_by_each(of.dominance.heap(), of.referrers, &groups);
        chosen.iter().zip(sizes).for_each(|(&at, size)| self.census.kept[at].sizes.deep = Some(size));
    }

    /// What the leaves of each class retain together, for the `most` largest classes of chosen entries and those named
    /// by `also`. 64 classes take one pass.
    pub fn measure_leaves<D: Dominance>(
        &mut self,
        of: &Detected<'_, D>,
        chosen: &[usize],
        most: usize,
        also: impl Fn(usize, &str) -> bool,
    ) {
        let heap = of.dominance.heap();
        let mut members = Members::new(heap, of.layout);
        let (mut wanted, mut groups): (Vec<(usize, usize)>, Vec<Vec<ObjectIdx>>) = (Vec::new(), Vec::new());
        for &at in chosen {
            let leaves = &self.census.kept[at].leaves;
            let named = leaves.iter().enumerate().filter(|(place, leaf)| *place < most || also(at, &leaf.class));
            let mut by_name: HashMap<&str, usize> = HashMap::new();
            for (place, leaf) in named {
                by_name.insert(&leaf.class, groups.len());
                wanted.push((at, place));
                groups.push(Vec::new());
            }
            for leaf in members.leaves(&self.heads[at], Reach::Deep) {
                let name = heap.classes().get(heap.class_of(leaf)).name.as_str();
                if let Some(&group) = by_name.get(name) {
                    groups[group].push(leaf);
                }
            }
        }
        let slices: Vec<&[ObjectIdx]> = groups.iter().map(Vec::as_slice).collect();
        let sizes = retained_by_each(of.dominance, of.entries, &slices);
        for ((at, place), size) in wanted.into_iter().zip(sizes) {
            self.census.kept[at].leaves[place].retained = Some(size);
        }
    }

    /// What chosen entries retain together; shared contents count, and none counts twice.
    pub fn retained_together<D: Dominance>(&self, of: &Detected<'_, D>, chosen: &[usize]) -> Size {
        let all: Vec<ObjectIdx> = chosen.iter().flat_map(|&at| self.heads[at].iter().copied()).collect();
        retained_by_each(of.dominance, of.entries, &[&all]).first().copied().unwrap_or_default()
    }
}
