//! Regions that are many of a kind: the same leak root, the same type of owner, the same type of change-proxy.
//!
//! LeakBot's Observation 4 at the level of regions: where each of a thousand customers gained three history lines, a
//! thousand regions say what one should, and each is more likely to be a member that is being filled than a leak.

use super::Region;
use crate::graph::ObjectGraph;
use crate::heap::{ClassIdx, ObjectIdx};
use std::collections::HashMap;

/// From so many siblings on, regions count as many of a kind.
pub const MANY: usize = 8;

/// Fills in [`Region::siblings`].
pub(super) fn count(graph: &ObjectGraph<'_>, regions: &mut [Region]) {
    let mut counts: HashMap<(ObjectIdx, ClassIdx, ClassIdx), usize> = HashMap::new();
    let kind = |region: &Region| (region.leak_root, graph.heap.class_of(region.owner), region.change_class);
    for region in regions.iter() {
        *counts.entry(kind(region)).or_default() += 1;
    }
    for region in regions.iter_mut() {
        region.siblings = counts.get(&kind(region)).copied().unwrap_or(1);
    }
}

/// What divides the rank of a region: 2 for one of many ("discount each of the falsely identified by 50 %").
pub(super) fn discount(region: &Region) -> f64 {
    if region.siblings >= MANY { 2.0 } else { 1.0 }
}
