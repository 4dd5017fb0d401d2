//! Ever longer waits between counts that nothing but counters wants: what does not change teaches them nothing. Reads
//! nothing.

/// So many counts follow one another at once, each further one after twice as many visits as the last.
const MADE_AT_ONCE: u32 = 4;
/// After the last doubling.
const MOST_DOUBLINGS: u32 = 8;

/// A count at once may take more than the last one by one in so many.
const GROWTH_SHARE: u32 = 8;

/// When the next count may be made.
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

/// Counts of a large structure within one visit each: the program changes little meanwhile.
#[derive(Default)]
pub struct SingleVisitCounts {
    backoff: Backoff,
    /// What the last one read.
    reads: u32,
    /// The structure is too large for them.
    are_long: bool,
}

impl SingleVisitCounts {
    /// Whether one may be made where so much may be read for it.
    pub fn may_be_made(&self, reads: u32) -> bool {
        !self.are_long && reads > self.reads.saturating_add(self.reads / GROWTH_SHARE)
    }

    /// Whether the next one may be made now for the counters.
    pub fn may_teach(&self, reads: u32) -> bool {
        self.may_be_made(reads) && self.backoff.is_over()
    }

    /// One was made, and read so much; it may not have come to its end.
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

    /// The next ones follow one another at once, as the first did.
    pub fn begin_anew(&mut self) {
        self.backoff = Backoff::default();
    }
}
