//! The number of references that all probes together may read: a bucket that fills by the clock, and a reserve that new
//! probes bring along. Reads nothing itself.
//!
//! A visit may begin while the bucket is not empty, and is paid for when it has been made. The reserve pays for counts
//! of the whole that are larger than any plain visit; once it is used up the bucket does, on credit. So many small
//! visits never keep a large count waiting, and after a large count the others wait.

use rootbound_wire::message::MOST_TANGLED_READS;
use std::time::{Duration, Instant};

/// Reads a second that all probes may make together, on average: at a tenth to half a microsecond each, a tenth to four
/// tenths of a percent of one processor.
const READS_A_SECOND: f64 = 8_192.0;
/// Reads that the bucket holds. A plain visit makes at most half of them.
const MOST_SAVED: f64 = 8_192.0;
/// Most reads of one plain visit, whatever is asked for.
pub const VISIT_READS: u32 = 4_096;
/// Visits of one tick follow one another while they have read no more than this; while probes learn, no more than is
/// learnt in a tick.
const TICK_READS: u32 = 256;
/// A visit that finds a whole count too large goes on with another method.
const MOST_OF_PLAIN: u32 = 2 * VISIT_READS;

/// The least reserve after an installation. A read takes a sixteenth to a seventh of a microsecond where the heap is
/// near, so two to five seconds of one processor in all.
const LEAST_RESERVE: f64 = 33_554_432.0;
/// Reads of it that may fill the bucket, to learn which counters follow: a second of one processor at most.
const READS_TO_LEARN: f64 = 2_097_152.0;
/// Part of them that flows in a second.
const LEARNT_A_SECOND: f64 = 32_768.0;
/// A whole reserve pays for this number of single-visit counts of the largest size: two prove the counter of a list. So
/// it holds as many times what the latest capture has read, where that is more.
const COUNTS: f64 = 2.0;
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
pub struct Budget {
    /// Below 0 while a visit is being paid for.
    bucket: f64,
    reserve: f64,
    /// Most reads of a single-visit count, which the reserve pays for.
    largest_count: f64,
    refilled: Instant,
    /// Until then the reserve fills the bucket, too.
    learns_until: Instant,
    /// Until then no single-visit count is made: the program needs its processors, too.
    rests_until: Instant,
}

impl Budget {
    /// The first one.
    pub fn new(now: Instant) -> Self {
        let largest_count = LEAST_RESERVE / COUNTS;
        Self { bucket: MOST_SAVED, reserve: 0.0, largest_count, refilled: now, learns_until: now, rests_until: now }
    }

    /// New probes have been installed, which have something to learn, after a capture that read `walked` references.
    pub fn begin_to_learn(&mut self, now: Instant, walked: u64) {
        self.reserve = LEAST_RESERVE.max(COUNTS * walked as f64);
        self.largest_count = self.reserve / COUNTS;
        self.learns_until = now + Duration::from_secs_f64(READS_TO_LEARN / LEARNT_A_SECOND);
    }

    /// Adds the reads for the time that has passed.
    pub fn refill(&mut self, now: Instant) {
        let until = |end: Instant| end.saturating_duration_since(self.refilled).as_secs_f64();
        let (seconds, learning) = (until(now), until(now.min(self.learns_until)));
        self.bucket = (self.bucket + seconds * READS_A_SECOND).min(MOST_SAVED);
        let learnt = (learning * LEARNT_A_SECOND).min(self.reserve).min(MOST_SAVED - self.bucket);
        (self.bucket, self.reserve, self.refilled) = (self.bucket + learnt, self.reserve - learnt, now);
    }

    /// Reads after which no other visit follows in a tick of this length. New probes are visited more closely: the first
    /// trends depend on it.
    pub fn tick_reads(&self, tick: Duration) -> u32 {
        let is_learning = self.refilled < self.learns_until && self.reserve > 0.0;
        let learnt = if is_learning { LEARNT_A_SECOND * tick.as_secs_f64() } else { 0.0 };
        TICK_READS.max((learnt as u32).min(VISIT_READS))
    }

    /// Whether nothing may be read now.
    pub fn is_used_up(&self) -> bool {
        self.bucket <= 0.0
    }

    /// Reads that a count that goes on may make now, if it is worth while.
    pub fn to_go_on(&self) -> Option<u32> {
        (self.bucket >= f64::from(VISIT_READS / 2)).then(|| VISIT_READS.min(self.bucket as u32))
    }

    /// Reads that a count may make in one visit: what the reserve pays for, afterwards what the bucket does on credit.
    pub fn grant(&self) -> Grant {
        let later = MOST_TANGLED_READS.max(self.reserve.min(self.largest_count) as u32);
        let may_begin = !self.is_used_up() && self.refilled >= self.rests_until;
        Grant { now: if may_begin { later } else { 0 }, later }
    }

    /// Subtracts this number of reads.
    pub fn spend(&mut self, reads: u32) {
        self.bucket -= f64::from(reads);
    }

