//! Many regions of one kind with few members each, or more of a kind than can be followed
//! ([`Rule::Population`](super::Rule::Population)).

use super::Outline;
use super::outline::Kind;
use super::rules::THRESHOLDS;
use crate::graph::ObjectGraph;
use crate::heap::ObjectIdx;
use std::cmp::Reverse;
use std::collections::HashMap;

/// Regions by kind.
pub struct Populations(HashMap<Kind, Population>);

/// All regions of one kind.
#[derive(Clone, Copy, Debug, Default)]
struct Population {
    regions: usize,
    /// Sum of their proxy-sizes.
    members: u64,
    /// Proxy-size above which they stand alone in any case; 0 where all can be followed.
    largest_alone: u64,
}

impl Populations {
    /// Counts regions by kind.
    #[must_use]
    pub fn of(graph: &ObjectGraph<'_>, regions: &[Outline<'_>]) -> Self {
        let mut sizes: HashMap<Kind, Vec<u64>> = HashMap::new();
        for region in regions {
            sizes.entry(region.kind(graph)).or_default().push(region.proxy_size);
        }
        Self(sizes.into_iter().map(|(kind, sizes)| (kind, Population::of(sizes))).collect())
    }

    /// Number of regions in the population to which a region belongs; `None` where it belongs to none.
    #[must_use]
    pub fn around(&self, graph: &ObjectGraph<'_>, region: &Outline<'_>) -> Option<usize> {
        let population = self.0.get(&region.kind(graph))?;
        population.includes(region.proxy_size).then_some(population.regions)
    }
}

impl Population {
    fn of(mut sizes: Vec<u64>) -> Self {
        sizes.sort_unstable_by_key(|&size| Reverse(size));
        let next = sizes.get(THRESHOLDS.largest_of_crowd).filter(|_| sizes.len() > THRESHOLDS.crowd);
        let largest_alone = next.copied().unwrap_or(0);
        Self { regions: sizes.len(), members: sizes.iter().sum(), largest_alone }
    }

    /// Whether a region is one of many: with few members, or of more than can be followed and none of the largest.
    fn includes(self, proxy_size: u64) -> bool {
        self.is_small(proxy_size) || proxy_size <= self.largest_alone
    }

    /// Whether there are more regions than a region has members, and that region is no exception among them. A dozen
    /// caches of a thousand are no population; six thousand customers with a few history lines each are.
    fn is_small(self, proxy_size: u64) -> bool {
        let mean = self.members as f64 / self.regions as f64;
        self.regions >= THRESHOLDS.population
            && proxy_size < self.regions as u64
            && (proxy_size as f64) < THRESHOLDS.exception * mean.max(THRESHOLDS.exception)
    }
}

/// Owner of a population as one region: the nearest object that dominates all these owners, and is neither one of them
/// nor an array.
#[must_use]
pub fn common_owner(graph: &ObjectGraph<'_>, owners: &[ObjectIdx]) -> Option<ObjectIdx> {
    let dominators = &graph.dominators;
    let mut above = dominators.immediate_dominator(*owners.first()?);
    for &owner in &owners[1..] {
        while let Some(object) = above.filter(|&object| object == owner || !dominators.dominates(object, owner)) {
            above = dominators.immediate_dominator(object);
        }
    }
    while let Some(array) = above.filter(|&object| graph.heap.is_array(object)) {
        above = dominators.immediate_dominator(array);
    }
    above
}
