//! Growth of the reachable bytes from capture to capture. It needs no collection, and is known as soon as the second
//! capture has been analysed. Two captures are compared by a model of chance: objects come and go. From the third on
//! the captures themselves show how much the bytes vary: a job that runs during one capture is gone in the next.

use super::thresholds::THRESHOLDS;
use super::{Drift, Point, mode};

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
/// Later captures from which on the first is left out: it is often made while the program starts.
const WITHOUT_FIRST: usize = 4;
/// Captures from which on their differences show how much the bytes vary.
const FEWEST_FITTED: usize = 3;

/// Bytes that captures reached.
#[derive(Clone, Debug, Default)]
pub(super) struct Captured {
    /// Each capture once, by time.
    reached: Vec<Point>,
    /// The capture from which the latest marks were chosen.
    marked: Option<Point>,
    /// Standard error of the bytes gained in one second, by the latest marks; it grows with the square root of the
    /// time, because pieces come and go independently.
    error_a_second: Option<f64>,
    /// Growth over the latest captures, and their number. Asked for every second, it changes with a capture only.
    fitted: Option<(Gain, u64)>,
    /// Bytes a second that growers known at the latest marks have kept together since.
    kept_a_second: Option<f64>,
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
        self.marked = Some(self.add(at_s, bytes));
        self.fitted = self.fit();
    }

    /// The capture after the marks.
    pub(super) fn end(&mut self, at_s: f64, bytes: u64, gained: Gained) {
        let now = self.add(at_s, bytes);
        self.kept_a_second = None;
        self.was_being_built = false;
        if let Some(marked) = self.marked.take().filter(|marked| marked.at_s < at_s) {
            let (seconds, gained_bytes) = (at_s - marked.at_s, now.size - marked.size);
            self.was_being_built = gained_bytes >= BUILT_BYTES.max(BUILT_SHARE * now.size);
            self.error_a_second = Some(gained.error / seconds.sqrt());
            self.kept_a_second = gained.kept.map(|kept| kept / seconds);
        }
        self.fitted = self.fit();
    }

    fn add(&mut self, at_s: f64, bytes: u64) -> Point {
        let point = Point { at_s, size: bytes as f64, error: 0.0 };
        let is_new = self.reached.last().is_none_or(|last| last.at_s < at_s);
        if is_new {
            self.reached.push(point);
            let recent = self.reached.partition_point(|earlier| at_s - earlier.at_s > LONGEST_S);
            self.reached.drain(..recent.max(self.reached.len().saturating_sub(MOST_KEPT)));
        }
        point
    }

    /// Share of the growth that growers keep; `None` where none was known at the latest marks, or where the growth may
    /// be chance.
    pub(super) fn explained(&self) -> Option<Share> {
        let kept_per_hour = self.kept_a_second? * SECONDS_AN_HOUR;
        let gain = self.gain().filter(|gain| gain.low > 0.0)?;
        let share = |per_hour: f64| (kept_per_hour / per_hour).clamp(0.0, 1.0);
        Some(Share { share: share(gain.per_hour), low: share(gain.high), high: share(gain.low) })
    }

    /// Whether the program was still being built at the latest marks: it has gained a good part of its heap since.
    pub(super) fn was_being_built(&self) -> bool {
        self.was_being_built
    }

    /// Growth over the captures of the last [`LONGEST_S`] since the latest change of mode.
    pub(super) fn gain(&self) -> Option<Gain> {
        self.fitted.map(|(gain, _)| gain)
    }

    /// Number of these captures.
    pub(super) fn captures(&self) -> Option<u64> {
        self.fitted.map(|(_, captures)| captures)
    }

    fn fit(&self) -> Option<(Gain, u64)> {
        let error_a_second = self.error_a_second?;
        let started = usize::from(self.reached.len() > WITHOUT_FIRST);
        let points = mode::latest(&self.reached[started..], |points| points.len() >= THRESHOLDS.min_points_of_part);
        let (first, last) = (points.first()?, points.last()?);
        let seconds = last.at_s - first.at_s;
        let by_chance = NORMAL_95 * error_a_second / seconds.sqrt();
        let fitted = (points.len() >= FEWEST_FITTED).then(|| Drift::of(points)).flatten();
        let (per_s, low, high) = match fitted {
            Some(drift) => (drift.per_s, drift.low, drift.high),
            None => [(last.size - first.size) / seconds; 3].into(),
        };
        let per_hour = |bytes: f64| bytes * SECONDS_AN_HOUR;
        let (low, high) = (low.min(per_s - by_chance), high.max(per_s + by_chance));
        let gain = Gain { per_hour: per_hour(per_s), low: per_hour(low), high: per_hour(high) };
        (seconds > 0.0).then_some((gain, points.len() as u64))
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
        assert!((width(first) / width(second) - 10_f64.sqrt()).abs() < 0.01, "{first:?} {second:?}");
    }

    /// Captures of a program, every 15 seconds, that reach these megabytes.
    fn captures(reached: &[u64]) -> Captured {
        let mut captured = Captured::default();
        for (number, &megabytes) in reached.iter().enumerate() {
            let at_s = 10.0 + 15.0 * number as f64;
            captured.end(at_s, megabytes << 20, Gained { error: 100_000.0, kept: Some(15e6) });
            captured.begin(at_s, megabytes << 20);
        }
        captured
    }

    #[test]
    fn a_job_that_runs_during_one_capture_makes_the_growth_uncertain() {
        let jobs = captures(&[21, 20, 38]);
        assert!(jobs.gain().is_some_and(|gain| gain.low < 0.0 && gain.high > 0.0), "{:?}", jobs.gain());
        assert_eq!(jobs.explained(), None);
        let leak = captures(&[20, 35, 50, 65]);
        assert!(leak.gain().is_some_and(|gain| gain.low > 0.0), "{:?}", leak.gain());
        assert!(leak.explained().is_some_and(|share| (share.share - 0.95).abs() < 0.01), "{:?}", leak.explained());
    }

    #[test]
    fn what_a_start_brings_is_no_growth_once_four_later_captures_are_there() {
        let start = captures(&[20, 60, 61, 62, 63]);
        let bytes_a_second = start.gain().unwrap().per_hour / 3600.0;
        assert!((bytes_a_second / f64::from(1 << 20) * 15.0 - 1.0).abs() < 0.01, "{:?}", start.gain());
    }

    #[test]
    fn growth_of_long_ago_is_forgotten() {
        let mut captured = captures(&[20, 80, 140]);
        captured.begin(700.0, 200 << 20);
        captured.end(710.0, 200 << 20, Gained { error: 100.0, kept: None });
        assert_eq!(captured.reached.len(), 2);
        assert!(captured.gain().is_some_and(|gain| gain.per_hour.abs() < 1.0), "{:?}", captured.gain());
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
