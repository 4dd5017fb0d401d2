//! Probe plans: from a region's owner- and change-proxy to the cheapest traversal that observes its updates (LeakBot
//! §5).
//!
//! The traversal is a small automaton over classes and fields, learned from the capture alone. [`observe`] collects the
//! references that lead from the owner to change-proxies. [`simulate`] walks the captured heap exactly as the agent
//! will walk the live one. References that are not needed to reach every member are removed: of a doubly linked list
//! one direction stays, of a linked hash map the table stays and the list goes.

mod alike;
mod all;
mod buffer;
mod counters;
mod describe;
mod effort;
mod failure;
mod found;
mod observe;
mod simulate;
mod words;

use super::Region;
use crate::graph::ObjectGraph;
use crate::heap::{ClassIdx, Heap, Label, ObjectIdx};
use crate::marking::OwnerPaths;
use crate::relations::part;
use alike::Alike;
use observe::Observation;
use rootbound_wire::ids::ObjectId;
use rootbound_wire::message::{MOST_TANGLED_READS, OwnerRef, ProbeShape, RoutePlace, RouteStep, RouteVia};
use rustc_hash::FxHashMap;
use simulate::{Reach, Walk};
use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashSet};

pub use all::{Halves, plan_all};
pub use buffer::plan_buffer;
pub use counters::Candidate;
pub use effort::Effort;
pub use failure::PlanFailure;
pub use observe::SelfReferences;

/// One kind of reference: from objects of a class, by a label, to objects of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hop {
    /// Class of the referrer; for static fields the class whose mirror it is.
    pub from: ClassIdx,
    /// The reference.
    pub label: Label,
    /// For an array, this slot alone.
    pub slot: Option<u32>,
    /// Class of the referee.
    pub to: ClassIdx,
}

/// A traversal, and its result in the capture.
#[derive(Clone, Debug, PartialEq)]
pub struct ProbePlan {
    /// Reference by which the owner is found again.
    pub owner: OwnerRef,
    /// Places of the route, the owner's first.
    pub places: Vec<RoutePlace>,
    /// Change-proxies that the traversal counts in the capture; `None` when the structure is too large to walk here.
    pub size_at_capture: Option<u64>,
    /// Numbers that may follow the size, the nearest to the members first.
    pub counters: Vec<Candidate>,
    /// Kind of structure, which determines the methods by which the agent may find its size.
    pub shape: ProbeShape,
    /// References that are read, a line each, for people.
    pub words: Vec<String>,
    /// The shape as descriptions of data structures, one a type.
    pub description: Vec<String>,
    /// The kinds of references that the route follows.
    pub hops: Vec<Hop>,
}

/// More hops than this make no simple traversal; they are taken as they are.
const MAX_HOPS_TO_REDUCE: usize = 24;

/// A capture may fall into the middle of an insertion: a new entry is in the list of a linked hash map already, but not
/// in its table. Where the hops that miss nothing count members twice, those are accepted that miss one member in this
/// number (and two).
const TOLERATED_SHARE: usize = 50;

/// Slots of an array that may be the one to which every object has a successor.
const SLOTS_TRIED: u32 = 2;

/// Where no traversal meets every member once, one that meets at least one in this number once still shows whether they
/// grow.
const PART_SEEN: usize = 2;

/// A count by marks follows the hops wherever they lead: from a branch of a threaded tree into all of it. Of the
/// members that it meets by hops from node to node, at most one in this number may not belong to the owner alone.
const MOST_BEYOND: usize = 10;

/// Derives the traversal for one region.
///
/// # Errors
/// The reason why the region cannot be followed.
pub fn plan(
    graph: &ObjectGraph<'_>,
    selves: &SelfReferences,
    owners: &OwnerPaths,
    effort: &Effort,
    region: &Region,
) -> Result<ProbePlan, PlanFailure> {
    effort.begin_plan();
    let from_owner = plan_from(graph, selves, owners, effort, region)?;
    let above = holder_of_node(graph, selves, region).map(|owner| Region { owner, ..region.clone() });
    let from_above = above.and_then(|above| plan_from(graph, selves, owners, effort, &above).ok());
    let sees_the_same =
        |plan: &ProbePlan| plan.size_at_capture.is_some_and(|_| plan.size_at_capture == from_owner.size_at_capture);
    Ok(from_above.filter(sees_the_same).unwrap_or(from_owner))
}

