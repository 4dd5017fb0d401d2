//! Effect of a capture on a busy program: operations a second and the longest single one, during captures and during
//! rest, in turns. A fork that leaves out the free parts of the heap is compared with one that does not. A capture's
//! time begins when it has ceased to wait for the end of a collection.

use crate::guest::{Guest, Start, switches};
use crate::options::Options;
use e2e::measure::machine::minor_faults;
use e2e::measure::table::{self, bytes, ms, or_dash, ratio};
use rootbound_wire::message::{CaptureDone, CaptureMethod, ChildReceipt};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const ENTRIES: u64 = 2_000_000;
const THREADS: usize = 2;
const CAPTURES: usize = 4;
const QUIET: Duration = Duration::from_secs(4);

/// One line of the program: a tenth of a second, or longer if it was paused.
struct Line {
    end_ms: u64,
    elapsed_ms: f64,
    operations: f64,
    worst_ms: f64,
}

/// Activity during a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Nothing,
    Fork,
    WholeFork,
    InProcess,
}

const ALL: [What; 4] = [What::Nothing, What::Fork, What::WholeFork, What::InProcess];

impl What {
    fn name(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Fork => "fork",
            Self::WholeFork => "fork, nothing left out",
            Self::InProcess => "in-process",
        }
    }
}

/// A stretch of time with one activity.
struct Phase {
    what: What,
    from_ms: u64,
    to_ms: u64,
    /// Receipt of the capture, if it was one.
    done: Option<CaptureDone>,
    /// Pages that were no longer shared when they were written, so that nothing was copied; over all processes.
    reused: Option<u64>,
    /// The program's page faults.
    faults: Option<u64>,
}

impl Phase {
    fn lasted_ms(&self) -> f64 {
        (self.to_ms - self.from_ms) as f64
    }

    /// Pages that the program copied in a phase with a child: its faults without writes to pages that were no longer
    /// shared, and without the `usual` faults of a millisecond, which are first touches.
    fn copied(&self, usual: f64) -> Option<f64> {
        let faults = self.done.as_ref()?.child.as_ref()?.parent_faults?;
        Some((faults as f64 - self.reused? as f64 - usual * self.lasted_ms()).max(0.0))
    }
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
        "stop",
        "pages copied or touched by the program",
        "of these not shared any more",
        "copied, without what it touches undisturbed",
        "child's processor time",
        "copied ahead",
        "longest collection",
        "left out",
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
            let base = throughput(&within(&lines, &phases, What::Nothing));
            for what in ALL {
                let mine = within(&lines, &phases, what);
                emit(&jvm.version.to_string(), collector.name, what, &mine, base, &phases);
            }
        }
    }
}

/// Rest, one method, rest, another method, rest … The methods change places from round to round.
fn in_turns(guest: &mut Guest, captures: usize) -> Vec<Phase> {
    let mut phases = Vec::new();
    for round in 0..captures {
        let mut ways = [What::Fork, What::WholeFork, What::InProcess];
        ways.rotate_left(round % 3);
        for what in ways {
            let (from_ms, before) = (now_ms(), minor_faults(guest.pid()));
            thread::sleep(QUIET);
            let faults = minor_faults(guest.pid()).zip(before).map(|(now, then)| now.saturating_sub(then));
            phases.push(Phase { what: What::Nothing, from_ms, to_ms: now_ms(), done: None, reused: None, faults });
            phases.push(capture(guest, what));
            // Work of the agent after a phase belongs to no phase.
            thread::sleep(Duration::from_millis(500));
        }
    }
    phases
}

fn capture(guest: &mut Guest, what: What) -> Phase {
    let (from_ms, before) = (now_ms(), reused());
    let captured = match what {
        What::WholeFork => guest.capture_by_whole_fork(),
        What::InProcess => guest.capture(CaptureMethod::InProcess),
        What::Fork | What::Nothing => guest.capture(CaptureMethod::Fork),
    };
    if let Some(failure) = captured.failure() {
        eprintln!("{}: {failure}", what.name());
    }
    let waited = captured.done.child.map_or(0.0, |child| child.waited_ms);
    Phase {
        what,
        from_ms: from_ms + waited as u64,
        to_ms: now_ms(),
        done: Some(captured.done),
        reused: reused().zip(before).map(|(now, then)| now - then),
        faults: None,
    }
}

