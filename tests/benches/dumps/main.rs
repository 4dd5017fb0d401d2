//! Costs of the full analysis of a heap dump, compared with other programs on the same file: the bench lets a JVM write
//! the dumps, and runs the programs at hand in turns.
//!
//! `cargo build --release && cargo bench -p e2e --bench dumps -- [OPTIONS]`. Nothing is asserted about times.
#![allow(clippy::expect_used, clippy::panic)] // A bench that cannot go on says why and ends.

mod dump;
mod peers;
mod timed;

use e2e::measure::choice::{list, number};
use e2e::measure::option_error::OptionError;
use e2e::measure::{command_line, machine, table};
use peers::Peer;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use timed::Timed;

const USAGE: &str = "\
usage: cargo bench -p e2e --bench dumps -- [OPTIONS]

  --objects N,…   objects in the dumps [default: 1000000,10200000,30000000]
  --dump FILE     measure on this dump, and let no JVM write one
  --runs N        runs of each program on each dump, in turns; the least counts [default: 3]
  --peers install install the other programs first, below the build folder";

/// The requested options.
#[derive(Default)]
struct Options {
    objects: Vec<u64>,
    dump: Option<PathBuf>,
    runs: Option<usize>,
    installs_peers: bool,
}

const OBJECTS: [u64; 3] = [1_000_000, 10_200_000, 30_000_000];
const RUNS: usize = 3;

impl command_line::Options for Options {
    fn take(&mut self, key: &str, value: &str) -> Result<bool, OptionError> {
        match key {
            "--objects" => self.objects = list(value)?,
            "--dump" => self.dump = Some(value.into()),
            "--runs" => self.runs = Some(number(value)?),
            "--peers" => self.installs_peers = value == "install",
            _ => return Ok(false),
        }
        Ok(true)
    }
}

fn main() {
    command_line::run::<Options>(USAGE, &[("compare", compare)]);
}

fn compare(options: &Options) {
    if options.installs_peers {
        peers::install();
    }
    let programs = peers::at_hand();
    let rounds = options.runs.unwrap_or(RUNS);
    table::head(&["objects", "dump", "program", "time, least", "median", "against ours", "peak memory"]);
    if let Some(dump) = &options.dump {
        return measure(&programs, dump, "as given", rounds);
    }
    let sizes = if options.objects.is_empty() { &OBJECTS[..] } else { &options.objects };
    for &objects in sizes {
        measure(&programs, dump::written(objects).path(), &objects.to_string(), rounds);
    }
}

fn measure(programs: &[Peer], dump: &Path, objects: &str, rounds: usize) {
    let bytes = fs::metadata(dump).map_or(0, |facts| facts.len());
    let runs = in_turns(programs, dump, rounds);
    let ours = least(&runs[0]);
    for (program, runs) in programs.iter().zip(&runs) {
        emit(objects, bytes, program, runs, ours);
    }
    println!("{}", machine::facts());
}

fn in_turns(programs: &[Peer], dump: &Path, rounds: usize) -> Vec<Vec<Timed>> {
    let mut runs: Vec<Vec<Timed>> = programs.iter().map(|_| Vec::new()).collect();
    for _ in 0..rounds.max(1) {
        for (program, runs) in programs.iter().zip(&mut runs) {
            runs.push(timed::run(program.command(dump)));
        }
    }
    runs
}

fn least(runs: &[Timed]) -> Duration {
    runs.iter().map(|run| run.took).min().unwrap_or_default()
}

fn emit(objects: &str, bytes: u64, program: &Peer, runs: &[Timed], ours: Duration) {
    let ms = |time: Duration| table::ms(time.as_secs_f64() * 1e3);
    let (objects, bytes) = (objects.to_owned(), table::bytes(bytes));
    if let Some(failure) = runs.iter().find_map(|run| run.failure.as_ref()) {
        return table::row(&[objects, bytes, program.name.to_owned(), failure.clone()]);
    }
    let median = table::median(runs.iter().map(|run| run.took.as_secs_f64() * 1e3).collect());
    let peak = runs.iter().map(|run| run.peak_bytes).max().unwrap_or(0);
    table::row(&[
        objects,
        bytes,
        program.name.to_owned(),
        ms(least(runs)),
        table::ms(median),
        table::ratio(least(runs).as_secs_f64(), ours.as_secs_f64()),
        table::bytes(peak),
    ]);
}
