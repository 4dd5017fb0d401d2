//! Turns the sizes that one probe finds into reports of members that came and left. Reads nothing.

use crate::probe::counter::candidates::Reading;
use crate::probe::failure::VisitFailure;
use crate::probe::members::owner_path::PathState;
use crate::probe::observation::{Observation, Turnover};
use rootbound_wire::message::{Sighting, VisitMethod, VisitOutcome};

/// A change within this number of standard errors is not claimed.
const CLAIMED_ERRORS: f64 = 2.0;

/// The reports of the visits before.
#[derive(Default)]
pub struct VisitReporter {
    last: Option<Observation>,
    /// Reported since the last whole count within a visit.
    reported: Turnover,
}

impl VisitReporter {
    /// The size that was reported last.
    pub fn last_size(&self) -> Option<f64> {
        self.last.map(|last| last.size)
    }

    /// The turnover that a whole count within a visit found, less the part reported since the last such count.
    pub fn unreported(&mut self, turnover: Option<Turnover>) -> Option<Turnover> {
        let rest = |all: f64, reported: f64| (all - reported).max(0.0);
        let reported = std::mem::take(&mut self.reported);
        turnover.map(|all| Turnover {
            additions: rest(all.additions, reported.additions),
            removals: rest(all.removals, reported.removals),
        })
    }

    /// A sighting with the known turnover, otherwise the net change.
    pub fn sighting(&mut self, seen: Observation, state: PathState) -> VisitOutcome {
        let changed = self.last.filter(|last| seen.differs(last, CLAIMED_ERRORS, 0.0));
        if seen.is_known() {
            self.last = Some(seen);
        }
        let net = || Turnover::net(changed.map_or(0.0, |last| seen.size - last.size));
        let Turnover { additions, removals } = seen.turnover.unwrap_or_else(net);
        if seen.turnover.is_none() && seen.method != VisitMethod::Full {
            self.reported.additions += additions;
            self.reported.removals += removals;
        }
        let PathState { relinked, slots } = state;
        let Observation { size, error: size_error, method, .. } = seen;
        VisitOutcome::Seen(Sighting { size, size_error, additions, removals, relinked, slots, method })
    }
}

/// Whether a counter's size can be reported: the counter has followed the size, or it equalled the size and has not
/// moved.
pub fn is_usable(reading: &Reading) -> bool {
    (reading.is_trusted || !reading.has_moved) && !reading.counters_disagree
}

/// The size by a counter.
pub fn from_counter(reading: &Reading) -> Observation {
    Observation::new(reading.size, reading.error, VisitMethod::Counter { counter: reading.counter as u16 })
}

/// An outcome without a size, for this reason.
pub fn failed(reason: VisitFailure) -> VisitOutcome {
    VisitOutcome::Failed(reason.to_string())
}
