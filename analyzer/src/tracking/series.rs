//! The size of one region over time, in bounded memory.

use super::thresholds::THRESHOLDS;

/// One sighting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Seconds since the agent's start.
    pub at_s: f64,
    /// Change-proxies.
    pub size: f64,
    /// Standard error of the size.
    pub error: f64,
}

/// Sightings in order of time. When it is full, old points that lie close together are joined: recent ones stay dense,
/// and the series always reaches back to the first sighting.
#[derive(Clone, Debug, Default)]
pub struct Series {
    points: Vec<Point>,
}

impl Series {
    /// Adds a sighting; one that is older than the last is ignored.
    pub fn push(&mut self, point: Point) {
        if self.points.last().is_some_and(|last| point.at_s < last.at_s) {
            return;
        }
        self.points.push(point);
        if self.points.len() > THRESHOLDS.most_points {
            let recent = self.points.split_off(self.points.len() - THRESHOLDS.dense_points);
            let stretch_s = span_s(&self.points) / THRESHOLDS.joined_stretches;
            self.points = in_stretches(&self.points, stretch_s).map(joined).collect();
            self.points.extend(recent);
        }
    }

    /// Raises the standard errors of all points since this time to at least `error`.
    pub fn blur(&mut self, since_s: f64, error: f64) {
        let begin = self.points.partition_point(|point| point.at_s < since_s);
        self.points[begin..].iter_mut().for_each(|point| point.error = point.error.max(error));
    }

    /// All points.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The points after this share of the time.
    pub(super) fn after(&self, share: f64) -> Self {
        let from_s = self.points.first().map_or(0.0, |first| first.at_s + share * span_s(&self.points));
        Self { points: self.points[self.points.partition_point(|point| point.at_s < from_s)..].to_vec() }
    }

    /// The points of the last `seconds`, but at least the last `at_least` points.
    pub fn recent(&self, seconds: f64, at_least: usize) -> &[Point] {
        let Some(last) = self.points.last() else { return &[] };
        let by_time = self.points.partition_point(|point| point.at_s < last.at_s - seconds);
        &self.points[by_time.min(self.points.len().saturating_sub(at_least))..]
    }
}

/// Seconds from the first of the points to the last.
pub(crate) fn span_s(points: &[Point]) -> f64 {
    points.last().map_or(0.0, |last| last.at_s - points[0].at_s)
}

/// At most `count` of the points, evenly chosen, the first and the last included.
pub(crate) fn thin<P: Copy>(points: &[P], count: usize) -> Vec<P> {
    if points.len() <= count || count < 2 {
        return points.to_vec();
    }
    (0..count).map(|at| points[at * (points.len() - 1) / (count - 1)]).collect()
}

/// Groups of neighbours that lie together within `stretch_s` seconds.
fn in_stretches(points: &[Point], stretch_s: f64) -> impl Iterator<Item = &[Point]> {
    let mut rest = points;
    std::iter::from_fn(move || {
        let until_s = rest.first()?.at_s + stretch_s;
        let (stretch, after) = rest.split_at(rest.partition_point(|point| point.at_s <= until_s));
        rest = after;
        Some(stretch)
    })
}

/// One point for some neighbours: of exact counts the first, so that it stays a count; of estimates the mean.
fn joined(points: &[Point]) -> Point {
    if points.iter().any(|point| point.error > 0.0) { mean(points) } else { points[0] }
}

/// The means of neighbours that lie together within `stretch_s` seconds.
pub(super) fn smoothed(points: &[Point], stretch_s: f64) -> Vec<Point> {
    in_stretches(points, stretch_s).map(mean).collect()
}

/// The mean of some points, whose errors are independent.
fn mean(points: &[Point]) -> Point {
    let count = points.len() as f64;
    let sum = |of: fn(&Point) -> f64| points.iter().map(of).sum::<f64>() / count;
    let error = (sum(|point| point.error * point.error) / count).sqrt();
    Point { at_s: sum(|point| point.at_s), size: sum(|point| point.size), error }
}

/// At most `count` points, each the mean of as many neighbours.
pub(super) fn averaged(points: &[Point], count: usize) -> Vec<Point> {
    points.chunks(points.len().div_ceil(count).max(1)).map(mean).collect()
}
