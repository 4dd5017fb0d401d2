//! Many small regions of one kind as one region: the lists of a map, each of which gains a few members, are one leak
//! with the map as owner. Each of them alone may be an operation in progress (Observation 4). Tracking can show whether
//! all of them together grow.

use super::{MAX_CHANGE_SAMPLES, MAX_MEMBER_TYPES, Region, Standing};
use crate::graph::ObjectGraph;
use crate::heap::{ClassIdx, ObjectIdx};
use std::collections::{BTreeMap, HashMap};

/// Leak root, type of owner, type of change-proxy.
type Kind = (ObjectIdx, ClassIdx, ClassIdx);

/// One region for every population of regions whose standing is one of many.
pub(super) fn gather(graph: &ObjectGraph<'_>, regions: &[Region]) -> Vec<Region> {
    let mut populations: BTreeMap<Kind, Vec<&Region>> = BTreeMap::new();
    for region in regions.iter().filter(|region| matches!(region.standing, Standing::OneOf(_))) {
        let kind = (region.leak_root, graph.heap.class_of(region.owner), region.change_class);
        populations.entry(kind).or_default().push(region);
    }
    let all = populations.into_values().filter_map(|population| as_one(graph, &population));
    all.filter(|region| is_news(graph, region, regions)).collect()
}

/// Whether the merged region adds information. Where newness is only estimated, parts of objects that the owner gained
/// otherwise may seem new; then another region of this owner explains them.
fn is_news(graph: &ObjectGraph<'_>, region: &Region, others: &[Region]) -> bool {
    let is_certain = region.changes.iter().all(|&change| graph.ages.newness(change) >= 1.0);
    let has_same = |other: &&Region| other.owner == region.owner;
    !others.iter().filter(has_same).any(|other| !is_certain || other.change_class == region.change_class)
}

fn as_one(graph: &ObjectGraph<'_>, population: &[&Region]) -> Option<Region> {
    let first = population.first()?;
    let owner = common_owner(graph, population)?;
    let mut members: HashMap<ClassIdx, (u64, u64)> = HashMap::new();
    for &(class, count, bytes) in population.iter().flat_map(|region| &region.members) {
        let of_type = members.entry(class).or_default();
        *of_type = (of_type.0 + count, of_type.1 + bytes);
    }
    let mut members: Vec<(ClassIdx, u64, u64)> =
        members.into_iter().map(|(class, (count, bytes))| (class, count, bytes)).collect();
    members.sort_by(|a, b| b.2.cmp(&a.2).then(a.0.cmp(&b.0)));
    members.truncate(MAX_MEMBER_TYPES);
    let sum = |of: fn(&Region) -> u64| population.iter().map(|region| of(region)).sum();
    let changes = population.iter().flat_map(|region| &region.changes).copied().take(MAX_CHANGE_SAMPLES);
    Some(Region {
        owner,
        proxy_size: sum(|region| region.proxy_size),
        dump_size: sum(|region| region.dump_size),
        dump_bytes: sum(|region| region.dump_bytes),
        changes: changes.collect(),
        members,
        standing: Standing::Together(population.len()),
        ..(*first).clone()
    })
}

/// The nearest object that dominates all the owners, and is neither one of them nor an array.
fn common_owner(graph: &ObjectGraph<'_>, population: &[&Region]) -> Option<ObjectIdx> {
    let dominators = &graph.dominators;
    let mut owners = population.iter().map(|region| region.owner);
    let mut above = dominators.immediate_dominator(owners.next()?);
    for owner in owners {
        while let Some(object) = above.filter(|&object| object == owner || !dominators.dominates(object, owner)) {
            above = dominators.immediate_dominator(object);
        }
    }
    while let Some(array) = above.filter(|&object| graph.heap.is_array(object)) {
        above = dominators.immediate_dominator(array);
    }
    above
}
