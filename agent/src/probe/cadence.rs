//! The time of the next count or check, in visits. Reads nothing.
//!
//! [`Backoff`]: counts that may teach nothing become ever rarer. [`SingleVisitCounts`]: none is begun that must fail.
//! [`Checks`]: the more reads a check takes, the rarer it is.

/// Counts that follow one another immediately; each further one comes after twice as many visits as the last.
const AT_ONCE: u32 = 4;
/// The longest wait, in visits. A count over several visits that takes longer is not worth waiting for.
pub const LONGEST: u32 = 64;
/// The least number of visits between two checks.
pub const CHECK_EVERY: u32 = 16;
/// Reads that checks take in each visit, on average.
pub const CHECK_READS: u32 = 128;

/// A single-visit count may take more than the last one by one in this number.
const GROWTH_SHARE: u32 = 8;

/// Ever longer waits between counts that may teach nothing, for the structure may not change.
#[derive(Default)]
pub struct Backoff {
    made: u32,
    /// Visits until the next.
    waits: u32,
}

impl Backoff {
    /// A count was made.
    pub fn made(&mut self) {
        self.made += 1;
        self.waits = self.made.checked_sub(AT_ONCE).map_or(0, |more| 2_u32.saturating_pow(more + 1).min(LONGEST));
    }

    /// A visit begins.
    pub fn pass(&mut self) {
        self.waits = self.waits.saturating_sub(1);
    }

    /// Whether the next one need not wait.
    pub fn is_over(&self) -> bool {
        self.waits == 0
    }
}

/// Single-visit counts of a large structure, for its counters: the program changes little meanwhile.
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
        self.backoff.made();
        (self.are_long, self.reads) = (!has_ended, reads);
    }

    /// None is going to end.
    pub fn give_up(&mut self) {
        self.are_long = true;
    }

    /// A visit begins.
    pub fn pass(&mut self) {
        self.backoff.pass();
    }

    /// The next ones follow one another immediately, as the first did.
    pub fn begin_anew(&mut self) {
        self.backoff = Backoff::default();
    }
}

/// Checks of a size that is known by inference alone.
#[derive(Default)]
pub struct Checks {
    /// Visits since the last.
    since: u32,
    /// Its reads.
    reads: u32,
}

impl Checks {
    /// A check was made, and took this number of reads.
    pub fn after(reads: u32) -> Self {
        Self { since: 0, reads }
    }

    /// A visit passes without one.
    pub fn pass(&mut self) {
        self.since = self.since.saturating_add(1);
    }

    /// Whether the next one may be made.
    pub fn are_due(&self) -> bool {
        self.since >= CHECK_EVERY.max(self.reads / CHECK_READS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_follow_one_another_four_times_and_then_ever_more_rarely() {
        let mut backoff = Backoff::default();
        let due = (0..200_u32).filter(|_| {
            backoff.pass();
            let is_over = backoff.is_over();
            if is_over {
                backoff.made();
            }
            is_over
        });
        assert_eq!(due.collect::<Vec<_>>(), [0, 1, 2, 3, 5, 9, 17, 33, 65, 129, 193]);
    }

    #[test]
    fn a_check_is_the_rarer_the_more_it_reads() {
        for (reads, visits) in [(0, 16), (2_048, 16), (4_096, 32), (32_768, 256)] {
            let mut checks = Checks::after(reads);
            let waits = (0..1_000).take_while(|_| {
                let waits = !checks.are_due();
                checks.pass();
                waits
            });
            assert_eq!(waits.count(), visits, "{reads} reads");
        }
    }
}
