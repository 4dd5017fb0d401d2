//! What is reported of a growing group: its place, its trace, its counts, and who else holds its objects.

use super::census::{Census, Placed};
use super::nested::Group;
use super::rule::{Growing, Growth};
use super::spots::{Spot, Spots};
use super::{RoundsWanted, held, retained};
use crate::graph::{Owned, RootPaths};
use crate::heap::{Heap, ObjectIdx};
use crate::naming::class::without_hidden_suffix;
use crate::naming::growth::Pattern;
use crate::naming::{Fingerprint, Origin, Place, Route, stretches};
use crate::regions::path::route_to;
use crate::report::LeakTrace;
use crate::report::rounds::{Grower, Grows, Ignored};
use std::collections::{BTreeMap, BTreeSet};

/// The last heap, with all that is known of it.
#[derive(Debug)]
pub(super) struct Evidence<'a> {
    pub(super) heap: &'a Heap,
    pub(super) paths: &'a RootPaths,
    pub(super) placed: &'a Placed,
    pub(super) growing: &'a Growing,
}

/// A growing group, with the route to one of its objects.
#[derive(Debug)]
pub(super) struct Finding {
    pub(super) spots: Vec<Spot>,
    pub(super) members: Vec<ObjectIdx>,
    growth: Growth,
    /// The object that holds the growing reference.
    pub(super) owner: ObjectIdx,
    owner_spot: Option<Spot>,
    route: Route,
    fingerprint: Fingerprint,
    /// Whether the boot loader defined all classes of the route.
    is_of_the_jvm: bool,
    /// The class of its objects.
    class: String,
}

impl Finding {
    /// Describes a group of the last heap.
    pub(super) fn new(heap: &Heap, paths: &RootPaths, placed: &Placed, group: Group) -> Self {
        let sample = sample(paths, &group.members);
        let mut route = route_to(heap, paths, sample, owner_at);
        route.carried = match group.growth {
            Growth::Objects => carried(heap, paths, &group.members),
            Growth::Length => Vec::new(),
        };
        let path = paths.path_to(heap, sample);
        let objects: Vec<ObjectIdx> =
            path.iter().flat_map(|path| path.steps.iter().map(|&(object, _)| object)).collect();
        let behind = route.hops.len() - route.owner_at;
        let owner = objects.len().checked_sub(behind + 1).map_or(sample, |at| objects[at]);
        let boot = |&object: &ObjectIdx| heap.classes().get(heap.class_shown_by(object)).loader.is_none();
        let is_of_the_jvm = !route.hops.is_empty() && objects.iter().chain(&group.members).all(boot);
        let fingerprint = Fingerprint::of(&route);
        let Group { spots, members, growth } = group;
        let class = without_hidden_suffix(name(heap, sample));
        let owner_spot = placed.spot(owner);
        Self { spots, members, growth, owner, owner_spot, route, fingerprint, is_of_the_jvm, class }
    }

    /// Whether the options leave it out.
    pub(super) fn is_ignored(&self, wanted: &RoundsWanted, spots: &Spots) -> bool {
        let fingerprint = self.fingerprint.to_string();
        let places = [self.expression(spots), self.place(spots)];
        wanted.ignored.iter().any(|ignored| ignored.trim().eq_ignore_ascii_case(&fingerprint))
            || wanted.ignored_places.iter().any(|pattern| places.iter().any(|place| pattern.fits(place)))
    }

    /// An ignored finding.
    pub(super) fn ignored(&self, spots: &Spots, censuses: &[Census]) -> Ignored {
        let (fingerprint, place) = (self.fingerprint, self.expression(spots));
        Ignored { fingerprint, place, sizes: self.sizes(censuses) }
    }

    fn expression(&self, spots: &Spots) -> String {
        self.spots.first().map_or_else(String::new, |&spot| spots.places.expression(spots.facts(spot).place))
    }

    /// The place of the owner; of objects that roots refer to, their own, with digits of threads as wildcards.
    fn place(&self, spots: &Spots) -> String {
        let is_named = matches!(self.route.origin, Origin::Static(_) | Origin::Thread(_)) && self.route.owner_at > 0;
        match self.owner_spot.filter(|_| is_named) {
            _ if self.route.hops.is_empty() => return self.expression(spots),
            Some(owner) => return spots.places.expression(spots.facts(owner).place),
            None => {}
        }
        let mut place = Place::at(self.route.origin.clone());
        place.go_on(self.route.hops[..self.route.owner_at].iter().map(|hop| hop.reference.clone()).collect());
        place.to_string()
    }

    fn owner_class(&self) -> String {
        match self.route.owner_at.checked_sub(1) {
            Some(at) => self.route.hops[at].class.clone(),
            None => match &self.route.origin {
                Origin::Static(class) | Origin::Object(class) | Origin::Held(_, class) => class.clone(),
                _ => self.class.clone(),
            },
        }
    }

