//! The growth of data structures as captures come (`--growth`): a census of each capture, and captures for nothing else
//! where the run is nearly over, or where nobody knows when it ends. These are forked or not made at all.

use super::Session;
use super::contained::contained;
use super::heads::HeldHeads;
use super::weakly_held::Looks;
use crate::graph::Owned;
use crate::growing::{GrowthOrder, GrowthWanted, LiveGrowth, Owners, StateOf, WindowRefusal};
use crate::heap::{Heap, ObjectIdx};
use crate::marking::Selecting;
use crate::report::Snapshot;
use crate::structures::census::{HeadHandle, Identities, MarkedHead};
use crate::structures::{Language, LayoutOptions};
use rootbound_wire::ids::SnapshotId;
use rootbound_wire::message::{CaptureMethod, HeadsHeld, HeadsRead, ToAgent};
use std::sync::Arc;

/// The descriptions of data structures whose growth is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrowthSettings {
    /// All files.
    pub language: Arc<Language>,
    /// How they are joined with classes.
    pub layout: LayoutOptions,
}

/// Structures in a report.
const LISTED: usize = 10;
/// Milliseconds after the second state to the next, where the end is not known; each further wait is twice as long.
const FIRST_WAIT_MS: u64 = 60_000;
const LONGEST_WAIT_MS: u64 = 3_600_000;
/// Milliseconds before the end at which the last state is captured, beyond the time that it takes.
const SPARE_MS: u64 = 2_000;
/// No two states are nearer to each other.
const LEAST_APART_MS: u64 = 5_000;

/// The states of one session.
#[derive(Debug)]
pub(super) struct StructureGrowth {
    pub(super) growth: LiveGrowth,
    /// The first state, whose marks tell whether an object is the same.
    first: Option<SnapshotId>,
    pub(super) heads: HeldHeads,
    last_ms: u64,
    wait_ms: u64,
    is_last_asked: bool,
    /// An analysis that failed would fail again.
    has_failed: bool,
}

impl StructureGrowth {
    pub(super) fn new(settings: &GrowthSettings) -> Self {
        let (sort, layout) = (GrowthOrder::Retained, settings.layout);
        let wanted = GrowthWanted { sort, limit: LISTED, with_contained: false, layout, by: None };
        Self {
            growth: LiveGrowth::new(Arc::clone(&settings.language), wanted),
            first: None,
            heads: HeldHeads::default(),
            last_ms: 0,
            wait_ms: FIRST_WAIT_MS,
            is_last_asked: false,
            has_failed: false,
        }
    }

    /// Takes in the state of a capture. `chosen` are the objects that are about to get the marks of this snapshot, by
    /// their numbers.
    pub(super) fn take(
        &mut self,
        heap: &Heap,
        owned: &Owned,
        (snapshot, at_s): (SnapshotId, f64),
        chosen: &[ObjectIdx],
    ) -> Option<Owners> {
        if self.has_failed {
            return None;
        }
        let is_first = self.first.is_none();
        let first = *self.first.get_or_insert(snapshot);
        self.last_ms = (at_s * 1000.0) as u64;
        let chosen: std::collections::HashMap<ObjectIdx, u32> = chosen.iter().copied().zip(1..).collect();
        let marked = |object: ObjectIdx| match is_first {
            true => chosen.get(&object).map(|&number| MarkedHead(number)),
            false => heap.planned_mark_of(object).filter(|mark| mark.0 == first).map(|(_, number)| MarkedHead(number)),
        };
        let handle = |object: ObjectIdx| heap.head_of(object).map(HeadHandle);
        let (known, dead) = (Identities { marked: &marked, handle: &handle }, self.heads.dead(snapshot, heap));
        let name = format!("capture after {}", crate::units::duration_s(at_s));
        self.growth.take(StateOf { name, at_s, heap, owned, known, dead })
    }

    /// The order to hold heads of the latest state, while its heap is there.
    fn hold_heads(&mut self, heap: &Heap, snapshot: SnapshotId, paths: Option<&Selecting<'_>>) -> Option<ToAgent> {
        let wanted = self.growth.take_wanted_heads();
        let is_vain = self.has_failed || self.is_last_asked || self.heads.are_unread() || wanted.is_empty();
        (!is_vain).then(|| self.heads.order(heap, snapshot, &wanted, paths))
    }

    /// Whether a capture for the structures alone is due. `end_ms` is the end of the run, `cost_ms` the time that a
    /// capture takes to its end.
    fn is_due(&mut self, now_ms: u64, end_ms: Option<u64>, cost_ms: u64) -> bool {
        if self.has_failed || self.growth.state_count() == 0 || now_ms < self.last_ms.saturating_add(LEAST_APART_MS) {
            return false;
        }
        match end_ms {
            Some(end_ms) => {
                let is_near = now_ms.saturating_add(cost_ms) >= end_ms && !self.is_last_asked;
                self.is_last_asked |= is_near;
                is_near
            }
            None if now_ms >= self.last_ms.saturating_add(self.wait_ms) => {
                self.wait_ms = (2 * self.wait_ms).min(LONGEST_WAIT_MS);
                true
            }
            None => false,
        }
    }
}

impl Session {
    /// Whether a capture is to be made for the structures alone.
    pub(super) fn wants_state(&mut self, now_ms: u64) -> bool {
        // Marks would be lost, and the capture that they are for is a state, too.
        if !self.schedule.is_tracking() || self.marks.are_wanted() {
            return false;
        }
        let end_ms = self.end_ms();
        let cost_ms = (3.0 * self.latest_capture_ms()) as u64 + SPARE_MS;
        let cost_ms = self.run_for_ms().map_or(cost_ms, |run_for| cost_ms.min(run_for / 3));
        let is_due = self.structures.as_mut().is_some_and(|structures| structures.is_due(now_ms, end_ms, cost_ms));
        is_due && self.schedule.begin_state(now_ms)
    }

