//! Growth of the reachable bytes between two captures. It needs no collection, and is known as soon as the second
//! capture has been analysed. With further captures the window begins at an earlier one: the longer it is, the less
//! chance matters.

use std::collections::VecDeque;

/// Standard errors to either end of a 95 % interval.
const NORMAL_95: f64 = 1.96;
const SECONDS_AN_HOUR: f64 = 3600.0;

/// Seconds that a window lasts at most: growth of the past says little of the present.
const LONGEST_S: f64 = 600.0;
/// Least gain since the marks of a program that was still being built then: as a share of what is there, and in bytes.
const BUILT_SHARE: f64 = 0.25;
const BUILT_BYTES: f64 = 16.0 * 1_048_576.0;
/// Captures that are kept; more are not made in such a time unless the user asks for them.
const MOST_KEPT: usize = 64;

/// Bytes that captures reached.
#[derive(Clone, Debug, Default)]
pub(super) struct Captured {
    /// The capture from which the latest marks were chosen.
    begun: Option<Reached>,
    /// Captures in which ages were known.
    ended: VecDeque<Reached>,
    gain: Option<Gain>,
    explained: Option<Share>,
    /// Whether the program was still being built at the latest marks.
    was_being_built: bool,
}

/// What a capture shows beside the bytes that it reached.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gained {
    /// Standard error of the bytes gained since the marks ([`super::chance_bytes`]).
    pub error: f64,
    /// New bytes that the known growers keep together ([`super::kept_new_bytes`]); `None` while none is known.
    pub kept: Option<f64>,
}

/// A share of the heap's growth, in [0, 1].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// The best single figure.
    pub share: f64,
    /// Lower end of its 95 % interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Bytes that a capture reached, at a time in seconds.
#[derive(Clone, Copy, Debug)]
struct Reached {
    at_s: f64,
    bytes: f64,
}

/// A growth in bytes an hour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gain {
    /// The best single figure.
    pub per_hour: f64,
    /// Lower end of its 95 % interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Captured {
    /// Marks were chosen from a capture.
    pub(super) fn begin(&mut self, at_s: f64, bytes: u64) {
        self.begun = Some(Reached { at_s, bytes: bytes as f64 });
    }

    /// The capture after the marks. Errors grow with the square root of the time, because pieces come and go
    /// independently.
    pub(super) fn end(&mut self, at_s: f64, bytes: u64, gained: Gained) {
        let now = Reached { at_s, bytes: bytes as f64 };
        self.ended.retain(|earlier| at_s - earlier.at_s <= LONGEST_S);
        let begun = self.begun.take().filter(|begun| begun.at_s < at_s);
        self.explained = None;
        self.was_being_built = false;
        if let Some(begun) = begun {
            let gained_bytes = now.bytes - begun.bytes;
            self.was_being_built = gained_bytes >= BUILT_BYTES.max(BUILT_SHARE * now.bytes);
            let error_a_second = gained.error / (at_s - begun.at_s).sqrt();
            let from = self.ended.front().copied().filter(|earlier| earlier.at_s < at_s).unwrap_or(begun);
            self.gain = Some(Gain::between(from, now, error_a_second));
            self.explained = gained.kept.and_then(|kept| Share::of(kept, now.bytes - begun.bytes, gained.error));
        }
        self.ended.push_back(now);
        self.ended.truncate(MOST_KEPT);
    }

    /// Share of the growth since the latest marks that growers keep; `None` where none was known, or where the growth
    /// may be chance.
    pub(super) fn explained(&self) -> Option<Share> {
        self.explained
    }

    /// Whether the program was still being built at the latest marks: it has gained a good part of its heap since.
    pub(super) fn was_being_built(&self) -> bool {
        self.was_being_built
    }

    /// Growth in the latest window.
    pub(super) fn gain(&self) -> Option<Gain> {
        self.gain
    }
}

impl Share {
    fn of(kept: f64, gained: f64, error: f64) -> Option<Self> {
        let beside = NORMAL_95 * error;
        let share = |bytes: f64| (kept / bytes).clamp(0.0, 1.0);
        let is_certain = gained > beside;
        is_certain.then(|| Self { share: share(gained), low: share(gained + beside), high: share(gained - beside) })
    }
}

impl Gain {
    /// `error_a_second`: standard error of the bytes gained in one second.
    fn between(from: Reached, to: Reached, error_a_second: f64) -> Self {
        let seconds = to.at_s - from.at_s;
        let per_hour = |bytes: f64| bytes / seconds * SECONDS_AN_HOUR;
        let (gained, beside) = (to.bytes - from.bytes, NORMAL_95 * error_a_second * seconds.sqrt());
        Self { per_hour: per_hour(gained), low: per_hour(gained - beside), high: per_hour(gained + beside) }
    }
}

#[cfg(test)]
mod tests {
    use super::{Captured, Gained};

    #[test]
    fn a_later_capture_makes_the_window_longer_and_the_interval_narrower() {
        let mut captured = Captured::default();
        captured.begin(0.0, 0);
        captured.end(10.0, 1_000, Gained { error: 400.0, kept: None });
        let first = captured.gain().unwrap();
        captured.begin(90.0, 9_000);
        captured.end(100.0, 10_000, Gained { error: 400.0, kept: None });
        let second = captured.gain().unwrap();
        assert!((first.per_hour - 360_000.0).abs() < 1.0 && (second.per_hour - 360_000.0).abs() < 1.0);
        let width = |gain: super::Gain| gain.high - gain.low;
        assert!((width(first) / width(second) - 3.0).abs() < 0.01, "{first:?} {second:?}");
    }

    #[test]
    fn a_program_that_gains_a_good_part_of_its_heap_is_still_being_built() {
        let built = |before: u64, after: u64| {
            let mut captured = Captured::default();
            captured.begin(10.0, before << 20);
            captured.end(25.0, after << 20, Gained::default());
            captured.was_being_built()
        };
        assert!(built(40, 100));
        assert!(!built(90, 100), "a leak");
        assert!(!built(2, 10), "a small program");
    }

    #[test]
    fn growers_explain_what_they_keep_unless_the_growth_may_be_chance() {
        let explained = |error| {
            let mut captured = Captured::default();
            captured.begin(0.0, 0);
            captured.end(10.0, 1_000, Gained { error, kept: Some(600.0) });
            captured.explained()
        };
        let share = explained(100.0).unwrap();
        assert!((share.share - 0.6).abs() < 1e-9 && share.low < 0.51 && share.high > 0.74, "{share:?}");
        assert_eq!(explained(600.0), None);
    }
}
