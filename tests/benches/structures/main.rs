//! The cost of `--growth` while a program runs: the bench records programs with nested structures, and replays each
//! recording with the option and without it, in turns.
//!
//! `cargo build --release && cargo bench -p e2e --bench structures -- [OPTIONS]`. Nothing is asserted about times.
#![allow(clippy::expect_used, clippy::panic)] // A bench that cannot go on says why and ends.

mod recorded;
mod replay;

use e2e::measure::choice::number;
use e2e::measure::option_error::OptionError;
use e2e::measure::{command_line, machine, table};
use recorded::{Kind, Recorded};
use replay::{Replayed, replay};
use std::path::{Path, PathBuf};

const USAGE: &str = "\
usage: cargo bench -p e2e --bench structures -- [OPTIONS]

  --recording FILE  measure on this recording, and record no program
  --kind NAME       record this program only: lists, maps
  --rounds N        replays with the option and without it [default: 15]";

/// The requested options.
#[derive(Default)]
struct Options {
    recording: Option<PathBuf>,
    kind: Option<String>,
    rounds: Option<usize>,
}

const ROUNDS: usize = 15;

impl command_line::Options for Options {
    fn take(&mut self, key: &str, value: &str) -> Result<bool, OptionError> {
        match key {
            "--recording" => self.recording = Some(value.into()),
            "--kind" => self.kind = Some(value.to_owned()),
            "--rounds" => self.rounds = Some(number(value)?),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

fn main() {
    command_line::run::<Options>(USAGE, &[("growth", growth)]);
}

fn growth(options: &Options) {
    let rounds = options.rounds.unwrap_or(ROUNDS).max(1);
    table::head(&["heap", "without --growth", "with it", "more", "peak memory without", "with it"]);
    if let Some(recording) = &options.recording {
        return measure("as given", recording, rounds);
    }
    for kind in Kind::ALL.into_iter().filter(|kind| options.kind.as_deref().is_none_or(|name| name == kind.name)) {
        measure(kind.heap, Recorded::new(&kind).file(), rounds);
    }
}

/// Processor time, user and system together, and memory of replays in turns; medians. Two replays in turn are compared
/// with each other: on a shared machine all become faster and slower over time.
fn measure(heap: &str, recording: &Path, rounds: usize) {
    let (mut without, mut with): (Vec<Replayed>, Vec<Replayed>) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        without.push(replay(recording, &[]));
        with.push(replay(recording, &["--growth"]));
    }
    let ms = |runs: &[Replayed]| table::median(runs.iter().map(|run| run.processor_ms).collect());
    let peak = |runs: &[Replayed]| table::median(runs.iter().map(|run| run.peak_bytes as f64).collect());
    let ratios = with.iter().zip(&without).map(|(with, without)| with.processor_ms / without.processor_ms);
    let more = (table::median(ratios.collect()) - 1.0) * 100.0;
    table::row(&[
        heap.to_owned(),
        table::ms(ms(&without)),
        table::ms(ms(&with)),
        format!("{more:.0} %"),
        table::bytes(peak(&without) as u64),
        table::bytes(peak(&with) as u64),
    ]);
    println!("{}", machine::facts());
}
