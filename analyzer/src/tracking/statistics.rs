//! Robust statistics of a series: Theil–Sen slope with Sen's confidence interval, Mann–Kendall test for a trend.

use super::Point;

/// A slope with its 95 % confidence interval, in change-proxies a second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slope {
    /// Median of all pairwise slopes.
    pub per_s: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Two-sided 95 % of the normal distribution.
const Z_95: f64 = 1.96;

/// Mann–Kendall: the standard score of the number of rising pairs less falling pairs. Positive for growth; 0 when
/// there are fewer than three points or all are equal.
pub fn mann_kendall(points: &[Point]) -> f64 {
    let score: f64 =
        pairs(points).map(|(a, b)| (b.size - a.size).partial_cmp(&0.0).map_or(0.0, |o| f64::from(o as i8))).sum();
    let deviation = variance(points).sqrt();
    if deviation == 0.0 { 0.0 } else { (score - score.signum()) / deviation }
}

/// Variance of the Mann–Kendall score, ties allowed for.
fn variance(points: &[Point]) -> f64 {
    let term = |n: f64| n * (n - 1.0) * (2.0 * n + 5.0);
    let mut sizes: Vec<f64> = points.iter().map(|point| point.size).collect();
    sizes.sort_by(f64::total_cmp);
    let ties: f64 = sizes.chunk_by(|a, b| a == b).map(|tie| term(tie.len() as f64)).sum();
    ((term(points.len() as f64) - ties) / 18.0).max(0.0)
}

/// Theil–Sen slope; `None` for fewer than two points in time.
pub fn theil_sen(points: &[Point]) -> Option<Slope> {
    let mut slopes: Vec<f64> =
        pairs(points).filter(|(a, b)| b.at_s > a.at_s).map(|(a, b)| (b.size - a.size) / (b.at_s - a.at_s)).collect();
    if slopes.is_empty() {
        return None;
    }
    slopes.sort_by(f64::total_cmp);
    let half_width = Z_95 * variance(points).sqrt() / 2.0;
    let middle = (slopes.len() - 1) as f64 / 2.0;
    let at = |place: f64| slopes[place.clamp(0.0, (slopes.len() - 1) as f64).round() as usize];
    let median = (slopes[(slopes.len() - 1) / 2] + slopes[slopes.len() / 2]) / 2.0;
    Some(Slope { per_s: median, low: at(middle - half_width), high: at(middle + half_width) })
}

fn pairs(points: &[Point]) -> impl Iterator<Item = (&Point, &Point)> {
    points.iter().enumerate().flat_map(move |(at, first)| points[at + 1..].iter().map(move |second| (first, second)))
}

/// Cumulative normal distribution.
pub(super) fn normal_cdf(score: f64) -> f64 {
    0.5 * libm::erfc(-score / std::f64::consts::SQRT_2)
}
