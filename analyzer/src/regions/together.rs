//! Many small regions of one kind as one region: the lists of a map, each of which gains a few members, are one leak
//! with the map as owner. Each of them alone may be an operation in progress (Observation 4). Tracking can show whether
//! all of them together grow.

use super::{MAX_CHANGE_SAMPLES, MAX_MEMBER_TYPES, Region};
use crate::graph::ObjectGraph;
use crate::heap::{ClassIdx, ObjectIdx};
use crate::relations::chain::above;
use crate::relations::population::common_owner;
use crate::relations::{Outline, Standing, is_in_members};
use std::collections::{BTreeMap, HashMap};

/// Most change-proxies of a region that are examined for the usual way to them.
const MOST_WAYS: usize = 64;
/// Most objects that are examined on the way to one of them.
const LONGEST_WAY: usize = 1024;

/// One region for every population of regions whose standing is one of many.
pub(super) fn gather(graph: &ObjectGraph<'_>, regions: &[Region]) -> Vec<Region> {
    let mut populations: BTreeMap<_, Vec<&Region>> = BTreeMap::new();
    for region in regions.iter().filter(|region| matches!(region.standing, Standing::OneOf(_))) {
        populations.entry(region.outline().kind(graph)).or_default().push(region);
    }
    let all = populations.into_values().filter_map(|population| merge_population(graph, &population));
    all.filter(|region| adds_information(graph, region, regions)).collect()
}

/// Whether the merged region adds information. Where newness is only estimated, containers may seem new by chance, and
/// their members are a region of this owner, too: at the same place. And parts of objects that the owner gained otherwise
/// may seem new; then another region of this owner explains them.
fn adds_information(graph: &ObjectGraph<'_>, region: &Region, others: &[Region]) -> bool {
    let beside = || others.iter().filter(|other| other.owner == region.owner);
    let is_same_place = |other: &Region| usual_way(graph, other) == usual_way(graph, region);
    if beside().any(|other| other.change_class == region.change_class && is_same_place(other)) {
        return false;
    }
    let is_certain = region.changes.iter().all(|&change| graph.ages.newness(change) >= 1.0);
    let beside: Vec<Outline<'_>> = beside().map(Region::outline).collect();
    is_certain || !is_in_members(graph, &region.outline(), &beside)
}

/// The classes of the objects that lie between the owner and most change-proxies. Other nodes of their chain are left out.
fn usual_way(graph: &ObjectGraph<'_>, region: &Region) -> Vec<ClassIdx> {
    let way = |&change: &ObjectIdx| -> Vec<ClassIdx> {
        let between = above(&graph.dominators, change).take_while(|&object| object != region.owner).take(LONGEST_WAY);
        between.map(|object| graph.heap.class_of(object)).filter(|&class| class != region.change_class).collect()
    };
    let mut counts: BTreeMap<Vec<ClassIdx>, usize> = BTreeMap::new();
    for change in region.changes.iter().take(MOST_WAYS) {
        *counts.entry(way(change)).or_default() += 1;
    }
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(way, _)| way).unwrap_or_default()
}

fn merge_population(graph: &ObjectGraph<'_>, population: &[&Region]) -> Option<Region> {
    let first = population.first()?;
    let owners: Vec<ObjectIdx> = population.iter().map(|region| region.owner).collect();
    let owner = common_owner(graph, &owners)?;
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