    /// The class of the elements; of a node its contents.
    fn element(&self) -> String {
        let all = stretches::stretches(&self.route);
        match stretches::node_at_end(&self.route, &all) {
            Some(_) if !self.route.carried.is_empty() => self.route.carried.join(", "),
            _ => self.class.clone(),
        }
    }

    fn sizes(&self, censuses: &[Census]) -> Vec<u64> {
        let size = |census: &Census| {
            let of = |spot: &Spot| match self.growth {
                Growth::Objects => census.at(*spot).objects,
                Growth::Length => census.at(*spot).bytes,
            };
            self.spots.iter().map(of).sum()
        };
        censuses.iter().map(size).collect()
    }
}

/// Describes findings. Of the earlier heap the retained sizes are still missing.
pub(super) fn describe(
    findings: &[Finding],
    evidence: &Evidence<'_>,
    spots: &Spots,
    censuses: &[Census],
    runs: u32,
) -> Vec<Grower> {
    let owned = Owned::new(evidence.heap);
    let describe = |finding: &Finding| {
        // What roots hold, such as threads, is in no container.
        let is_held_by_root = finding.route.hops.is_empty();
        let others = match is_held_by_root {
            true => held::Others::default(),
            false => held::others(finding, evidence, spots, &owned),
        };
        let also_held_by: BTreeSet<String> =
            others.spots.iter().map(|&spot| spots.places.expression(spots.facts(spot).place)).collect();
        let pattern = match (finding.growth, others.share_most) {
            _ if is_held_by_root => None,
            (Growth::Objects, true) => Some(Pattern::SharedOwnershipContainer),
            (Growth::Objects, false) => Some(Pattern::SingleOwnershipContainer),
            (Growth::Length, _) => None,
        };
        Grower {
            fingerprint: finding.fingerprint,
            place: finding.place(spots),
            class: finding.owner_class(),
            element: finding.element(),
            grows: if finding.growth == Growth::Objects { Grows::Objects } else { Grows::Length },
            sizes: finding.sizes(censuses),
            rounds: censuses.len().saturating_sub(1),
            runs,
            retained_before: 0,
            retained_after: retained::together(evidence.heap, &owned.dominators, &finding.members).bytes,
            pattern,
            advice: pattern.and_then(Pattern::advice),
            also_held_by: also_held_by.into_iter().collect(),
            is_of_the_jvm: finding.is_of_the_jvm,
            ignore_place: finding.expression(spots),
            trace: LeakTrace::Of(finding.route.clone()),
            structure: None,
        }
    };
    findings.iter().map(describe).collect()
}

/// One object of a group: of nodes the second of a chain, so that the path shows the reference from node to node.
fn sample(paths: &RootPaths, members: &[ObjectIdx]) -> ObjectIdx {
    let all: BTreeSet<ObjectIdx> = members.iter().copied().collect();
    let through = |object: ObjectIdx| paths.found_through(object).filter(|referrer| all.contains(referrer));
    let is_first = |&&object: &&ObjectIdx| through(object).is_none();
    let is_second = |&&object: &&ObjectIdx| through(object).is_some_and(|first| through(first).is_none());
    let firsts = members.iter().filter(is_first).count();
    // In a table most nodes are the first of their slot; in a list one or two are.
    let second = members.iter().find(is_second).filter(|_| 4 * firsts < members.len());
    second.or_else(|| members.iter().find(is_first)).or(members.first()).copied().unwrap_or(ObjectIdx(0))
}

/// Number of references to the owner: it holds the last part of the path that belongs together.
fn owner_at(route: &Route) -> usize {
    stretches::stretches(route).last().map_or(0, |(first, _)| *first)
}

/// Classes of which at least half of the members are the only path to an object: the contents of a node.
fn carried(heap: &Heap, paths: &RootPaths, members: &[ObjectIdx]) -> Vec<String> {
    let mut holders: BTreeMap<&str, usize> = BTreeMap::new();
    for &member in members {
        let own = heap.references().of(member).iter().filter(|&&held| paths.found_through(held) == Some(member));
        let classes: BTreeSet<&str> = own.map(|&held| name(heap, held)).collect();
        for class in classes.into_iter().filter(|&class| class != name(heap, member)) {
            *holders.entry(class).or_default() += 1;
        }
    }
    let common = holders.into_iter().filter(|(_, count)| 2 * count >= members.len());
    common.map(|(class, _)| without_hidden_suffix(class)).collect()
}

fn name(heap: &Heap, object: ObjectIdx) -> &str {
    &heap.classes().get(heap.class_of(object)).name
}
