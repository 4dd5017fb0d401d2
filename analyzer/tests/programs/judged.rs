//! Where the leaks of a generated program stand among the regions found, and how often they stand first.

use super::Leak;
use rootbound::graph::ObjectGraph;
use rootbound::heap::{Heap, ObjectIdx};
use rootbound::ranking;
use rootbound::regions::{self, Region};
use std::collections::HashSet;

/// The regions of a heap, by rank.
pub fn analyse(heap: &Heap) -> Vec<Region> {
    let graph = ObjectGraph::new(heap);
    regions::find(&graph, &ranking::rank(&graph))
}

/// How many leak roots stand above the leak, itself counted: its first region is the first whose owner and
/// change-proxies are parts of it.
pub fn place_of(leak: &Leak, regions: &[Region]) -> Option<usize> {
    let is_leak = |region: &Region| {
        leak.parts.contains(&region.owner) && region.changes.iter().any(|change| leak.parts.contains(change))
    };
    let at = regions.iter().position(is_leak)?;
    let above: HashSet<ObjectIdx> = regions[..=at].iter().map(|region| region.leak_root).collect();
    Some(above.len())
}

/// How often leaks are found, and stand first.
#[derive(Clone, Copy, Debug, Default)]
pub struct Count {
    pub leaks: usize,
    pub found: usize,
    pub first: usize,
    pub top_3: usize,
}

impl Count {
    /// Where a program has other leaks, these may stand above.
    pub fn add(&mut self, place: Option<usize>, others: usize) {
        self.leaks += 1;
        self.found += usize::from(place.is_some());
        self.first += usize::from(place.is_some_and(|place| place <= 1 + others));
        self.top_3 += usize::from(place.is_some_and(|place| place <= 3));
    }

    pub fn absorb(&mut self, other: &Self) {
        self.leaks += other.leaks;
        self.found += other.found;
        self.first += other.first;
        self.top_3 += other.top_3;
    }

    /// In percent, rounded down.
    pub fn share_of(&self, part: usize) -> usize {
        part * 100 / self.leaks
    }
}
