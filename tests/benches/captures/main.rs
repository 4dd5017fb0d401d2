//! Costs of captures and marks for a real JVM: the bench plays the analyzer's part over the socket, with the built
//! agent.
//!
//! `cargo build --release && cargo bench -p e2e --bench captures -- WHAT [OPTIONS]`. Each WHAT prints one Markdown
//! table whose ratios come from one run; nothing is asserted about times. `scripts/jdks` fetches the JVMs.
#![allow(clippy::expect_used, clippy::panic)] // A bench that cannot go on says why and ends.

mod capture;
mod feel;
mod guest;
mod handles;
mod huge;
mod link;
mod options;
mod pauses;
mod resident;
mod row;
mod young;

use e2e::measure::command_line;
use options::Options;

const USAGE: &str = "\
usage: cargo bench -p e2e --bench captures -- WHAT [OPTIONS]

  pauses    how long the program stands still for each method of capture, against the mere walk
  resident  the stop of a forked capture, by resident memory
  feel      throughput and worst operation of a busy program while it is captured
  young     young collections without marks, with few, with all, and after they are cleared
  handles   young collections with 1,024 weak handles of heads, and with none
  row       many captures in a row under load: what fails, and what is left behind
  huge      the whole pipeline on a huge heap

  --jdk N,N…      releases of Java (default: all at hand)
  --gc NAME,…     Serial, Parallel, G1, ZGC, Shenandoah (default: what the bench is about)
  --objects N     objects in the heap
  --captures N    captures, or rounds, of each kind
  --gigabytes N,… sizes of resident heaps
  --seconds N     length of each phase
  --threads N     threads of the busy program";

fn main() {
    command_line::run::<Options>(
        USAGE,
        &[
            ("pauses", pauses::run),
            ("resident", resident::run),
            ("feel", feel::run),
            ("young", young::run),
            ("handles", handles::run),
            ("row", row::run),
            ("huge", huge::run),
        ],
    );
}
