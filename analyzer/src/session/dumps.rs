//! Several heap dumps of one program: LeakBot's search on inferred ages ([`crate::matching`]), and the growth from dump
//! to dump. Nothing is tracked here. Two dumps show which structures became larger; three or more show whether the
//! growth went on.

use super::analysis::{MAX_REPORTED, MAX_ROOTS};
use super::findings::found_root;
use super::found_region::FoundRegion;
use super::ranked::ranked;
use super::room::Room;
use super::summary;
use crate::graph::{ObjectGraph, Owned, RootPaths};
use crate::heap::{Heap, coming_loaders};
use crate::matching::{Census, InferredAges, PlaceIdx, Placed, Places};
use crate::ranking;
use crate::regions::{self, Buffer, BufferLengths};
use crate::report::{self, GrowthPlace, HeapGrowth, Pauses, Report, SCHEMA, Snapshot, SnapshotKind, Status, Verdict};
use crate::tracking::Trend;
use std::collections::BTreeSet;

/// Facts about a dump in addition to its heap.
#[derive(Clone, Debug, Default)]
pub struct DumpFacts {
    /// Its file, as the report names it.
    pub file: String,
    /// Time at which it was taken, in milliseconds since 1970; not every format has it.
    pub taken_ms: Option<u64>,
}

/// Dumps in the order in which they were taken.
#[derive(Debug)]
pub struct Dumps {
    places: Places,
    earlier: Vec<Earlier>,
    /// Kinds of class loader of which the last dump has more than the first. Their classes may leak with them, and are
    /// no roots.
    coming_loaders: Vec<String>,
}

#[derive(Debug)]
struct Earlier {
    facts: DumpFacts,
    census: Census,
    lengths: BufferLengths,
    snapshot: Snapshot,
}

impl Dumps {
    /// An empty list of dumps, which will begin with `first` and end with `last`.
    pub fn between(first: &Heap, last: &Heap) -> Self {
        let coming_loaders = coming_loaders(first, last);
        Self { places: Places::new(), earlier: Vec::new(), coming_loaders }
    }

    /// Lets classes be roots, as they are in a watched program.
    fn rooted(&self, heap: Heap) -> Heap {
        heap.with_class_roots(|loader| self.coming_loaders.iter().any(|name| name == loader))
    }

    /// Adds a dump that is not the last. Of its heap only figures are kept.
    pub fn add(&mut self, heap: Heap, facts: DumpFacts) {
        let heap = &self.rooted(heap);
        let dominators = Owned::new(heap).dominators;
        let census = Placed::new(heap, &dominators, &mut self.places).census();
        let lengths = BufferLengths::of(heap, &dominators);
        let snapshot = self.snapshot(heap, &facts, None);
        self.earlier.push(Earlier { facts, census, lengths, snapshot });
    }

