//! Captures of one program over time, in one or several of its lives: the sizes of structures by their places.
//!
//! Without an analyzer nothing is marked and nothing visited. Captures have no identities in common, so structures are
//! found again by their places, as in heap dumps ([`crate::matching`]). Each life of the program is searched and judged
//! by itself: a restart empties structures, and is no loss. Of each capture only figures are kept; the heap of the
//! latest is kept until the next.

use super::analysis::{Findings, MAX_REPORTED, MAX_ROOTS};
use super::findings::found_root;
use super::found_region::FoundRegion;
use super::new_classes::new_classes;
use super::ranked::ranked;
use crate::graph::{ObjectGraph, Owned, RootPaths};
use crate::heap::Heap;
use crate::matching::{Census, InferredAges, PlaceIdx, Placed, Places};
use crate::ranking;
use crate::regions::{self, BufferLengths, Region};
use crate::relations::same::is_buffer;
use crate::tracking::{FILLED_BY, Point, TrackedRegion};
use rootbound_wire::message::Hello;
use std::collections::BTreeSet;

/// Captures from which on ages begin later than at the first: what a start fills is old then.
const MANY: usize = 5;

/// The captures of all lives.
#[derive(Debug, Default)]
pub(super) struct History {
    places: Places,
    lives: Vec<Life>,
    latest: Option<Heap>,
    /// Whether ranks are to be explained.
    explains: bool,
}

/// One life of the program.
#[derive(Debug)]
pub(super) struct Life {
    pub(super) main: String,
    pub(super) pid: u32,
    pub(super) loaded_unix_ms: u64,
    /// Time of the last message, in milliseconds since the load.
    pub(super) now_ms: u64,
    captures: Vec<Taken>,
    found: Findings,
}

/// The figures of a capture.
#[derive(Debug)]
struct Taken {
    at_s: f64,
    census: Census,
    lengths: BufferLengths,
}

impl Life {
    /// Number of its captures.
    pub(super) fn captures(&self) -> usize {
        self.captures.len()
    }

    /// Seconds from the first capture to the last.
    pub(super) fn span_s(&self) -> f64 {
        self.captures.first().zip(self.captures.last()).map_or(0.0, |(first, last)| last.at_s - first.at_s)
    }

    /// The capture since which objects count as new.
    fn base(&self) -> Option<&Taken> {
        let (before, first) = (self.captures.len().checked_sub(1)?, self.captures.first()?);
        let from_s = first.at_s + self.span_s() * if self.captures.len() < MANY { 0.0 } else { FILLED_BY };
        self.captures[..before].iter().find(|taken| taken.at_s >= from_s)
    }

    /// Sizes by the number of objects at these places.
    fn sizes(&self, places: &BTreeSet<PlaceIdx>) -> Vec<Point> {
        let count = |taken: &Taken| places.iter().map(|&place| taken.census.count_at(place) as f64).sum();
        self.captures.iter().map(|taken| Point { at_s: taken.at_s, size: count(taken), error: 0.0 }).collect()
    }
}

impl History {
    /// Without any capture.
    pub(super) fn new(explains: bool) -> Self {
        Self { explains, ..Self::default() }
    }

    /// Begins a life, or goes on with the present one, which may have several recordings.
    pub(super) fn begin(&mut self, hello: &Hello) {
        let is_same = |life: &Life| life.pid == hello.pid && life.loaded_unix_ms == hello.loaded_unix_ms;
        if self.lives.last().is_some_and(is_same) {
            return;
        }
        self.conclude();
        self.lives.push(Life {
            main: hello.main.clone(),
            pid: hello.pid,
            loaded_unix_ms: hello.loaded_unix_ms,
            now_ms: 0,
            captures: Vec::new(),
            found: Findings::default(),
        });
    }

    /// The lives so far.
    pub(super) fn lives(&self) -> &[Life] {
        &self.lives
    }

    /// Seconds from the first life's load to that of a life.
    pub(super) fn offset_s(&self, life: usize) -> f64 {
        let first = self.lives.first().map_or(0, |life| life.loaded_unix_ms);
        self.lives.get(life).map_or(0.0, |life| life.loaded_unix_ms.saturating_sub(first) as f64 / 1000.0)
    }

    /// Takes in a capture of the present life.
    pub(super) fn add(&mut self, at_s: f64, heap: Heap) {
        let Some(life) = self.lives.last_mut() else { return };
        let dominators = Owned::new(&heap).dominators;
        let census = Placed::new(&heap, &dominators, &mut self.places).census();
        let lengths = BufferLengths::of(&heap, &dominators);
        life.captures.push(Taken { at_s, census, lengths });
        self.latest = Some(heap);
    }

