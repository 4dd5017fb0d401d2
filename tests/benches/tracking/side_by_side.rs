//! Effect of tracking on a busy program, by comparison with itself. Two JVMs with one busy thread each run at the same
//! time, each on a processor of its own with all its threads, the agent's included. One is tracked while in the other
//! tracking rests, and then vice versa. Effects of the machine on both at the same time are in neither ratio. A faster
//! JVM or processor is in both ratios, with opposite effects: their geometric mean contains tracking alone.

use crate::busy::{Span, now_ms, throughput};
use crate::guest::{Guest, Start};
use crate::options::{Options, name};
use crate::watched::{Watched, settings};
use e2e::measure::table;
use std::time::{Duration, Instant};

const ENTRIES: u64 = 200_000;
const SECONDS: u64 = 1;
const ROUNDS: usize = 100;
const TICK_MS: u64 = 100;
/// The agent has received the command, and visits or rests.
const MARGIN: Duration = Duration::from_millis(300);
/// Compilers have done their work by then.
const WARM_UP: Duration = Duration::from_secs(20);
/// Time between two checks of one JVM while the other is checked, too.
const LOOK: Duration = Duration::from_millis(50);
/// Two-sided 95 % of the normal distribution.
const Z_95: f64 = 1.96;

/// One of the two.
struct Side {
    guest: Guest,
    watched: Watched,
}

/// `tracking -- side-by-side`.
pub fn run(options: &Options) {
    let (entries, rounds) = (options.members.unwrap_or(ENTRIES), options.rounds.unwrap_or(ROUNDS));
    let (long, tick) = (options.phase(SECONDS), options.tick(TICK_MS));
    println!(
        "two JVMs beside one another, one thread each on a map of {entries} entries; a visit every {tick:?}; {rounds} rounds \
         of {long:?} and {long:?}\n"
    );
    table::head(&[
        "JDK",
        "GC",
        "tracked against tracking that rests",
        "its 95 % interval",
        "quartiles of the rounds",
        "visits",
    ]);
    for (jvm, collector) in options.cells() {
        let arguments = vec![entries.to_string(), "1".to_owned()];
        let heap_megabytes = 500 + entries / 1000;
        let start = Start { jvm: &jvm, collector: &collector, heap_megabytes, program: "Busy", arguments };
        let mut sides = [0, 1].map(|processor| side(&start, tick, processor));
        sides.iter_mut().for_each(|side| side.watched.visits.clear());
        let ratios = (0..rounds).map(|round| one(&mut sides, long, round)).collect();
        let visits = sides.iter().map(|side| side.watched.visits.len()).sum();
        emit(&name(&jvm, &collector), ratios, visits);
    }
}

fn side(start: &Start<'_>, tick: Duration, processor: usize) -> Side {
    let (guest, watched) = start.tracked(settings(tick, WARM_UP));
    guest.keep_on(processor);
    Side { guest, watched }
}

/// Speed of a tracked side relative to an untracked one, both sides having been tracked once.
fn one(sides: &mut [Side; 2], long: Duration, round: usize) -> f64 {
    let first = round % 2;
    let (one, other) = (phase(sides, first, long), phase(sides, 1 - first, long));
    (one * other).sqrt()
}

/// Throughput of the tracked side against the other.
fn phase(sides: &mut [Side; 2], tracked: usize, long: Duration) -> f64 {
    for (number, side) in sides.iter_mut().enumerate() {
        side.watched.work(number == tracked);
    }
    listen(sides, MARGIN);
    let from_ms = now_ms();
    listen(sides, long);
    let span = Span { from_ms, to_ms: now_ms() };
    // The line of the last tenth may not have been written yet.
    listen(sides, MARGIN);
    let [one, other] = [tracked, 1 - tracked].map(|number| throughput(&sides[number].guest.stdout(), span));
    one / other
}

fn listen(sides: &mut [Side; 2], long: Duration) {
    let end = Instant::now() + long;
    while Instant::now() < end {
        sides.iter_mut().for_each(|side| side.watched.listen(LOOK));
    }
}

fn emit(name: &str, mut ratios: Vec<f64>, visits: usize) {
    ratios.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let place = (share.clamp(0.0, 1.0) * (ratios.len().saturating_sub(1)) as f64).round() as usize;
        ratios.get(place).copied().unwrap_or(f64::NAN)
    };
    let [middle, low, high] = hodges_lehmann(&ratios);
    table::row(&[
        name.to_owned(),
        format!("{middle:.4}"),
        format!("{low:.4}–{high:.4}"),
        format!("{:.3}–{:.3}", at(0.25), at(0.75)),
        visits.to_string(),
    ]);
}

/// The middle of the rounds with its 95 % interval: the median of the means of all pairs (Hodges, Lehmann 1963). No
/// single outlier moves it, and it needs two thirds of the rounds that a median needs. The interval is that of
/// Wilcoxon's signed ranks.
pub fn hodges_lehmann(values: &[f64]) -> [f64; 3] {
    let pairs =
        values.iter().enumerate().flat_map(|(at, one)| values[..=at].iter().map(move |other| (one + other) / 2.0));
    let mut means: Vec<f64> = pairs.collect();
    means.sort_by(f64::total_cmp);
    let n = values.len() as f64;
    let aside = Z_95 * (n * (n + 1.0) * (2.0 * n + 1.0) / 24.0).sqrt();
    let middle = (means.len() as f64 - 1.0) / 2.0;
    let at = |place: f64| means.get(place.round().max(0.0) as usize).copied().unwrap_or(f64::NAN);
    [at(middle), at(middle - aside), at(middle + aside)]
}
