//! The number of references that all probes together may read, by the clock. Reads nothing itself.

use rootbound_wire::message::MOST_TANGLED_READS;
use std::time::{Duration, Instant};

/// Reads a second that all probes may make together, on average: at a tenth to half a microsecond each, a tenth to four
/// tenths of a percent of one processor.
const READS_A_SECOND: f64 = 8_192.0;
/// Additional reads that new probes may make, once, to learn which counters follow: a second of one processor at most.
const READS_TO_LEARN: f64 = 2_097_152.0;
/// Share of it that each new probe adds.
const READS_OF_ONE_TO_LEARN: f64 = 524_288.0;
/// Part of it that may be used in a second.
const LEARNT_A_SECOND: f64 = 32_768.0;
/// Reads that may be saved up. A visit makes at most half of them.
const MOST_SAVED: f64 = 8_192.0;
/// Most reads of one plain visit, whatever is asked for.
pub const VISIT_READS: u32 = 4_096;
/// A visit that finds a whole count too large goes on with another method.
const MOST_OF_PLAIN: u32 = 2 * VISIT_READS;
/// Reads of a count of a large structure in one visit: of a tangled one, or of one whose counters have to prove
/// themselves.
const LARGE: f64 = MOST_TANGLED_READS as f64;

/// Reads that new probes may make, once, for single-visit counts of plain structures beyond that. A read takes a
/// sixteenth to a seventh of a microsecond where the heap is near, so two to five seconds of one processor in all.
/// That is no more than a capture of a heap with such structures has read.
const READS_TO_COUNT: f64 = 33_554_432.0;
/// The most reads of one of them, and so of one visit: a list of ten million members, whose counter two such counts
/// prove.
const LEARNING_COUNT: f64 = 16_777_216.0;
/// After such a count none is made for this multiple of its time.
const RESTS: u32 = 3;

/// Reads that one visit may make for a count of the whole, beyond its budget.
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
    /// Reads that no visit needed, for the count of a large structure: it checks counters when all is learned.
    spare: f64,
    refilled: Instant,
    /// Until then no single-visit count is made: the program needs its processors, too.
    rests_until: Instant,
}

impl Allowance {
    /// The first one.
    pub fn new(now: Instant) -> Self {
        Self { now: MOST_SAVED, to_learn: 0.0, to_count: 0.0, spare: 0.0, refilled: now, rests_until: now }
    }

    /// Adds the reads for this number of new probes, which have something to learn.
    pub fn add_probes(&mut self, count: usize) {
        let count = count as f64;
        self.to_learn = (self.to_learn + count * READS_OF_ONE_TO_LEARN).min(READS_TO_LEARN);
        if count > 0.0 {
            self.to_count = READS_TO_COUNT;
        }
    }

    /// Adds the reads for the time that has passed.
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

    /// Reads that a count that goes on may make now, if it is worth while.
    pub fn to_go_on(&self) -> Option<u32> {
        (self.now >= f64::from(VISIT_READS / 2)).then(|| VISIT_READS.min(self.now as u32))
    }

    /// Reads that a count from which counters learn may make in one visit, where it holds nothing meanwhile.
    pub fn for_learning(&self) -> Grant {
        if self.to_count <= LARGE {
            return self.for_large().into();
        }
        let later = self.to_count.min(LEARNING_COUNT) as u32;
        Grant { now: if self.refilled < self.rests_until { 0 } else { later }, later }
    }

    /// Reads that the count of a large structure may make in one visit: all that it may ever need, or none.
    pub fn for_large(&self) -> u32 {
        if self.to_learn + self.spare >= LARGE { MOST_TANGLED_READS } else { 0 }
    }

    /// Subtracts this number of reads.
    pub fn spend(&mut self, reads: u32) {
        self.now -= f64::from(reads);
    }

    /// Subtracts the reads of a visit that took this time. A count beyond the bound of visits is paid from the reads
    /// for such counts.
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

    /// Large counts that are granted in this number of seconds, ten visits a second.
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
    fn reads_of_visits_are_not_spared() {
        let start = Instant::now();
        let mut allowance = Allowance::new(start);
        for second in 1..=100 {
            allowance.refill(start + Duration::from_secs(second));
            allowance.spend(8_192);
        }
        assert_eq!(allowance.for_large(), 0);
    }
}
