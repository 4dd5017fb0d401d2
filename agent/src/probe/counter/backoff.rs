//! Ever longer waits between counts that only counters want: a structure that does not change teaches them nothing.
//! Reads nothing.

/// Number of counts that follow one another immediately; each further one comes after twice as many visits as the
/// last.
const MADE_AT_ONCE: u32 = 4;
/// After the last doubling.
const MOST_DOUBLINGS: u32 = 8;

/// A single-visit count may take more than the last one by one in this number.
const GROWTH_SHARE: u32 = 8;

/// The time of the next count.
#[derive(Default)]
pub struct Backoff {
    made: u32,
    /// Visits until the next.
    waits: u32,
}

impl Backoff {
    /// A count was made.
    pub fn count(&mut self) {
        self.made += 1;
        self.waits =
            if self.made < MADE_AT_ONCE { 0 } else { (1 << (self.made - MADE_AT_ONCE).min(MOST_DOUBLINGS)) - 1 };
    }

    /// A visit has passed.
    pub fn wait(&mut self) {
        self.waits = self.waits.saturating_sub(1);
    }

    /// Whether the next one need not wait.
    pub fn is_over(&self) -> bool {
        self.waits == 0
    }
}

/// Single-visit counts of a large structure: the program changes little meanwhile.
#[derive(Default)]
pub struct SingleVisitCounts {
    backoff: Backoff,
    /// Reads of the last one.
    reads: u32,
    /// The structure is too large for them.
    are_long: bool,
}

impl SingleVisitCounts {
    /// Whether one may be made where this number of reads is granted for it.
    pub fn may_be_made(&self, reads: u32) -> bool {
        !self.are_long && reads > self.reads.saturating_add(self.reads / GROWTH_SHARE)
    }

    /// Whether the next one may be made now for the counters.
    pub fn may_teach(&self, reads: u32) -> bool {
        self.may_be_made(reads) && self.backoff.is_over()
    }

    /// Notes that one was made, and took this number of reads; it may not have come to its end.
    pub fn made(&mut self, has_ended: bool, reads: u32) {
        self.backoff.count();
        (self.are_long, self.reads) = (!has_ended, reads);
    }

    /// None is going to end.
    pub fn give_up(&mut self) {
        self.are_long = true;
    }

    /// A visit has passed.
    pub fn wait(&mut self) {
        self.backoff.wait();
    }

    /// The next ones follow one another immediately, as the first did.
    pub fn begin_anew(&mut self) {
        self.backoff = Backoff::default();
    }
}
