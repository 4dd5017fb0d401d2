//! The samples that the allocating threads record: a bounded number, each a stack and a tag on its object. Runs on the
//! program's threads, so it never waits, never grows, and calls the JVM little.

use super::pace::MOST_EVENTS;
use crate::jvmti::abi::FrameInfo;
use crate::jvmti::allocations::{DEEPEST, SampledAllocation};
use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

/// Most samples that are kept at a time; collected ones make room.
pub const MOST_SAMPLES: usize = 256;
/// Most classes that are sampled at a time; their tags are 1, 2, 3 …
pub const MOST_CLASSES: usize = 32;
/// The tag of the first sample; the next ones count on.
pub const FIRST_TAG: i64 = 1 << 16;
/// Target number of stacks of one class in a period, and bound for all classes: 10 µs each, 0.1 % of one core. The
/// samples that one class gathers between two searches, which find the unrelated ones, find room.
const STACKS_OF_CLASS: u32 = 10;
const STACKS: u32 = 50;

/// One allocation of a member's class.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Tag of its object.
    pub tag: i64,
    /// Tag of its class.
    pub class: usize,
    /// Milliseconds since the agent was loaded.
    pub at_ms: u64,
    /// Collections that had finished before.
    pub collections: u64,
    /// Frames of the stack that are known.
    pub depth: usize,
    /// The stack, top first.
    pub frames: [FrameInfo; DEEPEST],
}

/// One class in the running period.
#[derive(Default)]
struct Line {
    seen: AtomicU32,
    taken: AtomicU32,
    /// One of this number is taken.
    stride: AtomicU32,
}

/// The counts of a period that ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// Events of all classes.
    pub events: u32,
    /// Whether there were too many.
    pub was_braked: bool,
}

/// Sums since the window began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Events of all classes.
    pub events: u64,
    /// Stacks taken.
    pub samples: u64,
    /// Events of members' classes that were not taken.
    pub dropped: u64,
    /// Time in the callback, in nanoseconds.
    pub nanos: u64,
}

/// The data that allocating threads and the work thread share.
#[derive(Default)]
pub struct Samples {
    is_on: AtomicBool,
    brake_bytes: AtomicU32,
    in_period: AtomicU32,
    stacks: AtomicU32,
    classes: [Line; MOST_CLASSES],
    next_tag: AtomicI64,
    events: AtomicU64,
    taken: AtomicU64,
    dropped: AtomicU64,
    nanos: AtomicU64,
    /// Allocating threads try it once, and never call the JVM while they hold it.
    kept: Mutex<Vec<Sample>>,
}

impl Samples {
    /// A window begins: nothing is known, there is room, and events count.
    pub fn open(&self, brake_bytes: u32) {
        *self.kept.lock() = Vec::with_capacity(MOST_SAMPLES);
        self.next_tag.store(FIRST_TAG, Relaxed);
        for sum in [&self.events, &self.taken, &self.dropped, &self.nanos] {
            sum.store(0, Relaxed);
        }
        for line in &self.classes {
            line.stride.store(1, Relaxed);
        }
        self.end_period(brake_bytes);
        self.is_on.store(true, Relaxed);
    }

    /// The window is over: events count no more, and nothing is remembered.
    pub fn close(&self) {
        self.is_on.store(false, Relaxed);
        *self.kept.lock() = Vec::new();
    }

    /// Receives an allocation from the JVM, on the thread that makes it.
    pub fn on_allocation(&self, event: &SampledAllocation<'_>, at_ms: u64, collections: u64) {
        if !self.is_on.load(Relaxed) {
            return;
        }
        let begun = Instant::now();
        if self.in_period.fetch_add(1, Relaxed) + 1 == MOST_EVENTS {
            event.set_interval(self.brake_bytes.load(Relaxed));
        }
        let class = usize::try_from(event.class_tag()).unwrap_or(0);
        if class > 0 && self.admits(class) {
            self.take(event, class, at_ms, collections);
        }
        self.nanos.fetch_add(begun.elapsed().as_nanos() as u64, Relaxed);
    }

    /// Whether a stack is taken of this allocation: one of several of its class, so that the stacks of a period spread
    /// over it, and never too many.
    fn admits(&self, class: usize) -> bool {
        let Some(line) = self.classes.get(class - 1) else { return false };
        let number = line.seen.fetch_add(1, Relaxed);
        let is_due = number.is_multiple_of(line.stride.load(Relaxed).max(1));
        let has_room =
            || line.taken.fetch_add(1, Relaxed) < 2 * STACKS_OF_CLASS && self.stacks.fetch_add(1, Relaxed) < STACKS;
        let taken = is_due && has_room();
        if !taken {
            self.dropped.fetch_add(1, Relaxed);
        }
        taken
    }

