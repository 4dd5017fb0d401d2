//! How fast and how long paths are walked: a bound on all reads and on
//! their time, a rest after every stretch of work so that the program
//! feels nothing, and a look whether anybody still wants the result. Reads nothing.

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
    /// At most so many reads and about so long, and only as long as `interrupt` says `false`.
    pub fn new(most: u64, longest: Duration, interrupt: &'a dyn Fn() -> bool) -> Self {
        let begun = Instant::now();
        Self { reads: 0, most, begun, longest, stretch: begun, interrupt, is_interrupted: false }
    }

    /// The walk begins now: what was prepared for it took none of its time.
    pub fn begin(&mut self) {
        self.begun = Instant::now();
        self.stretch = self.begun;
    }

    /// Before a read: whether it may be done.
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

    /// Whether nobody wants the result any more.
    pub fn is_interrupted(&self) -> bool {
        self.is_interrupted
    }
}
