//! Times of marks and captures: one cycle of both at the beginning, more for a reason or on request. Independent of
//! methods and heaps.

use super::Settings;
use super::request::RequestRefusal;
use crate::report::Status;
use rootbound_wire::ids::SnapshotId;
use rootbound_wire::message::SnapshotRequest;
use std::time::Duration;

/// Purpose of a survey and of the capture that follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// T1: to choose the objects to mark.
    Mark,
    /// T2: to find regions.
    Regions,
    /// To compare data structures, and for nothing else.
    State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Warming,
    Surveying {
        purpose: Purpose,
        since_ms: u64,
    },
    Capturing {
        purpose: Purpose,
    },
    Marking {
        since_ms: u64,
    },
    /// Marks are set; `on_request`: somebody asked for them, and is expected to ask for the capture.
    Marked {
        due_ms: u64,
        on_request: bool,
    },
    Tracking,
    GivenUp,
    DryRun,
}

/// Defaults: a program is given ten seconds to start; fifteen more show which objects stay; then half a minute is left
/// of the first minute to watch it.
const MARK_AFTER: Duration = Duration::from_secs(10);
const CAPTURE_AFTER: Duration = Duration::from_secs(15);
/// Ten visits a second, over all probes: each costs microseconds, and each of forty regions is visited every four
/// seconds.
const TICK: Duration = Duration::from_millis(100);
/// Time after a mark on request at which the heap is captured unasked. Marks cost young collections a little.
pub(super) const MOST_WAIT: Duration = Duration::from_secs(600);
/// Longer times are not planned.
const LONGEST_S: u64 = 7 * 24 * 3600;
/// An answer that has not come after this time will not come.
const ANSWER_TIMEOUT_MS: u64 = 120_000;
/// Milliseconds after which a failed snapshot is tried again, and the number of such tries.
const RETRY_AFTER_MS: u64 = 5_000;
const MAX_ATTEMPTS: u32 = 3;

/// The plan for one JVM.
#[derive(Debug)]
pub(super) struct Schedule {
    pub(super) mark_after_ms: u64,
    pub(super) capture_after_ms: u64,
    pub(super) tick_ms: u32,
    /// Whether the JVM can be captured at all.
    pub(super) capable: bool,
    stage: Stage,
    attempts: u32,
    next_snapshot: u32,
    /// Whether a capture has found regions, which stay tracked whatever the result of the next.
    has_tracked: bool,
    /// The snapshot that somebody asked for, until it is made or given up.
    request: Option<SnapshotRequest>,
    /// Whether the latest request succeeded, until that is read.
    answered: Option<bool>,
}

impl Schedule {
    pub(super) fn new(settings: &Settings) -> Self {
        let ms = |duration: Duration| u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
        // A short run must leave more than half of its time to tracking.
        let at_most = |default: Duration, share: u32| settings.run_for.map_or(default, |all| default.min(all / share));
        Self {
            mark_after_ms: ms(settings.mark_after.unwrap_or_else(|| at_most(MARK_AFTER, 6))),
            capture_after_ms: ms(settings.capture_after.unwrap_or_else(|| at_most(CAPTURE_AFTER, 4))),
            tick_ms: u32::try_from(settings.tick.unwrap_or(TICK).as_millis()).unwrap_or(u32::MAX).max(1),
            capable: true,
            stage: Stage::Warming,
            attempts: 0,
            next_snapshot: 1,
            has_tracked: false,
            request: None,
            answered: None,
        }
    }

    /// The least time of watching, in whole seconds, that leaves `after` after the second snapshot.
    pub(super) fn least_run_for(settings: &Settings, after: Duration) -> Duration {
        let is_enough = |run_for: &Duration| {
            let plan = Self::new(&Settings { run_for: Some(*run_for), ..settings.clone() });
            let snapshots = plan.mark_after_ms.saturating_add(plan.capture_after_ms);
            Duration::from_millis(snapshots).saturating_add(after) <= *run_for
        };
        (1..LONGEST_S).map(Duration::from_secs).find(is_enough).unwrap_or(Duration::MAX)
    }