    /// Whether the next method is a fork: no other is worth a state.
    pub(super) fn may_capture_state(&self) -> bool {
        self.cycle.first() == Some(CaptureMethod::Fork)
    }

    /// A state could not be captured; everything else goes on.
    pub(super) fn state_failed(&mut self) {
        if std::mem::take(&mut self.counts.is_under_way) {
            return self.schedule.tracking();
        }
        let reason = self.cycle.reasons.join("; ");
        self.problem(format!("the growth of structures ends earlier: no further capture by a fork: {reason}"));
        self.schedule.tracking();
    }

    /// Ends a capture that was made for the structures alone. Probes go on; the names of the capture go.
    pub(super) fn add_state(&mut self, (of, at_s): (SnapshotId, f64), heap: &Heap, snapshot: Snapshot) -> Vec<ToAgent> {
        let owned = Owned::new(heap);
        if let Some(structures) = &mut self.structures {
            let taken = contained(|| drop(structures.take(heap, &owned, (of, at_s), &[])));
            if let Err(panic) = taken {
                self.structures_failed(&panic.to_string());
            }
        }
        let hold_heads = self.hold_heads(heap, of, None);
        let known = self.known_growers();
        let counted = contained(|| self.counts.take(heap, &owned, &known, false));
        self.take_counted(counted);
        let asked = self.weakly_held();
        self.take_looks(contained(|| Looks::new(owned.of(heap), &asked)));
        let reason = match std::mem::take(&mut self.counts.is_under_way) {
            true => "made to count again what may grow slowly",
            false => "made for the growth of structures (--growth)",
        };
        let reason = Some(reason.to_owned());
        self.evidence.add_snapshot(Snapshot { reason, ..snapshot });
        self.schedule.tracking();
        let known = self.findings.iter().flat_map(|findings| &findings.regions);
        let (keep, tick_ms) = (known.filter_map(|region| region.probe).collect(), self.schedule.tick_ms);
        let most_stop_ms = self.most_stop_ms();
        let (probes, keep_tags) = (Vec::new(), false);
        let install = ToAgent::InstallProbes { snapshot: of, tick_ms, probes, keep, keep_tags, most_stop_ms };
        hold_heads.into_iter().chain([install]).collect()
    }

    /// The order to hold heads of structures, while the ids of a capture stand. Without a known growth none is held.
    pub(super) fn hold_heads(
        &mut self,
        heap: &Heap,
        snapshot: SnapshotId,
        paths: Option<&Selecting<'_>>,
    ) -> Option<ToAgent> {
        let structures = self.structures.as_mut()?;
        match contained(|| structures.hold_heads(heap, snapshot, paths)) {
            Ok(order) => order,
            Err(panic) => {
                self.structures_failed(&panic.to_string());
                None
            }
        }
    }

    /// The agent holds heads, or does not.
    pub(super) fn heads_held(&mut self, held: &HeadsHeld) {
        if let Some(failure) = &held.failure {
            self.problem(format!("heads of structures are known by their places alone: {failure}"));
        }
        let is_replay = self.settings.replays;
        if let Some(structures) = &mut self.structures {
            let handles = structures.heads.held(held, is_replay);
            structures.growth.set_handles(&handles);
        }
    }

    /// The agent read the handles at a capture.
    pub(super) fn heads_read(&mut self, read: HeadsRead) {
        if let Some(structures) = &mut self.structures {
            structures.heads.read = Some(read);
        }
    }

    /// Chooses the two of the report's states whose structures are compared; `None`: the first and the latest.
    ///
    /// # Errors
    /// The reason why it is not possible; nothing has changed then.
    pub fn choose_window(&mut self, window: Option<(usize, usize)>) -> Result<(), WindowRefusal> {
        let structures = self.structures.as_mut().ok_or(WindowRefusal::Nothing)?;
        structures.growth.choose(window)
    }

    /// Gives the structures up.
    pub(super) fn structures_failed(&mut self, reason: &str) {
        if let Some(structures) = &mut self.structures {
            structures.has_failed = true;
        }
        self.problem(format!("the structures could not be analysed, which is a defect of rootbound: {reason}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn states() -> StructureGrowth {
        let settings = GrowthSettings { language: Arc::default(), layout: LayoutOptions::default() };
        let mut states = StructureGrowth::new(&settings);
        let heap = crate::heap::dsl::HeapSketch::new().build();
        states.take(&heap, &Owned::new(&heap), (SnapshotId(1), 10.0), &[]);
        states
    }

    fn times(end_ms: Option<u64>) -> Vec<u64> {
        let mut states = states();
        let mut times = Vec::new();
        for now_ms in (10_000..=600_000).step_by(1_000) {
            if states.is_due(now_ms, end_ms, 4_000) {
                states.last_ms = now_ms;
                times.push(now_ms);
            }
        }
        times
    }

    #[test]
    fn the_last_state_is_captured_once_before_the_end() {
        assert_eq!(times(Some(60_000)), [56_000]);
        assert_eq!(times(Some(11_000)), [15_000], "a state of a moment ago is no window");
    }

    #[test]
    fn without_a_known_end_each_window_is_twice_as_long() {
        assert_eq!(times(None), [70_000, 190_000, 430_000]);
    }

    #[test]
    fn before_the_first_state_none_is_due() {
        let settings = GrowthSettings { language: Arc::default(), layout: LayoutOptions::default() };
        assert!(!StructureGrowth::new(&settings).is_due(60_000, Some(60_000), 1_000));
    }
}
