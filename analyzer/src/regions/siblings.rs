//! Regions that are many of a kind: the same leak root, the same type of owner, the same type of change-proxy.
//!
//! LeakBot's Observation 4 at the level of regions: where each of a thousand customers gained three history lines, a
//! thousand regions say what one should, and each is more likely to be a member that is being filled than a leak.

use super::Region;
use crate::graph::ObjectGraph;
use crate::heap::{ClassIdx, ObjectIdx};
use std::collections::HashMap;

/// From so many siblings on, regions count as many of a kind.
const MANY: usize = 8;

/// Fills in [`Region::siblings`] and [`Region::siblings_mean`].
pub(super) fn count(graph: &ObjectGraph<'_>, regions: &mut [Region]) {
    let mut counts: HashMap<(ObjectIdx, ClassIdx, ClassIdx), (usize, u64)> = HashMap::new();
    let kind = |region: &Region| (region.leak_root, graph.heap.class_of(region.owner), region.change_class);
    for region in regions.iter() {
        let of_kind = counts.entry(kind(region)).or_default();
        *of_kind = (of_kind.0 + 1, of_kind.1 + region.proxy_size);
    }
    for region in regions.iter_mut() {
        let (count, members) = counts.get(&kind(region)).copied().unwrap_or((1, region.proxy_size));
        region.siblings = count;
        region.siblings_mean = members as f64 / count as f64;
    }
}

/// Whether the region is one of a population: many of a kind, more of them than members in each, and no exception
/// among them. A dozen caches with a thousand entries each are no population; six thousand customers with a few history
/// lines each are.
pub fn is_one_of_many(region: &Region) -> bool {
    const EXCEPTIONAL: f64 = 4.0;
    region.siblings >= MANY
        && region.proxy_size < region.siblings as u64
        && (region.proxy_size as f64) < EXCEPTIONAL * region.siblings_mean.max(EXCEPTIONAL)
}

/// What divides the rank of a region: 2 for one of many ("discount each of the falsely identified by 50 %").
pub fn discount(region: &Region) -> f64 {
    if is_one_of_many(region) { 2.0 } else { 1.0 }
}
