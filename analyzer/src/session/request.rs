//! Snapshots on request: LeakBot's own use is to warm the program up, mark, carry out one more operation, and capture.
//! They obey the same bounds as all others.

use super::Session;
use super::cycle::Occasion;
use super::snapshots::Marks;
use crate::report::Snapshot;
use rootbound_wire::message::{SnapshotRequest, ToAgent};

/// Reasons why a snapshot is not made now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestRefusal {
    /// A mark, or the capture that it is chosen from.
    #[error("a mark is under way; ask again when it is done")]
    Marking,
    /// A capture.
    #[error("a capture is under way; ask again when it is done")]
    Capturing,
    /// A capture alone shows nothing.
    #[error("no mark is set; mark first, carry out the operation, then capture")]
    NotMarked,
    /// The JVM has not introduced itself, or has ended.
    #[error("the JVM is not connected")]
    NotConnected,
    /// The JVM allows no capture.
    #[error("this JVM cannot be captured; the report has the reason")]
    Incapable,
    /// The user wanted none.
    #[error("this is a dry run, which takes no snapshot")]
    DryRun,
}

/// The end of a snapshot on request.
#[derive(Clone, Debug, PartialEq)]
pub enum RequestOutcome {
    /// It was made, with these costs.
    Made(Box<Snapshot>),
    /// It was not made, for this reason.
    Failed(String),
}

impl Session {
    /// Begins a snapshot that somebody asks for; returns the commands to send. [`Session::take_outcome`] has its end.
    /// `agent_now_ms` is the agent's time.
    ///
    /// # Errors
    /// The reason why it is not made now. Nothing has changed then.
    pub fn request(&mut self, request: SnapshotRequest, agent_now_ms: u64) -> Result<Vec<ToAgent>, RequestRefusal> {
        if self.evidence.jvm.is_none() || self.is_over() {
            return Err(RequestRefusal::NotConnected);
        }
        if matches!(self.marks, Marks::Chosen(_)) {
            return Err(RequestRefusal::Marking);
        }
        self.evidence.pass(agent_now_ms);
        self.schedule.request(request, self.evidence.now_ms, self.marks.stand())?;
        self.forget_marks_before(request);
        Ok(self.begin_survey())
    }

    /// The end of the latest snapshot on request, once.
    pub fn take_outcome(&mut self) -> Option<RequestOutcome> {
        let latest = self.evidence.snapshots.last();
        let failure = latest.and_then(|snapshot| snapshot.failure.clone());
        let latest = latest.filter(|snapshot| snapshot.failure.is_none() && snapshot.on_request);
        match (self.schedule.take_answer()?, latest) {
            (true, Some(snapshot)) => Some(RequestOutcome::Made(Box::new(snapshot.clone()))),
            _ => {
                let reason = failure.or_else(|| self.evidence.problems.last().cloned());
                Some(RequestOutcome::Failed(reason.unwrap_or_else(|| "the agent did not answer".to_owned())))
            }
        }
    }

    /// The survey before a snapshot, and before it the note for recordings where the snapshot is made on request.
    pub(super) fn begin_survey(&mut self) -> Vec<ToAgent> {
        let requested = self.schedule.requested();
        self.set_occasion(requested);
        requested.map(ToAgent::Requested).into_iter().chain([ToAgent::Survey]).collect()
    }

    /// In replay: the note that the next survey leads to a snapshot on request.
    pub(super) fn replayed_request(&mut self, request: SnapshotRequest) {
        self.forget_marks_before(request);
        self.replayed = Some(request);
    }

    /// In replay: a survey, on request or not.
    pub(super) fn replayed_survey(&mut self) {
        let requested = self.replayed.take();
        self.set_occasion(requested);
    }

    /// A mark replaces the marks that are set.
    fn forget_marks_before(&mut self, request: SnapshotRequest) {
        if request == SnapshotRequest::Mark {
            self.marks = Marks::None;
        }
    }

    fn set_occasion(&mut self, requested: Option<SnapshotRequest>) {
        self.cycle.occasion = match (requested, self.cycle.occasion) {
            (Some(_), _) => Some(Occasion::Request),
            (None, Some(Occasion::Request)) => None,
            (None, other) => other,
        };
    }
}
