//! How many references all probes together may read, by the clock. Reads nothing itself.

use rootbound_wire::message::MOST_TANGLED_READS;
use std::time::{Duration, Instant};

/// Reads a second that all probes may make together, on average: at a tenth to half a microsecond each, a tenth to four tenths
/// of a percent of one processor.
const READS_A_SECOND: f64 = 8_192.0;
/// What new probes may read besides, once, to learn which counters follow: a second of one processor at most.
const READS_TO_LEARN: f64 = 2_097_152.0;
/// What each of them adds to that.
const READS_OF_ONE_TO_LEARN: f64 = 524_288.0;
/// So much of it a second.
const LEARNT_A_SECOND: f64 = 32_768.0;
/// Reads that may be saved up. A visit makes at most half of them.
const MOST_SAVED: f64 = 8_192.0;
/// Most reads of one plain visit, whatever is asked for.
pub const VISIT_READS: u32 = 4_096;
/// A visit that finds a whole count too much counts on in another way.
const MOST_OF_PLAIN: u32 = 2 * VISIT_READS;
/// A count of a large structure in one visit, of one that is tangled or where counters have to prove themselves.
const LARGE: f64 = MOST_TANGLED_READS as f64;

/// What new probes may read, once, for counts at once of plain structures beyond that: a sixteenth to a seventh of a microsecond each
/// where the heap is near, so two to five seconds of one processor in all; no more than a capture of a heap has read in which there
/// are such structures.
const READS_TO_COUNT: f64 = 33_554_432.0;
/// The most of one of them, and so of one visit: a list of ten million members, whose counter two such counts prove.
const LEARNING_COUNT: f64 = 16_777_216.0;
/// After such a count none is made for so many times as long as it took.
const RESTS: u32 = 3;

/// What one visit may read for a count of the whole, beyond its budget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Grant {
    /// In this visit.
    pub now: u32,
    /// In one of the next.
    pub later: u32,
}

impl From<u32> for Grant {
    fn from(reads: u32) -> Self {
        Self { now: reads, later: reads }
    }
}

/// The reads that are left.
pub struct Allowance {
    now: f64,
    to_learn: f64,
    to_count: f64,
    /// What no visit needed, for the count of a large structure: with it counters are checked when all is learned.
    spare: f64,
    refilled: Instant,
    /// Until then no count at once is made: the program wants its processors, too.
    rests_until: Instant,
}

impl Allowance {
    /// The first one.
    pub fn new(now: Instant) -> Self {
        Self { now: MOST_SAVED, to_learn: 0.0, to_count: 0.0, spare: 0.0, refilled: now, rests_until: now }
    }

    /// So many probes more have something to learn.
    pub fn add_probes(&mut self, count: usize) {
        let count = count as f64;
        self.to_learn = (self.to_learn + count * READS_OF_ONE_TO_LEARN).min(READS_TO_LEARN);
        if count > 0.0 {
            self.to_count = READS_TO_COUNT;
        }
    }

    /// Time has passed.
    pub fn refill(&mut self, now: Instant) {
        let seconds = now.duration_since(self.refilled).as_secs_f64();
        self.refilled = now;
        let all = self.now + seconds * READS_A_SECOND;
        self.spare = (self.spare + (all - MOST_SAVED).max(0.0)).min(LARGE);
        self.now = all.min(MOST_SAVED);
        let learning = (seconds * LEARNT_A_SECOND).min(self.to_learn).min(MOST_SAVED - self.now);
        (self.now, self.to_learn) = (self.now + learning, self.to_learn - learning);
    }

    /// Whether nothing may be read now.
    pub fn is_used_up(&self) -> bool {
        self.now <= 0.0
    }

    /// What a count that goes on may read now, if it is worth while.
    pub fn to_go_on(&self) -> Option<u32> {
        (self.now >= f64::from(VISIT_READS / 2)).then(|| VISIT_READS.min(self.now as u32))
    }

    /// What a count from which counters learn may read in one visit, where it holds nothing meanwhile.
    pub fn for_learning(&self) -> Grant {
        if self.to_count <= LARGE {
            return self.for_large().into();
        }
        let later = self.to_count.min(LEARNING_COUNT) as u32;
        Grant { now: if self.refilled < self.rests_until { 0 } else { later }, later }
    }

    /// What the count of a large structure may read in one visit: all that it may ever need, or nothing.
    pub fn for_large(&self) -> u32 {
        if self.to_learn + self.spare >= LARGE { MOST_TANGLED_READS } else { 0 }
    }

    /// So many were read.
    pub fn spend(&mut self, reads: u32) {
        self.now -= f64::from(reads);
    }

    /// So many were read in a visit, which took so long. A count beyond what visits may read is paid from what is there for it.
    pub fn spend_visit(&mut self, reads: u32, took: Duration) {
        if reads <= MOST_OF_PLAIN {
            return self.spend(reads);
        }
        if f64::from(reads) > LARGE {
            self.to_count = (self.to_count - f64::from(reads)).max(0.0);
            self.rests_until = self.refilled + took * (1 + RESTS);
            return;
        }
        let learned = f64::from(reads).min(self.to_learn);
        self.to_learn -= learned;
        self.spare = (self.spare - (f64::from(reads) - learned)).max(0.0);
    }
}

#[cfg(test)]
#[allow(clippy::expect_used)]
mod tests {
    use super::*;

    /// Large counts that are granted in so many seconds, ten visits a second.
    fn large_counts(allowance: &mut Allowance, from: Instant, seconds: u32) -> u32 {
        let ticks = (1..=seconds * 10).filter(|&tick| {
            allowance.refill(from + Duration::from_millis(u64::from(tick) * 100));
            let granted = allowance.for_large();
            allowance.spend_visit(granted, Duration::ZERO);
            granted > 0
        });
        ticks.count() as u32
    }

    #[test]
    fn large_counts_are_learned_with_and_then_as_rare_as_what_is_spared_allows() {
        let start = Instant::now();
        let mut allowance = Allowance::new(start);
        assert_eq!(allowance.for_large(), 0);
        allowance.add_probes(1);
        assert_eq!(large_counts(&mut allowance, start, 2), 16);
        let later = large_counts(&mut allowance, start + Duration::from_secs(2), 800);
        assert!((198..=200).contains(&later), "{later} counts of 32,768 in 800 s of 8,192 a second");
    }

    #[test]
    fn large_structures_are_counted_at_once_while_there_is_so_much_to_learn_with() {
        let start = Instant::now();
        let mut allowance = Allowance::new(start);
        assert_eq!(allowance.for_learning(), 0.into());
        allowance.add_probes(1);
        let took = Duration::from_millis(500);
        for (second, most) in (0..).step_by(2).zip([16_777_216, 16_777_216, 1_554_432]) {
            allowance.refill(start + Duration::from_secs(second));
            assert_eq!(allowance.for_learning(), most.into());
            allowance.spend_visit(most.min(16_000_000), took);
            let later = allowance.for_learning().later;
            assert_eq!(
                allowance.for_learning(),
                if later > MOST_TANGLED_READS { Grant { now: 0, later } } else { later.into() }
            );
        }
        assert_eq!(allowance.for_learning(), MOST_TANGLED_READS.into());
    }

    #[test]
    fn what_visits_use_is_not_spared() {
        let start = Instant::now();
        let mut allowance = Allowance::new(start);
        for second in 1..=100 {
            allowance.refill(start + Duration::from_secs(second));
            allowance.spend(8_192);
        }
        assert_eq!(allowance.for_large(), 0);
    }
}
