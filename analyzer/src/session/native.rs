//! Growth outside the Java heap: the platform's counters over time, and which of them explains the growth of the
//! process. Warm-up is left out: class loading and compilation grow for a while in every program.

use crate::report::{Container, Native as Reported, NativeKind};
use crate::tracking::{Flux, Point, Series, Trend, assess, span_s};
use crate::units;
use rootbound_wire::message::Platform;

/// A counter over time, in units of the least change of interest. A growth of less than eight units does not count (as
/// with change-proxies, see [`assess`]).
#[derive(Debug)]
struct Counter {
    unit: f64,
    series: Series,
}

/// Bytes: a megabyte for the process as a whole, whose allocators retain and return memory at will; less for memory
/// that is counted exactly.
const OF_PROCESS: f64 = 1_048_576.0;
/// Least gain of memory that neither a counter nor classes or threads account for: allocators keep what compilers and
/// start-up have used. Three healthy programs gained 15 to 25 MB in two minutes.
const LEAST_OF_OTHER: f64 = 32.0 * OF_PROCESS;
const OF_METASPACE: f64 = 262_144.0;
const OF_BUFFERS: f64 = 131_072.0;
const THREAD: f64 = 1.0;
const CLASSES: f64 = 8.0;
/// Mark bitmaps, card tables and remembered sets are touched with the heap that they describe: two bitmaps of a 64th
/// (G1 before JDK 20, Parallel), three tables of a 512th, and as much again for remembered sets.
const HEAP_TO_BITMAPS: u64 = 16;
/// A stack of the usual limit. A small class with a loader of its own measured 10 to 11 KB (JDK 11 and 17).
const MOST_OF_A_THREAD: f64 = 1_048_576.0;
const MOST_OF_A_CLASS: f64 = 32_768.0;
/// Gained classes from which on they count as growth, though no byte of it is known yet.
const MANY_CLASSES: f64 = 200.0;
/// Seconds for which classes, and memory that no counter knows, must have grown: most warm-ups have ended by then, or
/// slow down. Flink's native memory goes up and down by 200 MB in half a minute.
const LASTING_S: f64 = 60.0;
/// Least share of the loaded classes that must live, or they wait for being unloaded: arrays and interfaces are loaded,
/// too, and are no live classes here. In a program that kept its classes it was a half (Spark), in one that dropped
/// them a fourteenth (Derby's statements).
const LIVE_SHARE: f64 = 0.25;
const SECONDS_AN_HOUR: f64 = 3600.0;

impl Counter {
    fn of(unit: f64) -> Self {
        Self { unit, series: Series::default() }
    }

    fn push(&mut self, at_ms: u64, value: Option<u64>) {
        if let Some(value) = value {
            let at_s = at_ms as f64 / 1000.0;
            self.series.push(Point { at_s, size: value as f64 / self.unit, error: 0.0 });
        }
    }

    /// Bytes, threads or classes gained since the first sample.
    fn gained(&self) -> f64 {
        let points = self.series.points();
        points.last().zip(points.first()).map_or(0.0, |(last, first)| (last.size - first.size) * self.unit)
    }

    /// Seconds from the first sample to the last.
    fn watched_s(&self) -> f64 {
        span_s(self.series.points())
    }

    /// Growth an hour; 0 when no growth goes on, `None` while there is too little evidence.
    fn growth_per_hour(&self) -> Option<f64> {
        let assessment = assess(&self.series, Flux::default(), None)?;
        let drift = assessment.drift.filter(|_| assessment.trend == Trend::Grower);
        Some(drift.map_or(0.0, |drift| drift.per_s * self.unit * SECONDS_AN_HOUR))
    }
}

/// The platform's counters over time.
#[derive(Debug)]
pub(super) struct Native {
    latest: Option<Platform>,
    /// Whether a collection has finished since the latest sample.
    is_collected: bool,
    resident: Counter,
    metaspace: Counter,
    threads: Counter,
    classes: Counter,
    direct: Counter,
    /// The same as [`Self::direct`], with buffers that wait for a collection.
    direct_with_garbage: Counter,
    mapped: Counter,
    other: Counter,
    /// Resident memory without the heap, and what the collector keeps of it.
    beside_heap: Counter,
    /// Time in seconds and number of live classes, of the first and the latest capture.
    captured_classes: Option<((f64, u64), (f64, u64))>,
}

impl Default for Native {
    fn default() -> Self {
        Self {
            latest: None,
            is_collected: false,
            resident: Counter::of(OF_PROCESS),
            metaspace: Counter::of(OF_METASPACE),
            threads: Counter::of(THREAD),
            classes: Counter::of(CLASSES),
            direct: Counter::of(OF_BUFFERS),
            direct_with_garbage: Counter::of(OF_BUFFERS),
            mapped: Counter::of(OF_PROCESS),
            other: Counter::of(OF_PROCESS),
            beside_heap: Counter::of(OF_PROCESS),
            captured_classes: None,
        }
    }
}