/// Faults in a millisecond of the undisturbed program.
fn usual_faults(phases: &[Phase]) -> f64 {
    let known = || phases.iter().filter_map(|phase| Some((phase.faults?, phase.lasted_ms())));
    let (faults, ms) = known().fold((0, 0.0), |(faults, ms), (more, longer)| (faults + more, ms + longer));
    faults as f64 / f64::max(ms, 1.0)
}

fn reused() -> Option<u64> {
    let counters = std::fs::read_to_string("/proc/vmstat").ok()?;
    counters.lines().find_map(|line| line.strip_prefix("pgreuse "))?.parse().ok()
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

/// The lines within phases of that kind. A line that overlaps a capture belongs to the capture.
fn within<'l>(lines: &'l [Line], phases: &[Phase], what: What) -> Vec<&'l Line> {
    let belongs = |line: &&Line| {
        let (begin, end) = (line.end_ms.saturating_sub(line.elapsed_ms as u64), line.end_ms);
        let of = |phase: &&Phase| match what {
            What::Nothing => phase.from_ms <= begin && end <= phase.to_ms,
            _ => phase.from_ms < end && begin < phase.to_ms,
        };
        phases.iter().filter(|phase| phase.what == what).any(|phase| of(&phase))
    };
    lines.iter().filter(belongs).collect()
}

fn throughput(lines: &[&Line]) -> f64 {
    let sum = |of: fn(&Line) -> f64| lines.iter().map(|line| of(line)).sum::<f64>();
    sum(|line| line.operations) / sum(|line| line.elapsed_ms) * 1e3
}

fn emit(jdk: &str, gc: &str, what: What, lines: &[&Line], base: f64, phases: &[Phase]) {
    let mut rates: Vec<f64> = lines.iter().map(|line| line.operations / line.elapsed_ms * 1e3).collect();
    rates.sort_by(f64::total_cmp);
    let worst: Vec<f64> = lines.iter().map(|line| line.worst_ms).collect();
    let usual = usual_faults(phases);
    let mine = || phases.iter().filter(|phase| phase.what == what);
    let of_phases = |of: &dyn Fn(&Phase) -> Option<f64>| {
        let all: Vec<f64> = mine().filter_map(of).collect();
        (!all.is_empty()).then(|| table::median(all))
    };
    let of_captures =
        |of: &dyn Fn(&CaptureDone) -> Option<f64>| of_phases(&|phase: &Phase| phase.done.as_ref().and_then(of));
    let of_children =
        |of: &dyn Fn(&ChildReceipt) -> Option<f64>| of_captures(&|done: &CaptureDone| done.child.as_ref().and_then(of));
    table::row(&[
        jdk.to_owned(),
        gc.to_owned(),
        what.name().to_owned(),
        format!("{:.0}", throughput(lines)),
        ratio(throughput(lines), base),
        or_dash(rates.get(rates.len() / 100), |rate| format!("{rate:.0}")),
        ms(worst.iter().copied().fold(0.0, f64::max)),
        ms(table::median(worst)),
        ms(table::median(mine().map(Phase::lasted_ms).collect())),
        of_captures(&|done| Some(done.pause_ms)).map_or_else(String::new, ms),
        pages(of_children(&|child| child.parent_faults.map(|faults| faults as f64))),
        pages(of_phases(&|phase| phase.reused.map(|reused| reused as f64))),
        pages(of_phases(&|phase| phase.copied(usual))),
        of_children(&|child| Some(child.cpu_ms)).map_or_else(String::new, ms),
        of_children(&|child| Some(child.copied_ahead_bytes as f64)).map_or_else(String::new, |sum| bytes(sum as u64)),
        of_children(&|child| Some(child.longest_collection_ms)).map_or_else(String::new, ms),
        of_children(&|child| Some(child.left_out_bytes as f64)).map_or_else(String::new, |sum| bytes(sum as u64)),
    ]);
}

fn pages(count: Option<f64>) -> String {
    count.map_or_else(String::new, |count| format!("{count:.0}"))
}
