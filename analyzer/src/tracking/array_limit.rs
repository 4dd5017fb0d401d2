//! Structures that fill an array of fixed length: a bounded queue, a ring. While an array that holds each member in a
//! slot of its own is not replaced, the size cannot pass its length; and a collection that grows replaces its array as
//! soon as it is full, by one that is then at least half full.
//!
//! So two facts distinguish a bounded structure from a list that leaks: by its drift it should have passed the length,
//! and it has not; or its array was far from full when it was first observed. The second fact also holds for a list
//! that was created large (`new ArrayList<>(1_000_000)`). Such a structure is taken for bounded only while it would be
//! full soon, and no more once its array is replaced.

use super::thresholds::THRESHOLDS;
use super::{Drift, Point};

/// Observations of the array that holds a structure's members.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ArrayLimit {
    /// Its length at the last sighting.
    slots: Option<f64>,
    /// Whether it was replaced once, and may be again.
    was_replaced: bool,
}

/// Bound of a structure by its array.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounded {
    /// Length of the array.
    pub slots: u64,
    /// Whether the structure should have outgrown it by now, and has not.
    pub is_proven: bool,
}

impl ArrayLimit {
    /// Takes in a sighting: the array's length, the least possible size, whether something was replaced.
    pub fn see(&mut self, slots: Option<u32>, least: f64, was_relinked: bool) {
        let slots = slots.map(f64::from);
        let other_length = self.slots.is_some() && self.slots != slots;
        let is_outgrown = slots.is_none_or(|slots| least > slots);
        self.was_replaced |= was_relinked || other_length || is_outgrown;
        self.slots = slots;
    }

    /// Its length at the last sighting.
    pub fn slots(&self) -> Option<u64> {
        self.slots.map(|slots| slots as u64)
    }

    /// Whether the array has been the same in all sightings.
    pub fn is_fixed(&self) -> bool {
        self.slots.is_some() && !self.was_replaced
    }

    /// The bound, if growth like this ends at the array's length by all sightings.
    pub fn bounds(&self, history: &[Point], drift: &Drift) -> Option<Bounded> {
        let slots = self.slots.filter(|_| self.is_fixed())?;
        let is_proven = should_have_passed(history, drift, slots);
        (is_proven || fills_up(history, drift, slots)).then_some(Bounded { slots: slots as u64, is_proven })
    }
}

/// Whether the drift up to the limit, at its least, leads beyond the array by now.
fn should_have_passed(history: &[Point], growth: &Drift, slots: f64) -> bool {
    let Some(last) = history.last() else { return false };
    let nearly_full = THRESHOLDS.nearly_full * slots;
    let reached = history.iter().position(|point| point.size >= nearly_full).unwrap_or(history.len());
    let Some(at_limit) = history.get(reached).filter(|_| reached >= THRESHOLDS.min_steps) else { return false };
    let Some(drift) = Drift::of(&history[..=reached]) else { return false };
    growth.per_s >= THRESHOLDS.same_growth * drift.per_s
        && at_limit.size + drift.low * (last.at_s - at_limit.at_s) >= slots + THRESHOLDS.min_growth
}

/// Whether the array was far from full when it was first observed, and will be full soon.
fn fills_up(history: &[Point], drift: &Drift, slots: f64) -> bool {
    let (Some(first), Some(last)) = (history.first(), history.last()) else { return false };
    let was_far_from_full = slots > THRESHOLDS.least_slots
        && first.size <= THRESHOLDS.presized_share * slots
        && last.size >= THRESHOLDS.grown * first.size;
    was_far_from_full && slots - last.size <= drift.per_s * THRESHOLDS.soon * (last.at_s - first.at_s)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sizes each second, in an array with the length `slots(size)`, which depends on the size where the array is
    /// grown.
    fn seen(sizes: &[f64], slots: impl Fn(f64) -> u32) -> (ArrayLimit, Vec<Point>) {
        let mut limit = ArrayLimit::default();
        let points = sizes.iter().enumerate().map(|(at, &size)| Point { at_s: at as f64, size, error: 0.0 });
        let points: Vec<Point> = points.collect();
        points.iter().for_each(|point| limit.see(Some(slots(point.size)), point.size, false));
        (limit, points)
    }

    fn rising(from: f64, per_s: f64, to: f64, seconds: usize) -> Vec<f64> {
        (0..seconds).map(|at| (from + per_s * at as f64).min(to)).collect()
    }

    fn bounds(limit: ArrayLimit, points: &[Point]) -> Option<bool> {
        Some(limit.bounds(points, &Drift::of(points)?)?.is_proven)
    }

    #[test]
    fn what_was_far_from_full_and_will_be_full_soon_is_bounded_and_what_should_have_passed_is_so_for_certain() {
        let (limit, filling) = seen(&rising(300.0, 20.0, 1200.0, 25), |_| 1200);
        assert_eq!(bounds(limit, &filling), Some(false));
        let (limit, full) = seen(&rising(900.0, 20.0, 1200.0, 25), |_| 1200);
        assert_eq!(bounds(limit, &full[..12]), None, "a list that grew looks like this, too");
        assert_eq!(bounds(limit, &full), Some(true));
    }

    #[test]
    fn a_list_that_grows_is_never_bounded_by_its_array() {
        let sizes = rising(300.0, 20.0, f64::MAX, 60);
        let length = |size: f64| [330, 495, 742, 1113, 1669].into_iter().find(|&slots| f64::from(slots) >= size);
        let (limit, points) = seen(&sizes, |size| length(size).expect("it is long enough"));
        assert_eq!(bounds(limit, &points), None);
        let (limit, points) = seen(&rising(300.0, 20.0, f64::MAX, 60), |_| 1_000_000);
        assert_eq!(bounds(limit, &points), None, "it would take hours to fill");
    }

    #[test]
    fn a_slow_leak_after_a_quick_warm_up_is_not_taken_for_a_full_queue() {
        let sizes: Vec<f64> = (0..60).map(|at| (200.0 * f64::from(at)).min(9_300.0 + 10.0 * f64::from(at))).collect();
        let (limit, points) = seen(&sizes, |_| 10_000);
        let slow = Drift::of(&points[49..]).expect("time passes");
        assert_eq!(limit.bounds(&points, &slow).map(|bounded| bounded.is_proven), Some(false));
        let (limit, points) = seen(&sizes[24..], |_| 10_000);
        assert_eq!(limit.bounds(&points, &slow), None);
    }

    #[test]
    fn an_array_that_was_replaced_once_bounds_nothing() {
        let (mut limit, points) = seen(&rising(300.0, 20.0, 1200.0, 25), |_| 1200);
        limit.see(Some(1200), 780.0, true);
        assert_eq!(bounds(limit, &points), None);
    }

    #[test]
    fn without_an_array_nothing_is_known() {
        let mut limit = ArrayLimit::default();
        let points: Vec<Point> = seen(&rising(0.0, 20.0, 1e9, 25), |_| 1200).1;
        points.iter().for_each(|point| limit.see(None, point.size, false));
        assert_eq!(bounds(limit, &points), None);
    }
}
