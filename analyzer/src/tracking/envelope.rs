//! The lower envelope of a series: the size that stays when a queue has been emptied or expired members have gone. A
//! leak lifts it however many members come and go above it.

use super::Point;
use super::thresholds::THRESHOLDS;

/// The envelopes of a series that falls anywhere beyond its noise: only then has it one of its own.
pub(super) fn all(points: &[Point]) -> impl Iterator<Item = Vec<Point>> {
    let stretches = THRESHOLDS.envelopes.into_iter().filter(|_| has_falls(points));
    stretches.filter_map(|stretches| minima(points, stretches))
}

/// The least size of each of `stretches` stretches of equal time; `None` where the sightings are too few.
fn minima(points: &[Point], stretches: usize) -> Option<Vec<Point>> {
    let (first, last) = (points.first()?, points.last()?);
    let stretch_s = (last.at_s - first.at_s) / stretches as f64;
    let mut rest = points;
    let mut found = Vec::with_capacity(stretches);
    for number in 1..=stretches {
        let until_s = first.at_s + stretch_s * number as f64;
        let end = if number == stretches { rest.len() } else { rest.partition_point(|point| point.at_s < until_s) };
        let (stretch, after) = rest.split_at(end);
        if stretch.len() < THRESHOLDS.min_points_of_part {
            return None;
        }
        found.extend(stretch.iter().min_by(|a, b| a.size.total_cmp(&b.size)));
        rest = after;
    }
    Some(found)
}

/// Whether members leave beyond the noise.
pub(super) fn has_falls(points: &[Point]) -> bool {
    points
        .windows(2)
        .any(|pair| pair[0].size - pair[1].size > THRESHOLDS.falls * libm::hypot(pair[0].error, pair[1].error))
}
