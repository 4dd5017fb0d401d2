//! One snapshot under way: the result of the survey, the methods left to try, and the records received so far.

use super::forecast::Forecast;
use super::methods::{self, Candidate};
use crate::heap::HeapBuilder;
use rootbound_wire::ids::SnapshotId;
use rootbound_wire::message::{CaptureFault, CaptureMethod, Survey};
use std::collections::VecDeque;

/// Number of forks that are tried. A child that was forked while another thread held a lock of the JVM never ends its
/// walk; under load this happens to one child in a hundred. Another fork is better than a pause.
const FORKS: usize = 3;

/// From a survey to the end of the captures that it led to.
#[derive(Debug, Default)]
pub(super) struct Cycle {
    pub(super) survey: Survey,
    /// Methods still to be tried, the one that the program feels least first.
    left: VecDeque<Forecast>,
    /// Method that is being tried.
    pub(super) tried: Option<Forecast>,
    /// Reasons why other methods were not used, or failed.
    pub(super) reasons: Vec<String>,
    /// Reason for which the cycle was begun, unless it is the first.
    pub(super) occasion: Option<Occasion>,
}

/// The reason for a cycle that is not the first, or for a snapshot at a moment that the schedule did not choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Occasion {
    /// The engine wants another.
    Again(&'static str),
    /// Somebody asked for it.
    Request,
}

/// A capture whose records are coming in.
#[derive(Debug)]
pub(super) struct Incoming {
    pub(super) snapshot: SnapshotId,
    /// Time at which it began.
    pub(super) at_ms: u64,
    pub(super) method: CaptureMethod,
    pub(super) heap: HeapBuilder,
}

impl Cycle {
    /// Begins the cycle after a survey: chooses the methods to try.
    pub(super) fn begin(&mut self, survey: Survey, candidates: &[Candidate]) {
        let usable = candidates.iter().filter(|each| each.obstacle.is_none());
        let tries = |forecast: Forecast| if forecast.method == CaptureMethod::Fork { FORKS } else { 1 };
        *self = Self {
            survey,
            left: usable.flat_map(|each| std::iter::repeat_n(each.forecast, tries(each.forecast))).collect(),
            tried: None,
            reasons: methods::why_not_better(candidates),
            occasion: self.occasion,
        };
    }

    /// The next method.
    pub(super) fn next(&mut self) -> Option<Forecast> {
        self.tried = self.left.pop_front();
        self.tried
    }

    /// The method that would be tried next.
    pub(super) fn first(&self) -> Option<CaptureMethod> {
        self.left.front().map(|forecast| forecast.method)
    }

    /// The method under way failed; keeps the methods that are still worth a try.
    pub(super) fn failed(&mut self, reason: &str, fault: Option<CaptureFault>) {
        let Some(tried) = self.tried.take() else { return };
        let reason = format!("{}: {reason}", methods::reported(tried.method));
        if !self.reasons.contains(&reason) {
            self.reasons.push(reason);
        }
        match fault {
            // A fault of the child would be a fault of the program. Without a reader, or after too long a pause, no
            // other method is better.
            Some(CaptureFault::ChildKilled | CaptureFault::NoReader | CaptureFault::TooLong) => self.left.clear(),
            Some(CaptureFault::ChildDied) => self.left.retain(|forecast| forecast.method == CaptureMethod::Fork),
            Some(CaptureFault::Refused | CaptureFault::ChildEnded) => {
                self.left.retain(|forecast| forecast.method != tried.method);
            }
            Some(CaptureFault::ChildStuck | CaptureFault::Other | CaptureFault::Thinned) | None => {}
        }
    }

    /// Whether the snapshot under way was asked for.
    pub(super) fn is_on_request(&self) -> bool {
        self.occasion == Some(Occasion::Request)
    }

    /// For the report: why no better method was used, and for what reason the snapshot was made.
    pub(super) fn reason(&self) -> Option<String> {
        let occasion = self.occasion.map(|occasion| match occasion {
            Occasion::Again(reason) => format!("made again: {reason}"),
            Occasion::Request => "on request".to_owned(),
        });
        let all: Vec<String> = occasion.into_iter().chain(self.reasons.iter().cloned()).collect();
        (!all.is_empty()).then(|| all.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Settings;
    use super::super::forecast::Costs;
    use super::*;

    /// Methods that are left after a fork failed with this fault.
    fn left_after(fault: Option<CaptureFault>) -> Vec<CaptureMethod> {
        let survey = Survey { used_bytes: 100 << 20, ..Survey::default() };
        let candidates = methods::candidates(&Settings::default(), &survey, &Costs::default());
        let mut cycle = Cycle::default();
        cycle.begin(survey, &candidates);
        cycle.next();
        cycle.failed("it failed", fault);
        let mut left: Vec<CaptureMethod> = cycle.left.iter().map(|forecast| forecast.method).collect();
        left.dedup();
        left
    }

    #[test]
    fn a_child_that_died_is_never_answered_by_a_walk_in_the_program() {
        use CaptureMethod::{Fork, InProcess, Tags};
        assert_eq!(left_after(Some(CaptureFault::ChildDied)), [Fork]);
        assert_eq!(left_after(Some(CaptureFault::ChildKilled)), []);
        assert_eq!(left_after(Some(CaptureFault::NoReader)), []);
        assert_eq!(left_after(Some(CaptureFault::ChildEnded)), [InProcess, Tags]);
        assert_eq!(left_after(Some(CaptureFault::ChildStuck)), [Fork, InProcess, Tags]);
        assert_eq!(left_after(None), [Fork, InProcess, Tags]);
    }
}
