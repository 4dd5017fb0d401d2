//! Feeds damaged dumps to every reader for as long as it is told, and prints how many each has survived: `cargo run
//! --release --example fuzz_readers -- --seconds 3600 [--seed 1]`. A panic ends it; so does a read that takes more
//! memory or time than the size of its file justifies.

#![allow(clippy::expect_used)] // Like a test, it ends where something goes wrong.

#[path = "../tests/dumps/bytes.rs"]
#[allow(dead_code)]
mod bytes;
#[path = "../tests/dumps/mutate.rs"]
mod mutate;

use mutate::{Random, mutate, seeds};
use rootbound::ingest::dump::read_heap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// No read of a dump of some kilobytes takes longer, on a machine that does other things besides.
const LONGEST: Duration = Duration::from_secs(5);
/// Nor does the process ever need so much.
const MOST_KB: u64 = 1 << 20;

#[derive(Default)]
struct Tally {
    executions: u64,
    heaps: u64,
    warned: u64,
    longest: Duration,
}

fn main() {
    let (seconds, seed) = (argument("--seconds").unwrap_or(60), argument("--seed").unwrap_or(1));
    let folder = tempfile::tempdir().expect("a folder for dumps");
    let (path, seeds) = (folder.path().join("dump"), seeds());
    let mut tallies: Vec<Tally> = seeds.iter().map(|_| Tally::default()).collect();
    let (began, mut random) = (Instant::now(), Random::new(seed));
    while began.elapsed() < Duration::from_secs(seconds) {
        for ((format, sound), tally) in seeds.iter().zip(&mut tallies) {
            let before = random.clone();
            let mut bytes = sound.clone();
            mutate(&mut bytes, &mut random);
            run(&path, &bytes, tally);
            assert!(
                tally.longest < LONGEST,
                "{format}, state {:x}: took {:?}",
                u64::from_le_bytes(before.0.state()),
                tally.longest
            );
        }
        if tallies[0].executions.is_multiple_of(4096) {
            assert!(peak_kb() < MOST_KB, "{} kB of memory were in use", peak_kb());
        }
    }
    println!("{:?} from seed {seed}, at most {} kB of memory", began.elapsed(), peak_kb());
    println!("{:<24}{:>12}{:>12}{:>12}{:>12}", "format", "executions", "heaps", "warned", "longest");
    for ((format, _), tally) in seeds.iter().zip(&tallies) {
        let Tally { executions, heaps, warned, longest } = tally;
        println!("{format:<24}{executions:>12}{heaps:>12}{warned:>12}{:>9} ms", longest.as_millis());
    }
}

fn run(path: &Path, bytes: &[u8], tally: &mut Tally) {
    fs::write(path, bytes).expect("the dump is written");
    let began = Instant::now();
    if let Ok(read) = read_heap(path, Default::default()) {
        tally.heaps += 1;
        tally.warned += u64::from(!read.warnings.is_empty());
        // Every reference leads to an object.
        let last = read.heap.object_count();
        assert!(read.heap.objects().all(|object| read.heap.references().of(object).iter().all(|to| to.at() < last)));
    }
    tally.executions += 1;
    tally.longest = tally.longest.max(began.elapsed());
}

/// The number behind an option.
fn argument(name: &str) -> Option<u64> {
    let mut arguments = std::env::args().skip_while(|argument| argument != name);
    arguments.nth(1)?.parse().ok()
}

/// The most memory that the process ever had.
fn peak_kb() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).unwrap_or(0)
}
