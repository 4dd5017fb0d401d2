//! The outermost of the growing spots: of a list of orders whose lines grow with it, the list.

use super::census::Placed;
use super::rule::{Growing, Growth};
use super::spots::{Spot, Spots};
use crate::graph::{BitSet, RootPaths};
use crate::heap::{Heap, ObjectIdx};
use std::collections::BTreeMap;

/// Growing spots of one container that are reported as one, and their objects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) spots: Vec<Spot>,
    pub(super) members: Vec<ObjectIdx>,
    pub(super) growth: Growth,
}

/// Most spots that are examined for having been folded.
const EXAMINED: usize = 8;

/// The outermost groups. `gained` is the least number of objects that each spot gained over all rounds.
///
/// Places fold where a path repeats itself, so the array of a list and the arrays of lists in its elements may be one
/// spot. That spot grows, although outside of its elements it has one array. Then the elements are the growth, if
/// without the spot they are among the outermost, and are no folded ones themselves: nodes of a map and those of maps
/// in its values.
pub(super) fn outermost(
    heap: &Heap,
    paths: &RootPaths,
    placed: &Placed,
    growing: &Growing,
    spots: &Spots,
    gained: u64,
) -> Vec<Group> {
    let has_gained = |group: &Group| group.growth == Growth::Length || group.members.len() as u64 >= gained;
    let mut groups = outermost_of(heap, paths, placed, growing, spots);
    let are_arrays = |group: &Group| group.members.iter().all(|&member| heap.is_array(member));
    let folded = groups.iter().filter(|&group| !has_gained(group) && are_arrays(group));
    let few: Vec<Spot> = folded.flat_map(|group| group.spots.clone()).take(EXAMINED).collect();
    let mut left = growing.clone();
    for spot in few {
        let mut without = left.clone();
        without.remove(&spot);
        let others = outermost_of(heap, paths, placed, &without, spots);
        let is_known = |other: &Group| groups.iter().any(|group| group.spots == other.spots);
        let is_whole = |other: &Group| 10 * other.members.len() >= 9 * objects_at(heap, placed, &other.spots);
        if others.iter().any(|other| has_gained(other) && !is_known(other) && is_whole(other)) {
            (left, groups) = (without, others);
        }
    }
    groups
}

fn objects_at(heap: &Heap, placed: &Placed, spots: &[Spot]) -> usize {
    heap.objects().filter(|&object| placed.spot(object).is_some_and(|spot| spots.contains(&spot))).count()
}

fn outermost_of(heap: &Heap, paths: &RootPaths, placed: &Placed, growing: &Growing, spots: &Spots) -> Vec<Group> {
    let grows = |object: ObjectIdx| placed.spot(object).filter(|spot| growing.contains_key(spot));
    let is_within = inherited(heap, paths, |referrer, object| {
        grows(referrer).is_some_and(|spot| placed.spot(object) != Some(spot))
    });
    let mut at: BTreeMap<Spot, Vec<ObjectIdx>> = BTreeMap::new();
    for object in heap.objects().filter(|object| !is_within.contains(object.at())) {
        if let Some(spot) = grows(object) {
            at.entry(spot).or_default().push(object);
        }
    }
    at.retain(|&spot, members| {
        !spots.facts(spot).is_class || !are_held(heap, placed, spots, growing, &is_within, members)
    });
    let mut groups: BTreeMap<(Option<Spot>, Spot), Group> = BTreeMap::new();
    for (spot, members) in at {
        let (facts, growth) = (spots.facts(spot), growing[&spot]);
        // Elements of several classes are elements of one container.
        let key = if facts.is_member && growth == Growth::Objects { None } else { Some(spot) };
        let container = facts.above.filter(|_| key.is_none());
        let group = groups.entry((container, key.or(container).unwrap_or(spot))).or_insert(Group {
            spots: Vec::new(),
            members: Vec::new(),
            growth,
        });
        group.spots.push(spot);
        group.members.extend(members);
    }
    groups.into_values().collect()
}

/// Whether at least half of these class mirrors belong to what grows elsewhere: a loader holds its classes, which the
/// JVM may report as roots.
fn are_held(
    heap: &Heap,
    placed: &Placed,
    spots: &Spots,
    growing: &Growing,
    is_within: &BitSet,
    mirrors: &[ObjectIdx],
) -> bool {
    let grows = |spot: Spot| growing.contains_key(&spot) && !spots.facts(spot).is_class;
    let is_growing = |object: ObjectIdx| is_within.contains(object.at()) || placed.spot(object).is_some_and(grows);
    let mut held = BitSet::new(heap.object_count());
    for object in heap.objects().filter(|&object| is_growing(object)) {
        heap.references().of(object).iter().for_each(|referee| {
            held.insert(referee.at());
        });
    }
    2 * mirrors.iter().filter(|mirror| held.contains(mirror.at())).count() >= mirrors.len()
}

/// The objects that have a property by themselves, or by an object on their path: `has` is called with each referrer on
/// a path and the next object.
pub(super) fn inherited(heap: &Heap, paths: &RootPaths, has: impl Fn(ObjectIdx, ObjectIdx) -> bool) -> BitSet {
    let count = heap.object_count();
    let (mut known, mut having) = (BitSet::new(count), BitSet::new(count));
    let mut pending = Vec::new();
    for object in heap.objects() {
        let mut at = object;
        while !known.contains(at.at()) {
            pending.push(at);
            match paths.found_through(at) {
                Some(referrer) => at = referrer,
                None => break,
            }
        }
        while let Some(object) = pending.pop() {
            known.insert(object.at());
            let through = paths.found_through(object);
            if through.is_some_and(|referrer| having.contains(referrer.at()) || has(referrer, object)) {
                having.insert(object.at());
            }
        }
    }
    having
}
