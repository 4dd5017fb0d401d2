//! Cost of a snapshot before it is made: from the heap's size and the costs of earlier snapshots. Decides nothing.
//!
//! The constants are for a JVM of whose heap nothing is known yet, on the slow side of the measurements
//! (docs/overhead.md). Every capture replaces them by the values of this JVM and this machine.

use rootbound_wire::message::{CaptureDone, CaptureMethod, Survey};

/// Forecast of one method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Forecast {
    pub(super) method: CaptureMethod,
    /// Pause of the program, in milliseconds.
    pub(super) pause_ms: f64,
    /// Time until the capture is complete, in milliseconds.
    pub(super) duration_ms: f64,
    /// Memory that it takes in addition to the program's own, in bytes, at most.
    pub(super) memory_bytes: u64,
}

/// Resident bytes for each byte of page tables: a page table of 4 KiB maps 512 pages of 4 KiB.
const RESIDENT_BYTES_A_TABLE_BYTE: u64 = 512;
/// Bytes of an object, its share of arrays included.
const BYTES_AN_OBJECT: f64 = 40.0;
/// Milliseconds that every pause waits for the last thread to reach a safepoint.
const SAFEPOINT_MS: f64 = 3.0;
/// Extra milliseconds of a collection that are no reason to give a method up: machines have busy moments.
const FELT_MS: f64 = 1000.0;
/// Milliseconds of an iteration over the heap, for each object; and of one mark that it sets.
const ITERATION_MS: f64 = 25e-6;
const MARK_MS: f64 = 1.5e-3;
/// Milliseconds for each object with collectors that move objects while the program runs. An iteration with them
/// traverses the heap, and walks read through barriers (measured: 440 ns an object on ZGC of 17).
const TRAVERSAL_MS: f64 = 450e-6;
const TRAVERSING: [&str; 2] = ["ZGC", "Shenandoah"];

/// Weight of the assumed costs, as bytes of page tables or objects. One capture of a small heap says little about a
/// large one. A busy moment of the machine then does not make every later capture look impossible.
const ASSUMED_TABLE_BYTES: f64 = (2 << 20) as f64;
const ASSUMED_OBJECTS: f64 = 300_000.0;

/// Cost of one unit, when `count` units cost `total` now and `before` was assumed with the weight `weight`.
fn learned(before: f64, weight: f64, total: f64, count: f64) -> f64 {
    (before * weight + total) / (weight + count)
}

/// Costs of snapshots of this JVM.
#[derive(Clone, Copy, Debug)]
pub(super) struct Costs {
    /// Fork, for each byte of page tables.
    fork_ms: f64,
    /// Lifetime of the child, for each object.
    child_ms: f64,
    /// Extra time of a collection while the latest child ran.
    stretch_ms: f64,
    /// Walk in process, for each object.
    walk_ms: f64,
    /// Tagging walk, for each object.
    tagging_ms: f64,
    /// Iteration, for each object.
    iteration_ms: f64,
    /// Used bytes for each object.
    bytes_an_object: f64,
    /// Whether a walk in the program took longer than allowed and was given up: no second one is begun.
    gave_up: bool,
}

impl Default for Costs {
    fn default() -> Self {
        Self {
            fork_ms: 8e-6,
            child_ms: 500e-6,
            stretch_ms: 0.0,
            walk_ms: 200e-6,
            tagging_ms: 1.9e-3,
            iteration_ms: ITERATION_MS,
            bytes_an_object: BYTES_AN_OBJECT,
            gave_up: false,
        }
    }
}

fn table_bytes(survey: &Survey) -> u64 {
    let resident = survey.resident_bytes.unwrap_or(survey.committed_bytes);
    let tables = survey.page_table_bytes.unwrap_or(resident / RESIDENT_BYTES_A_TABLE_BYTE);
    survey.forked_bytes.map_or(tables, |forked| tables.min(forked / RESIDENT_BYTES_A_TABLE_BYTE))
}

impl Costs {
    /// Assumed costs of a JVM, by its collector.
    pub(super) fn of_collector(gc: &str) -> Self {
        let costs = Self::default();
        if TRAVERSING.contains(&gc) {
            Self { walk_ms: TRAVERSAL_MS, iteration_ms: TRAVERSAL_MS, ..costs }
        } else {
            costs
        }
    }

    /// Number of objects in the heap by its used bytes, garbage included.
    pub(super) fn objects(&self, survey: &Survey) -> f64 {
        survey.used_bytes as f64 / self.bytes_an_object
    }

    /// Forecasts a capture.
    pub(super) fn forecast(&self, method: CaptureMethod, survey: &Survey) -> Forecast {
        let objects = self.objects(survey);
        let memory_bytes = survey.of(method).need_bytes;
        let (pause_ms, duration_ms) = match method {
            CaptureMethod::Fork => {
                let pause = self.fork_ms * table_bytes(survey) as f64;
                (pause, pause + self.child_ms * objects)
            }
            CaptureMethod::InProcess => {
                let pause = self.walk_ms * objects;
                (pause, pause)
            }
            CaptureMethod::Tags => {
                let pause = self.tagging_ms * objects;
                (pause, pause)
            }
        };
        Forecast { method, pause_ms: pause_ms + SAFEPOINT_MS, duration_ms: duration_ms + SAFEPOINT_MS, memory_bytes }
    }