/// The object that holds the owner by a field, where the owner is a node among others of its class.
fn holder_of_node(graph: &ObjectGraph<'_>, selves: &SelfReferences, region: &Region) -> Option<ObjectIdx> {
    let is_chained = selves.chains(graph.heap.class_of(region.owner));
    part::holder_of_node(graph, region.owner, region.change_class).filter(|_| is_chained)
}

fn plan_from(
    graph: &ObjectGraph<'_>,
    selves: &SelfReferences,
    owners: &OwnerPaths,
    effort: &Effort,
    region: &Region,
) -> Result<ProbePlan, PlanFailure> {
    let alike = Alike::of(graph.heap, region);
    let observation = Observation::of(graph, region, &alike, effort)?;
    let counting = observation.counting(graph.heap, region.change_class);
    let search = Search { graph, region, counting: &counting, alike: &alike, effort, walks: RefCell::default() };
    let found = search.hops(&observation);
    let is_tangled = found.is_none();
    let (hops, seen) = found.map_or_else(|| search.tangled(&observation), Ok)?;
    if alike.counts_strangers(graph, region, &hops) {
        return Err(PlanFailure::Strangers);
    }
    let is_counted = |class: ClassIdx| counting.contains(&alike.canonical_class(class));
    let mut counters = counters::candidates(graph.heap, region.owner, &hops, is_counted);
    let hops = selves.complete(&observation, &hops);
    let places = places(graph.heap, region, &counting, &hops, &alike)?;
    let classes = classes_of_places(graph.heap, region, &hops);
    counters.extend(counters::summed(graph, region.owner, &hops, &classes, is_counted));
    let size_at_capture = (!seen.truncated).then_some(seen.counted as u64);
    let mut words = words::of(graph.heap, region, &counting, &hops);
    words.extend(is_tangled.then(|| words::EACH_ONCE.to_owned()));
    let description = describe::of(graph.heap, region, &hops);
    let shape = if is_tangled { ProbeShape::Tangled } else { ProbeShape::Plain };
    let owner = owners.find(graph.heap, region.owner)?;
    Ok(ProbePlan { owner, places, size_at_capture, counters, shape, words, description, hops })
}

/// The search for the hops of one region.
struct Search<'a, 'h> {
    graph: &'a ObjectGraph<'h>,
    region: &'a Region,
    counting: &'a HashSet<ClassIdx>,
    alike: &'a Alike,
    effort: &'a Effort,
    /// The walks so far: several questions are answered by the same one.
    walks: RefCell<FxHashMap<(Vec<Hop>, Reach), Walk>>,
}

impl Search<'_, '_> {
    /// The fewest hops that reach every member once, and the result of their walk; `None` when each is reached by
    /// several paths.
    fn hops(&self, observation: &Observation) -> Option<(Vec<Hop>, Walk)> {
        let all = observation.hops_by_use();
        let strict = self.reduce(&all, 0);
        if let Some(plain) = self.if_once(&strict) {
            return Some(plain);
        }
        let reduced = [strict, self.reduce(&all, TOLERATED_SHARE)];
        let by_slot = || reduced.iter().find_map(|hops| self.by_one_slot(hops));
        self.if_once(&reduced[1]).or_else(by_slot).or_else(|| self.untangled(&all))
    }

    /// The fewest hops that reach every member by any number of paths, where the agent can count all of them in one
    /// visit.
    fn tangled(&self, observation: &Observation) -> Result<(Vec<Hop>, Walk), PlanFailure> {
        let hops = self.reduce(&observation.hops_by_use(), 0);
        let (below, all) = (self.walk(&hops), self.walk_to(&hops, Reach::Anywhere));
        match all {
            _ if part::is_below_node(self.graph, self.region.owner, self.region.change_class) => {
                Err(PlanFailure::IsPart)
            }
            _ if all.truncated || all.reads > MOST_TANGLED_READS as usize => Err(PlanFailure::TooTangled),
            _ if below.counted == 0 => Err(PlanFailure::Unreadable),
            _ if recurs(&hops) && all.counted > below.counted + below.counted / MOST_BEYOND + 1 => {
                Err(PlanFailure::LeadsElsewhere)
            }
            _ => Ok((hops, all)),
        }
    }

    fn walk(&self, hops: &[Hop]) -> Walk {
        self.walk_to(hops, Reach::Below)
    }

