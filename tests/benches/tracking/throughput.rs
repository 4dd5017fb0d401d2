//! Effect of tracking on a busy program: operations a second while its structures are tracked, while tracking rests,
//! and in a second JVM without the agent, in turns. The JVMs that do not have their turn are frozen.

use crate::busy::{Span, now_ms, throughput};
use crate::guest::{Guest, Start};
use crate::options::{Options, name};
use crate::watched::{Watched, settings};
use e2e::measure::table;
use std::thread;
use std::time::Duration;

const ENTRIES: u64 = 200_000;
const THREADS: usize = 2;
const SECONDS: u64 = 5;
const ROUNDS: usize = 20;
const TICK_MS: u64 = 100;
/// A program that was frozen first has to fill its caches again.
const MARGIN: Duration = Duration::from_millis(500);
/// Compilers have done their work by then.
const WARM_UP: Duration = Duration::from_secs(20);

/// Subject of one phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Tracking,
    Resting,
    Alone,
}

/// `tracking -- throughput`.
pub fn run(options: &Options) {
    let (entries, threads) = (options.members.unwrap_or(ENTRIES), options.threads.unwrap_or(THREADS));
    let (long, rounds, tick) = (options.phase(SECONDS), options.rounds.unwrap_or(ROUNDS), options.tick(TICK_MS));
    println!(
        "{threads} threads on a map of {entries} entries; a visit every {tick:?}; {rounds} rounds of {long:?} each\n"
    );
    table::head(&[
        "JDK",
        "GC",
        "while",
        "operations a second, median of the rounds",
        "against the rest of the same round, median",
        "its quartiles",
        "visits",
        "regions",
    ]);
    for (jvm, collector) in options.cells() {
        let arguments = vec![entries.to_string(), threads.to_string()];
        let heap_megabytes = 500 + entries / 1000;
        let start = Start { jvm: &jvm, collector: &collector, heap_megabytes, program: "Busy", arguments };
        let alone = start.alone();
        thread::sleep(WARM_UP);
        alone.freeze(true);
        let (guest, mut watched) = start.tracked(settings(tick, WARM_UP));
        watched.visits.clear();
        let rounds = (0..rounds).map(|round| one(&guest, &mut watched, &alone, long, round)).collect::<Vec<_>>();
        let facts = [watched.visits.len().to_string(), watched.followed().to_string()];
        emit(&name(&jvm, &collector), &rounds, &facts);
    }
}

/// Operations a second in each phase of a round. Rounds begin in turns with another phase, so that warm-up, filling and
/// disturbances affect all of them.
fn one(guest: &Guest, watched: &mut Watched, alone: &Guest, long: Duration, round: usize) -> [f64; 3] {
    let mut phases = [Phase::Tracking, Phase::Resting, Phase::Alone];
    phases.rotate_left(round % 3);
    let mut found = [0.0; 3];
    for phase in phases {
        let on_turn = if phase == Phase::Alone { alone } else { guest };
        guest.freeze(phase == Phase::Alone);
        alone.freeze(phase != Phase::Alone);
        if phase != Phase::Alone {
            watched.work(phase == Phase::Tracking);
        }
        watched.listen(MARGIN);
        let from_ms = now_ms();
        watched.listen(long);
        let span = Span { from_ms, to_ms: now_ms() };
        // The line of the last tenth may not have been written yet.
        watched.listen(MARGIN);
        found[phase as usize] = throughput(&on_turn.stdout(), span);
    }
    guest.freeze(false);
    found
}

fn emit(name: &str, rounds: &[[f64; 3]], facts: &[String; 2]) {
    for (phase, what) in [(Phase::Tracking, "tracked"), (Phase::Resting, "tracking rests"), (Phase::Alone, "no agent")]
    {
        let all: Vec<f64> = rounds.iter().map(|round| round[phase as usize]).collect();
        let mut ratios: Vec<f64> =
            rounds.iter().map(|round| round[phase as usize] / round[Phase::Resting as usize]).collect();
        ratios.sort_by(f64::total_cmp);
        let quartile = |share: usize| ratios.get(ratios.len() * share / 4).copied().unwrap_or(f64::NAN);
        let is_tracked = phase == Phase::Tracking;
        table::row(&[
            name.to_owned(),
            what.to_owned(),
            format!("{:.0}", table::median(all)),
            format!("{:.4}", quartile(2)),
            format!("{:.3}–{:.3}", quartile(1), quartile(3)),
            if is_tracked { facts[0].clone() } else { String::new() },
            if is_tracked { facts[1].clone() } else { String::new() },
        ]);
    }
}
