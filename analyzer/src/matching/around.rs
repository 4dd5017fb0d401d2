//! What holds the new objects around others. Several structures may hold these jointly: the configuration of a logger
//! context, around the maps of its plugins.
//!
//! Nothing dominates such an object but what holds all of the structures. So a place within it says which fields lead
//! there from the object, and not which structures hold it. The referrers say that. One that holds them all, and one
//! object that all members of a structure know, are no evidence: each new object must have a holder of its own.

use super::ages::NEW;
use super::placed::Placed;
use super::places::{PlaceIdx, Places};
use crate::graph::Referrers;
use crate::heap::{Generation, ObjectIdx};
use std::collections::{BTreeMap, BTreeSet};

/// Objects of one place whose referrers are asked for, evenly spread, and referrers of each.
const MOST_ASKED: usize = 64;
const MOST_REFERRERS: usize = 32;
/// Fewest of these.
const FEWEST: usize = 3;
/// Places of objects around others that are gone through, outward.
const MOST_PLACES: usize = 16;
/// Share of the new objects of a place that must be in new containers, where these are what is new.
const MOSTLY: f64 = 0.75;

/// What holds the objects around others, by places.
pub struct Around<'a> {
    places: &'a Places,
    placed: &'a Placed,
    referrers: &'a Referrers,
    ages: &'a [Generation],
    /// The new objects at each place that can be asked for.
    members: BTreeMap<PlaceIdx, Vec<ObjectIdx>>,
    /// Some of the new objects at each place that several others hold jointly.
    joint: BTreeMap<PlaceIdx, Vec<ObjectIdx>>,
}

/// A place from which objects around others are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldFrom {
    /// The place.
    pub holder: PlaceIdx,
    /// One of the objects that are held.
    pub object: ObjectIdx,
}

impl<'a> Around<'a> {
    /// Of one heap, with its referrers, its places and inferred ages. Only the places in `asked` can be asked for.
    pub fn new(
        referrers: &'a Referrers,
        places: &'a Places,
        placed: &'a Placed,
        ages: &'a [Generation],
        asked: &BTreeSet<PlaceIdx>,
    ) -> Self {
        let mut members: BTreeMap<PlaceIdx, Vec<ObjectIdx>> = BTreeMap::new();
        let mut joint: BTreeMap<PlaceIdx, Vec<ObjectIdx>> = BTreeMap::new();
        for &object in placed.order.iter().filter(|object| ages[object.at()] == NEW) {
            let place = placed.place_of(object);
            if asked.contains(&place) {
                members.entry(place).or_default().push(object);
            }
            if places.is_joint(place) {
                joint.entry(place).or_default().push(object);
            }
        }
        joint.retain(|_, objects| objects.len() >= FEWEST);
        for objects in joint.values_mut() {
            let every = objects.len().div_ceil(MOST_ASKED);
            *objects = objects.iter().copied().step_by(every).collect();
        }
        Self { places, placed, referrers, ages, members, joint }
    }

    /// The places from which most of the new objects around those of a place are held, nearest first. What holds these
    /// lies in objects around it, perhaps, that others hold.
    pub fn held_from(&self, place: PlaceIdx) -> Vec<HeldFrom> {
        let around = self
            .places
            .jointly_above(place)
            .find(|&joint| self.in_each(place, |at| self.above_at(at, joint)).is_some());
        let mut ahead: Vec<PlaceIdx> = around.into_iter().collect();
        let (mut found, mut at) = (Vec::new(), 0);
        while at < ahead.len().min(MOST_PLACES) {
            for (held, referrers) in self.holders(ahead[at]) {
                let itself = self.places.is_joint(held.holder).then_some(held.holder);
                let above = itself.into_iter().chain(self.places.jointly_above(held.holder));
                let fewest = self.fewest(ahead[at]);
                let each_in_its_own = above.filter(|&joint| self.above_all(&referrers, joint).len() >= fewest);
                let further: Vec<PlaceIdx> = each_in_its_own.filter(|further| !ahead.contains(further)).collect();
                ahead.extend(further);
                found.push(held);
            }
            at += 1;
        }
        found
    }

    /// The number of new objects of a place in each new container, in the mean, if most of them are in new containers:
    /// then these are what has come.
    pub fn in_each_new(&self, place: PlaceIdx) -> Option<f64> {
        self.in_each(place, |object| self.placed.container[object.at()])
    }

    /// The same for other objects around them.
    fn in_each(&self, place: PlaceIdx, around: impl Fn(ObjectIdx) -> Option<ObjectIdx>) -> Option<f64> {
        let is_new = |object: ObjectIdx| self.ages[object.at()] == NEW;
        let members = self.members.get(&place).map_or(&[][..], Vec::as_slice);
        let (mut within, mut containers) = (0_usize, BTreeSet::new());
        for &object in members {
            if let Some(container) = around(object).filter(|&container| is_new(container)) {
                within += 1;
                containers.insert(container);
            }
        }
        let are_most = containers.len() >= FEWEST && within as f64 >= MOSTLY * members.len() as f64;
        are_most.then(|| within as f64 / containers.len() as f64)
    }

    /// The places outside from which most of the new objects at a place are held, each by a referrer of its own.
    fn holders(&self, of: PlaceIdx) -> Vec<(HeldFrom, BTreeSet<ObjectIdx>)> {
        let objects = self.joint.get(&of).map_or(&[][..], Vec::as_slice);
        let mut held: BTreeMap<PlaceIdx, (ObjectIdx, BTreeSet<ObjectIdx>)> = BTreeMap::new();
        for &object in objects {
            for &referrer in self.referrers.of(object).iter().take(MOST_REFERRERS) {
                let holder = self.placed.place_of(referrer);
                if !self.places.is_within(holder, of) {
                    held.entry(holder).or_insert((object, BTreeSet::new())).1.insert(referrer);
                }
            }
        }
        let most = held.into_iter().filter(|(_, (_, referrers))| referrers.len() >= self.fewest(of));
        most.map(|(holder, (object, referrers))| (HeldFrom { holder, object }, referrers)).collect()
    }

    /// Fewest holders of the objects of a place that hold most of them.
    fn fewest(&self, of: PlaceIdx) -> usize {
        self.joint.get(&of).map_or(FEWEST, |objects| objects.len().div_ceil(2).max(FEWEST))
    }

    /// The objects at one place around each of some.
    fn above_all(&self, objects: &BTreeSet<ObjectIdx>, place: PlaceIdx) -> BTreeSet<ObjectIdx> {
        objects.iter().filter_map(|&object| self.above_at(object, place)).collect()
    }

    /// The object itself, or the nearest around it, at a place.
    fn above_at(&self, object: ObjectIdx, place: PlaceIdx) -> Option<ObjectIdx> {
        let mut above = std::iter::successors(Some(object), |at| self.placed.container[at.at()]);
        above.find(|&at| self.placed.place_of(at) == place)
    }
}
