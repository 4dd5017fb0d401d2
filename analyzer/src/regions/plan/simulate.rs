//! The agent's traversal, walked over the captured heap.

use super::alike::Alike;
use super::{Hop, Region};
use crate::graph::{BitSet, ObjectGraph};
use crate::heap::{ClassIdx, Label, ObjectIdx};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::HashSet;

/// Result of a walk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Walk {
    /// Distinct change-proxies reached.
    pub(super) counted: usize,
    /// Those of them that lie within no other: from one change-proxy to them lead at most arrays.
    pub(super) outermost: usize,
    /// Sampled change-proxies of the region among them; all of a truncated walk's are taken as reached.
    pub(super) samples: usize,
    /// Number of paths by which change-proxies were reached; a walk without a set of visited objects counts each of
    /// them.
    pub(super) arrivals: usize,
    /// Number of paths that lead back to an object on the same path: rings, in which a walk without a set of visited
    /// objects never ends.
    pub(super) rings: usize,
    /// References that a walk reads if it enters each object once; empty slots, which cost a quarter, are left out.
    pub(super) reads: usize,
    /// Objects that it visited.
    pub(super) visits: usize,
    /// Whether the walk stopped at its limit.
    pub(super) truncated: bool,
}

/// The agent's traversal keeps no set of visited objects. Where more than this share of the change-proxies is reached a
/// second time (skip lists, meshes), it would count paths, not members.
const MAX_REVISITED: f64 = 0.1;
/// The agent recognises the beginning of a chain when it returns there, and so the end of one circular list.
const MAX_RINGS: usize = 1;

impl Walk {
    /// Whether a traversal without a set of visited objects would count about as much.
    pub(super) fn counts_each_once(&self) -> bool {
        self.rings <= MAX_RINGS && self.arrivals <= self.counted + (self.counted as f64 * MAX_REVISITED) as usize + 1
    }
}

/// Whether the walk below `owner` may enter the object.
pub(super) fn is_below(graph: &ObjectGraph<'_>, owner: ObjectIdx, object: ObjectIdx) -> bool {
    object != owner && graph.dominators.dominates(owner, object)
}

/// Kind of object above another on the path from the owner to it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Nothing,
    /// Within a change-proxy, or one itself: from one to the next lead single references and arrays.
    Proxy,
    /// Within a part of a change-proxy: the map of a session in a map of sessions.
    Part,
}

impl Within {
    fn at(self, counts: bool, is_array: bool) -> Self {
        match self {
            Self::Nothing if counts => Self::Proxy,
            Self::Proxy if !counts && !is_array => Self::Part,
            within => within,
        }
    }
}

/// Target of a hop: objects of a class, and for an array from one slot alone.
type Entry = (ClassIdx, Option<u32>);

/// Some objects: those that a walk has entered, or those on its path.
struct Visited {
    start: u32,
    /// Membership by place in the owner's subtree.
    below: BitSet,
    beyond: FxHashSet<ObjectIdx>,
}

impl Visited {
    fn none(graph: &ObjectGraph<'_>, owner: ObjectIdx) -> Self {
        let below = BitSet::new(graph.dominators.subtree(owner).len());
        Self { start: graph.dominators.position(owner), below, beyond: FxHashSet::default() }
    }

    fn place(&self, graph: &ObjectGraph<'_>, owner: ObjectIdx, object: ObjectIdx) -> Option<usize> {
        let place = || (graph.dominators.position(object) - self.start) as usize;
        is_below(graph, owner, object).then(place)
    }

    fn insert(&mut self, graph: &ObjectGraph<'_>, owner: ObjectIdx, object: ObjectIdx) -> bool {
        match self.place(graph, owner, object) {
            Some(place) => self.below.insert(place),
            None => self.beyond.insert(object),
        }
    }

    fn remove(&mut self, graph: &ObjectGraph<'_>, owner: ObjectIdx, object: ObjectIdx) {
        match self.place(graph, owner, object) {
            Some(place) => self.below.remove(place),
            None => _ = self.beyond.remove(&object),
        }
    }

    fn contains(&self, graph: &ObjectGraph<'_>, owner: ObjectIdx, object: ObjectIdx) -> bool {
        match self.place(graph, owner, object) {
            Some(place) => self.below.contains(place),
            None => self.beyond.contains(&object),
        }
    }
}

/// References that the agent reads in objects by these hops.
struct Cost {
    /// Fields and single slots of each class.
    fields: FxHashMap<ClassIdx, usize>,
    /// Arrays of which every slot is read.
    slots: FxHashSet<ClassIdx>,
}

impl Cost {
    fn of(hops: &[Hop]) -> Self {
        let (slots, single): (Vec<&Hop>, Vec<&Hop>) =
            hops.iter().partition(|hop| hop.label.is_element() && hop.slot.is_none());
        // One field that leads to several classes is read once.
        let read: FxHashSet<_> = single.into_iter().map(|hop| (hop.from, hop.label, hop.slot)).collect();
        let mut fields: FxHashMap<ClassIdx, usize> = FxHashMap::default();
        for (class, ..) in read {
            *fields.entry(class).or_default() += 1;
        }
        Self { fields, slots: slots.into_iter().map(|hop| hop.from).collect() }
    }