    fn walk_to(&self, hops: &[Hop], reach: Reach) -> Walk {
        let known = (hops.to_vec(), reach);
        if let Some(&walk) = self.walks.borrow().get(&known) {
            return walk;
        }
        let bounds = (reach, self.effort.of_next_walk());
        let walk = simulate::walk(self.graph, self.region, self.counting, self.alike, hops, bounds);
        self.effort.spend(walk.visits);
        self.walks.borrow_mut().insert(known, walk);
        walk
    }

    fn if_once(&self, hops: &[Hop]) -> Option<(Vec<Hop>, Walk)> {
        let seen = self.walk(hops);
        seen.counts_each_once().then(|| (hops.to_vec(), seen))
    }

    /// Limits the arrays of one class to a single slot: a skip list's nodes are all on its lowest level.
    fn by_one_slot(&self, hops: &[Hop]) -> Option<(Vec<Hop>, Walk)> {
        let full = self.walk(hops);
        let arrays: BTreeSet<ClassIdx> = hops.iter().filter(|hop| hop.label.is_element()).map(|hop| hop.from).collect();
        let ways = arrays.iter().flat_map(|&array| (0..SLOTS_TRIED).map(move |slot| (array, slot)));
        ways.map(|(array, slot)| {
            let only = |hop: Hop| if hop.from == array && hop.label.is_element() { Some(slot) } else { hop.slot };
            hops.iter().map(|&hop| Hop { slot: only(hop), ..hop }).collect::<Vec<Hop>>()
        })
        .find_map(|hops| self.if_once(&hops).filter(|(_, seen)| reaches_as_many(seen, &full, TOLERATED_SHARE)))
    }

    /// Removes hops, the least used first, as long as the walk still counts as many change-proxies as with all.
    ///
    /// With `tolerated` 0 none may be missed; otherwise one in `tolerated`, and two.
    fn reduce(&self, hops: &[Hop], tolerated: usize) -> Vec<Hop> {
        let mut hops = hops.to_vec();
        if hops.len() > MAX_HOPS_TO_REDUCE {
            return hops;
        }
        let full = self.walk(&hops);
        for hop in hops.clone() {
            let fewer = without(&hops, hop);
            if full.truncated && !is_alternative_chain(hop, &fewer) {
                continue;
            }
            if reaches_as_many(&self.walk(&fewer), &full, tolerated) {
                hops = fewer;
            }
        }
        hops
    }

    /// Removes, one after another, the hop that misses the fewest members and spares the most second arrivals, until
    /// none is left to spare. That need not be the least used hop: no new member uses the ends of a chain that grows in
    /// its middle, and yet one direction needs each of them.
    fn untangled(&self, all: &[Hop]) -> Option<(Vec<Hop>, Walk)> {
        let full = self.walk(all);
        if all.len() > MAX_HOPS_TO_REDUCE || full.truncated {
            return None;
        }
        let (mut hops, mut seen) = (all.to_vec(), full);
        while !seen.counts_each_once() {
            let fewer = hops.iter().map(|&hop| without(&hops, hop)).map(|fewer| (self.walk(&fewer), fewer));
            (seen, hops) = fewer
                .max_by_key(|(seen, _)| (seen.samples, seen.counted, Reverse(seen.rings), Reverse(seen.arrivals)))?;
        }
        let sees_enough = seen.counted > 0 && seen.samples * PART_SEEN >= full.samples;
        sees_enough.then(|| self.reduce(&hops, 0)).and_then(|hops| self.if_once(&hops))
    }
}

/// Whether hops lead from an object to others of its class, and so from one structure into another. Where they do not,
/// every member that a walk meets is one of the owner's, even if others hold it, too.
fn recurs(hops: &[Hop]) -> bool {
    let mut left = hops.to_vec();
    loop {
        let before = left.len();
        let goes_on = |hop: &Hop, left: &[Hop]| left.iter().any(|next| next.from == hop.to);
        left = left.iter().copied().filter(|hop| goes_on(hop, &left)).collect();
        if left.len() == before {
            return before > 0;
        }
    }
}

fn without(hops: &[Hop], hop: Hop) -> Vec<Hop> {
    hops.iter().copied().filter(|&other| other != hop).collect()
}

