//! What a busy program feels of a capture: operations a second and the longest single one, while it is captured and
//! while nothing happens, in turns.

use crate::capture::name;
use crate::guest::{Guest, Start, switches};
use crate::options::Options;
use e2e::measure::table::{self, ms, or_dash, ratio};
use rootbound_wire::message::CaptureMethod;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const ENTRIES: u64 = 2_000_000;
const THREADS: usize = 2;
const CAPTURES: usize = 4;
const QUIET: Duration = Duration::from_secs(4);

/// One line of the program: a tenth of a second, or longer if it was stopped.
struct Line {
    end_ms: u64,
    elapsed_ms: f64,
    operations: f64,
    worst_ms: f64,
}

/// A stretch of time in which one thing was done.
struct Phase {
    what: Option<CaptureMethod>,
    from_ms: u64,
    to_ms: u64,
}

/// `captures -- feel`.
pub fn run(options: &Options) {
    let (entries, threads) = (options.objects.unwrap_or(ENTRIES), options.threads.unwrap_or(THREADS));
    println!("{threads} threads on a map of {entries} entries (4 objects each)\n");
    table::head(&[
        "JDK",
        "GC",
        "while",
        "operations a second",
        "against nothing",
        "in the slowest 1 % of the tenths of seconds",
        "worst operation",
        "median of the worst",
        "lasted",
    ]);
    for jvm in options.jvms() {
        for collector in options.collectors(&jvm, &["G1"]) {
            let arguments = vec![entries.to_string(), threads.to_string()];
            let switches = switches(collector.switches, 1000 + entries / 300);
            let mut guest = Start { jvm: &jvm, switches, program: "Load", arguments, agent_options: "" }.ready();
            thread::sleep(Duration::from_secs(5));
            let phases = in_turns(&mut guest, options.captures.unwrap_or(CAPTURES));
            thread::sleep(Duration::from_millis(300));
            let lines: Vec<Line> = guest.stdout().lines().filter_map(read).collect();
            let base = throughput(&within(&lines, &phases, None));
            for what in [None, Some(CaptureMethod::Fork), Some(CaptureMethod::InProcess)] {
                let mine = within(&lines, &phases, what);
                tell(&jvm.version.to_string(), collector.name, what, &mine, base, &phases);
            }
        }
    }
}

/// Nothing, fork, nothing, in process, nothing …
fn in_turns(guest: &mut Guest, captures: usize) -> Vec<Phase> {
    let mut phases = Vec::new();
    for _ in 0..captures {
        for method in [CaptureMethod::Fork, CaptureMethod::InProcess] {
            let from_ms = now_ms();
            thread::sleep(QUIET);
            phases.push(Phase { what: None, from_ms, to_ms: now_ms() });
            let from_ms = now_ms();
            let captured = guest.capture(method);
            if let Some(failure) = captured.failure() {
                eprintln!("{}: {failure}", name(method));
            }
            phases.push(Phase { what: Some(method), from_ms, to_ms: now_ms() });
            // What the agent gives back afterwards belongs to nobody.
            thread::sleep(Duration::from_millis(500));
        }
    }
    phases
}

fn now_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

/// `AT endMillis elapsedMicros operations worstMicros`.
fn read(line: &str) -> Option<Line> {
    let mut numbers = line.strip_prefix("AT ")?.split(' ').map(str::parse::<f64>);
    let mut next = || numbers.next()?.ok();
    let (end_ms, elapsed, operations, worst) = (next()?, next()?, next()?, next()?);
    Some(Line { end_ms: end_ms as u64, elapsed_ms: elapsed / 1e3, operations, worst_ms: worst / 1e3 })
}

/// The lines that lie in phases of that kind. A line that reaches into a capture belongs to the capture.
fn within<'l>(lines: &'l [Line], phases: &[Phase], what: Option<CaptureMethod>) -> Vec<&'l Line> {
    let belongs = |line: &&Line| {
        let (begin, end) = (line.end_ms.saturating_sub(line.elapsed_ms as u64), line.end_ms);
        let of = |phase: &&Phase| match what {
            None => phase.from_ms <= begin && end <= phase.to_ms,
            Some(_) => phase.from_ms < end && begin < phase.to_ms,
        };
        phases.iter().filter(|phase| phase.what == what).any(|phase| of(&phase))
    };
    lines.iter().filter(belongs).collect()
}

fn throughput(lines: &[&Line]) -> f64 {
    let sum = |of: fn(&Line) -> f64| lines.iter().map(|line| of(line)).sum::<f64>();
    sum(|line| line.operations) / sum(|line| line.elapsed_ms) * 1e3
}

fn tell(jdk: &str, gc: &str, what: Option<CaptureMethod>, lines: &[&Line], base: f64, phases: &[Phase]) {
    let mut rates: Vec<f64> = lines.iter().map(|line| line.operations / line.elapsed_ms * 1e3).collect();
    rates.sort_by(f64::total_cmp);
    let worst: Vec<f64> = lines.iter().map(|line| line.worst_ms).collect();
    let lengths = phases.iter().filter(|phase| phase.what == what).map(|phase| (phase.to_ms - phase.from_ms) as f64);
    table::row(&[
        jdk.to_owned(),
        gc.to_owned(),
        what.map_or("nothing", name).to_owned(),
        format!("{:.0}", throughput(lines)),
        ratio(throughput(lines), base),
        or_dash(rates.get(rates.len() / 100), |rate| format!("{rate:.0}")),
        ms(worst.iter().copied().fold(0.0, f64::max)),
        ms(table::median(worst)),
        ms(table::median(lengths.collect())),
    ]);
}