    /// Extra time of a collection while the latest child ran, when the program felt it more than a walk in process.
    ///
    /// A program that fills both its memory and its processors copies every page that it writes meanwhile.
    pub(super) fn stretch_beyond_walk(&self, survey: &Survey) -> Option<f64> {
        let walk_ms = self.forecast(CaptureMethod::InProcess, survey).pause_ms;
        (self.stretch_ms > walk_ms.max(FELT_MS)).then_some(self.stretch_ms)
    }

    /// Pause of a mark by iteration, in milliseconds. `budget`: marks at most.
    pub(super) fn iteration_ms(&self, budget: Option<u32>, survey: &Survey) -> f64 {
        let objects = self.objects(survey);
        let marks = budget.map_or(objects, |budget| objects.min(f64::from(budget)));
        SAFEPOINT_MS + self.iteration_ms * objects + MARK_MS * marks
    }

    /// Learns from a capture of `objects` that was complete.
    pub(super) fn learn(&mut self, method: CaptureMethod, survey: &Survey, done: &CaptureDone, objects: u64) {
        let objects = objects.max(1) as f64;
        let pause = (done.pause_ms - SAFEPOINT_MS).max(0.0);
        self.bytes_an_object = (survey.used_bytes as f64 / objects).max(1.0);
        let of_objects = |before, total| learned(before, ASSUMED_OBJECTS, total, objects);
        match method {
            CaptureMethod::Fork => {
                self.fork_ms = learned(self.fork_ms, ASSUMED_TABLE_BYTES, pause, table_bytes(survey) as f64);
                if let Some(child) = &done.child {
                    self.child_ms = of_objects(self.child_ms, child.lifetime_ms);
                    self.stretch_ms =
                        child.usual_collection_ms.map_or(0.0, |usual| child.longest_collection_ms - usual);
                }
            }
            CaptureMethod::InProcess => self.walk_ms = of_objects(self.walk_ms, pause),
            CaptureMethod::Tags => self.tagging_ms = of_objects(self.tagging_ms, pause),
        }
    }

    /// Records that a walk in the program was given up because it took too long.
    pub(super) fn give_up(&mut self) {
        self.gave_up = true;
    }

    /// Reason why no walk of that kind is begun any more.
    pub(super) fn given_up(&self, method: CaptureMethod) -> Option<String> {
        (self.gave_up && method != CaptureMethod::Fork)
            .then(|| "an earlier walk took longer than a stop may, and was given up".to_owned())
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
    fn a_fork_that_leaves_out_what_is_free_copies_fewer_page_tables() {
        let costs = Costs::default();
        let whole = costs.forecast(CaptureMethod::Fork, &survey()).pause_ms;
        let spared = Survey { forked_bytes: Some(1 << 28), ..survey() };
        assert!(costs.forecast(CaptureMethod::Fork, &spared).pause_ms < whole / 2.0);
    }

    #[test]
    fn a_collector_that_traverses_the_heap_takes_ten_times_as_long() {
        let of = |gc| Costs::of_collector(gc).iteration_ms(None, &survey());
        assert!(Costs::of_collector("ZGC").iteration_ms(Some(0), &survey()) > 2000.0);
        assert_eq!(of("G1"), of("Parallel"));
    }

    #[test]
    fn no_walk_follows_one_that_was_given_up_but_a_fork_may() {
        let mut costs = Costs::default();
        assert_eq!(costs.given_up(CaptureMethod::Tags), None);
        costs.give_up();
        assert!(costs.given_up(CaptureMethod::InProcess).is_some() && costs.given_up(CaptureMethod::Fork).is_none());
    }

    /// Costs after a fork with `table_bytes` of page tables that took `pause_ms`, and the forecast of the same fork
    /// then.
    fn after_a_fork(table_bytes: u64, pause_ms: f64) -> (Costs, Forecast) {
        let (mut costs, survey) = (Costs::default(), Survey { page_table_bytes: Some(table_bytes), ..survey() });
        let child = Some(ChildReceipt { lifetime_ms: 2_000.0, ..ChildReceipt::default() });
        let done = CaptureDone { pause_ms, child, ..CaptureDone::default() };
        costs.learn(CaptureMethod::Fork, &survey, &done, 10_000_000);
        let forecast = costs.forecast(CaptureMethod::Fork, &survey);
        (costs, forecast)
    }

    #[test]
    fn what_was_measured_on_a_large_heap_replaces_what_was_assumed() {
        let (costs, forecast) = after_a_fork(100 << 20, 400.0);
        assert!((forecast.pause_ms - 400.0).abs() < 20.0, "{forecast:?}");
        assert!((forecast.duration_ms - 2_400.0).abs() < 100.0, "{forecast:?}");
        assert_eq!(costs.stretch_beyond_walk(&survey()), None);
        let twice = Survey { used_bytes: 400_000_000, ..survey() };
        assert!((costs.objects(&twice) - 20e6).abs() < 1.0);
    }

    #[test]
    fn a_busy_moment_on_a_small_heap_says_little_of_a_large_one() {
        let (costs, _) = after_a_fork(80 << 10, 91.0);
        let large = costs.forecast(CaptureMethod::Fork, &Survey { page_table_bytes: Some(2 << 20), ..survey() });
        assert!(large.pause_ms < 200.0, "{large:?}");
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
