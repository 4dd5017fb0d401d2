//! The fault matrix in long rows: thousands of captures while things go wrong around them, by the built `rootbound`
//! with its defaults. The short forms are the tests in `tests/tests/faults/`.
//!
//! `cargo build --release && cargo bench -p e2e --bench faults -- WHAT [OPTIONS]`, or `scripts/faults`. Each WHAT
//! prints one Markdown table, and below it the faults in words. `scripts/jdks` fetches the JVMs.
#![allow(clippy::expect_used, clippy::panic)] // A bench that cannot go on says why and ends.

mod cell;
mod chance;
mod groups;
mod options;
mod row;
mod scenes;
mod tally;

use e2e::measure::command_line;
use options::Options;

const USAGE: &str = "\
usage: cargo bench -p e2e --bench faults -- WHAT [OPTIONS]

  row     captures in a row in every scene, on every JVM and collector: what is refused, dies, hangs or stays behind
  groups  captures in memory groups with 200 MB, 400 MB and 1 GB above the program's own use: what the kernel kills

  --captures N    captures: of all cells together (row, default 10,000), of each cell (groups, default 20)
  --jdk N,N…      releases of Java (default: all at hand)
  --gc NAME,…     Serial, Parallel, G1, ZGC, Shenandoah (default: all; groups: Serial, Parallel, G1)
  --scene NAME,…  scenes of row (default: all)
                  plain, threads, virtual, files, processes, profiler, retransformer, recorder, stopped-program,
                  stopped-analyzer, killed-analyzer, killed-child, address-space, full-disk
  --room N,…      megabytes above the program's own use (groups, default 200,400,1000)";

fn main() {
    command_line::run::<Options>(USAGE, &[("row", row::run), ("groups", groups::run)]);
}
