//! Decides when another capture is worth its price: as often as the user asked, when a region of high rank could not be
//! followed, when the program was still being built at the marks, when heap growth is unexplained or unknown, when a
//! region that grew is lost, or when growing contents may still be collected.

use super::Settings;
use crate::report::heap::MOSTLY_EXPLAINED;

/// Milliseconds that regions need to explain anything; each capture in vain doubles it, up to ten minutes.
const PATIENCE_MS: u64 = 60_000;
const MOST_PATIENCE_MS: u64 = 600_000;
/// Milliseconds to wait while it is unknown whether the heap grows and no structure is observed to grow. Growth that
/// began after the capture is looked for sooner than watched growth could be explained.
const UNKNOWN_PATIENCE_MS: u64 = 30_000;
/// The longest pause, in milliseconds, for another capture where no problem is known. A grower that is known does not
/// end the search: it may be a structure that is still being filled, or not the only one that grows.
pub(super) const UNFELT_MS: f64 = 50.0;
/// An obstacle to following a region may be temporary. A capture is tried again after this number of milliseconds, each
/// time after twice as long, a limited number of times.
const UNFOLLOWED_PATIENCE_MS: u64 = 10_000;
const MOST_RETRIES: u32 = 3;
/// Milliseconds after a capture that found a program which had still been built at the marks: what came with its
/// building is new, whether it grows or not. A limited number of times.
const BUILT_PATIENCE_MS: u64 = 10_000;
const MOST_BUILT: u32 = 2;
/// Milliseconds after a capture from which on contents that may be collected are looked at when they begin to grow:
/// that capture met the first of them, when they were in use. Once; later, patience decides.
const CLEARED_PATIENCE_MS: u64 = 10_000;
/// Why such a capture is made.
pub(super) const MAY_WAIT: &str = "what begins to grow may wait for the collector";

/// Observations at one moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight {
    /// Share of the heap's growth that growers explain; `None` while the heap does not grow or its growth is unknown.
    pub(super) explained: Option<f64>,
    /// Whether heap growth cannot be excluded: the heap was hardly collected, or its size wavers.
    pub(super) is_growth_unknown: bool,
    /// Regions that grew and cannot be followed any more.
    pub(super) lost: usize,
    /// Number of regions that grow, and number of those that later collections may still clear.
    pub(super) growers: usize,
    pub(super) maybe_cleared: usize,
    /// Number of regions of high rank that were to be followed, and never were.
    pub(super) unfollowed: usize,
    /// Whether the program was still being built at the latest marks.
    pub(super) was_being_built: bool,
    /// Pause of the latest capture, in milliseconds, when it was made by a fork; `None` where a snapshot costs more.
    pub(super) fork_pause_ms: Option<f64>,
    /// Whether the findings of another capture could still be watched before the run ends.
    pub(super) is_time_left: bool,
}

/// The reasons for another capture, over time.
#[derive(Debug)]
pub(super) struct Recapture {
    every_ms: Option<u64>,
    last_ms: u64,
    patience_ms: u64,
    lost_before: usize,
    retries: u32,
    built: u32,
    has_looked_at_cleared: bool,
}

impl Recapture {
    pub(super) fn new(settings: &Settings) -> Self {
        let ms = |duration: std::time::Duration| u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
        let every_ms = settings.recapture_every.map(ms);
        Self {
            every_ms,
            last_ms: 0,
            patience_ms: PATIENCE_MS,
            lost_before: 0,
            retries: 0,
            built: 0,
            has_looked_at_cleared: false,
        }
    }

    /// Records that a capture has been analysed.
    pub(super) fn captured(&mut self, now_ms: u64) {
        self.last_ms = now_ms;
    }

    /// Whether marks are kept from one capture to the next: only where the next is sure to come.
    pub(super) fn is_regular(&self) -> bool {
        self.every_ms.is_some()
    }