    /// Ranks and groups the growth from the first dump to the last, and reports the sizes from dump to dump.
    pub fn report(mut self, last: Heap, facts: &DumpFacts, explain: bool) -> Report {
        let last = self.rooted(last);
        let owned = Owned::new(&last);
        let placed = Placed::new(&last, &owned.dominators, &mut self.places);
        let census = placed.census();
        let ages = self.earlier.first().map(|first| InferredAges::new(&placed, &first.census));
        let snapshot = self.snapshot(&last, facts, ages.as_ref());
        let heap = match ages {
            Some(ages) => last.with_generations(ages.generation),
            None => last,
        };
        let times = self.times(facts);
        let sizes = Sizes { placed, censuses: self.earlier.iter().map(|dump| &dump.census).chain([&census]).collect() };
        let graph = ObjectGraph::of(&heap, &owned);
        drop(owned);
        let ranking = ranking::rank(&graph);
        let roots = RootPaths::new(&heap);
        let describe = |region: &regions::Region| {
            let found = FoundRegion::new(&graph, &roots, region, &[]);
            let history = times.iter().copied().zip(sizes.of(region)).collect();
            with_history(summary::describe(&found, Room::default(), explain), history, self.are_times_known(facts))
        };
        let mut found = regions::find(&graph, &ranking);
        // Sizes belong to places: regions at one place are reported as one, by the best-ranked.
        let mut reported = BTreeSet::new();
        found.retain(|region| reported.insert(sizes.places(region)));
        found.truncate(MAX_REPORTED);
        let mut regions: Vec<report::Region> = found.iter().map(describe).collect();
        regions.extend(self.buffers(&graph, &roots, facts, explain));
        regions.sort_by(|a, b| order(b).total_cmp(&order(a)));
        let leak_roots = ranking.candidates.iter().take(MAX_ROOTS);
        let leak_roots = leak_roots.map(|candidate| found_root(&graph, &roots, candidate, explain)).collect();
        let mut snapshots: Vec<Snapshot> = self.earlier.into_iter().map(|dump| dump.snapshot).collect();
        snapshots.push(snapshot);
        Report {
            schema: SCHEMA,
            jvm: None,
            duration_s: times.last().copied().unwrap_or(0.0),
            status: Status::Compared { dumps: snapshots.len() },
            pauses: Pauses::default(),
            sampling: None,
            forecast: None,
            tags_standing: None,
            member_tags: None,
            heap: HeapGrowth {
                live_bytes: Some(graph.dominators.reachable_bytes(graph.heap)),
                ..HeapGrowth::default()
            },
            native: None,
            container: None,
            new_classes: Vec::new(),
            ranking: Some(ranked(&ranking)),
            leak_roots,
            structures: None,
            log: Vec::new(),
            lives: Vec::new(),
            verdict: verdict(&regions, snapshots.len()),
            snapshots,
            regions,
            dropped_events: 0,
            problems: Vec::new(),
        }
    }

    /// The buffers that are longer than in the first dump, where all dumps know them.
    fn buffers(
        &self,
        graph: &ObjectGraph<'_>,
        roots: &RootPaths,
        last: &DumpFacts,
        explain: bool,
    ) -> Vec<report::Region> {
        let Some(first) = self.earlier.first() else { return Vec::new() };
        let (buffers, now) = regions::buffers(graph, roots, &first.lengths);
        let reported = |buffer: &Buffer| {
            buffer.length_before?;
            let place = buffer.place.as_ref()?;
            let all = self.earlier.iter().map(|dump| &dump.lengths).chain([&now]);
            let lengths: Vec<f64> =
                all.map(|lengths| lengths.at(place).map(|slots| slots as f64)).collect::<Option<_>>()?;
            let found = FoundRegion::of_buffer(graph, roots, buffer);
            let history = self.times(last).into_iter().zip(lengths).collect();
            let region =
                with_history(summary::describe(&found, Room::default(), explain), history, self.are_times_known(last));
            // Arrays grow in leaps: an equal length in two dumps is no evidence.
            let trend = region.trend.filter(|&trend| trend == Trend::Grower);
            Some(report::Region { trend, buffer_slots: now.at(place), ..region })
        };
        buffers.iter().filter_map(reported).collect()
    }

    fn snapshot(&self, heap: &Heap, facts: &DumpFacts, ages: Option<&InferredAges>) -> Snapshot {
        let share = |ages: &InferredAges| ages.matched_count as f64 / ages.reachable_count.max(1) as f64;
        Snapshot {
            at_s: self.times(facts).last().copied().unwrap_or(0.0),
            objects: Some(heap.object_count() as u64),
            references: Some(heap.references().len() as u64),
            heap_bytes: Some(heap.total_bytes()),
            file: Some(facts.file.clone()),
            matched: ages.map(share),
            gone: ages.map(|ages| ages.gone_count),
            ..Snapshot::new(SnapshotKind::Dump)
        }
    }

    fn are_times_known(&self, last: &DumpFacts) -> bool {
        let mut taken = self.earlier.iter().map(|dump| dump.facts.taken_ms).chain([last.taken_ms]);
        taken.all(|at| at.is_some())
    }

    /// Seconds since the first dump; the numbers of the dumps where one of them has no time.
    fn times(&self, last: &DumpFacts) -> Vec<f64> {
        let all = self.earlier.iter().map(|dump| dump.facts.taken_ms).chain([last.taken_ms]);
        let known: Option<Vec<u64>> = all.clone().collect();
        match known {
            Some(known) => known.iter().map(|&at| (at as f64 - known[0] as f64) / 1000.0).collect(),
            None => (0..all.count()).map(|number| number as f64).collect(),
        }
    }
}

