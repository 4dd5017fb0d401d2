//! Measures one heap in this process, and carries the figures from process to table.

use super::generator;
use rootbound::graph::ObjectGraph;
use rootbound::heap::Heap;
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
    /// Resident memory before the heap was finished: what the capture's records took.
    records_mb: f64,
    /// Peak resident memory of the process.
    peak_mb: f64,
}

/// Everything that happens to a heap up to its regions.
fn analyse(heap: &Heap, seconds: &mut Seconds) -> Vec<Region> {
    let graph = timed(&mut seconds.graph, || ObjectGraph::new(heap));
    let ranking = timed(&mut seconds.ranking, || ranking::rank(&graph));
    timed(&mut seconds.regions, || regions::find(&graph, &ranking))
}

/// Generates a heap, analyses it, and sees that the structure that grows is among the regions.
///
/// # Panics
/// When the generated heap is no heap, or its leak is not found: a bug.
#[expect(clippy::expect_used, reason = "a benchmark ends with the bug that it meets")]
pub fn measure(objects: usize) -> Row {
    let builder = generator::generate(objects);
    let records_mb = status_mb("VmRSS:");
    let mut seconds = Seconds::default();
    let heap = timed(&mut seconds.finish, || builder.finish()).expect("the generator makes whole heaps");
    let regions = analyse(&heap, &mut seconds);
    assert_found(&heap, &regions);
    Row {
        objects: heap.object_count() as f64,
        references: heap.references().len() as f64,
        seconds,
        records_mb,
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

impl Row {
    /// Above the figures of [`Row::against`].
    pub const HEADINGS: &str = "   objects  references  finish s  graph s  ranking s  regions s  total s  s/10⁶  ×   \
                                records MB  peak MB  MB/10⁶  ×";

    /// The row for people, with time and memory per object as multiples of those of the smallest heap.
    pub fn against(&self, smallest: &Self) -> String {
        let Seconds { finish, graph, ranking, regions } = self.seconds;
        format!(
            "{:>10}  {:>10}  {finish:>8.3}  {graph:>7.3}  {ranking:>9.3}  {regions:>9.3}  {:>7.3}  {:>5.3}  {:.2}  \
             {:>9.0}  {:>7.0}  {:>6.1}  {:.2}",
            self.objects,
            self.references,
            self.total_seconds(),
            self.seconds_per_million(),
            self.seconds_per_million() / smallest.seconds_per_million(),
            self.records_mb,
            self.peak_mb,
            self.mb_per_million(),
            self.mb_per_million() / smallest.mb_per_million(),
        )
    }

    fn total_seconds(&self) -> f64 {
        let Seconds { finish, graph, ranking, regions } = self.seconds;
        finish + graph + ranking + regions
    }

    fn seconds_per_million(&self) -> f64 {
        self.total_seconds() / self.objects * 1e6
    }

    fn mb_per_million(&self) -> f64 {
        self.peak_mb / self.objects * 1e6
    }
}

/// As figures for [`Row::from_str`].
impl fmt::Display for Row {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Seconds { finish, graph, ranking, regions } = self.seconds;
        write!(out, "{} {} {finish} {graph} {ranking} {regions} ", self.objects, self.references)?;
        write!(out, "{} {}", self.records_mb, self.peak_mb)
    }
}

impl FromStr for Row {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let figures: Vec<f64> = text.split_whitespace().filter_map(|figure| figure.parse().ok()).collect();
        let &[objects, references, finish, graph, ranking, regions, records_mb, peak_mb] = figures.as_slice() else {
            return Err(());
        };
        let seconds = Seconds { finish, graph, ranking, regions };
        Ok(Self { objects, references, seconds, records_mb, peak_mb })
    }
}