    /// Whether a survey is due at this moment of the agent's time. Returns true once.
    pub(super) fn survey_due(&mut self, now_ms: u64) -> bool {
        if !self.capable {
            return false;
        }
        let purpose = match self.stage {
            Stage::Warming if now_ms >= self.mark_after_ms => Purpose::Mark,
            Stage::Marked { due_ms, .. } if now_ms >= due_ms => Purpose::Regions,
            Stage::Surveying { since_ms, .. } | Stage::Marking { since_ms }
                if now_ms >= since_ms.saturating_add(ANSWER_TIMEOUT_MS) =>
            {
                self.give_up();
                return false;
            }
            _ => return false,
        };
        self.stage = Stage::Surveying { purpose, since_ms: now_ms };
        true
    }

    /// Begins another cycle, if nothing is under way: with a capture immediately when marks are set, otherwise with a
    /// mark.
    pub(super) fn begin_again(&mut self, now_ms: u64, marks_stand: bool) -> bool {
        if self.stage != Stage::Tracking {
            return false;
        }
        let purpose = if marks_stand { Purpose::Regions } else { Purpose::Mark };
        self.attempts = 0;
        self.stage = Stage::Surveying { purpose, since_ms: now_ms };
        true
    }

    /// Begins a snapshot that somebody asks for, if nothing is under way.
    pub(super) fn request(
        &mut self,
        request: SnapshotRequest,
        now_ms: u64,
        marks_stand: bool,
    ) -> Result<(), RequestRefusal> {
        let purpose = match request {
            SnapshotRequest::Mark => Purpose::Mark,
            SnapshotRequest::Capture => Purpose::Regions,
        };
        match self.stage {
            _ if !self.capable => return Err(RequestRefusal::Incapable),
            Stage::DryRun => return Err(RequestRefusal::DryRun),
            Stage::Surveying { purpose: Purpose::Regions, .. } | Stage::Capturing { purpose: Purpose::Regions } => {
                return Err(RequestRefusal::Capturing);
            }
            Stage::Surveying { .. } | Stage::Capturing { .. } | Stage::Marking { .. } => {
                return Err(RequestRefusal::Marking);
            }
            _ if purpose == Purpose::Regions && !marks_stand => return Err(RequestRefusal::NotMarked),
            Stage::Warming | Stage::Marked { .. } | Stage::Tracking | Stage::GivenUp => {}
        }
        self.attempts = 0;
        self.request = Some(request);
        self.stage = Stage::Surveying { purpose, since_ms: now_ms };
        Ok(())
    }

    /// The snapshot on request that is under way.
    pub(super) fn requested(&self) -> Option<SnapshotRequest> {
        self.request
    }

    /// Whether the latest request succeeded. Returned once.
    pub(super) fn take_answer(&mut self) -> Option<bool> {
        self.answered.take()
    }

    fn answer(&mut self, is_done: bool) {
        if self.request.take().is_some() {
            self.answered = Some(is_done);
        }
    }

    /// Begins a capture for data structures alone, if nothing is under way.
    pub(super) fn begin_state(&mut self, now_ms: u64) -> bool {
        let is_free = self.stage == Stage::Tracking;
        if is_free {
            self.stage = Stage::Surveying { purpose: Purpose::State, since_ms: now_ms };
        }
        is_free
    }

    /// Purpose of the survey that was requested; `None` when none was.
    pub(super) fn surveyed(&self) -> Option<Purpose> {
        match self.stage {
            Stage::Surveying { purpose, .. } => Some(purpose),
            _ => None,
        }
    }

    /// Records that a capture has been requested.
    pub(super) fn capturing(&mut self, purpose: Purpose) {
        self.stage = Stage::Capturing { purpose };
    }

