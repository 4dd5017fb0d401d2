//! One JVM of a run, for the main loop: the state of its watching, its files, and its importance.

use crate::commands::follower::{Follower, JvmEnding, Published};
use rootbound::report::SnapshotKind;
use rootbound_wire::message::Hello;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Time to wait for a JVM whose connection broke: its agent tries again every second.
const RETURN_PATIENCE: Duration = Duration::from_secs(3);

/// One JVM that was accepted.
pub(crate) struct Member {
    pub(crate) number: u32,
    pub(crate) pid: u32,
    pub(crate) met: Instant,
    pub(crate) published: Published,
    /// Destination of its JSON report.
    pub(crate) json: Option<PathBuf>,
    /// Whether its report has been written.
    pub(crate) is_delivered: bool,
    pub(crate) follower: Follower,
    pub(crate) recording: Option<PathBuf>,
}

impl Member {
    /// Whether it ended in this way.
    pub(crate) fn ended_by(&self, ending: JvmEnding) -> bool {
        self.published.ending.is_some_and(|(how, _)| how == ending)
    }

    /// Whether it is still followed.
    pub(crate) fn is_live(&self) -> bool {
        self.published.ending.is_none()
    }

    /// Whether its connection broke a moment ago; a live agent connects again within a second.
    pub(super) fn may_return(&self) -> bool {
        matches!(self.published.ending, Some((JvmEnding::Lost, at)) if at.elapsed() < RETURN_PATIENCE)
    }

    /// Whether it ended by itself before anything was known of its heap.
    pub(super) fn says_nothing(&self) -> bool {
        matches!(self.published.ending, Some((JvmEnding::Gone | JvmEnding::Lost, _)))
            && !self.is_delivered
            && !self.weight().0
    }

    pub(super) fn is_about(&self, hello: &Hello) -> bool {
        self.published.report.jvm.as_ref().is_some_and(|jvm| jvm.pid == hello.pid && jvm.main == hello.main)
    }

    /// Its importance: whether it was captured, the size of its heap times its duration, its age. A launcher is seldom
    /// captured, a wrapper ends early, and a build tool seldom has the larger heap.
    pub(super) fn weight(&self) -> (bool, u64, u64) {
        let report = &self.published.report;
        let captures = || report.snapshots.iter().filter(|snapshot| snapshot.kind == SnapshotKind::Capture);
        let is_captured = captures().any(|snapshot| snapshot.failure.is_none());
        let heap_bytes = captures().rev().find_map(|snapshot| snapshot.heap_bytes).or(report.heap.live_bytes);
        let seconds = report.duration_s as u64;
        (is_captured, heap_bytes.unwrap_or(0).saturating_mul(seconds + 1), seconds)
    }
}
