//! Standing of each region of a capture: the first rule on dominators and types that applies to it.

use super::chain::are_assignable;
use super::member::{EntryMatch, EntryPoints, includes_member};
use super::population::Populations;
use super::rules::{Rule, THRESHOLDS};
use super::{Outline, part};
use crate::graph::ObjectGraph;
use crate::heap::{ClassIdx, ObjectIdx};
use std::collections::{HashMap, HashSet};

/// Whether a region is a leak of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is one of its own.
    Alone,
    /// One of this number of regions of the same leak root, type of owner and type of change-proxy, with few members
    /// each or more than can be followed.
    OneOf(usize),
    /// This number of such regions, merged into one.
    Together(usize),
    /// Its owner is itself a member of a larger region whose members are of its members' type: a stretch of a chain or
    /// a branch of a tree.
    Part,
    /// Its members lie inside a member of another, much larger region.
    InsideMember,
}

impl Standing {
    /// The rule that applies to the region; `None` for one that stands alone.
    #[must_use]
    pub fn rule(self) -> Option<Rule> {
        match self {
            Self::Alone | Self::Together(_) => None,
            Self::OneOf(_) => Some(Rule::Population),
            Self::Part => Some(Rule::Node),
            Self::InsideMember => Some(Rule::Member),
        }
    }

    /// Whether it is a population, followed as one region.
    #[must_use]
    pub fn is_population(self) -> bool {
        matches!(self, Self::Together(_))
    }

    /// Divisor of the rank.
    #[must_use]
    pub fn discount(self) -> f64 {
        self.rule().map_or(1.0, Rule::discount)
    }

    /// Divisor of the proxy-size for the rank: merged regions rank as one of them until they are observed to grow.
    #[must_use]
    pub fn regions(self) -> f64 {
        if let Self::Together(count) = self { count as f64 } else { 1.0 }
    }
}

/// Steps up the dominator tree, over all regions, that the search for an enclosing region may take.
const MAX_STEPS: usize = 20_000_000;
/// Change-proxies of a region whose dominators are examined.
const ENTRY_SAMPLES: usize = 64;

/// Standing of each of these regions.
#[must_use]
pub fn standings(graph: &ObjectGraph<'_>, regions: &[Outline<'_>]) -> Vec<Standing> {
    let populations = Populations::of(graph, regions);
    let mut above = Above::new(graph, regions);
    let standing = |region: &Outline<'_>| {
        if let Some(count) = populations.around(graph, region) {
            Standing::OneOf(count)
        } else if above.contains_as_part(region) {
            Standing::Part
        } else if above.contains_in_member(region) {
            Standing::InsideMember
        } else {
            Standing::Alone
        }
    };
    regions.iter().map(standing).collect()
}

/// Whether most of a region's change-proxies lie in members of these other regions, however large those are.
#[must_use]
pub fn is_in_members(graph: &ObjectGraph<'_>, region: &Outline<'_>, others: &[Outline<'_>]) -> bool {
    let mut above = Above::new(graph, others);
    let every = region.changes.len().div_ceil(ENTRY_SAMPLES).max(1);
    let examined: Vec<ObjectIdx> = region.changes.iter().step_by(every).copied().collect();
    let is_within = |&&change: &&ObjectIdx| above.is_in_member(region, change, |_| true);
    2 * examined.iter().filter(is_within).count() > examined.len()
}

fn by_owner<'r>(regions: &'r [Outline<'r>]) -> HashMap<ObjectIdx, Vec<&'r Outline<'r>>> {
    let mut by_owner: HashMap<ObjectIdx, Vec<&Outline<'_>>> = HashMap::new();
    for region in regions {
        by_owner.entry(region.owner).or_default().push(region);
    }
    by_owner
}

/// The regions that may enclose another region.
struct Above<'r> {
    graph: &'r ObjectGraph<'r>,
    by_owner: HashMap<ObjectIdx, Vec<&'r Outline<'r>>>,
    /// Entry points by owner and type of change-proxy, for pairs that were looked up.
    entries: HashMap<(ObjectIdx, ClassIdx), EntryPoints>,
    steps: usize,
}

