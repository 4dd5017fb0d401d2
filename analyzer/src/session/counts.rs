//! Exact counts by place from capture to capture, live. Marks show what is new where they are many. In a large state
//! that gains little, or in thousands of small containers, they are too few, and visits estimate too roughly. The
//! number of objects at each place ([`crate::matching`]) is exact in every capture: what rises in each of them, at a
//! steady pace, grows.
//!
//! The regions of such places are found as in a recording without an analyzer: as many objects as a place has gained
//! since the first capture count as new there ([`super::history`]). What only may grow is followed ([`super::rising`]).

use super::Session;
use super::around::{KnownGrower, name_around};
use super::contained::Panicked;
use super::findings::Findings;
use super::found_region::FoundRegion;
use super::recapture::UNFELT_MS;
use super::rising::{ByPlace, RisingPlaces, outermost};
use crate::graph::{Ages, ObjectGraph, Owned, RootPaths};
use crate::heap::{Generation, Heap, ObjectIdx};
use crate::matching::{Around, Census, InferredAges, PlaceIdx, Placed, Places, Way};
use crate::naming::Route;
use crate::ranking;
use crate::regions::{self, Region};
use crate::tracking::{Point, Trend, falls_steadily, is_rising, only_falls, rises_steadily};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Captures whose counts are kept: the first, and the latest.
const MOST_TAKEN: usize = 12;
/// Heaps of more objects are not counted: it takes a fifth of the time of an analysis.
const MOST_OBJECTS: usize = 20_000_000;
/// Regions that are found by counts, those of the highest ranks.
const MOST_FOUND: usize = 8;
const OLD: Generation = 0;
/// Share of a gain, at least half of it, that another place has lost where the objects have only moved.
const MOVED: f64 = 0.5;
/// Seconds from the capture before to each one that is made to count again. They differ: at even times, what a program
/// builds up and drops in a period of its own would be met ever later in that period, and seem to grow.
const COUNT_AFTER_S: [f64; 4] = [13.0, 17.0, 11.0, 19.0];
/// Between two captures that nobody asked for pass at least this many lives of the child of the one before, which keeps a
/// processor busy.
const CHILD_LIVES: f64 = 4.0;
/// Milliseconds before the end, beyond the time that the one before took.
const SPARE_MS: u64 = 2_000;

/// The counts of the captures of one JVM.
#[derive(Debug, Default)]
pub(super) struct Counts {
    places: Arc<Places>,
    /// Of the first capture, by container.
    base: Census,
    taken: Vec<Taken>,
    /// Time of the capture that is about to be taken in.
    at_s: f64,
    /// Places that may grow: the captures made so far do not exclude it.
    rising: BTreeSet<PlaceIdx>,
    /// Captures that were made to count again, and whether one is under way.
    made: usize,
    pub(super) is_under_way: bool,
}

/// What the counts of all captures show of the latest.
#[derive(Debug, Default)]
pub(super) struct Counted {
    /// Regions that grow by the counts alone, with their relations to those that are known to grow.
    pub(super) growing: Vec<FoundRegion>,
    /// The places that may grow; `None` where none may, or what does cannot be followed.
    pub(super) rising: Option<RisingPlaces>,
}

/// One capture: the number of objects at each place.
#[derive(Debug)]
struct Taken {
    at_s: f64,
    by_place: Vec<u32>,
}

impl Counts {
    /// Sets the time of the next capture.
    pub(super) fn begin(&mut self, at_s: f64) {
        self.at_s = at_s;
    }

    /// Takes in a capture. What may grow matters where it can be followed.
    pub(super) fn take(&mut self, heap: &Heap, owned: &Owned, known: &[KnownGrower], seeks_rising: bool) -> Counted {
        if heap.object_count() > MOST_OBJECTS {
            return Counted::default();
        }
        let placed = Placed::new(heap, &owned.dominators, Arc::make_mut(&mut self.places));
        if self.taken.is_empty() {
            self.base = placed.census();
        } else if self.taken.len() == MOST_TAKEN {
            self.taken.remove(1);
        }
        self.taken.push(Taken { at_s: self.at_s, by_place: placed.count_by_place() });
        self.rising = if self.taken.len() > 1 { self.places_where(is_rising) } else { BTreeSet::new() };
        let growing = self.growing();
        let seeks_rising = seeks_rising && !self.rising.is_empty();
        if growing.is_empty() && !seeks_rising {
            return Counted::default();
        }
        let ages = match growing.is_empty() {
            true => InferredAges::at(&self.rising, &placed, &self.base),
            false => InferredAges::new(&placed, &self.base).generation,
        };
        let at = At { heap, owned, placed: &placed, ages: &ages };
        let growing = if growing.is_empty() { Vec::new() } else { self.find_growing(at, &growing, known) };
        let ages = seeks_rising.then(|| at.ages_at(&self.rising));
        let rising = ages.map(|ages| self.followable(ages, placed));
        Counted { growing, rising }
    }

