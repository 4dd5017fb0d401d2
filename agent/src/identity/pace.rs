//! The pace and length of walks along paths: a bound on all reads and on their time, a rest after every stretch of
//! work so that the program feels nothing, and a check whether the result is still wanted. Reads nothing.

use std::time::{Duration, Instant};

/// Work between two rests.
const STRETCH: Duration = Duration::from_millis(10);
const REST: Duration = Duration::from_millis(1);
/// Reads between two looks at the clock: about 20 µs.
const READS_A_LOOK: u64 = 128;

/// The pace of one walk.
pub struct Pace<'a> {
    reads: u64,
    most: u64,
    begun: Instant,
    longest: Duration,
    stretch: Instant,
    interrupt: &'a dyn Fn() -> bool,
    is_interrupted: bool,
}

impl<'a> Pace<'a> {
    /// Allows this number of reads and about this time, and only as long as `interrupt` returns `false`.
    pub fn new(most: u64, longest: Duration, interrupt: &'a dyn Fn() -> bool) -> Self {
        let begun = Instant::now();
        Self { reads: 0, most, begun, longest, stretch: begun, interrupt, is_interrupted: false }
    }

    /// The walk begins now: what was prepared for it took none of its time.
    pub fn begin(&mut self) {
        self.begun = Instant::now();
        self.stretch = self.begun;
    }

    /// Whether the next read may be done; called before each.
    pub fn may_read(&mut self) -> bool {
        if self.reads >= self.most || self.is_interrupted {
            return false;
        }
        self.reads += 1;
        if self.reads.is_multiple_of(READS_A_LOOK) && self.stretch.elapsed() >= STRETCH {
            self.is_interrupted = (self.interrupt)();
            if self.begun.elapsed() >= self.longest {
                self.most = self.reads;
            }
            std::thread::sleep(REST);
            self.stretch = Instant::now();
        }
        !self.is_interrupted
    }

    /// Reads so far.
    pub fn reads(&self) -> u64 {
        self.reads
    }

    /// Whether the result is no longer wanted.
    pub fn is_interrupted(&self) -> bool {
        self.is_interrupted
    }
}
