//! Turns the sizes that one probe finds into reports of members that came and left. Reads nothing.

use crate::probe::counter::candidates::Reading;
use crate::probe::failure::VisitFailure;
use crate::probe::large::large_structure::Found;
use crate::probe::members::known::Turnover;
use crate::probe::members::owner_path::PathState;
use rootbound_wire::message::{Sighting, VisitMethod, VisitOutcome};

const NOTHING: Turnover = Turnover { additions: 0.0, removals: 0.0 };

/// The reports of the visits before.
pub struct VisitReporter {
    last: Option<(f64, f64)>,
    /// Reported since the last whole count within a visit.
    reported: Turnover,
}

impl Default for VisitReporter {
    fn default() -> Self {
        Self { last: None, reported: NOTHING }
    }
}

impl VisitReporter {
    /// The size that was reported last.
    pub fn last_size(&self) -> Option<f64> {
        self.last.map(|(size, _)| size)
    }

    /// The turnover that a whole count within a visit found, less the part reported since the last such count.
    pub fn unreported(&mut self, turnover: Option<Turnover>) -> Option<Turnover> {
        let rest = |all: f64, reported: f64| (all - reported).max(0.0);
        let reported = std::mem::replace(&mut self.reported, NOTHING);
        turnover.map(|all| Turnover {
            additions: rest(all.additions, reported.additions),
            removals: rest(all.removals, reported.removals),
        })
    }

    /// A sighting with the known turnover, otherwise the net change; a change within twice the error is not claimed.
    pub fn sighting(&mut self, ((size, size_error), turnover, method): Found, state: PathState) -> VisitOutcome {
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
            self.reported = Turnover {
                additions: self.reported.additions + additions,
                removals: self.reported.removals + removals,
            };
        }
        let PathState { relinked, slots } = state;
        VisitOutcome::Seen(Sighting { size, size_error, additions, removals, relinked, slots, method })
    }
}

/// Whether a counter's size can be reported: the counter has followed the size, or it equalled the size and has not
/// moved.
pub fn is_usable(reading: &Reading) -> bool {
    (reading.is_trusted || !reading.has_moved) && !reading.counters_disagree
}

/// The size by a counter.
pub fn from_counter(reading: &Reading) -> Found {
    ((reading.size, reading.error), None, VisitMethod::Counter { counter: reading.counter as u16 })
}

/// An outcome without a size, for this reason.
pub fn failed(reason: VisitFailure) -> VisitOutcome {
    VisitOutcome::Failed(reason.to_string())
}