    fn of_fields(&self, class: ClassIdx) -> usize {
        self.fields.get(&class).copied().unwrap_or(0)
    }
}

/// Next step of a walk.
enum Turn {
    /// Goes to an object.
    Enter(ObjectIdx, Within),
    /// Goes back from an object after all paths from there.
    Leave(Entered),
}

/// An object on the path of a walk.
struct Entered {
    object: ObjectIdx,
    /// Whether it is a change-proxy.
    counts: bool,
    /// Arrivals at change-proxies before it was entered.
    arrivals_before: usize,
}

/// Number of paths from objects that a walk has left to change-proxies, themselves included. The walk enters each object
/// once; a traversal without a set of visited objects follows all these paths at each further arrival.
#[derive(Default)]
struct Paths(FxHashMap<ObjectIdx, usize>);

impl Paths {
    fn note(&mut self, left: &Entered, arrivals: usize) {
        let paths = arrivals.saturating_sub(left.arrivals_before);
        if paths != usize::from(left.counts) {
            self.0.insert(left.object, paths);
        }
    }

    fn from(&self, object: ObjectIdx, counts: bool) -> usize {
        self.0.get(&object).copied().unwrap_or(usize::from(counts))
    }
}

/// Extent of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Reach {
    /// Through objects that the owner dominates.
    Below,
    /// Wherever the hops lead, as the agent goes.
    Anywhere,
}

/// Walks the hops from the region's owner, each object once, and at most this number of objects. Members are the
/// objects of the classes in `counting`.
pub(super) fn walk(
    graph: &ObjectGraph<'_>,
    region: &Region,
    counting: &HashSet<ClassIdx>,
    alike: &Alike,
    hops: &[Hop],
    (reach, most): (Reach, usize),
) -> Walk {
    let heap = graph.heap;
    let mut allowed: FxHashMap<(ClassIdx, Label), Vec<Entry>> = FxHashMap::default();
    for hop in hops {
        allowed.entry((hop.from, hop.label)).or_default().push((hop.to, hop.slot));
    }
    let cost = Cost::of(hops);
    let counting: FxHashSet<ClassIdx> = counting.iter().copied().collect();
    let samples: FxHashSet<ObjectIdx> = region.changes.iter().copied().collect();
    let (mut visited, mut way) = (Visited::none(graph, region.owner), Visited::none(graph, region.owner));
    let (mut seen, mut paths) = (Walk::default(), Paths::default());
    let mut stack = vec![Turn::Enter(region.owner, Within::Nothing)];
    while let Some(turn) = stack.pop() {
        let (object, within) = match turn {
            Turn::Enter(object, within) => (object, within),
            Turn::Leave(left) => {
                way.remove(graph, region.owner, left.object);
                paths.note(&left, seen.arrivals);
                continue;
            }
        };
        let counts = object != region.owner && counting.contains(&alike.canonical_class(heap.class_of(object)));
        let arrivals_before = seen.arrivals;
        // Counted here, not where its reference was read: in a walk that ends early, pending paths would be second
        // arrivals.
        seen.arrivals = arrivals_before.saturating_add(usize::from(counts));
        if way.contains(graph, region.owner, object) {
            seen.rings += 1;
            continue;
        }
        if !visited.insert(graph, region.owner, object) {
            seen.arrivals = arrivals_before.saturating_add(paths.from(object, counts));
            continue;
        }
        seen.visits += 1;
        if seen.visits > most {
            return Walk { truncated: true, samples: samples.len(), ..seen };
        }
        if counts {
            seen.counted += 1;
            seen.outermost += usize::from(within == Within::Proxy);
            seen.samples += usize::from(samples.contains(&object));
        }
        way.insert(graph, region.owner, object);
        stack.push(Turn::Leave(Entered { object, counts, arrivals_before }));
        let from = if object == region.owner { heap.class_shown_by(object) } else { heap.class_of(object) };
        seen.reads += cost.of_fields(from);
        let reads_slots = cost.slots.contains(&from);
        // References beyond the limit are not queued either: an array may have more slots than the number of visited
        // objects.
        for (referee, label) in heap.references().labelled(object).take(most) {
            seen.reads += usize::from(reads_slots && label.is_element());
            let class = alike.canonical_class(heap.class_of(referee));
            let fits = |slot: Option<u32>| slot.is_none() || slot == label.element_index();
            let enters = allowed
                .get(&(from, label.kind()))
                .is_some_and(|to| to.iter().any(|&(to, slot)| to == class && fits(slot)));
            let is_within = match reach {
                Reach::Below => is_below(graph, region.owner, referee),
                Reach::Anywhere => referee != region.owner,
            };
            if !enters || !is_within {
                continue;
            }
            let within = within.at(counting.contains(&class), heap.is_array(referee));
            stack.push(Turn::Enter(referee, within));
        }
    }
    seen
}