    /// The regions of places that grow.
    fn find_growing(&self, at: At<'_>, growing: &BTreeSet<PlaceIdx>, known: &[KnownGrower]) -> Vec<FoundRegion> {
        let mut found = self.find(at, growing);
        if found.is_empty() {
            return found;
        }
        let asked: BTreeSet<PlaceIdx> = found.iter().flat_map(|region| region.places.iter().copied()).collect();
        let around = Around::new(&at.owned.referrers, &self.places, at.placed, at.ages, &asked);
        for region in &mut found {
            let each = region.places.iter().filter_map(|&place| around.in_each_new(place));
            region.in_each_new = each.reduce(f64::max);
        }
        name_around(at.heap, (&around, &self.places), &mut found, known);
        found
    }

    /// Whether further captures may show growth beside that of structures that are known to grow, by the routes to their
    /// members.
    fn may_show_more<'a>(&self, known: impl Iterator<Item = &'a Route>) -> bool {
        let known: Vec<Way> = known.filter_map(|route| self.places.way(route)).collect();
        self.rising.iter().any(|&place| !known.iter().any(|way| self.places.is_along(place, way)))
    }

    /// Places that grow. Objects that another place loses as steadily have only moved: something let go of them that
    /// held them, too. Within one structure they need not go at a steady pace: of rows that an update changes, fewer are
    /// left unchanged each time.
    fn growing(&self) -> BTreeSet<PlaceIdx> {
        let of = |place: PlaceIdx| self.points(&BTreeSet::from([place]));
        let gain =
            |points: &[Point]| points.last().zip(points.first()).map_or(0.0, |(last, first)| last.size - first.size);
        let has_moved = |&place: &PlaceIdx| {
            let lost_at = |other: PlaceIdx| {
                let points = of(other);
                let is_lost =
                    falls_steadily(&points) || only_falls(&points) && self.places.differ_by_holders(place, other);
                if is_lost { -gain(&points) } else { 0.0 }
            };
            let lost: f64 = self.places.of_its_class(place).map(lost_at).sum();
            lost >= MOVED * gain(&of(place))
        };
        let mut growing = self.places_where(rises_steadily);
        let moved: Vec<PlaceIdx> = growing.iter().copied().filter(has_moved).collect();
        // What lies within has come along.
        growing.retain(|&place| !moved.iter().any(|&with| self.places.is_within(place, with)));
        growing
    }

    /// The places that may grow, with the ages of what they have gained.
    fn followable(&self, ages: Ages, placed: Placed) -> RisingPlaces {
        let by_place = ByPlace { all: Arc::clone(&self.places), place: placed.into_places() };
        RisingPlaces { ages, places: self.rising.clone(), by_place }
    }

    /// Places whose counts are such.
    fn places_where(&self, are_such: fn(&[Point]) -> bool) -> BTreeSet<PlaceIdx> {
        let all = (1..self.places.len() as u32).map(PlaceIdx);
        all.filter(|&place| are_such(&self.points(&BTreeSet::from([place])))).collect()
    }

    /// Sizes by the number of objects at these places.
    fn points(&self, places: &BTreeSet<PlaceIdx>) -> Vec<Point> {
        let count = |taken: &Taken, place: &PlaceIdx| taken.by_place.get(place.at()).map_or(0.0, |&at| f64::from(at));
        let size = |taken: &Taken| places.iter().map(|place| count(taken, place)).sum();
        self.taken.iter().map(|taken| Point { at_s: taken.at_s, size: size(taken), error: 0.0 }).collect()
    }

    /// The regions of places that grow, with their sizes by the counts.
    fn find(&self, at: At<'_>, growing: &BTreeSet<PlaceIdx>) -> Vec<FoundRegion> {
        let (graph, roots) = (at.graph_of(growing), RootPaths::new(at.heap));
        let described = |region: &Region| {
            let places = at.placed.places_of(&region.changes);
            let mut found = FoundRegion::new(&graph, &roots, region, &[]);
            found.tracked.judge_counts(&self.points(&places));
            found.places = places;
            (found.trend() == Some(Trend::Grower)).then_some(found)
        };
        let regions = regions::find(&graph, &ranking::rank(&graph));
        let places_of = |region: &Region| at.placed.places_of(&region.changes);
        let regions = outermost(regions, places_of, growing, &self.places);
        regions.iter().filter_map(described).take(MOST_FOUND).collect()
    }
}

