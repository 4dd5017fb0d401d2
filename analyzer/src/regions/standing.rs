//! How a region stands among the others: LeakBot's Observation 4, applied to regions.
//!
//! "Objects of type B leak under an object A, and each B is populated during a transaction": then the growth of A is
//! the leak, and that of each B is what a snapshot caught of an operation in progress. The same shows among regions:
//! many of a kind that gained a few members each, or one that lies inside a member of another.

use super::Region;
use crate::graph::ObjectGraph;
use crate::heap::{ClassIdx, ObjectIdx};
use std::collections::HashMap;

/// Whether a region speaks for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It does.
    Alone,
    /// One of so many regions of the same leak root, type of owner and type of change-proxy, with few members each.
    OneOf(usize),
    /// So many of those as one.
    Together(usize),
    /// Its members lie inside a member of another, much larger region, or its owner is itself a member of a larger
    /// region whose members are of its members' type: a stretch of a chain or a branch of a tree.
    InsideMember,
}

impl Standing {
    /// What divides the rank: 2 for what is falsely identified ("discount each … by 50 %", F2 of §3.5).
    pub fn divisor(self) -> f64 {
        if matches!(self, Self::Alone | Self::Together(_)) { 1.0 } else { 2.0 }
    }

    /// What divides the proxy-size before it ranks: those together rank as one of them until they are seen to grow.
    pub fn regions(self) -> f64 {
        if let Self::Together(count) = self { count as f64 } else { 1.0 }
    }
}

/// From so many on, regions of one kind may be a population.
const MANY: usize = 8;
/// A member of a population with this many times the mean is an exception, and stands alone.
const EXCEPTIONAL: f64 = 4.0;
/// A region inside a member of another stands alone unless the other has this many times its proxy-size.
const MUCH_LARGER: u64 = 4;
/// Where it is estimated that change-proxies are new, parts of new members seem to have come to old ones by chance: then
/// the other need only not be this many times smaller.
const MUCH_SMALLER: u64 = 4;
/// Steps up the dominator tree, over all regions, that the search for an enclosing region may take.
const MAX_STEPS: usize = 20_000_000;

/// Fills in [`Region::standing`].
pub(super) fn judge(graph: &ObjectGraph<'_>, regions: &mut [Region]) {
    let populations = populations(graph, regions);
    let enclosing = enclosing_regions(regions);
    let mut steps = MAX_STEPS;
    for region in regions {
        let (count, members) = populations.get(&kind(graph, region)).copied().unwrap_or((1, region.proxy_size));
        region.standing = if is_one_of_population(region.proxy_size, count, members) {
            Standing::OneOf(count)
        } else if is_part(graph, region, &enclosing, &mut steps)
            || is_inside_member(graph, region, &enclosing, &mut steps)
        {
            Standing::InsideMember
        } else {
            Standing::Alone
        };
    }
}

type Kind = (ObjectIdx, ClassIdx, ClassIdx);

fn kind(graph: &ObjectGraph<'_>, region: &Region) -> Kind {
    (region.leak_root, graph.heap.class_of(region.owner), region.change_class)
}

/// Number of regions of each kind, and the sum of their proxy-sizes.
fn populations(graph: &ObjectGraph<'_>, regions: &[Region]) -> HashMap<Kind, (usize, u64)> {
    let mut populations: HashMap<Kind, (usize, u64)> = HashMap::new();
    for region in regions {
        let population = populations.entry(kind(graph, region)).or_default();
        *population = (population.0 + 1, population.1 + region.proxy_size);
    }
    populations
}

/// Many of a kind, more of them than members in each, and no exception among them. A dozen caches of a thousand are no
/// population; six thousand customers with a few history lines each are.
fn is_one_of_population(proxy_size: u64, count: usize, members: u64) -> bool {
    let mean = members as f64 / count as f64;
    count >= MANY && proxy_size < count as u64 && (proxy_size as f64) < EXCEPTIONAL * mean.max(EXCEPTIONAL)
}

/// By owner: the types of the change-proxies of its regions, with the proxy-sizes.
fn enclosing_regions(regions: &[Region]) -> HashMap<ObjectIdx, Vec<(ClassIdx, u64)>> {
    let mut enclosing: HashMap<ObjectIdx, Vec<(ClassIdx, u64)>> = HashMap::new();
    for region in regions {
        enclosing.entry(region.owner).or_default().push((region.change_class, region.proxy_size));
    }
    enclosing
}

/// Whether the owner, or what its array belongs to, is a node of a larger structure of such nodes: skip lists and trees
/// have nodes with many nodes below them, and none of these is a structure of its own.
fn is_part(
    graph: &ObjectGraph<'_>,
    region: &Region,
    enclosing: &HashMap<ObjectIdx, Vec<(ClassIdx, u64)>>,
    steps: &mut usize,
) -> bool {
    let dominator = |object| graph.dominators.immediate_dominator(object);
    let mut node = Some(region.owner);
    while let Some(array) = node.filter(|&object| graph.heap.is_object_array(object)) {
        node = dominator(array);
    }
    let related = |a, b| graph.heap.classes().is_subclass(a, b) || graph.heap.classes().is_subclass(b, a);
    let node_class = node.map(|node| graph.heap.class_of(node));
    if !node_class.is_some_and(|class| related(class, region.change_class)) {
        return false;
    }
    let mut at = node.and_then(dominator);
    while let Some(object) = at.filter(|_| *steps > 0) {
        *steps -= 1;
        let is_whole = |&(class, proxy_size): &(ClassIdx, u64)| {
            related(class, region.change_class) && proxy_size >= region.proxy_size
        };
        if enclosing.get(&object).is_some_and(|others| others.iter().any(is_whole)) {
            return true;
        }
        at = dominator(object);
    }
    false
}

/// Whether the way up from a change-proxy of the region first meets an object of some type, and then the owner of a much
/// larger region of which objects of that type are the change-proxies.
fn is_inside_member(
    graph: &ObjectGraph<'_>,
    region: &Region,
    enclosing: &HashMap<ObjectIdx, Vec<(ClassIdx, u64)>>,
    steps: &mut usize,
) -> bool {
    let dominator = |object| graph.dominators.immediate_dominator(object);
    let mut met: Vec<ClassIdx> = Vec::new();
    let first = region.changes.first().copied();
    let is_certainly_new = first.is_none_or(|change| graph.ages.newness(change) >= 1.0);
    let mut at = first.and_then(dominator);
    while let Some(object) = at.filter(|&object| object != region.leak_root && *steps > 0) {
        *steps -= 1;
        let class = graph.heap.class_of(object);
        if !met.contains(&class) {
            met.push(class);
        }
        at = dominator(object);
        let has_member = |&(change_class, proxy_size): &(ClassIdx, u64)| {
            let is_itself = at == Some(region.owner) && change_class == region.change_class;
            let is_met = |&class: &ClassIdx| graph.heap.classes().is_subclass(class, change_class);
            let is_larger = if is_certainly_new {
                proxy_size >= MUCH_LARGER * region.proxy_size
            } else {
                MUCH_SMALLER * proxy_size >= region.proxy_size
            };
            !is_itself && is_larger && met.iter().any(is_met)
        };
        if at.and_then(|above| enclosing.get(&above)).is_some_and(|others| others.iter().any(has_member)) {
            return true;
        }
    }
    false
}
