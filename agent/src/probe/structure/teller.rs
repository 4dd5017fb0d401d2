//! From the sizes that one probe sees to what its visits tell of members that came and left. Reads nothing.

use crate::probe::counter::counter::Reading;
use crate::probe::large::wide::Found;
use crate::probe::members::members::Turnover;
use crate::probe::members::way::Look;
use rootbound_wire::message::{Sighting, VisitMethod, VisitOutcome};

const NOTHING: Turnover = Turnover { additions: 0.0, removals: 0.0 };

/// What was told by the visits before.
pub struct Teller {
    last: Option<(f64, f64)>,
    /// Told since the last whole count within a visit.
    told: Turnover,
}

impl Default for Teller {
    fn default() -> Self {
        Self { last: None, told: NOTHING }
    }
}

impl Teller {
    /// The size that was told last.
    pub fn last_size(&self) -> Option<f64> {
        self.last.map(|(size, _)| size)
    }

    /// What a whole count within a visit found of the turnover, less what was told of it since the last such count.
    pub fn untold(&mut self, turnover: Option<Turnover>) -> Option<Turnover> {
        let rest = |all: f64, told: f64| (all - told).max(0.0);
        let told = std::mem::replace(&mut self.told, NOTHING);
        turnover.map(|all| Turnover {
            additions: rest(all.additions, told.additions),
            removals: rest(all.removals, told.removals),
        })
    }

    /// What is known of members that came and left, else the net change; within twice the error nothing is claimed.
    pub fn sighting(&mut self, ((size, size_error), turnover, method): Found, look: Look) -> VisitOutcome {
        let net = match self.last {
            Some((last, last_error)) if size_error.is_finite() => {
                let change = size - last;
                if change.abs() > 2.0 * size_error.hypot(last_error) { change } else { 0.0 }
            }
            _ => 0.0,
        };
        if size_error.is_finite() {
            self.last = Some((size, size_error));
        }
        let known = turnover.unwrap_or(Turnover { additions: net.max(0.0), removals: (-net).max(0.0) });
        let Turnover { additions, removals } = known;
        if turnover.is_none() && method != VisitMethod::Full {
            self.told =
                Turnover { additions: self.told.additions + additions, removals: self.told.removals + removals };
        }
        let Look { relinked, slots } = look;
        VisitOutcome::Seen(Sighting { size, size_error, additions, removals, relinked, slots, method })
    }
}

/// Whether the size that a counter tells can be told on: it has followed the size, or it was the size and stands still.
pub fn tells(reading: &Reading) -> bool {
    (reading.is_trusted || !reading.has_moved) && !reading.is_strange
}

/// What a counter says.
pub fn by(reading: &Reading) -> Found {
    ((reading.size, reading.error), None, VisitMethod::Counter { counter: reading.counter as u16 })
}

/// There is no size, for this reason.
pub fn failed(reason: &str) -> VisitOutcome {
    VisitOutcome::Failed(reason.to_owned())
}