    /// Reason why a capture is due now, if it is. Captures that the user did not ask for are made only where they are
    /// cheap.
    pub(super) fn due(&mut self, now_ms: u64, sight: Sight) -> Option<&'static str> {
        let waited_ms = now_ms.saturating_sub(self.last_ms);
        if self.every_ms.is_some_and(|every_ms| waited_ms >= every_ms) {
            self.last_ms = now_ms;
            return Some("as asked");
        }
        let pause_ms = sight.fork_pause_ms.filter(|_| sight.is_time_left)?;
        if sight.unfollowed > 0 && self.retries < MOST_RETRIES && waited_ms >= UNFOLLOWED_PATIENCE_MS << self.retries {
            self.retries += 1;
            self.last_ms = now_ms;
            return Some("a region of high rank could not be followed");
        }
        let is_unfelt = pause_ms <= UNFELT_MS;
        if sight.was_being_built && is_unfelt && self.built < MOST_BUILT && waited_ms >= BUILT_PATIENCE_MS {
            self.built += 1;
            self.last_ms = now_ms;
            return Some("the program was still being built at the mark");
        }
        let may_be_cleared = sight.growers > 0 && sight.growers <= sight.maybe_cleared;
        if may_be_cleared && is_unfelt && !self.has_looked_at_cleared && waited_ms >= CLEARED_PATIENCE_MS {
            self.has_looked_at_cleared = true;
            self.last_ms = now_ms;
            return Some(MAY_WAIT);
        }
        let looks_early = self.patience_ms == PATIENCE_MS && sight.is_growth_unknown && sight.growers == 0 && is_unfelt;
        if waited_ms < if looks_early { UNKNOWN_PATIENCE_MS } else { self.patience_ms } {
            return None;
        }
        let reason = if sight.lost > self.lost_before {
            "a region that grew was lost"
        } else if sight.explained.is_some_and(|share| share < MOSTLY_EXPLAINED) {
            "the heap's growth is unexplained"
        } else if !is_unfelt {
            return None;
        } else if may_be_cleared {
            "what grows may wait for the collector"
        } else if sight.is_growth_unknown {
            "the heap may grow, as far as collections tell"
        } else {
            return None;
        };
        self.lost_before = sight.lost;
        self.last_ms = now_ms;
        self.patience_ms = (self.patience_ms * 2).min(MOST_PATIENCE_MS);
        Some(reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    const UNEXPLAINED: Sight = Sight {
        explained: Some(0.1),
        is_growth_unknown: false,
        lost: 0,
        growers: 0,
        maybe_cleared: 0,
        unfollowed: 0,
        was_being_built: false,
        fork_pause_ms: Some(10.0),
        is_time_left: true,
    };

    fn times(settings: &Settings, sight: impl Fn(u64) -> Sight) -> Vec<u64> {
        let mut recapture = Recapture::new(settings);
        recapture.captured(0);
        (1..=1000).filter(|&s| recapture.due(s * 1000, sight(s)).is_some()).collect()
    }

    #[test]
    fn unexplained_growth_is_looked_at_again_ever_more_seldom() {
        assert_eq!(times(&Settings::default(), |_| UNEXPLAINED), [60, 180, 420, 900]);
        assert!(times(&Settings::default(), |_| Sight { explained: Some(0.9), ..UNEXPLAINED }).is_empty());
        assert!(times(&Settings::default(), |_| Sight { explained: None, ..UNEXPLAINED }).is_empty());
        assert!(times(&Settings::default(), |_| Sight { fork_pause_ms: None, ..UNEXPLAINED }).is_empty());
        assert!(times(&Settings::default(), |_| Sight { is_time_left: false, ..UNEXPLAINED }).is_empty());
    }

    #[test]
    fn what_nobody_knows_is_looked_at_again_like_what_is_unexplained() {
        let known = Sight { explained: None, ..UNEXPLAINED };
        let unknown = Sight { is_growth_unknown: true, ..known };
        assert_eq!(times(&Settings::default(), |_| unknown), [30, 150, 390, 870], "the first sooner");
        assert!(times(&Settings::default(), |_| Sight { fork_pause_ms: Some(80.0), ..unknown }).is_empty());
        assert_eq!(times(&Settings::default(), |_| Sight { growers: 1, ..unknown }), [60, 180, 420, 900]);
        assert!(times(&Settings::default(), |_| Sight { growers: 1, ..known }).is_empty());
        assert!(times(&Settings::default(), |_| Sight { fork_pause_ms: None, ..unknown }).is_empty());
    }

    #[test]
    fn what_may_be_collected_is_looked_at_when_it_begins_to_grow_and_then_seldom() {
        let sight = |s| Sight { explained: None, growers: 1, maybe_cleared: usize::from(s > 4), ..UNEXPLAINED };
        assert_eq!(times(&Settings::default(), sight), [10, 70, 190, 430, 910]);
        assert!(times(&Settings::default(), |s| Sight { fork_pause_ms: Some(80.0), ..sight(s) }).is_empty());
        assert!(times(&Settings::default(), |s| Sight { is_time_left: false, ..sight(s) }).is_empty());
    }

    #[test]
    fn each_region_that_is_lost_counts_once() {
        let sight = |s| Sight { explained: None, lost: usize::from(s > 100), ..UNEXPLAINED };
        assert_eq!(times(&Settings::default(), sight), [101]);
    }

    #[test]
    fn what_cannot_be_followed_is_tried_again_soon_but_not_for_ever() {
        let unfollowed = Sight { explained: None, unfollowed: 2, ..UNEXPLAINED };
        assert_eq!(times(&Settings::default(), |_| unfollowed), [10, 30, 70]);
        assert!(times(&Settings::default(), |_| Sight { fork_pause_ms: None, ..unfollowed }).is_empty());
    }

    #[test]
    fn a_program_that_was_still_being_built_is_looked_at_again_twice() {
        let built = Sight { explained: None, was_being_built: true, ..UNEXPLAINED };
        assert_eq!(times(&Settings::default(), |_| built), [10, 20]);
        assert!(times(&Settings::default(), |_| Sight { fork_pause_ms: Some(80.0), ..built }).is_empty());
        assert!(times(&Settings::default(), |_| Sight { is_time_left: false, ..built }).is_empty());
    }

    #[test]
    fn what_was_asked_for_is_done_whatever_it_costs() {
        let settings = Settings { recapture_every: Some(Duration::from_secs(300)), ..Settings::default() };
        let nothing = Sight { explained: None, fork_pause_ms: None, is_time_left: false, ..UNEXPLAINED };
        assert_eq!(times(&settings, |_| nothing), [300, 600, 900]);
    }
}
