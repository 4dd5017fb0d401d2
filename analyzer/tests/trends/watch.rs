//! How a life is seen: visits at random times, as the sample bias and the other regions leave room, by a probe that
//! counts exactly or with a standard error; and the region that takes them in.

use super::life::{Life, normal};
use crate::random::Random;
use rootbound::tracking::{Point, TrackedRegion, bias_after};
use rootbound_wire::ids::ProbeId;
use rootbound_wire::message::{MOST_RECOGNISED, ProbeReport, Sighting, VisitMethod, VisitOutcome};

/// Time between two ticks, in seconds; at each, one region is visited.
const TICK_S: f64 = 0.1;
/// Visits that fail to arrive, of a hundred.
const MISSED_PERCENT: usize = 3;
/// Members that a probe knows again, and the largest structure in which it looks for them
/// (`agent/src/probe/members/known.rs`).
const KNOWN: f64 = 64.0;
const LARGEST_KNOWN: f64 = MOST_RECOGNISED as f64;

/// Who looks, and what else there is to look at.
#[derive(Clone, Copy)]
pub struct Watcher {
    /// Standard error of a size as a share of it; 0 for exact counts.
    pub error_share: f64,
    /// Sum of the biases of all other regions.
    pub others: f64,
}

/// What became of the watching.
pub struct Watched {
    pub region: TrackedRegion,
    pub visits: usize,
}

/// Watches a life for a number of seconds.
pub fn watch(life: &Life, seconds: f64, watcher: Watcher, random: &mut Random) -> Watched {
    let mut eye = Eye::new(watcher);
    let mut watched = Watched { region: TrackedRegion::new(life.size(0.0) as u64), visits: 0 };
    for tick in 0..(seconds / TICK_S) as u64 {
        let at_s = tick as f64 * TICK_S;
        if random.unit() >= f64::from(eye.bias) / (f64::from(eye.bias) + watcher.others) {
            continue;
        }
        let report = eye.visit(life, at_s, random);
        if random.percent(MISSED_PERCENT) {
            continue;
        }
        watched.visits += 1;
        let has_changed = watched.region.observe(&report);
        eye.bias = bias_after(&watched.region, has_changed).unwrap_or(eye.bias);
    }
    watched
}

/// Times of the agent's captures without an analyzer, in seconds (`agent/src/link/recording/schedule.rs`).
fn capture_times(seconds: f64) -> Vec<f64> {
    let (mut at_s, mut times) = (10.0, Vec::new());
    while at_s <= seconds {
        times.push(at_s);
        at_s += (at_s / 6.0).max(15.0);
    }
    times
}

/// Counts a life in captures alone.
pub fn capture(life: &Life, seconds: f64) -> Watched {
    let times = capture_times(seconds);
    let points: Vec<Point> = times.iter().map(|&at_s| Point { at_s, size: life.size(at_s), error: 0.0 }).collect();
    let mut region = TrackedRegion::new(life.size(0.0) as u64);
    region.judge_captures(&points);
    Watched { region, visits: points.len() }
}

/// A probe with its memory.
pub struct Eye {
    watcher: Watcher,
    pub bias: f32,
    /// Time, size as seen, and its error.
    last: Option<(f64, f64, f64)>,
}

impl Eye {
    pub fn new(watcher: Watcher) -> Self {
        Self { watcher, bias: 1.0, last: None }
    }

    pub fn visit(&mut self, life: &Life, at_s: f64, random: &mut Random) -> ProbeReport {
        let truth = life.size(at_s);
        let error = self.watcher.error_share * truth;
        let size = (truth + error * normal(random)).max(0.0);
        // The error is itself estimated.
        let size_error = error * (1.0 + 0.1 * normal(random)).max(0.5);
        let (additions, removals) = self.turnover(life, at_s, size, size_error, random);
        let slots = life.slots(at_s);
        let relinked = self.last.is_some_and(|(last_s, ..)| life.slots(last_s) != slots);
        self.last = Some((at_s, size, size_error));
        self.bias = after_visit(self.bias, additions, removals);
        let method = if error > 0.0 { VisitMethod::Sampled } else { VisitMethod::Full };
        let sighting = Sighting { size, size_error, additions, removals, relinked, slots, method };
        ProbeReport {
            probe: ProbeId(1),
            at_ms: (at_s * 1000.0) as u64,
            outcome: VisitOutcome::Seen(sighting),
            bias: self.bias,
            reads: 1,
            micros: 1,
        }
    }

    /// Additions and removals since the last visit: of small structures by members known again, else by the net.
    fn turnover(&self, life: &Life, at_s: f64, size: f64, error: f64, random: &mut Random) -> (f64, f64) {
        let Some((last_s, last, last_error)) = self.last else { return (0.0, 0.0) };
        let net = size - last;
        if error > 0.0 || size > LARGEST_KNOWN {
            let claimed = if net.abs() > 2.0 * error.hypot(last_error) { net } else { 0.0 };
            return (claimed.max(0.0), (-claimed).max(0.0));
        }
        let share = ((life.removed(at_s) - life.removed(last_s)) / last.max(1.0)).clamp(0.0, 1.0);
        let known = KNOWN.min(last);
        let missed = (0..known as usize).filter(|_| random.unit() < share).count() as f64;
        let removals = (missed / known.max(1.0) * last).max(-net).max(0.0);
        ((net + removals).max(0.0), removals)
    }
}

/// The agent's rule (`agent/src/probe/schedule/bias.rs`).
fn after_visit(bias: f32, additions: f64, removals: f64) -> f32 {
    let factor = if additions > removals {
        1.25
    } else if removals > additions {
        0.8
    } else if additions == 0.0 {
        0.9
    } else {
        1.0
    };
    (bias * factor).clamp(0.1, 1.0)
}
