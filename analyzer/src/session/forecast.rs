//! What a snapshot will cost, before it is made: from the heap's size and what earlier ones cost. Decides nothing.
//!
//! The constants are those of a JVM of whose heap nothing is known yet, on the slow side of what was measured
//! (docs/overhead.md); every capture replaces them by what this JVM and this machine showed.

use rootbound_wire::message::{CaptureDone, CaptureMethod, Survey};

/// Forecast of one method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Forecast {
    pub(super) method: CaptureMethod,
    /// The program's stop.
    pub(super) pause_ms: f64,
    /// Until the capture is complete.
    pub(super) duration_ms: f64,
    /// Memory that it takes beside the program's own, at most.
    pub(super) memory_bytes: u64,
}

/// A page table maps 512 pages of 4 KiB with 4 KiB: so many bytes of memory for each of its own.
const RESIDENT_BYTES_A_TABLE_BYTE: u64 = 512;
/// Bytes of an object, its share of arrays included.
const BYTES_AN_OBJECT: f64 = 40.0;
/// Buffers of the agent.
const AGENT_BYTES: u64 = 64 << 20;
/// Side bitmap of a walk since JDK 19: one bit for each word of eight bytes.
const MARK_BITS_SHARE: u64 = 64;
/// Native memory of one tag.
const TAG_BYTES: f64 = 75.0;
/// Every stop waits for the last thread to reach a safepoint.
const SAFEPOINT_MS: f64 = 3.0;
/// A collection that takes no more than so much longer is no reason to give a method up: machines have busy moments.
const FELT_MS: f64 = 1000.0;
/// An iteration over the heap, for each object; and one mark that it sets.
const ITERATION_MS: f64 = 25e-6;
const MARK_MS: f64 = 1.5e-3;

/// What snapshots of this JVM cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Costs {
    /// A fork, for each byte of page tables.
    fork_ms: f64,
    /// The child's life, for each object.
    child_ms: f64,
    /// How much longer than usual a collection took while the latest child lived.
    stretch_ms: f64,
    /// A walk in process, for each object.
    walk_ms: f64,
    /// A tagging walk, for each object.
    tagging_ms: f64,
    /// Used bytes for each object.
    bytes_an_object: f64,
}

impl Default for Costs {
    fn default() -> Self {
        Self {
            fork_ms: 8e-6,
            child_ms: 500e-6,
            stretch_ms: 0.0,
            walk_ms: 200e-6,
            tagging_ms: 1.9e-3,
            bytes_an_object: BYTES_AN_OBJECT,
        }
    }
}

fn table_bytes(survey: &Survey) -> u64 {
    let resident = survey.resident_bytes.unwrap_or(survey.committed_bytes);
    survey.page_table_bytes.unwrap_or(resident / RESIDENT_BYTES_A_TABLE_BYTE)
}

impl Costs {
    /// Objects that the heap has by its used bytes, garbage included.
    pub(super) fn objects(&self, survey: &Survey) -> f64 {
        survey.used_bytes as f64 / self.bytes_an_object
    }

    /// What a capture will cost.
    pub(super) fn forecast(&self, method: CaptureMethod, survey: &Survey) -> Forecast {
        let objects = self.objects(survey);
        let (pause_ms, duration_ms, memory_bytes) = match method {
            CaptureMethod::Fork => {
                let pause = self.fork_ms * table_bytes(survey) as f64;
                (pause, pause + self.child_ms * objects, survey.used_bytes + AGENT_BYTES)
            }
            CaptureMethod::InProcess => {
                let pause = self.walk_ms * objects;
                (pause, pause, AGENT_BYTES + survey.used_bytes / MARK_BITS_SHARE)
            }
            CaptureMethod::Tags => {
                let pause = self.tagging_ms * objects;
                (pause, pause, AGENT_BYTES + (TAG_BYTES * objects) as u64)
            }
        };
        Forecast { method, pause_ms: pause_ms + SAFEPOINT_MS, duration_ms: duration_ms + SAFEPOINT_MS, memory_bytes }
    }

