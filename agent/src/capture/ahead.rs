//! Copies ahead. A program that writes nearly all of its pages while a child runs copies each of them in a fault of
//! its own, and each copy interrupts the program's other processors. The child has one thread and copies many pages at
//! a time. It needs a fraction of the time, and the program finds its pages unshared. So a child is asked to copy the
//! used pages when the program is seen to write widely.

use crate::os::ring::RingCounters;
use std::ops::Range;
use std::time::Duration;

/// Time between two reads of the program's faults.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// Fewer faults than these prove nothing.
const FEWEST_FAULTS: u64 = 2_000;
/// Children run for seconds: a program that would write all pages in this time writes widely.
const HORIZON: Duration = Duration::from_secs(4);

/// Decides for one child.
pub struct Ahead<'r> {
    ranges: &'r [Range<u64>],
    faults_before: Option<u64>,
    /// The program was seen to write widely while an earlier child ran.
    is_expected: bool,
    is_asked: bool,
    next_look: Duration,
    /// Whether the program was seen to write widely while this child ran.
    pub writes_widely: bool,
}

impl<'r> Ahead<'r> {
    /// Creates the decision for a child that was just born and shares these ranges of the heap; `is_expected` as an
    /// earlier child showed.
    pub fn new(ranges: &'r [Range<u64>], faults_before: Option<u64>, is_expected: bool) -> Self {
        let next_look = LOOK_EVERY;
        Self { ranges, faults_before, is_expected, is_asked: false, next_look, writes_widely: false }
    }

    /// Decides, `lived` after the child's birth. `faults` returns the program's page faults so far, `left` the bytes
    /// that may still be taken.
    pub fn look(
        &mut self,
        counters: RingCounters<'_>,
        lived: Duration,
        faults: impl FnOnce() -> Option<u64>,
        left: impl FnOnce() -> Option<u64>,
    ) {
        if lived >= self.next_look && !self.writes_widely {
            self.next_look = lived + LOOK_EVERY;
            let faults = faults().zip(self.faults_before).map(|(now, then)| now.saturating_sub(then));
            self.writes_widely = faults.is_some_and(|faults| is_wide(faults, lived, self.bytes()));
        }
        if (self.writes_widely || self.is_expected) && !self.is_asked {
            self.is_asked = true;
            if left().is_some_and(|left| left >= self.bytes()) {
                counters.ask_for_copies(self.ranges);
            }
        }
    }

    fn bytes(&self) -> u64 {
        self.ranges.iter().map(|range| range.end - range.start).sum()
    }
}

/// Whether a program with this number of faults in that time would soon have written all of these bytes.
fn is_wide(faults: u64, lived: Duration, bytes: u64) -> bool {
    let pages = bytes / rustix::param::page_size() as u64;
    faults >= FEWEST_FAULTS && faults as f64 * HORIZON.div_duration_f64(lived) >= pages as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::os::ring::Ring;

    #[test]
    fn a_program_that_would_soon_have_written_everything_writes_widely() {
        let page = rustix::param::page_size() as u64;
        let after = |faults, ms| is_wide(faults, Duration::from_millis(ms), 100_000 * page);
        assert!(after(2_500, 100), "25,000 a second");
        assert!(!after(2_400, 100), "24,000 a second");
        assert!(!after(1_900, 20), "too few to say");
    }

    #[test]
    fn a_child_is_asked_once_when_it_is_expected_and_there_is_room() {
        let mut ring = Ring::new(1).expect("memory");
        let (writer, _, counters) = ring.split();
        let range = 0..4096;
        let ranges = std::slice::from_ref(&range);
        let mut calm = Ahead::new(ranges, None, false);
        calm.look(counters, Duration::from_millis(50), || Some(1), || Some(1 << 30));
        let mut tight = Ahead::new(ranges, None, true);
        tight.look(counters, Duration::ZERO, || None, || Some(4095));
        assert!(!writer.is_asked());
        let mut expected = Ahead::new(ranges, None, true);
        expected.look(counters, Duration::ZERO, || None, || Some(4096));
        assert!(writer.is_asked() && !expected.writes_widely);
        let mut seen = Ahead::new(ranges, Some(100), false);
        seen.look(counters, Duration::from_millis(50), || Some(5_000), || Some(4096));
        assert!(seen.writes_widely);
    }
}
