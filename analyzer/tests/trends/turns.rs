//! Many regions under one tick, as the agent serves them (`agent/src/probe/schedule/tracker.rs`): it goes round, draws
//! each by its bias, and visits the first whose draw succeeds.

use super::life::Life;
use super::watch::{Eye, Watcher};
use crate::random::Random;
use rootbound::tracking::{TrackedRegion, bias_after};

/// Time between two ticks, in seconds.
const TICK_S: f64 = 0.1;

/// One region under observation.
pub struct Seat {
    pub life: Life,
    pub region: TrackedRegion,
    /// When it was visited.
    pub visits_s: Vec<f64>,
    eye: Eye,
}

impl Seat {
    pub fn new(life: Life) -> Self {
        let region = TrackedRegion::new(life.size(0.0) as u64);
        let eye = Eye::new(Watcher { error_share: 0.0, others: 0.0 });
        Self { life, region, visits_s: Vec::new(), eye }
    }

    fn visit(&mut self, at_s: f64, random: &mut Random) {
        let report = self.eye.visit(&self.life, at_s, random);
        self.visits_s.push(at_s);
        let has_changed = self.region.observe(&report);
        self.eye.bias = bias_after(&self.region, has_changed).unwrap_or(self.eye.bias);
    }

    /// Visits a minute from then on.
    pub fn visits_per_min(&self, from_s: f64, until_s: f64) -> f64 {
        let count = self.visits_s.iter().filter(|&&at_s| at_s >= from_s).count();
        count as f64 / (until_s - from_s) * 60.0
    }

    /// The longest time between two visits.
    pub fn longest_gap_s(&self) -> f64 {
        self.visits_s.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max)
    }
}

/// Serves all regions for so long; `after_tick` looks on.
pub fn serve(seats: &mut [Seat], seconds: f64, random: &mut Random, mut after_tick: impl FnMut(f64, &[Seat])) {
    let mut turn = 0;
    for tick in 0..(seconds / TICK_S) as u64 {
        let at_s = tick as f64 * TICK_S;
        for _ in 0..seats.len() {
            let chosen = turn % seats.len();
            turn = chosen + 1;
            if random.unit() < f64::from(seats[chosen].eye.bias) {
                seats[chosen].visit(at_s, random);
                break;
            }
        }
        after_tick(at_s, seats);
    }
}