    /// How much longer than usual a collection took while the latest child lived, when the program felt it more than
    /// a walk in process.
    ///
    /// A program that fills both its memory and its processors copies every page that it touches meanwhile.
    pub(super) fn stretch_beyond_walk(&self, survey: &Survey) -> Option<f64> {
        let walk_ms = self.forecast(CaptureMethod::InProcess, survey).pause_ms;
        (self.stretch_ms > walk_ms.max(FELT_MS)).then_some(self.stretch_ms)
    }

    /// The stop of a mark by iteration, in milliseconds. `budget`: marks at most.
    pub(super) fn iteration_ms(&self, budget: Option<u32>, survey: &Survey) -> f64 {
        let objects = self.objects(survey);
        let marks = budget.map_or(objects, |budget| objects.min(f64::from(budget)));
        SAFEPOINT_MS + ITERATION_MS * objects + MARK_MS * marks
    }

    /// Learns from a capture of `objects` that was complete.
    pub(super) fn learn(&mut self, method: CaptureMethod, survey: &Survey, done: &CaptureDone, objects: u64) {
        let objects = objects.max(1) as f64;
        let pause = (done.pause_ms - SAFEPOINT_MS).max(0.0);
        self.bytes_an_object = (survey.used_bytes as f64 / objects).max(1.0);
        match method {
            CaptureMethod::Fork => {
                self.fork_ms = pause / table_bytes(survey).max(1) as f64;
                if let Some(child) = &done.child {
                    self.child_ms = child.lifetime_ms / objects;
                    self.stretch_ms =
                        child.usual_collection_ms.map_or(0.0, |usual| child.longest_collection_ms - usual);
                }
            }
            CaptureMethod::InProcess => self.walk_ms = pause / objects,
            CaptureMethod::Tags => self.tagging_ms = pause / objects,
        }
    }

    /// A walk in process took longer than twice its forecast and was given up.
    pub(super) fn was_too_low(&mut self) {
        self.walk_ms *= 2.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rootbound_wire::message::ChildReceipt;

    fn survey() -> Survey {
        let (used_bytes, resident_bytes) = (200_000_000, Some(1 << 30));
        Survey { used_bytes, resident_bytes, page_table_bytes: Some(2 << 20), ..Survey::default() }
    }

    #[test]
    fn a_fork_stops_for_its_page_tables_and_the_others_for_their_objects() {
        let costs = Costs::default();
        let of = |method| costs.forecast(method, &survey());
        assert!((10.0..40.0).contains(&of(CaptureMethod::Fork).pause_ms));
        assert!((900.0..1200.0).contains(&of(CaptureMethod::InProcess).pause_ms));
        assert!((9_000.0..11_000.0).contains(&of(CaptureMethod::Tags).pause_ms));
        assert!((of(CaptureMethod::Fork).duration_ms) > 1000.0);
    }

    #[test]
    fn what_was_measured_replaces_what_was_assumed() {
        let mut costs = Costs::default();
        let child = Some(ChildReceipt { lifetime_ms: 2_000.0, ..ChildReceipt::default() });
        let done = CaptureDone { pause_ms: 43.0, child, ..CaptureDone::default() };
        costs.learn(CaptureMethod::Fork, &survey(), &done, 1_000_000);
        let forecast = costs.forecast(CaptureMethod::Fork, &survey());
        assert!((forecast.pause_ms - 43.0).abs() < 0.01 && (forecast.duration_ms - 2_043.0).abs() < 0.01);
        assert_eq!(costs.stretch_beyond_walk(&survey()), None);
        let twice = Survey { used_bytes: 400_000_000, ..survey() };
        assert!((costs.objects(&twice) - 2e6).abs() < 1.0);
    }
    #[test]
    fn a_child_that_stretched_a_collection_is_remembered_when_the_program_felt_it_more_than_a_walk() {
        let stretched = |longest_collection_ms| {
            let mut costs = Costs::default();
            let usual_collection_ms = Some(150.0);
            let child = ChildReceipt { longest_collection_ms, usual_collection_ms, ..ChildReceipt::default() };
            let done = CaptureDone { pause_ms: 28.0, child: Some(child), ..CaptureDone::default() };
            costs.learn(CaptureMethod::Fork, &survey(), &done, 5_000_000);
            costs.stretch_beyond_walk(&survey())
        };
        assert_eq!(stretched(3150.0), Some(3000.0));
        assert_eq!(stretched(900.0), None, "a walk would have stopped it as long");
    }
}