impl Native {
    /// Records the end of a collection: buffers that nothing refers to are given back.
    pub(super) fn collected(&mut self) {
        self.is_collected = true;
    }

    /// Takes in a sample. Before the first capture the program warms up: such samples are shown, but not judged.
    pub(super) fn observe(&mut self, sample: &Platform, is_warm: bool) {
        self.latest = Some(*sample);
        let was_collected = std::mem::take(&mut self.is_collected);
        if !is_warm {
            return;
        }
        let at_ms = sample.at_ms;
        self.resident.push(at_ms, sample.resident_bytes);
        self.metaspace.push(at_ms, sample.metaspace_bytes);
        self.threads.push(at_ms, sample.threads);
        self.classes.push(at_ms, sample.classes);
        self.direct.push(at_ms, sample.direct_bytes.filter(|_| was_collected));
        self.direct_with_garbage.push(at_ms, sample.direct_bytes);
        self.mapped.push(at_ms, sample.mapped_bytes);
        self.other.push(at_ms, other_bytes(sample));
        self.beside_heap.push(at_ms, beside_heap_bytes(sample));
    }

    /// Takes in the number of live classes of a complete capture ([`super::new_classes::live_classes`]).
    pub(super) fn captured(&mut self, at_s: f64, live_classes: u64) {
        let latest = (at_s, live_classes);
        self.captured_classes = Some((self.captured_classes.map_or(latest, |(first, _)| first), latest));
    }

    /// Whether the evidence suffices for the statement that nothing outside the heap grows. Buffers that grow without a
    /// collection may or may not be garbage.
    pub(super) fn is_known(&self) -> bool {
        self.resident.growth_per_hour().is_some() && self.direct_growth_per_hour().is_some()
    }

    /// Growth of direct buffers. If they do not grow even with the garbage, no collection is needed to know.
    fn direct_growth_per_hour(&self) -> Option<f64> {
        let with_garbage = self.direct_with_garbage.growth_per_hour().filter(|&growth| growth == 0.0);
        self.direct.growth_per_hour().or(with_garbage)
    }

    /// Whether the program has kept loading classes, and they stay: many of them, at a pace that does not slow down.
    /// Most collectors count the bytes of the metaspace only when they collect.
    fn keeps_loading_classes(&self) -> bool {
        let watched_s = self.classes.watched_s();
        let gained = |per_hour: f64| per_hour * watched_s / SECONDS_AN_HOUR;
        watched_s >= LASTING_S
            && !self.classes_wait_for_unloading()
            && self.classes.growth_per_hour().is_some_and(|growth| gained(growth) >= MANY_CLASSES)
    }

    /// Whether the classes that are loaded die, and the collector has not unloaded them yet: between the captures far
    /// fewer live ones came than were loaded.
    fn classes_wait_for_unloading(&self) -> bool {
        let Some((first, latest)) = self.captured_classes.filter(|(first, latest)| latest.0 > first.0) else {
            return false;
        };
        let points = self.classes.series.points().iter();
        let mut between = points.filter(|point| (first.0..=latest.0).contains(&point.at_s));
        let Some((from, to)) = between.next().zip(between.next_back()) else { return false };
        let loaded_per_s = (to.size - from.size) * self.classes.unit / (to.at_s - from.at_s);
        let live_per_s = (latest.1 as f64 - first.1 as f64) / (latest.0 - first.0);
        live_per_s < LIVE_SHARE * loaded_per_s
    }

    /// The container's memory at this moment; `None` where it has no limit.
    pub(super) fn container(&self) -> Option<Container> {
        let latest = self.latest?;
        let (limit_bytes, used_bytes) = (latest.limit_bytes?, latest.limit_used_bytes?);
        let beside_heap_bytes = latest.heap_resident_bytes.map(|heap| used_bytes.saturating_sub(heap));
        Some(Container { limit_bytes, used_bytes, beside_heap_bytes })
    }

