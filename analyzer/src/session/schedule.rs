//! When to mark and when to capture.

use super::Settings;
use rootbound_wire::ids::SnapshotId;
use std::time::Duration;

/// What is to be asked for now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Due {
    Mark(SnapshotId),
    Capture(SnapshotId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Unmarked,
    Marking { since_ms: u64 },
    Marked { at_ms: u64 },
    Capturing,
    Tracking,
    GivenUp,
}

/// Defaults: a program is given ten seconds to start; fifteen more show what stays; then half a minute is left of the
/// first minute to watch it.
const MARK_AFTER: Duration = Duration::from_secs(10);
const CAPTURE_AFTER: Duration = Duration::from_secs(15);
/// Ten visits a second, over all probes: each costs microseconds, and forty regions are seen every four seconds.
const TICK: Duration = Duration::from_millis(100);
/// A mark that has not been reported after this has failed.
const MARK_TIMEOUT_MS: u64 = 120_000;
/// A capture that failed is tried again after this, so many times.
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
            stage: Stage::Unmarked,
            attempts: 0,
            next_snapshot: 1,
        }
    }

    /// What is due at this moment of the agent's time. Asks for each thing once.
    pub(super) fn due(&mut self, now_ms: u64) -> Option<Due> {
        if !self.capable {
            return None;
        }
        match self.stage {
            Stage::Unmarked if now_ms >= self.mark_after_ms => {
                self.stage = Stage::Marking { since_ms: now_ms };
                Some(Due::Mark(self.name_snapshot()))
            }
            Stage::Marking { since_ms } if now_ms >= since_ms.saturating_add(MARK_TIMEOUT_MS) => {
                self.stage = Stage::GivenUp;
                None
            }
            Stage::Marked { at_ms } if now_ms >= at_ms.saturating_add(self.capture_after_ms) => {
                self.stage = Stage::Capturing;
                self.attempts += 1;
                Some(Due::Capture(self.name_snapshot()))
            }
            _ => None,
        }
    }

    fn name_snapshot(&mut self) -> SnapshotId {
        self.next_snapshot += 1;
        SnapshotId(self.next_snapshot - 1)
    }

    /// The mark that was asked for is set; one that comes too late changes nothing.
    pub(super) fn marked(&mut self, at_ms: u64) {
        if matches!(self.stage, Stage::Marking { .. }) {
            self.stage = Stage::Marked { at_ms };
        }
    }

    /// Whether no capture will be made any more.
    pub(super) fn has_given_up(&self) -> bool {
        self.stage == Stage::GivenUp || !self.capable
    }

    pub(super) fn captured(&mut self) {
        self.stage = Stage::Tracking;
    }

    /// A capture was thrown away: try again soon, or give up.
    pub(super) fn capture_failed(&mut self, at_ms: u64) {
        self.stage = if self.attempts < MAX_ATTEMPTS {
            Stage::Marked { at_ms: (at_ms + RETRY_AFTER_MS).saturating_sub(self.capture_after_ms) }
        } else {
            Stage::GivenUp
        };
    }

    /// What is being waited for, for people.
    pub(super) fn waiting_for(&self, now_ms: u64) -> String {
        let seconds = |at_ms: u64| at_ms.saturating_sub(now_ms).div_ceil(1000);
        match self.stage {
            _ if !self.capable => "this JVM cannot be captured".to_owned(),
            Stage::Unmarked => format!("warming up: marking what lives in {} s", seconds(self.mark_after_ms)),
            Stage::Marking { .. } => "marking what lives".to_owned(),
            Stage::Marked { at_ms } => {
                let due = seconds(at_ms.saturating_add(self.capture_after_ms));
                format!("waiting for what stays: capturing the heap in {due} s")
            }
            Stage::Capturing => "capturing the heap".to_owned(),
            Stage::Tracking => "tracking regions".to_owned(),
            Stage::GivenUp => "no mark or no capture succeeded".to_owned(),
        }
    }
}
