//! What an analysis costs, from the last record of a capture to its regions: seconds and memory for one, three and
//! ten million objects. Each size runs in a process of its own, so that its peak of memory is its own.
//!
//! `cargo bench --bench capture_to_regions`. Run in any other way, as `cargo test --benches` does, it only makes sure
//! that it works.

mod feed;
mod program;
#[path = "../../tests/random/mod.rs"]
mod random;

use rootbound::graph::ObjectGraph;
use rootbound::heap::{HeapBuilder, HeapError};
use rootbound::{ranking, regions};
use std::error::Error;
use std::process::Command;
use std::time::Instant;

const FULL_SIZES: [usize; 3] = [1_000_000, 3_000_000, 10_000_000];
const TINY_SIZES: [usize; 1] = [20_000];
const PHASES: [&str; 4] = ["heap", "graph", "ranking", "regions"];

/// In a child process: so many objects.
const CHILD_ARGUMENT: &str = "--objects";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|each| each == CHILD_ARGUMENT) {
        println!("{}", Figures::measure(arguments[at + 1].parse()?)?.to_line());
        return Ok(());
    }
    let is_bench = arguments.iter().any(|each| each == "--bench") && !arguments.iter().any(|each| each == "--test");
    print_table(&run_all(if is_bench { &FULL_SIZES } else { &TINY_SIZES })?);
    Ok(())
}

fn run_all(sizes: &[usize]) -> Result<Vec<Figures>, Box<dyn Error>> {
    sizes.iter().map(|size| run_in_child(*size)).collect()
}

fn run_in_child(objects: usize) -> Result<Figures, Box<dyn Error>> {
    let output = Command::new(std::env::current_exe()?).args([CHILD_ARGUMENT, &objects.to_string()]).output()?;
    let printed = String::from_utf8(output.stdout)?;
    Figures::from_line(&printed).ok_or_else(|| {
        let complaint = String::from_utf8_lossy(&output.stderr);
        format!("the run of {objects} objects ended with {}: {complaint}", output.status).into()
    })
}

/// What one size cost.
struct Figures {
    objects: f64,
    references: f64,
    /// Seconds by phase.
    seconds: [f64; 4],
    peak_mb: f64,
}

impl Figures {
    fn measure(objects: usize) -> Result<Self, HeapError> {
        let before_mb = peak_mb();
        let builder = program::feed(objects).end();
        let (objects, references) = (builder.object_count() as f64, builder.reference_count() as f64);
        let seconds = analyse(builder)?;
        Ok(Self { objects, references, seconds, peak_mb: peak_mb() - before_mb })
    }

    fn total_seconds(&self) -> f64 {
        self.seconds.iter().sum()
    }

    fn millions(&self) -> f64 {
        self.objects / 1e6
    }

    fn to_line(&self) -> String {
        let figures = [self.objects, self.references].into_iter().chain(self.seconds).chain([self.peak_mb]);
        figures.map(|figure| figure.to_string()).collect::<Vec<_>>().join(" ")
    }

    fn from_line(line: &str) -> Option<Self> {
        let figures: Option<Vec<f64>> = line.split_whitespace().map(|figure| figure.parse().ok()).collect();
        let [objects, references, heap, graph, ranking, regions, peak_mb] = figures?.try_into().ok()?;
        Some(Self { objects, references, seconds: [heap, graph, ranking, regions], peak_mb })
    }
}

fn analyse(builder: HeapBuilder) -> Result<[f64; 4], HeapError> {
    let began = Instant::now();
    let heap = builder.finish()?;
    let built = Instant::now();
    let graph = ObjectGraph::new(&heap);
    let attributed = Instant::now();
    let ranking = ranking::rank(&graph);
    let ranked = Instant::now();
    let regions = regions::find(&graph, &ranking);
    let found = Instant::now();
    let grows = regions.first().map(|region| regions::path::class_name(&heap, region.leak_root).to_owned());
    assert_eq!(grows.as_deref(), Some("com.example.Shop"), "the structure that grows ranks first");
    let ends = [began, built, attributed, ranked, found];
    Ok([0, 1, 2, 3].map(|phase: usize| (ends[phase + 1] - ends[phase]).as_secs_f64()))
}

/// Most memory that this process has had at once; 0 where the system does not tell.
fn peak_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = peak.and_then(|peak| peak.trim().strip_suffix(" kB")).and_then(|peak| peak.parse().ok());
    kilobytes.unwrap_or(0.0) / 1024.0
}

fn print_table(runs: &[Figures]) {
    print!("{:>10} {:>11}", "objects", "references");
    PHASES.iter().for_each(|phase| print!(" {phase:>8}"));
    println!(" {:>8} {:>9} {:>8} {:>9} {:>7} {:>7}", "total s", "s/million", "MB", "MB/mill.", "× s", "× MB");
    for run in runs {
        let (seconds, mb) = (run.total_seconds() / run.millions(), run.peak_mb / run.millions());
        let smallest = &runs[0];
        let times_seconds = seconds / (smallest.total_seconds() / smallest.millions());
        let times_mb = mb / (smallest.peak_mb / smallest.millions());
        print!("{:>10} {:>11}", run.objects, run.references);
        run.seconds.iter().for_each(|phase| print!(" {phase:>8.3}"));
        print!(" {:>8.3} {seconds:>9.3} {:>8.1} {mb:>9.1}", run.total_seconds(), run.peak_mb);
        println!(" {times_seconds:>7.2} {times_mb:>7.2}");
    }
}