    /// The counters at this moment; `None` before the agent reported any.
    pub(super) fn report(&self) -> Option<Reported> {
        let latest = self.latest?;
        let mut reported = Reported {
            resident_bytes: latest.resident_bytes,
            resident_growth_bytes_per_hour: self.resident.growth_per_hour(),
            metaspace_bytes: latest.metaspace_bytes,
            metaspace_growth_bytes_per_hour: self.metaspace.growth_per_hour(),
            code_bytes: latest.code_bytes,
            threads: latest.threads,
            threads_growth_per_hour: self.threads.growth_per_hour(),
            classes: latest.classes,
            classes_growth_per_hour: self.classes.growth_per_hour(),
            direct_bytes: latest.direct_bytes,
            direct_growth_bytes_per_hour: self.direct_growth_per_hour(),
            mapped_bytes: latest.mapped_bytes,
            mapped_growth_bytes_per_hour: self.mapped.growth_per_hour(),
            other_bytes: other_bytes(&latest),
            other_growth_bytes_per_hour: self.other.growth_per_hour(),
            beside_heap_growth_bytes_per_hour: self.beside_heap.growth_per_hour(),
            grows: None,
        };
        let metaspace = self.keeps_loading_classes().then_some(NativeKind::Metaspace);
        let is_growth = |kind: &NativeKind| match kind {
            NativeKind::Other => self.other.gained() >= LEAST_OF_OTHER && self.other.watched_s() >= LASTING_S,
            NativeKind::Metaspace => !self.classes_wait_for_unloading(),
            _ => true,
        };
        reported.grows = grows(&reported).filter(is_growth).or(metaspace);
        Some(reported)
    }
}

/// Anonymous memory other than heap, code and direct buffers: metaspace, stacks, and allocations of libraries and of
/// the JVM itself. `None` where one of the large parts is not known. Metaspace is included: many collectors count it
/// only when they collect, and growth in between would be taken for something else. Memory of the collector itself
/// grows with the heap and is subtracted.
fn other_bytes(sample: &Platform) -> Option<u64> {
    let heap = sample.heap_resident_bytes?;
    let parts = [heap, heap / HEAP_TO_BITMAPS, sample.direct_bytes?, sample.code_bytes?];
    Some(sample.anonymous_bytes?.saturating_sub(parts.iter().sum()))
}

/// Resident memory outside the heap. While a heap is used for the first time, the process grows by it and leaks
/// nothing.
fn beside_heap_bytes(sample: &Platform) -> Option<u64> {
    let heap = sample.heap_resident_bytes?;
    Some(sample.resident_bytes?.saturating_sub(heap + heap / HEAP_TO_BITMAPS))
}

/// The counter to name: the one that grows by the most bytes. Stacks and metaspace are parts of the rest: where threads
/// or classes increase enough, they are the reason for its growth.
fn grows(native: &Reported) -> Option<NativeKind> {
    let has_more_threads = native.threads_growth_per_hour.is_some_and(|growth| growth > 0.0);
    let rest_growth = native.other_growth_bytes_per_hour.unwrap_or(0.0);
    let explains = |growth: Option<f64>, bytes_each: f64| growth.is_some_and(|each| each * bytes_each >= rest_growth);
    let rest = match () {
        () if has_more_threads && explains(native.threads_growth_per_hour, MOST_OF_A_THREAD) => NativeKind::Threads,
        () if explains(native.classes_growth_per_hour, MOST_OF_A_CLASS) => NativeKind::Metaspace,
        () => NativeKind::Other,
    };
    let kinds = [
        (NativeKind::DirectBuffers, native.direct_growth_bytes_per_hour),
        (NativeKind::MappedFiles, native.mapped_growth_bytes_per_hour),
        (NativeKind::Metaspace, native.metaspace_growth_bytes_per_hour),
        (rest, native.other_growth_bytes_per_hour),
    ];
    let growing = kinds.into_iter().filter_map(|(kind, growth)| Some((kind, growth?))).filter(|each| each.1 > 0.0);
    let most = growing.max_by(|one, other| one.1.total_cmp(&other.1)).map(|(kind, _)| kind);
    most.or(has_more_threads.then_some(NativeKind::Threads))
}

/// `memory of the process outside the heap +120 MB/h, direct buffers +118 MB/h`; `None` when nothing outside the heap
/// grows.
pub(super) fn sentence(native: &Reported) -> Option<String> {
    let bytes = |name: &str, growth: Option<f64>| {
        growth.filter(|&growth| growth > 0.0).map(|growth| format!("{name} +{}", units::bytes_per_hour(growth)))
    };
    let (what, rest) = (native.grows?, native.other_growth_bytes_per_hour);
    let named = match what {
        NativeKind::DirectBuffers => bytes(what.name(), native.direct_growth_bytes_per_hour),
        NativeKind::MappedFiles => bytes(what.name(), native.mapped_growth_bytes_per_hour),
        NativeKind::Threads => native.threads_growth_per_hour.map(|growth| format!("{what} +{growth:.0}/h")),
        NativeKind::Metaspace => {
            let by_bytes = native.metaspace_growth_bytes_per_hour.filter(|&growth| growth > 0.0).or(rest);
            bytes(what.name(), by_bytes).or_else(|| Some(format!("classes +{:.0}/h", native.classes_growth_per_hour?)))
        }
        NativeKind::Other => bytes(what.name(), rest),
    };
    let in_all = bytes("memory of the process outside the heap", native.beside_heap_growth_bytes_per_hour);
    let parts = [in_all, named];
    Some(parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
#[path = "native_tests.rs"]
mod tests;
