//! Effect of a recording without an analyzer on a busy program, outside its captures. The program is its own control:
//! the agent is loaded by attach when half the time is over. A second program, which no agent enters, runs beside it and
//! shows what else changed meanwhile. Each has a processor of its own for all its threads. Each pair is new, and the two
//! change processors from pair to pair.

use crate::busy::{Span, now_ms, throughput};
use crate::guest::{Guest, Start};
use crate::options::{Options, name};
use crate::side_by_side::hodges_lehmann;
use e2e::measure::table;
use std::thread;
use std::time::Duration;

const ENTRIES: u64 = 200_000;
const SECONDS: u64 = 30;
const PAIRS: usize = 6;
/// One capture soon after the agent was loaded, and none later.
const TIMES: &str = "mark-after=1s,capture-after=2s,recapture-every=1000s";
/// Compilers have done their work by then.
const WARM_UP: Duration = Duration::from_secs(30);
/// The capture is over by then.
const SETTLED: Duration = Duration::from_secs(10);
/// The line of the last tenth may not have been written yet.
const MARGIN: Duration = Duration::from_millis(300);

/// `tracking -- recorded`.
pub fn run(options: &Options) {
    let (entries, pairs) = (options.members.unwrap_or(ENTRIES), options.rounds.unwrap_or(PAIRS));
    let long = options.phase(SECONDS);
    println!("one thread on a map of {entries} entries, before and with record=; {pairs} pairs, {long:?} each\n");
    table::head(&["JDK", "GC", "recorded against before", "its 95 % interval", "least and most of the pairs"]);
    for (jvm, collector) in options.cells() {
        let arguments = vec![entries.to_string(), "1".to_owned()];
        let heap_megabytes = 500 + entries / 1000;
        let start = Start { jvm: &jvm, collector: &collector, heap_megabytes, program: "Busy", arguments };
        let mut ratios: Vec<f64> = (0..pairs).map(|pair| one(&start, long, pair)).collect();
        ratios.sort_by(f64::total_cmp);
        let [middle, low, high] = hodges_lehmann(&ratios);
        let [least, most] = [ratios.first(), ratios.last()].map(|end| end.copied().unwrap_or(f64::NAN));
        table::row(&[
            name(&jvm, &collector),
            format!("{middle:.3}"),
            format!("{low:.3}–{high:.3}"),
            format!("{least:.3}–{most:.3}"),
        ]);
    }
}

/// Change of the recorded program's throughput when the agent comes, against that of the other.
fn one(start: &Start<'_>, long: Duration, pair: usize) -> f64 {
    let (recorded, alone) = (start.alone(), start.alone());
    keep_apart(&recorded, &alone, pair % 2);
    thread::sleep(WARM_UP);
    let before = lasting(long);
    recorded.record(TIMES);
    thread::sleep(SETTLED);
    let after = lasting(long);
    thread::sleep(MARGIN);
    let change = |guest: &Guest| throughput(&guest.stdout(), after) / throughput(&guest.stdout(), before);
    change(&recorded) / change(&alone)
}

/// Lets the time pass.
fn lasting(long: Duration) -> Span {
    let from_ms = now_ms();
    thread::sleep(long);
    Span { from_ms, to_ms: now_ms() }
}

fn keep_apart(recorded: &Guest, alone: &Guest, processor: usize) {
    recorded.keep_on(processor);
    alone.keep_on(1 - processor);
}
