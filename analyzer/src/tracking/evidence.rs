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
/// counter's readings. All points, where the precise ones do not cover the time.
pub(super) fn precise(points: &[Point]) -> Cow<'_, [Point]> {
    let mut errors: Vec<f64> = points.iter().map(|point| point.error).collect();
    errors.sort_by(f64::total_cmp);
    let best = errors.get(errors.len() / 4).copied().unwrap_or(0.0);
    let most = THRESHOLDS.less_precise * best.max(THRESHOLDS.least_error);
    if errors.last().is_none_or(|&worst| worst <= most) {
        return Cow::Borrowed(points);
    }
    let precise: Vec<Point> = points.iter().copied().filter(|point| point.error <= most).collect();
    let is_enough = precise.len() >= THRESHOLDS.min_points && span_s(&precise) >= THRESHOLDS.covered * span_s(points);
    if is_enough { Cow::Owned(precise) } else { Cow::Borrowed(points) }
}
