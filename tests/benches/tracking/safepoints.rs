//! Safepoints while structures are tracked, while tracking rests, and at the same time in the same program without the
//! agent, counted from the JVMs' own logs.

use crate::guest::{Guest, Start};
use crate::options::{Options, name};
use crate::watched::settings;
use e2e::measure::table;
use std::collections::BTreeMap;
use std::thread;
use std::time::Duration;

const SECONDS: u64 = 30;
const ROUNDS: usize = 3;
const TICK_MS: u64 = 100;
/// The rest of a command that still runs belongs to no phase.
const MARGIN: Duration = Duration::from_millis(500);

/// Safepoints by operation.
type Census = BTreeMap<String, u64>;

/// Three censuses of the same length: tracking, resting, and without the agent in both phases.
#[derive(Default)]
struct Censuses {
    tracking: Census,
    resting: Census,
    alone: [Census; 2],
}

/// `tracking -- safepoints`.
pub fn run(options: &Options) {
    let (long, rounds) = (options.phase(SECONDS), options.rounds.unwrap_or(ROUNDS));
    let tick = options.tick(TICK_MS);
    println!("fifty structures, a visit every {tick:?}; {rounds} phases of {long:?} each, in turns\n");
    table::head(&[
        "JDK",
        "GC",
        "operation",
        "while tracking",
        "visits meanwhile",
        "while tracking rests",
        "without the agent, at the time of tracking",
        "at the time of rest",
    ]);
    for (jvm, collector) in options.cells() {
        let start = Start { jvm: &jvm, collector: &collector, heap_megabytes: 128, program: "Many", arguments: vec![] };
        let alone = start.alone();
        let (guest, mut watched) = start.tracked(settings(tick, Duration::from_secs(6)));
        watched.visits.clear();
        let mut found = Censuses::default();
        for _ in 0..rounds {
            for works in [true, false] {
                watched.work(works);
                watched.listen(MARGIN);
                let before = (guest.safepoint_log().len(), alone.safepoint_log().len());
                watched.listen(long);
                let mine = if works { &mut found.tracking } else { &mut found.resting };
                count(&guest, before.0, mine);
                count(&alone, before.1, &mut found.alone[usize::from(!works)]);
            }
        }
        thread::sleep(MARGIN);
        emit(&name(&jvm, &collector), &found, watched.visits.len());
    }
}

/// Adds the safepoints of a log from the offset `from` on.
fn count(guest: &Guest, from: usize, to: &mut Census) {
    for operation in guest.safepoint_log()[from..].lines().filter_map(operation) {
        *to.entry(operation.to_owned()).or_default() += 1;
    }
}

/// `[12ms][info][safepoint] Safepoint "Cleanup", Time since last: …`; before release 13
/// `… Entering safepoint region: Cleanup`.
fn operation(line: &str) -> Option<&str> {
    let quoted = line.split_once("Safepoint \"").and_then(|(_, rest)| rest.split('"').next());
    quoted.or_else(|| line.split_once("Entering safepoint region: ").map(|(_, rest)| rest.trim()))
}

fn emit(name: &str, found: &Censuses, visits: usize) {
    let all = [&found.tracking, &found.resting, &found.alone[0], &found.alone[1]];
    let mut operations: Vec<&String> = all.iter().flat_map(|census| census.keys()).collect();
    operations.sort();
    operations.dedup();
    let row = |operation: &str, of: &dyn Fn(&Census) -> u64| {
        let figures = all.map(|census| of(census).to_string());
        let [tracking, resting, beside_tracking, beside_rest] = &figures;
        table::row(&[name, operation, tracking, &visits.to_string(), resting, beside_tracking, beside_rest]);
    };
    for operation in operations {
        row(operation, &|census| census.get(operation).copied().unwrap_or(0));
    }
    row("all", &|census| census.values().sum());
}