/// Whether a hop may go in a structure too large to compare counts: only a second chain through the same class may.
fn is_alternative_chain(hop: Hop, others: &[Hop]) -> bool {
    hop.from == hop.to && others.iter().any(|other| other.from == hop.from && other.to == hop.to)
}

fn reaches_as_many(fewer: &Walk, full: &Walk, tolerated: usize) -> bool {
    let missed = |of: usize| of.checked_div(tolerated).map_or(0, |share| share + 2);
    fewer.samples + missed(full.samples) >= full.samples
        && (fewer.outermost + missed(full.outermost) >= full.outermost || fewer.truncated)
}

/// The automaton: one place for each class that the hops mention, the owner's first.
fn places(
    heap: &Heap,
    region: &Region,
    counting: &HashSet<ClassIdx>,
    hops: &[Hop],
    alike: &Alike,
) -> Result<Vec<RoutePlace>, PlanFailure> {
    let classes = classes_of_places(heap, region, hops);
    let mut places = Vec::with_capacity(classes.len());
    for (at, &class) in classes.iter().enumerate() {
        let is_mirror_place = at == 0 && heap.class_of_mirror(region.owner).is_some();
        places.push(RoutePlace {
            class: mirror_id(heap, alike.known_by(class))?,
            counts: counting.contains(&class) && (at > 0 || is_recursive(hops, class)),
            steps: steps(heap, class, is_mirror_place, hops, &classes)?,
        });
    }
    Ok(places)
}

fn classes_of_places(heap: &Heap, region: &Region, hops: &[Hop]) -> Vec<ClassIdx> {
    let mut classes = vec![heap.class_shown_by(region.owner)];
    for class in hops.iter().flat_map(|hop| [hop.from, hop.to]) {
        if !classes.contains(&class) {
            classes.push(class);
        }
    }
    classes
}

fn is_recursive(hops: &[Hop], class: ClassIdx) -> bool {
    hops.iter().any(|hop| hop.to == class)
}

/// References to read at a place, and the places to which each may lead.
fn steps(
    heap: &Heap,
    class: ClassIdx,
    is_mirror: bool,
    hops: &[Hop],
    classes: &[ClassIdx],
) -> Result<Vec<RouteStep>, PlanFailure> {
    let mut read: Vec<(Label, Option<u32>)> = Vec::new();
    for hop in hops.iter().filter(|hop| hop.from == class && hop.label.is_static_field() == is_mirror) {
        if !read.contains(&(hop.label, hop.slot)) {
            read.push((hop.label, hop.slot));
        }
    }
    read.into_iter().map(|each| step(heap, class, each, hops, classes)).collect()
}

fn step(
    heap: &Heap,
    class: ClassIdx,
    (label, slot): (Label, Option<u32>),
    hops: &[Hop],
    classes: &[ClassIdx],
) -> Result<RouteStep, PlanFailure> {
    let is_read = |hop: &&Hop| hop.from == class && hop.label == label && hop.slot == slot;
    let mut targets: Vec<ClassIdx> = hops.iter().filter(is_read).map(|hop| hop.to).collect();
    targets.sort_by_key(|&target| Reverse(heap.classes().ancestors(target).count()));
    let to = targets.iter().filter_map(|target| classes.iter().position(|class| class == target)).map(|at| at as u16);
    Ok(RouteStep { via: via(heap, class, label, slot)?, to: to.collect() })
}

fn via(heap: &Heap, class: ClassIdx, label: Label, slot: Option<u32>) -> Result<RouteVia, PlanFailure> {
    if label == Label::ARRAY_ELEMENT {
        return Ok(slot.map_or(RouteVia::ArrayElement, RouteVia::Slot));
    }
    let unnamed = || PlanFailure::NoField(heap.classes().get(class).name.clone());
    let field = heap.classes().field(class, label).ok_or_else(unnamed)?;
    let (name, descriptor) = (field.name.clone(), field.descriptor.clone());
    if label.is_static_field() {
        return Ok(RouteVia::StaticField { name, descriptor });
    }
    Ok(RouteVia::Field { declaring: mirror_id(heap, field.declaring)?, name, descriptor })
}

fn mirror_id(heap: &Heap, class: ClassIdx) -> Result<ObjectId, PlanFailure> {
    let class = heap.classes().get(class);
    let id = class.mirror.and_then(|mirror| heap.id_of(mirror));
    id.ok_or_else(|| PlanFailure::NoMirror(class.name.clone()))
}