/// Number of objects that each dump has at the places of a region's change-proxies.
struct Sizes<'a> {
    placed: Placed,
    censuses: Vec<&'a Census>,
}

impl Sizes<'_> {
    /// Places of its change-proxies.
    fn places(&self, region: &regions::Region) -> BTreeSet<PlaceIdx> {
        self.placed.places_of(&region.changes)
    }

    fn of(&self, region: &regions::Region) -> Vec<f64> {
        let places = self.places(region);
        let count = |census: &&Census| places.iter().map(|&place| census.count_at(place) as f64).sum();
        self.censuses.iter().map(count).collect()
    }
}

/// The region with its size over time, by the dumps.
fn with_history(region: report::Region, history: Vec<(f64, f64)>, are_times_known: bool) -> report::Region {
    let rate = |pair: &[(f64, f64)]| (pair[1].1 - pair[0].1) / (pair[1].0 - pair[0].0) * 60.0;
    let is_timed = are_times_known && history.windows(2).all(|pair| pair[1].0 > pair[0].0);
    let trend = trend(&history);
    // The rate of a flatliner is that of the last two dumps.
    let steps = if trend == Some(Trend::Flatliner) { history.len().saturating_sub(2) } else { 0 };
    let ends = history.get(steps).zip(history.last()).filter(|_| is_timed && history.len() > 1);
    let changes_per_min = ends.map(|(&first, &last)| rate(&[first, last]));
    let rate_per_min = changes_per_min.map(|rate| rate * region.entries_each());
    let bytes_per_hour = changes_per_min.map(|rate| rate * 60.0 * region.bytes_per_member);
    let sizes = history.iter().map(|point| point.1 as u64).collect();
    report::Region { trend, rate_per_min, bytes_per_hour, history, sizes, ..region }
}

/// A region whose last gain is less than this share of its mean rate stops growing: it was being filled.
const GOES_ON: f64 = 1.0 / 3.0;

/// Trend of three or more sizes: the same sign in every step is a trend.
fn trend(history: &[(f64, f64)]) -> Option<Trend> {
    let ([first, .., last], [.., before, _]) = (history, history) else { return None };
    if history.len() < 3 {
        return None;
    }
    let steps = || history.windows(2).map(|pair| pair[1].1 - pair[0].1);
    let rate = |from: &(f64, f64), to: &(f64, f64)| (to.1 - from.1) / (to.0 - from.0).max(f64::MIN_POSITIVE);
    Some(match () {
        () if steps().all(|step| step >= 0.0) && rate(before, last) < GOES_ON * rate(first, last) => Trend::Flatliner,
        () if steps().all(|step| step > 0.0) => Trend::Grower,
        () if steps().all(|step| step < 0.0) => Trend::Shrinker,
        () if steps().all(|step| step == 0.0) => Trend::Flatliner,
        () => Trend::Oscillator,
    })
}

/// Growers first, then by rank.
fn order(region: &report::Region) -> f64 {
    region.rank + if region.is_grower() { 1e6 } else { 0.0 }
}

fn verdict(regions: &[report::Region], dumps: usize) -> Verdict {
    let growing: Vec<&report::Region> = match dumps {
        0..3 => regions.iter().filter(|region| region.has_more()).collect(),
        _ => regions.iter().filter(|region| region.is_grower()).collect(),
    };
    let leaking = (dumps >= 3).then_some(!growing.is_empty());
    let growth = leaking.map(|leaking| if leaking { GrowthPlace::Heap } else { GrowthPlace::Nowhere });
    let Some(first) = growing.first() else {
        let what = if dumps >= 3 { "grew from dump to dump" } else { "has more objects than before" };
        return Verdict { leaking, growth, summary: format!("no structure {what}") };
    };
    let count = growing.len();
    let what = if count == 1 { "1 structure".to_owned() } else { format!("{count} structures") };
    let did = if dumps >= 3 { "grew from dump to dump" } else { "grew" };
    let (owner, class) = (&first.owner_proxy, &first.change_proxy.class);
    let sizes = first.sizes.iter().map(u64::to_string).collect::<Vec<_>>().join(" → ");
    let summary = format!("{what} {did}; above all {} ({}): {sizes} {class}", owner.path, owner.class);
    Verdict { leaking, growth, summary }
}
