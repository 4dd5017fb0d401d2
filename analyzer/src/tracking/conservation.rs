//! Conservation between a structure and its parts: the size of a part is the number of members around it, times what
//! each of them holds.
//!
//! A part cannot grow without bound where the whole does not, unless each member gains. The entries of sessions rise
//! with the sessions of a busy minute, and fall with them. What each member holds has no such common course, so its
//! drift shows which of both it is.

use super::series::span_s;
use super::thresholds::THRESHOLDS;
use super::{Drift, Point, Series};

/// The course of a part beside that of its whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PerMember {
    /// Each member of the whole gains.
    Gains,
    /// The number of members accounts for the part's growth.
    Constant,
    /// Neither is sure.
    Unknown,
}

impl PerMember {
    /// Compares a part, which grows by `growth`, with the structure whose members it lies in. Where fields alone lead
    /// from these to the part's (`is_single`), there is room for one in each: such a part may fill up to the size of the
    /// whole. If its members are chained, it outgrows that and is seen then.
    pub fn of(part: &Series, growth: Drift, whole: &Series, is_single: bool) -> Self {
        if is_single && has_room(part, whole) {
            return Self::Constant;
        }
        let points = per_member(part.points(), whole.points());
        if points.len() < THRESHOLDS.min_points || span_s(&points) < THRESHOLDS.covered * span_s(part.points()) {
            return Self::Unknown;
        }
        match Drift::of(&points) {
            Some(each) if each.rises >= THRESHOLDS.sure => Self::Gains,
            Some(each) if each.high < THRESHOLDS.same_growth * growth.per_s => Self::Constant,
            _ => Self::Unknown,
        }
    }
}

/// Whether the part has no more members than the whole, as far as both are known.
fn has_room(part: &Series, whole: &Series) -> bool {
    let (Some(part), Some(whole)) = (part.points().last(), whole.points().last()) else { return false };
    part.size - 2.0 * part.error <= whole.size + 2.0 * whole.error
}

/// The sizes that the part would have if the whole had its mean size all the time.
fn per_member(part: &[Point], whole: &[Point]) -> Vec<Point> {
    let mean = whole.iter().map(|point| point.size).sum::<f64>() / whole.len().max(1) as f64;
    let at_mean = |point: &Point| {
        let around = between(whole, point.at_s).filter(|around| around.size > 0.0)?;
        let size = point.size / around.size * mean;
        let error = libm::hypot(point.error / around.size * mean, size * around.error / around.size);
        Some(Point { at_s: point.at_s, size, error })
    };
    part.iter().filter_map(at_mean).collect()
}

/// The size at a time between two sightings, on the line between them; `None` outside of the time watched.
fn between(points: &[Point], at_s: f64) -> Option<Point> {
    let after = points.partition_point(|point| point.at_s < at_s);
    let next = *points.get(after)?;
    let Some(last) = after.checked_sub(1).map(|before| points[before]) else {
        return (next.at_s == at_s).then_some(next);
    };
    let share = (at_s - last.at_s) / (next.at_s - last.at_s).max(f64::MIN_POSITIVE);
    let mix = |of: fn(&Point) -> f64| of(&last) + share * (of(&next) - of(&last));
    Some(Point { at_s, size: mix(|point| point.size), error: mix(|point| point.error) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(size: impl Fn(f64) -> f64, offset_s: f64) -> Series {
        let mut series = Series::default();
        for second in 0..60 {
            let at_s = f64::from(second) + offset_s;
            series.push(Point { at_s, size: size(at_s).round(), error: 0.0 });
        }
        series
    }

    fn compared(part: &Series, whole: &Series) -> PerMember {
        PerMember::of(part, Drift::of(part.points()).expect("a drift"), whole, false)
    }

    /// Sessions of a minute in which the load rises, and wavers.
    fn sessions(at_s: f64) -> f64 {
        840.0 + at_s + 60.0 * (at_s / 5.0).sin()
    }

    #[test]
    fn entries_that_rise_with_their_sessions_are_no_growth_of_their_own() {
        let entries = series(|at_s| 7.0 * sessions(at_s), 0.3);
        assert_eq!(compared(&entries, &series(sessions, 0.0)), PerMember::Constant);
    }

    #[test]
    fn sessions_of_which_each_gains_are_seen_beneath_their_coming_and_going() {
        let entries = series(|at_s| (7.0 + at_s / 30.0) * sessions(at_s), 0.3);
        assert_eq!(compared(&entries, &series(sessions, 0.0)), PerMember::Gains);
    }

    #[test]
    fn what_each_entry_holds_by_a_field_cannot_outgrow_the_entries() {
        let (entries, keys) = (series(|_| 5_000.0, 0.0), series(|at_s| 4_000.0 + 10.0 * at_s, 0.3));
        let within = |whole: &Series, is_single| {
            PerMember::of(&keys, Drift::of(keys.points()).expect("a drift"), whole, is_single)
        };
        assert_eq!(within(&entries, true), PerMember::Constant);
        assert_eq!(within(&entries, false), PerMember::Gains);
        assert_eq!(within(&series(|_| 3_000.0, 0.0), true), PerMember::Gains, "its size is wrong");
    }

    #[test]
    fn a_whole_whose_size_is_wrong_accounts_for_nothing() {
        // The number that was taken for the size runs from 0 to 127 again and again.
        let wrong = series(|at_s| 1.0 + (at_s * 37.0) % 127.0, 0.0);
        let entries = series(|at_s| 5_000.0 + 50.0 * at_s, 0.3);
        assert_ne!(compared(&entries, &wrong), PerMember::Constant);
    }

    #[test]
    fn a_whole_that_was_watched_for_a_moment_is_no_evidence() {
        let mut short = Series::default();
        (0..9).for_each(|at| short.push(Point { at_s: 50.0 + f64::from(at), size: 840.0, error: 0.0 }));
        let entries = series(|at_s| 5_000.0 + 5.0 * at_s, 0.0);
        assert_eq!(compared(&entries, &short), PerMember::Unknown);
    }
}