impl<'r> Above<'r> {
    fn new(graph: &'r ObjectGraph<'r>, regions: &'r [Outline<'r>]) -> Self {
        Self { graph, by_owner: by_owner(regions), entries: HashMap::new(), steps: MAX_STEPS }
    }

    fn step_up(&mut self, object: ObjectIdx) -> Option<ObjectIdx> {
        self.steps = self.steps.checked_sub(1)?;
        self.graph.dominators.immediate_dominator(object)
    }

    /// Whether the owner, or the owner of its array, is a node of a larger structure of such nodes.
    fn contains_as_part(&mut self, region: &Outline<'_>) -> bool {
        let graph = self.graph;
        let Some(node) = part::node(graph, region.owner, region.change_class) else { return false };
        let is_whole = |other: &&Outline<'_>| {
            are_assignable(graph, other.change_class, region.change_class) && other.proxy_size >= region.proxy_size
        };
        let mut at = self.step_up(node);
        while let Some(object) = at {
            if self.by_owner.get(&object).is_some_and(|others| others.iter().any(is_whole)) {
                return true;
            }
            at = self.step_up(object);
        }
        false
    }

    /// Whether the region lies inside a member of a much larger region.
    fn contains_in_member(&mut self, region: &Outline<'_>) -> bool {
        let Some(&first) = region.changes.first() else { return false };
        let is_certainly_new = self.graph.ages.newness(first) >= 1.0;
        self.is_in_member(region, first, |other| is_large_enough(other, region, is_certainly_new))
    }

    /// Whether a change-proxy of a region lies inside a member of another that may enclose it. Its dominators must first
    /// include an object of some type, and then the owner of that other region, whose change-proxies have this type.
    /// The one object from which all of them hang is no such member: the first index of a skip list holds the other
    /// indexes and the nodes.
    fn is_in_member(
        &mut self,
        region: &Outline<'_>,
        change: ObjectIdx,
        may_enclose: impl Fn(&Outline<'_>) -> bool,
    ) -> bool {
        let heap = self.graph.heap;
        let mut met: Vec<ClassIdx> = Vec::new();
        let mut at = self.step_up(change);
        while let Some(object) = at.filter(|&object| object != region.leak_root) {
            let (class, below) = (heap.class_of(object), met.len());
            if !met.contains(&class) {
                met.push(class);
            }
            at = self.step_up(object);
            let may_enclose = |other: &&&Outline<'_>| may_enclose(other) && includes_member(heap, other, &met);
            let Some(others) = at.and_then(|above| self.by_owner.get(&above)) else { continue };
            let candidates: Vec<&Outline<'_>> = others.iter().filter(may_enclose).copied().collect();
            let encloses = |other: &Outline<'_>| match self.entry_points(other).lead_to(heap, object) {
                EntryMatch::None => false,
                EntryMatch::All => includes_member(heap, other, &met[..below]),
                EntryMatch::Some => true,
            };
            if candidates.into_iter().any(encloses) {
                return true;
            }
        }
        false
    }

    fn entry_points(&mut self, region: &Outline<'_>) -> &EntryPoints {
        let key = (region.owner, region.change_class);
        if !self.entries.contains_key(&key) {
            let found = self.find_entry_points(region);
            self.entries.insert(key, found);
        }
        &self.entries[&key]
    }

    fn find_entry_points(&mut self, region: &Outline<'_>) -> EntryPoints {
        let mut found = EntryPoints::default();
        let mut passed: HashSet<ObjectIdx> = HashSet::new();
        let every = region.changes.len().div_ceil(ENTRY_SAMPLES).max(1);
        for &change in region.changes.iter().step_by(every) {
            let mut at = change;
            while passed.insert(at) {
                let Some(above) = self.step_up(at) else { break };
                if above == region.owner {
                    found.add(self.graph.heap, at);
                    break;
                }
                at = above;
            }
        }
        found
    }
}

/// Whether a region is large enough to enclose another one in a member, and is not that region.
fn is_large_enough(outer: &Outline<'_>, inner: &Outline<'_>, is_certainly_new: bool) -> bool {
    let is_itself = outer.owner == inner.owner && outer.change_class == inner.change_class;
    let is_larger = if is_certainly_new {
        outer.proxy_size >= THRESHOLDS.much_larger * inner.proxy_size
    } else {
        THRESHOLDS.much_smaller * outer.proxy_size >= inner.proxy_size
    };
    !is_itself && is_larger
}