    /// Purpose of the capture that was requested; `None` when none was.
    pub(super) fn captured(&self) -> Option<Purpose> {
        match self.stage {
            Stage::Capturing { purpose } => Some(purpose),
            _ => None,
        }
    }

    /// Records that marks have been requested.
    pub(super) fn marking(&mut self, now_ms: u64) {
        self.stage = Stage::Marking { since_ms: now_ms };
    }

    /// Records that the requested marks are set; marks that come too late change nothing.
    pub(super) fn marked(&mut self, at_ms: u64) {
        if matches!(self.stage, Stage::Marking { .. }) {
            let on_request = self.request.is_some();
            let wait_ms = if on_request { MOST_WAIT.as_millis() as u64 } else { self.capture_after_ms };
            self.stage = Stage::Marked { due_ms: at_ms.saturating_add(wait_ms), on_request };
            self.attempts = 0;
            self.answer(true);
        }
    }

    /// Records that regions have been found.
    pub(super) fn tracking(&mut self) {
        self.stage = Stage::Tracking;
        self.has_tracked = true;
        self.answer(true);
    }

    /// Whether regions are tracked and nothing else is under way.
    pub(super) fn is_tracking(&self) -> bool {
        self.stage == Stage::Tracking
    }

    /// Records that every method failed: tries again soon, or gives up.
    pub(super) fn failed(&mut self, purpose: Purpose, at_ms: u64) {
        self.attempts += 1;
        let again = at_ms + RETRY_AFTER_MS;
        match purpose {
            Purpose::State => self.tracking(),
            _ if self.attempts >= MAX_ATTEMPTS => self.give_up(),
            Purpose::Mark => {
                self.mark_after_ms = again;
                self.stage = Stage::Warming;
            }
            Purpose::Regions => self.stage = Stage::Marked { due_ms: again, on_request: false },
        }
    }

    /// Gives up captures; regions that are tracked stay so.
    pub(super) fn give_up(&mut self) {
        self.stage = if self.has_tracked { Stage::Tracking } else { Stage::GivenUp };
        self.answer(false);
    }

    /// Ends a dry run, which has its forecast.
    pub(super) fn end_dry_run(&mut self) {
        self.stage = Stage::DryRun;
    }

    /// Whether a dry run has its forecast.
    pub(super) fn is_dry_run_over(&self) -> bool {
        self.stage == Stage::DryRun
    }

    /// Whether no capture will be made any more.
    pub(super) fn has_given_up(&self) -> bool {
        self.stage == Stage::GivenUp || !self.capable
    }

    /// The name of the next snapshot.
    pub(super) fn name_snapshot(&mut self) -> SnapshotId {
        self.next_snapshot += 1;
        SnapshotId(self.next_snapshot - 1)
    }

    /// The current status: the event that is waited for.
    pub(super) fn waiting_for(&self, now_ms: u64) -> Status {
        let seconds = |at_ms: u64| at_ms.saturating_sub(now_ms).div_ceil(1000);
        match self.stage {
            _ if !self.capable => Status::Incapable,
            Stage::Warming => {
                Status::Warming { due_s: seconds(self.mark_after_ms), gap_s: self.capture_after_ms.div_ceil(1000) }
            }
            Stage::Surveying { .. } => Status::Surveying,
            Stage::Marking { .. } | Stage::Capturing { purpose: Purpose::Mark } => Status::Marking,
            Stage::Marked { due_ms, on_request: true } => Status::AwaitingRequest { due_s: seconds(due_ms) },
            Stage::Marked { due_ms, on_request: false } => Status::Settling { due_s: seconds(due_ms) },
            Stage::Capturing { purpose: Purpose::Regions | Purpose::State } => Status::Capturing,
            Stage::Tracking => Status::Tracking,
            Stage::GivenUp => Status::GivenUp,
            Stage::DryRun => Status::DryRun,
        }
    }
}
