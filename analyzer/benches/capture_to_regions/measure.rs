//! Measures one heap in this process, and carries the figures from process to table.

use super::generator;
use rootbound::graph::ObjectGraph;
use rootbound::heap::{Heap, HeapBuilder};
use rootbound::ranking;
use rootbound::regions::{self, Region};
use std::fmt;
use std::str::FromStr;
use std::time::Instant;

/// Seconds of each phase, in the order of the analysis.
#[derive(Clone, Debug, Default)]
struct Seconds {
    finish: f64,
    graph: f64,
    ranking: f64,
    regions: f64,
}

/// One size, measured.
#[derive(Clone, Debug)]
pub struct Row {
    objects: f64,
    references: f64,
    seconds: Seconds,
    /// Processor time of all threads, where the system tells it.
    processor_s: f64,
    /// Resident memory before the heap was finished: what was held of the capture.
    reported_mb: f64,
    /// Peak resident memory up to the heap.
    heap_mb: f64,
    /// Peak resident memory of the process.
    peak_mb: f64,
}

/// Everything that happens to a heap up to its regions.
fn analyse(heap: &Heap, seconds: &mut Seconds) -> Vec<Region> {
    let graph = timed(&mut seconds.graph, || ObjectGraph::new(heap));
    let ranking = timed(&mut seconds.ranking, || ranking::rank(&graph));
    timed(&mut seconds.regions, || regions::find(&graph, &ranking))
}

/// Finishes and analyses a heap, and sees that the structure that grows is among the regions.
///
/// # Panics
/// When the capture makes no heap, or its leak is not found: a bug.
#[expect(clippy::expect_used, reason = "a benchmark ends with the bug that it meets")]
pub fn measure(builder: HeapBuilder) -> Row {
    let reported_mb = status_mb("VmRSS:");
    let processor_s = processor_seconds();
    let mut seconds = Seconds::default();
    let heap = timed(&mut seconds.finish, || builder.finish()).expect("the generator makes whole heaps");
    let heap_mb = status_mb("VmHWM:");
    let regions = analyse(&heap, &mut seconds);
    assert_found(&heap, &regions);
    Row {
        objects: heap.object_count() as f64,
        references: heap.references().len() as f64,
        seconds,
        processor_s: processor_seconds() - processor_s,
        reported_mb,
        heap_mb,
        peak_mb: status_mb("VmHWM:"),
    }
}

fn assert_found(heap: &Heap, regions: &[Region]) {
    let name = |class| heap.classes().get(class).name.as_str();
    let is_the_leak = |region: &Region| {
        heap.class_of_mirror(region.leak_root).map(name) == Some(generator::LEAKING_CLASS)
            && name(region.change_class) == generator::LEAKING_TYPE
    };
    assert!(regions.iter().any(is_the_leak), "the growing structure is not among {} regions", regions.len());
}

fn timed<T>(seconds: &mut f64, work: impl FnOnce() -> T) -> T {
    let started = Instant::now();
    let result = work();
    *seconds = started.elapsed().as_secs_f64();
    result
}

/// A line of this process's status, in megabytes of 10⁶ bytes; 0 where the system has no such file.
fn status_mb(line: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let value = status.lines().find_map(|each| each.strip_prefix(line));
    value.and_then(|value| value.trim().trim_end_matches(" kB").parse::<f64>().ok()).unwrap_or(0.0) * 1024.0 / 1e6
}

/// Processor time of this process so far, in its kernel's ticks of a hundredth of a second.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let behind_name = stat.rsplit(')').next().unwrap_or_default();
    behind_name.split_whitespace().skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

impl Row {
    /// Above the figures of [`Row::against`].
    pub const HEADINGS: &str = "     way     objects  references  finish s  graph s  ranking s  regions s  total s  \
                                cpu s  s/10⁶  ×   told MB  heap MB  peak MB  goal MB  of goal";
    /// Below them.
    pub const FOOTNOTE: &str =
        "× is against the smallest heap. The goal is 60 bytes an object and 12 bytes a reference.";

    /// The row for people, with time per object as a multiple of that of the smallest heap.
    pub fn against(&self, smallest: &Self) -> String {
        let Seconds { finish, graph, ranking, regions } = self.seconds;
        format!(
            "{:>10}  {:>10}  {finish:>8.3}  {graph:>7.3}  {ranking:>9.3}  {regions:>9.3}  {:>7.3}  {:>5.2}  {:>5.3}  \
             {:.2}  {:>7.0}  {:>7.0}  {:>7.0}  {:>7.0}  {:>7.2}",
            self.objects,
            self.references,
            self.total_seconds(),
            self.processor_s,
            self.seconds_per_million(),
            self.seconds_per_million() / smallest.seconds_per_million(),
            self.reported_mb,
            self.heap_mb,
            self.peak_mb,
            self.goal_mb(),
            self.peak_mb / self.goal_mb(),
        )
    }

    fn total_seconds(&self) -> f64 {
        let Seconds { finish, graph, ranking, regions } = self.seconds;
        finish + graph + ranking + regions
    }

    fn seconds_per_million(&self) -> f64 {
        self.total_seconds() / self.objects * 1e6
    }

    fn goal_mb(&self) -> f64 {
        (60.0 * self.objects + 12.0 * self.references) / 1e6
    }
}

/// As figures for [`Row::from_str`].
impl fmt::Display for Row {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Seconds { finish, graph, ranking, regions } = self.seconds;
        write!(out, "{} {} {finish} {graph} {ranking} {regions} ", self.objects, self.references)?;
        write!(out, "{} {} {} {}", self.processor_s, self.reported_mb, self.heap_mb, self.peak_mb)
    }
}

impl FromStr for Row {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let figures: Vec<f64> = text.split_whitespace().filter_map(|figure| figure.parse().ok()).collect();
        let &[objects, references, finish, graph, ranking, regions, processor_s, reported_mb, heap_mb, peak_mb] =
            figures.as_slice()
        else {
            return Err(());
        };
        let seconds = Seconds { finish, graph, ranking, regions };
        Ok(Self { objects, references, seconds, processor_s, reported_mb, heap_mb, peak_mb })
    }
}
