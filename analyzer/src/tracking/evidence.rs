//! Sightings that are evidence: enough of them, over enough time, and precise.

use super::Point;
use super::series::span_s;
use super::thresholds::THRESHOLDS;
use std::borrow::Cow;

/// The origin of sizes: visits come by the second and captures by the minute, so that less of them is evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    Visits,
    Captures,
}

impl Origin {
    /// Whether these are enough sightings over enough time.
    pub(super) fn is_evidence(self, points: &[Point]) -> bool {
        points.len() >= self.least_points() && span_s(points) >= THRESHOLDS.min_span_s
    }

    pub(super) fn least_points(self) -> usize {
        match self {
            Self::Visits => THRESHOLDS.min_points,
            Self::Captures => THRESHOLDS.min_captures,
        }
    }

    /// Least sightings that moved on.
    pub(super) fn least_steps(self) -> usize {
        match self {
            Self::Visits => THRESHOLDS.min_steps,
            Self::Captures => THRESHOLDS.min_steps_of_captures,
        }
    }

    /// Seconds of the recent past, which is judged first. Captures are so few that all of them are.
    pub(super) fn recent_s(self) -> f64 {
        match self {
            Self::Visits => THRESHOLDS.recent_s,
            Self::Captures => f64::INFINITY,
        }
    }
}

/// Whether the sizes are too uncertain to show a constant size or a return.
pub(super) fn is_inconclusive(points: &[Point]) -> bool {
    let unsure = points.iter().filter(|point| point.error > THRESHOLDS.rough * point.size).count();
    2 * unsure > points.len()
}

/// The points without those that are much less precise than the best quarter of them: a few samples would only blur a
/// counter's readings. All points, where the precise ones do not cover the time. What came after the last precise one
/// stays where it is far from that one: a fall must not go unseen because it was sampled.
pub(super) fn precise(points: &[Point]) -> Cow<'_, [Point]> {
    let mut errors: Vec<f64> = points.iter().map(|point| point.error).collect();
    errors.sort_by(f64::total_cmp);
    let best = errors.get(errors.len() / 4).copied().unwrap_or(0.0);
    let most = THRESHOLDS.less_precise * best.max(THRESHOLDS.least_error);
    if errors.last().is_none_or(|&worst| worst <= most) {
        return Cow::Borrowed(points);
    }
    let behind = points.iter().rposition(|point| point.error <= most).map_or(0, |last| last + 1);
    let (covered, later) = points.split_at(behind);
    let mut precise: Vec<Point> = covered.iter().copied().filter(|point| point.error <= most).collect();
    let is_enough = precise.len() >= THRESHOLDS.min_points && span_s(&precise) >= THRESHOLDS.covered * span_s(points);
    if !is_enough {
        return Cow::Borrowed(points);
    }
    let last = precise[precise.len() - 1];
    precise.extend(later.iter().filter(|point| (point.size - last.size).abs() > THRESHOLDS.moved_on * point.error));
    Cow::Owned(precise)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_imprecise_fall_after_the_last_precise_sighting_is_evidence_and_a_blur_is_none() {
        let point = |at: u32, size: f64, error: f64| Point { at_s: f64::from(at), size, error };
        let counted = (0..10).map(|at| point(at, 1000.0 + f64::from(at), 0.0));
        let points: Vec<Point> = counted.chain([point(11, 950.0, 60.0), point(12, 700.0, 60.0)]).collect();
        let sizes: Vec<f64> = precise(&points).iter().map(|point| point.size).collect();
        assert_eq!(sizes[9..], [1009.0, 700.0]);
        assert_eq!(sizes.len(), 11);
    }
}
