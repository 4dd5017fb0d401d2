//! The size of one region over time, in bounded memory.

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

/// Sightings in order of time. When it is full, every second old point goes: recent ones stay dense, and the series
/// always reaches back to the first sighting.
#[derive(Clone, Debug, Default)]
pub struct Series {
    points: Vec<Point>,
}

const MAX_POINTS: usize = 400;
/// The most recent points are never thinned.
const KEPT_DENSE: usize = 120;

impl Series {
    /// Adds a sighting; one that is older than the last is ignored.
    pub fn push(&mut self, point: Point) {
        if self.points.last().is_some_and(|last| point.at_s < last.at_s) {
            return;
        }
        self.points.push(point);
        if self.points.len() > MAX_POINTS {
            let old = self.points.len() - KEPT_DENSE;
            let mut at = 0;
            self.points.retain(|_| {
                at += 1;
                at > old || at % 2 == 1
            });
        }
    }

    /// All points.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The points of the last `seconds`, but at least the last `at_least` points.
    pub fn recent(&self, seconds: f64, at_least: usize) -> &[Point] {
        let Some(last) = self.points.last() else { return &[] };
        let by_time = self.points.partition_point(|point| point.at_s < last.at_s - seconds);
        &self.points[by_time.min(self.points.len().saturating_sub(at_least))..]
    }

    /// At most `count` points, evenly chosen, the first and the last included.
    pub fn thinned(&self, count: usize) -> Vec<Point> {
        thin(&self.points, count)
    }
}

/// At most `count` of the points, evenly chosen, the first and the last included.
pub(super) fn thin(points: &[Point], count: usize) -> Vec<Point> {
    if points.len() <= count || count < 2 {
        return points.to_vec();
    }
    (0..count).map(|at| points[at * (points.len() - 1) / (count - 1)]).collect()
}
