//! The lower envelope of a series: the size that stays when a queue has been emptied or expired members have gone. A
//! leak lifts it however many members come and go above it.

use super::Point;

/// Fewer sightings in a stretch may all have missed its low.
const MIN_IN_STRETCH: usize = 4;

/// The least size of each of `stretches` stretches of equal time; `None` where the sightings are too few.
pub(super) fn minima(points: &[Point], stretches: usize) -> Option<Vec<Point>> {
    let (first, last) = (points.first()?, points.last()?);
    let stretch_s = (last.at_s - first.at_s) / stretches as f64;
    let mut rest = points;
    let mut found = Vec::with_capacity(stretches);
    for number in 1..=stretches {
        let until_s = first.at_s + stretch_s * number as f64;
        let end = if number == stretches { rest.len() } else { rest.partition_point(|point| point.at_s < until_s) };
        let (stretch, after) = rest.split_at(end);
        if stretch.len() < MIN_IN_STRETCH {
            return None;
        }
        found.extend(stretch.iter().min_by(|a, b| a.size.total_cmp(&b.size)));
        rest = after;
    }
    Some(found)
}

/// Whether the series falls anywhere beyond its noise: only then has it an envelope of its own.
pub(super) fn has_falls(points: &[Point]) -> bool {
    points.windows(2).any(|pair| pair[0].size - pair[1].size > 2.0 * pair[0].error.hypot(pair[1].error))
}
