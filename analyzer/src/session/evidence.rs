//! Observations of the JVM as a whole.

use super::native::Native;
use crate::report::{Forecast, Jvm, Pauses, Snapshot, SnapshotKind, Stop};
use crate::tracking::HeapGrowth;

/// Problems kept for the report; the first ones are the most informative.
const MAX_PROBLEMS: usize = 50;

/// Facts that need no analysis.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    pub(super) jvm: Option<Jvm>,
    pub(super) now_ms: u64,
    pub(super) snapshots: Vec<Snapshot>,
    pub(super) heap: HeapGrowth,
    pub(super) native: Native,
    pub(super) dropped_events: u64,
    pub(super) problems: Vec<String>,
    pub(super) stops: Vec<Stop>,
    pub(super) forecast: Option<Forecast>,
    pub(super) tags_standing: Option<u64>,
    pub(super) member_tags: Option<u64>,
}

impl Evidence {
    /// Time goes on, and never back.
    pub(super) fn pass(&mut self, at_ms: u64) {
        self.now_ms = self.now_ms.max(at_ms);
    }

    pub(super) fn add_snapshot(&mut self, snapshot: Snapshot) {
        if let Some(bytes) = snapshot.heap_bytes {
            self.heap.reach(snapshot.at_s, bytes);
        }
        self.snapshots.push(snapshot);
    }

    /// Captures that were complete, in their order.
    pub(super) fn captures(&self) -> impl DoubleEndedIterator<Item = &Snapshot> {
        self.snapshots.iter().filter(|snapshot| snapshot.kind == SnapshotKind::Capture && snapshot.failure.is_none())
    }

    pub(super) fn add_stop(&mut self, stop: Option<Stop>) {
        self.stops.extend(stop);
    }

    pub(super) fn add_problem(&mut self, text: String) {
        if self.problems.len() < MAX_PROBLEMS && !self.problems.contains(&text) {
            self.problems.push(text);
        }
    }

    /// The pause receipt: all pauses that marks and captures caused.
    pub(super) fn pauses(&self) -> Pauses {
        let each = || self.stops.iter().map(|stop| stop.ms);
        // Not `sum`: that of no numbers is −0.0.
        let total_ms = each().fold(0.0, |total, pause| total + pause);
        Pauses { count: each().count() as u32, total_ms, max_ms: each().fold(0.0, f64::max), stops: self.stops.clone() }
    }
}