    fn take(&self, event: &SampledAllocation<'_>, class: usize, at_ms: u64, collections: u64) {
        let mut frames = [FrameInfo::default(); DEEPEST];
        let depth = event.stack(&mut frames);
        let tag = self.next_tag.fetch_add(1, Relaxed);
        if depth > 0 && self.keep(Sample { tag, class, at_ms, collections, depth, frames }) {
            event.set_tag(tag);
            self.taken.fetch_add(1, Relaxed);
        } else {
            self.dropped.fetch_add(1, Relaxed);
        }
    }

    /// Stores a sample if there is room immediately.
    fn keep(&self, sample: Sample) -> bool {
        let Some(mut kept) = self.kept.try_lock() else { return false };
        let has_room = kept.len() < kept.capacity().min(MOST_SAMPLES);
        if has_room {
            kept.push(sample);
        }
        has_room
    }

    /// A period ends and the next begins. Classes that came too often are thinned.
    pub fn end_period(&self, brake_bytes: u32) -> Period {
        self.brake_bytes.store(brake_bytes, Relaxed);
        for line in &self.classes {
            let seen = line.seen.swap(0, Relaxed);
            line.stride.store(seen.div_ceil(STACKS_OF_CLASS).max(1), Relaxed);
            line.taken.store(0, Relaxed);
        }
        self.stacks.store(0, Relaxed);
        let events = self.in_period.swap(0, Relaxed);
        self.events.fetch_add(u64::from(events), Relaxed);
        Period { events, was_braked: events >= MOST_EVENTS }
    }

    /// Forgets the samples whose objects are gone.
    pub fn retain(&self, lives: impl Fn(i64) -> bool) {
        self.kept.lock().retain(|sample| lives(sample.tag));
    }

    /// All samples that are remembered.
    pub fn all(&self) -> Vec<Sample> {
        self.kept.lock().clone()
    }

    /// Their number.
    pub fn len(&self) -> usize {
        self.kept.lock().len()
    }

    /// Whether none is remembered.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The sums since the window began.
    pub fn counts(&self) -> Counts {
        Counts {
            events: self.events.load(Relaxed) + u64::from(self.in_period.load(Relaxed)),
            samples: self.taken.load(Relaxed),
            dropped: self.dropped.load(Relaxed),
            nanos: self.nanos.load(Relaxed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(tag: i64) -> Sample {
        Sample { tag, class: 1, at_ms: 0, collections: 0, depth: 1, frames: [FrameInfo::default(); DEEPEST] }
    }

    #[test]
    fn there_is_room_for_so_many_and_the_dead_make_room() {
        let samples = Samples::default();
        assert!(!samples.keep(sample(1)), "no window is open");
        samples.open(0);
        let kept = (0..1000).filter(|&tag| samples.keep(sample(tag))).count();
        assert_eq!(kept, MOST_SAMPLES);
        samples.retain(|tag| tag % 2 == 0);
        assert_eq!(samples.len(), MOST_SAMPLES / 2);
        assert!(samples.keep(sample(1000)));
        samples.close();
        assert!(samples.is_empty() && !samples.keep(sample(1)));
    }

    #[test]
    fn a_contended_sample_is_dropped() {
        let samples = Samples::default();
        samples.open(0);
        let held = samples.kept.lock();
        assert!(!samples.keep(sample(1)));
        drop(held);
        assert!(samples.keep(sample(1)));
    }

    #[test]
    fn a_class_that_is_allocated_often_is_thinned_evenly_and_leaves_room_for_others() {
        let samples = Samples::default();
        samples.open(0);
        let often = |samples: &Samples| (0..1200).filter(|_| samples.admits(1)).collect::<Vec<_>>();
        assert_eq!(often(&samples).len(), 2 * STACKS_OF_CLASS as usize, "the first period knows no better");
        samples.end_period(0);
        let taken = often(&samples);
        assert_eq!(taken.len(), STACKS_OF_CLASS as usize);
        assert!(*taken.last().unwrap() > 1000, "spread over the period: {taken:?}");
        assert!((0..5).all(|_| samples.admits(2)), "a rare class is taken wholly");
        assert_eq!(samples.counts().dropped, 2 * 1200 - 3 * u64::from(STACKS_OF_CLASS));
    }

    #[test]
    fn too_many_events_of_a_period_are_reported() {
        let samples = Samples::default();
        samples.open(0);
        samples.in_period.store(MOST_EVENTS + 7, Relaxed);
        assert_eq!(samples.end_period(0), Period { events: MOST_EVENTS + 7, was_braked: true });
        assert_eq!(samples.end_period(0), Period { events: 0, was_braked: false });
        assert_eq!(samples.counts().events, u64::from(MOST_EVENTS) + 7);
    }
}
