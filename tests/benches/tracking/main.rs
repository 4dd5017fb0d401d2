//! Costs of tracking for a real JVM: the bench runs the analyzer's engine next to it, as `rootbound` does, and lets the
//! tracking work and rest in turns.
//!
//! `cargo build --release && cargo bench -p e2e --bench tracking -- WHAT [OPTIONS]`. Each WHAT prints one Markdown
//! table whose ratios come from one run; nothing is asserted about times. `scripts/jdks` fetches more JVMs.
#![allow(clippy::expect_used, clippy::panic)] // A bench that cannot go on says why and ends.

mod busy;
mod cpu;
mod guest;
mod leaving;
mod memory;
mod options;
mod recorded;
mod safepoints;
mod side_by_side;
mod throughput;
mod visits;
mod watched;

use e2e::measure::command_line;
use options::Options;

const USAGE: &str = "\
usage: cargo bench -p e2e --bench tracking -- WHAT [OPTIONS]

  safepoints  safepoints while tracking, while it rests, and in a JVM without the agent
  cpu         processor time of the agent with fifty structures, by tick
  memory      resident memory with the agent against without it
  throughput  a busy program while its structures are tracked, while tracking rests, and without the agent, in turns
  side-by-side
              the same of two JVMs at once, on a processor each: one is tracked while tracking rests in the other, in turns
  recorded    a busy program with a recording without an analyzer, outside its captures, against itself before
  visits      what a visit costs, of a small structure and of a huge one
  leaving     threads, descriptors and mappings before and after the agent has left

  --jdk N,N…     releases of Java (default: all at hand)
  --gc NAME,…    Serial, Parallel, G1, ZGC, Shenandoah (default: G1)
  --seconds N    length of each phase
  --rounds N     how many times the phases take turns
  --tick MS,…    milliseconds between two visits
  --members N    members of the huge structure, or of the busy map
  --kinds NAME,… kinds of the huge structure: list, deque, chain, map, concurrent, tree, skiplist
  --threads N    threads of the busy program";

fn main() {
    command_line::run::<Options>(
        USAGE,
        &[
            ("safepoints", safepoints::run),
            ("cpu", cpu::run),
            ("memory", memory::run),
            ("throughput", throughput::run),
            ("side-by-side", side_by_side::run),
            ("recorded", recorded::run),
            ("visits", visits::run),
            ("leaving", leaving::run),
        ],
    );
}