    /// Subtracts the reads of a visit that took this time.
    pub fn spend_visit(&mut self, reads: u32, took: Duration) {
        if reads <= MOST_OF_PLAIN {
            return self.spend(reads);
        }
        self.reserve -= f64::from(reads);
        self.bucket += self.reserve.min(0.0);
        self.reserve = self.reserve.max(0.0);
        self.rests_until = self.refilled + took * (1 + RESTS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads of all visits in this number of seconds, ten visits a second, each of which reads `each` while it may.
    fn reads(budget: &mut Budget, from: Instant, seconds: u32, each: u32) -> f64 {
        let ticks = (1..=seconds * 10).filter(|&tick| {
            budget.refill(from + Duration::from_millis(u64::from(tick) * 100));
            let may = !budget.is_used_up();
            budget.spend_visit(if may { each } else { 0 }, Duration::ZERO);
            may
        });
        ticks.count() as f64 * f64::from(each)
    }

    #[test]
    fn all_visits_keep_to_the_average_whether_they_are_small_or_large() {
        for each in [256, VISIT_READS, MOST_TANGLED_READS] {
            let start = Instant::now();
            let mut budget = Budget::new(start);
            let all = reads(&mut budget, start, 800, each);
            let most = 800.0 * READS_A_SECOND + MOST_SAVED + f64::from(each);
            let wanted = 8_000.0 * f64::from(each);
            assert!(all <= most && all >= wanted.min(800.0 * READS_A_SECOND) - f64::from(each), "{all} of {each} each");
        }
    }

    #[test]
    fn new_probes_read_more_for_a_time_and_no_more_than_the_bound() {
        let start = Instant::now();
        let mut budget = Budget::new(start);
        budget.begin_to_learn(start, 0);
        let soon = reads(&mut budget, start, 10, VISIT_READS);
        assert!((380_000.0..=430_000.0).contains(&soon), "{soon}");
        let all = soon + reads(&mut budget, start + Duration::from_secs(10), 790, VISIT_READS);
        let most = 800.0 * READS_A_SECOND + READS_TO_LEARN + MOST_SAVED + f64::from(VISIT_READS);
        assert!((most * 0.99..=most).contains(&all), "{all}");
    }

    #[test]
    fn a_tick_reads_more_while_probes_learn() {
        let (start, tick) = (Instant::now(), Duration::from_millis(100));
        let mut budget = Budget::new(start);
        assert_eq!(budget.tick_reads(tick), TICK_READS);
        budget.begin_to_learn(start, 0);
        assert_eq!(budget.tick_reads(tick), 3_276);
        assert_eq!(budget.tick_reads(Duration::from_secs(5)), VISIT_READS);
        assert_eq!(budget.tick_reads(Duration::from_millis(1)), TICK_READS);
        budget.refill(start + Duration::from_secs(65));
        assert_eq!(budget.tick_reads(tick), TICK_READS);
    }

    #[test]
    fn single_visit_counts_are_made_while_the_reserve_lasts_and_rest_in_between() {
        let start = Instant::now();
        let mut budget = Budget::new(start);
        assert_eq!(budget.grant(), MOST_TANGLED_READS.into());
        budget.begin_to_learn(start, 0);
        let took = Duration::from_millis(500);
        for (second, most) in (0..).step_by(2).zip([16_777_216, 16_777_216, 1_554_432]) {
            budget.refill(start + Duration::from_secs(second));
            assert_eq!(budget.grant(), most.into());
            budget.spend_visit(most.min(16_000_000), took);
            assert_eq!(budget.grant().now, 0, "it rests");
        }
        budget.refill(start + Duration::from_secs(6));
        assert_eq!(budget.grant(), MOST_TANGLED_READS.into());
    }

    #[test]
    fn behind_a_capture_of_a_large_heap_a_count_may_read_as_much_as_that() {
        let mut budget = Budget::new(Instant::now());
        budget.begin_to_learn(Instant::now(), 80_000_000);
        assert_eq!(budget.grant(), 80_000_000.into());
    }

    #[test]
    fn many_meshes_are_counted_one_after_the_other_while_the_reserve_lasts() {
        let start = Instant::now();
        let mut budget = Budget::new(start);
        budget.begin_to_learn(start, 0);
        let soon = reads(&mut budget, start, 10, MOST_TANGLED_READS);
        assert!((soon - 100.0 * f64::from(MOST_TANGLED_READS)).abs() < 1.0, "{soon}");
    }

    #[test]
    fn after_a_count_on_credit_nothing_is_granted_until_it_is_paid_for() {
        let start = Instant::now();
        let mut budget = Budget::new(start);
        budget.spend_visit(MOST_TANGLED_READS, Duration::ZERO);
        let waits = (1..).find(|&second| {
            budget.refill(start + Duration::from_secs(second));
            budget.grant().now > 0
        });
        assert_eq!(waits, Some(4));
    }
}
