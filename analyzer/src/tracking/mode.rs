//! Changes of mode: a series that warmed up and then leaks slowly, or leaked and then was fixed, is judged by its
//! course since.

use super::Point;
use super::drift::Drift;
use super::thresholds::THRESHOLDS;

/// Variance of a size that is rounded to a whole number.
const ROUNDING: f64 = 1.0 / 12.0;

/// The points since the latest change of mode; all when there was none.
pub(super) fn latest(points: &[Point], is_evidence: impl Fn(&[Point]) -> bool) -> &[Point] {
    let mut mode = points;
    for _ in 0..THRESHOLDS.most_changes {
        let Some(at) = change(mode, &is_evidence) else { break };
        mode = &mode[at..];
    }
    mode
}

/// Index at which a new mode begins, if one does.
fn change(points: &[Point], is_evidence: &impl Fn(&[Point]) -> bool) -> Option<usize> {
    let sums = Sums::of(points);
    let rounding = ROUNDING * points.len() as f64;
    let one = sums.left(0, points.len()) + rounding;
    let two = |at: usize| sums.left(0, at) + sums.left(at, points.len()) + rounding;
    let places = (THRESHOLDS.min_points_of_part..points.len()).take_while(|&at| is_evidence(&points[at..]));
    let at = places.min_by(|&a, &b| two(a).total_cmp(&two(b)))?;
    let left = two(at) / one;
    if saturating(points) + rounding <= THRESHOLDS.as_good * two(at) {
        return None;
    }
    let differ = || Some(Drift::of(&points[..at])?.differs(&Drift::of(&points[at..])?, THRESHOLDS.different));
    (left <= THRESHOLDS.left_by_jump || left <= THRESHOLDS.left_by_two && differ()?).then_some(at)
}

/// Sum of squares that the best exponential approach to a limit leaves: a cache that fills has no change of mode, it
/// bends.
fn saturating(points: &[Point]) -> f64 {
    best_approach(points).0
}

/// The same, and the time constant of that approach as a share of the time.
fn best_approach(points: &[Point]) -> (f64, f64) {
    let (first_s, last_s) = (points[0].at_s, points[points.len() - 1].at_s);
    let left = |share: f64| {
        let memory_s = share * (last_s - first_s);
        let bent = |point: &Point| Point { at_s: -(-(point.at_s - first_s) / memory_s).exp(), ..*point };
        let bent: Vec<Point> = points.iter().map(bent).collect();
        (Sums::of(&bent).left(0, bent.len()), share)
    };
    THRESHOLDS
        .approaches
        .into_iter()
        .map(left)
        .fold((f64::INFINITY, 1.0), |best, each| if each.0 < best.0 { each } else { best })
}

/// Whether an approach to a limit, whose rate falls to this share or less, explains the sizes far better than a line.
pub(super) fn bends(points: &[Point], rate_left: f64) -> bool {
    let rounding = ROUNDING * points.len() as f64;
    let line = Sums::of(points).left(0, points.len()) + rounding;
    let (approach, share) = best_approach(points);
    approach + rounding <= THRESHOLDS.bent * line && (-1.0 / share).exp() <= rate_left
}

/// Running sums of 1, time, size, and their products, so that the line of any stretch is found in constant time.
struct Sums(Vec<[f64; 6]>);

impl Sums {
    fn of(points: &[Point]) -> Self {
        let mut sums = vec![[0.0; 6]];
        for point in points {
            let (time, size) = (point.at_s - points[0].at_s, point.size - points[0].size);
            let terms = [1.0, time, size, time * time, time * size, size * size];
            let before = sums[sums.len() - 1];
            sums.push(std::array::from_fn(|at| before[at] + terms[at]));
        }
        Self(sums)
    }

    /// Sum of squares that the best line through a stretch leaves.
    fn left(&self, from: usize, to: usize) -> f64 {
        let [n, t, s, tt, ts, ss]: [f64; 6] = std::array::from_fn(|at| self.0[to][at] - self.0[from][at]);
        if n == 0.0 {
            return 0.0;
        }
        let (time, both, size) = (tt - t * t / n, ts - t * s / n, ss - s * s / n);
        if time > 0.0 { (size - both * both / time).max(0.0) } else { size.max(0.0) }
    }
}