/// The latest capture, with the ages that the counts give its objects.
#[derive(Clone, Copy)]
struct At<'a> {
    heap: &'a Heap,
    owned: &'a Owned,
    placed: &'a Placed,
    ages: &'a [Generation],
}

impl<'a> At<'a> {
    /// Its ages, where only objects at these places may be new.
    fn ages_at(self, places: &BTreeSet<PlaceIdx>) -> Ages {
        let generation = self.generation_at(places);
        Ages::exact(self.heap, &self.owned.referrers, |object| generation[object.at()] > OLD)
    }

    /// Its graph with these ages.
    fn graph_of(self, places: &BTreeSet<PlaceIdx>) -> ObjectGraph<'a> {
        ObjectGraph::of_ages(self.heap, self.owned, &self.generation_at(places))
    }

    fn generation_at(self, places: &BTreeSet<PlaceIdx>) -> Vec<Generation> {
        let is_such = |object: ObjectIdx| places.contains(&self.placed.place_of(object));
        self.heap.objects().map(|object| if is_such(object) { self.ages[object.at()] } else { OLD }).collect()
    }
}

impl Session {
    /// Whether a capture is to be made to count again: where something may grow that is not known to, and where a
    /// capture is hardly felt.
    pub(super) fn wants_count(&mut self, now_ms: u64) -> bool {
        let is_free = self.schedule.is_tracking() && !self.marks.are_wanted();
        let Some(&after_s) = COUNT_AFTER_S.get(self.counts.made) else { return false };
        let Some(findings) = self.findings.as_ref().filter(|_| is_free) else { return false };
        let Some(latest) = self.evidence.captures().next_back().filter(|latest| latest.is_forked()) else {
            return false;
        };
        let child_s = latest.child.map_or(0.0, |child| child.lifetime_ms) / 1e3;
        let after_s = after_s.max(CHILD_LIVES * child_s);
        let is_cheap = self.usual_pause_ms() <= UNFELT_MS;
        let done_ms = now_ms.saturating_add(self.latest_capture_ms() as u64 + SPARE_MS);
        let is_time_left = self.end_ms().is_none_or(|end_ms| done_ms <= end_ms);
        let is_due = now_ms as f64 >= (latest.at_s + after_s) * 1000.0;
        let may_show_more = || self.counts.may_show_more(findings.routes_of_growers());
        let is_begun = is_cheap && is_time_left && is_due && may_show_more() && self.schedule.begin_state(now_ms);
        self.counts.made += usize::from(is_begun);
        self.counts.is_under_way |= is_begun;
        is_begun
    }

    /// The regions that are known to grow.
    pub(super) fn known_growers(&self) -> Vec<KnownGrower> {
        self.findings.as_ref().map_or_else(Vec::new, Findings::known_growers)
    }

    /// Median of the pauses of forks so far, in milliseconds: one slow fork on a busy machine is chance.
    fn usual_pause_ms(&self) -> f64 {
        let forked = self.evidence.captures().filter(|capture| capture.is_forked());
        let mut pauses: Vec<f64> = forked.map(|capture| capture.pause_ms).collect();
        pauses.sort_by(f64::total_cmp);
        pauses.get(pauses.len().saturating_sub(1) / 2).copied().unwrap_or(f64::INFINITY)
    }

    /// Takes in the regions that grow by the counts of all captures.
    pub(super) fn take_counted(&mut self, counted: Result<Counted, Panicked>) {
        match counted {
            Ok(counted) => {
                if let Some(findings) = &mut self.findings {
                    findings.take_counted(counted.growing);
                }
            }
            Err(panic) => {
                self.problem(format!("the counts of captures failed, which is a defect of rootbound: {panic}"));
            }
        }
    }
}

#[cfg(test)]
#[path = "counts_tests.rs"]
mod tests;
