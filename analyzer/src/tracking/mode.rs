//! Changes of mode: a series that warmed up and then leaks slowly, or leaked and then was fixed, is judged by its
//! course since.

use super::Point;
use super::drift::Drift;

/// Fewer points before a change are no evidence; points after it must be evidence of their own.
const MIN_BEFORE: usize = 4;
/// Share of one line's residual that two lines may leave at most; of a detrended random walk they leave a third.
const LEFT_BY_TWO: f64 = 0.25;
/// Share of the residual that is only left where the level jumped, whatever the drifts.
const LEFT_BY_JUMP: f64 = 0.02;
/// Otherwise the drifts must differ by this number of standard errors: the place was chosen for its difference.
const DIFFERENT: f64 = 4.0;
/// An approach to a limit explains a series without a change if its residual is at most this multiple of that of two
/// lines, which have two more figures to fit.
const AS_GOOD: f64 = 1.3;
/// Time constants of the approach, as shares of the time examined.
const MEMORIES: [f64; 7] = [0.1, 0.15, 0.22, 0.33, 0.5, 0.75, 1.2];
/// Sizes are whole numbers.
const ROUNDING: f64 = 1.0 / 12.0;
/// Maximum of changes that are looked for.
const MOST_CHANGES: usize = 4;

/// The points since the latest change of mode; all when there was none.
pub(super) fn latest(points: &[Point], is_evidence: impl Fn(&[Point]) -> bool) -> &[Point] {
    let mut mode = points;
    for _ in 0..MOST_CHANGES {
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
    let places = (MIN_BEFORE..points.len()).take_while(|&at| is_evidence(&points[at..]));
    let at = places.min_by(|&a, &b| two(a).total_cmp(&two(b)))?;
    let left = two(at) / one;
    if saturating(points) + rounding <= AS_GOOD * two(at) {
        return None;
    }
    let differ = || Some(Drift::of(&points[..at])?.differs(&Drift::of(&points[at..])?, DIFFERENT));
    (left <= LEFT_BY_JUMP || left <= LEFT_BY_TWO && differ()?).then_some(at)
}

/// Sum of squares that the best exponential approach to a limit leaves: a cache that fills has no change of mode, it
/// bends.
fn saturating(points: &[Point]) -> f64 {
    let (first_s, last_s) = (points[0].at_s, points[points.len() - 1].at_s);
    let left = |share: f64| {
        let memory_s = share * (last_s - first_s);
        let bent = |point: &Point| Point { at_s: -(-(point.at_s - first_s) / memory_s).exp(), ..*point };
        let bent: Vec<Point> = points.iter().map(bent).collect();
        Sums::of(&bent).left(0, bent.len())
    };
    MEMORIES.into_iter().map(left).fold(f64::INFINITY, f64::min)
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