    /// Records that time has passed in the present life.
    pub(super) fn pass(&mut self, now_ms: u64) {
        if let Some(life) = self.lives.last_mut() {
            life.now_ms = life.now_ms.max(now_ms);
        }
    }

    /// Searches the latest heap of the present life, and judges what is found there.
    pub(super) fn conclude(&mut self) {
        let (Some(heap), Some(life)) = (self.latest.take(), self.lives.last_mut()) else { return };
        let Some(base) = life.base() else { return };
        let owned = Owned::new(&heap);
        let placed = Placed::new(&heap, &owned.dominators, &mut self.places);
        let ages = InferredAges::new(&placed, &base.census);
        let heap = heap.with_generations(ages.generation);
        let graph = ObjectGraph::of(&heap, &owned);
        drop(owned);
        life.found = find(&graph, &placed, life, self.explains);
    }

    /// The findings of the latest life, with those of earlier ones that it does not have. `None` without any search.
    pub(super) fn findings(&mut self) -> Option<Findings> {
        let mut lives = self.lives.iter().enumerate().rev().filter(|(_, life)| life.base().is_some());
        let latest = lives.next()?.0;
        let earlier: Vec<usize> = lives.map(|(at, _)| at).collect();
        let mut found = std::mem::take(&mut self.lives[latest].found);
        found.regions.iter_mut().for_each(|region| region.life = latest);
        for at in earlier {
            for mut region in std::mem::take(&mut self.lives[at].found.regions) {
                if !found.regions.iter().any(|known| is_same(known, &region)) {
                    (region.life, region.owner_object) = (at, None);
                    found.regions.push(region);
                }
            }
        }
        found.relate();
        Some(found)
    }

    /// The region in each life, judged by itself.
    pub(super) fn in_each_life(&self, region: &FoundRegion) -> Vec<(usize, TrackedRegion)> {
        let judged = |(at, life): (usize, &Life)| {
            let mut tracked = TrackedRegion::new(0);
            tracked.judge_captures(&life.sizes(&region.places));
            (!tracked.series.points().is_empty()).then_some((at, tracked))
        };
        self.lives.iter().enumerate().filter_map(judged).collect()
    }
}

/// Whether both are one structure: that of one place, whatever the life.
fn is_same(one: &FoundRegion, other: &FoundRegion) -> bool {
    one.is_named_like(other) || !one.places.is_disjoint(&other.places)
}

/// Ranks the heap and finds its regions, with their sizes in the captures of a life.
fn find(graph: &ObjectGraph<'_>, placed: &Placed, life: &Life, explains: bool) -> Findings {
    let ranking = ranking::rank(graph);
    let roots = RootPaths::new(graph.heap);
    let places_of = |region: &Region| placed.places_of(&region.changes);
    let before = life.base().map(|base| &base.lengths);
    let (buffers, _) = regions::buffers(graph, &roots, before.unwrap_or(&BufferLengths::default()));
    let mut found = regions::find(graph, &ranking);
    found.retain(|region| !buffers.iter().any(|buffer| is_buffer(&region.outline(), &buffer.region.outline())));
    // Sizes belong to places: regions at one place are reported as one, by the best-ranked.
    let mut reported = BTreeSet::new();
    found.retain(|region| reported.insert(places_of(region)));
    found.truncate(MAX_REPORTED);
    let leak_roots = ranking.candidates.iter().take(MAX_ROOTS);
    let leak_roots = leak_roots.map(|each| found_root(graph, &roots, each, explains)).collect();
    let mut findings = Findings {
        ranking: Some(ranked(&ranking)),
        leak_roots,
        new_classes: new_classes(graph),
        ..Findings::default()
    };
    for region in &found {
        let mut described = FoundRegion::new(graph, &roots, region, &[]);
        described.places = places_of(region);
        described.tracked.judge_captures(&life.sizes(&described.places));
        findings.regions.push(described);
    }
    for buffer in buffers.iter().filter(|buffer| buffer.length_before.is_some()) {
        let Some(place) = &buffer.place else { continue };
        let length = |taken: &Taken| Some((taken.at_s, taken.lengths.at(place)? as f64));
        let mut described = FoundRegion::of_buffer(graph, &roots, buffer);
        let lengths = life.captures.iter().filter_map(length);
        let points: Vec<Point> = lengths.map(|(at_s, size)| Point { at_s, size, error: 0.0 }).collect();
        described.tracked.judge_captures(&points);
        findings.regions.push(described);
    }
    findings.weigh_against_peers();
    findings
}
