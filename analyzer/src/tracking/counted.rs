//! Growth by exact counts in a few captures. It is looked for at thousands of places, so chance must not explain it at
//! any of them: every capture has more than the one before, at a steady pace.

use super::drift::Drift;
use super::series::span_s;
use super::thresholds::THRESHOLDS;
use super::trend::{Assessment, Trend};
use super::{Point, student};

/// Whether a place may grow: the latest capture has more than the one before, and than the first.
pub fn is_rising(points: &[Point]) -> bool {
    let [first, .., before, last] = points else {
        return points.len() == 2 && points[1].size - points[0].size >= THRESHOLDS.least_counted;
    };
    last.size > before.size && last.size - first.size >= THRESHOLDS.least_counted
}

/// Whether a place grows.
pub fn rises_steadily(points: &[Point]) -> bool {
    growth(points).is_some()
}

/// Whether a place loses as steadily as others grow.
pub fn falls_steadily(points: &[Point]) -> bool {
    let mirrored: Vec<Point> = points.iter().map(|point| Point { size: -point.size, ..*point }).collect();
    rises_steadily(&mirrored)
}

/// Whether a place never gains from capture to capture, and loses at whatever pace.
pub fn only_falls(points: &[Point]) -> bool {
    let lost = points.first().zip(points.last()).map_or(0.0, |(first, last)| first.size - last.size);
    lost >= THRESHOLDS.least_counted && points.is_sorted_by(|before, next| next.size <= before.size)
}

/// The growth of such a place, as that row of its latest captures shows which knows the pace best. The first captures may
/// show less than the rest: a growth that began after them.
pub(super) fn growth(points: &[Point]) -> Option<Assessment> {
    let rows = 0..(points.len() + 1).saturating_sub(THRESHOLDS.least_counts);
    let width = |known: &Assessment| known.drift.map_or(f64::INFINITY, |drift| drift.high - drift.low);
    let growths = rows.filter_map(|from| of_row(&points[from..]));
    growths.min_by(|one, other| width(one).total_cmp(&width(other)))
}

fn of_row(row: &[Point]) -> Option<Assessment> {
    let (span_s, net) = (span_s(row), row.last()?.size - row.first()?.size);
    if span_s < THRESHOLDS.least_counted_s || net < THRESHOLDS.least_counted {
        return None;
    }
    let paces = Paces::of(row);
    let (least, most) = (paces.mean / THRESHOLDS.steady, paces.mean * THRESHOLDS.steady);
    let is_steady = paces.steps.iter().all(|pace| (least..=most).contains(pace));
    let is_growth = is_steady && !paces.slow_down();
    let drift = Some(paces.drift()).filter(|drift| is_growth && drift.rises >= THRESHOLDS.sure_of_counts)?;
    Some(Assessment { trend: Trend::Grower, drift: Some(drift), confidence: drift.rises, veto: None })
}

/// Paces from capture to capture, in objects a second.
struct Paces {
    steps: Vec<f64>,
    /// Standard error of each, if events come at random.
    errors: Vec<f64>,
    mean: f64,
    /// Standard error of the mean.
    error: f64,
}

impl Paces {
    fn of(row: &[Point]) -> Self {
        let seconds = |pair: &[Point]| pair[1].at_s - pair[0].at_s;
        let gained = |pair: &[Point]| pair[1].size - pair[0].size;
        let steps: Vec<f64> = row.windows(2).map(|pair| gained(pair) / seconds(pair)).collect();
        let (count, mean) = (steps.len() as f64, gained(&[row[0], row[row.len() - 1]]) / span_s(row));
        let seen = steps.iter().map(|pace| (pace - mean).powi(2)).sum::<f64>() / (count - 1.0);
        // Events at random vary so much, whatever few paces show.
        let errors: Vec<f64> = row.windows(2).map(|pair| gained(pair).max(1.0).sqrt() / seconds(pair)).collect();
        let random = errors.iter().map(|error| error.powi(2)).sum::<f64>() / count;
        Self { steps, errors, mean, error: (seen.max(random) / count).sqrt() }
    }

    /// Whether the last pace is clearly slower than the first, and none in between was faster than the one before: a
    /// growth that dies out.
    fn slow_down(&self) -> bool {
        let (Some(first), Some(last)) = (self.steps.first(), self.steps.last()) else { return false };
        let error = libm::hypot(self.errors[0], self.errors[self.errors.len() - 1]);
        let is_slower = *last < THRESHOLDS.slowed * first && first - last > THRESHOLDS.slowed_errors * error;
        is_slower && self.steps.is_sorted_by(|one, next| next <= one)
    }

    fn drift(&self) -> Drift {
        let freedom = self.steps.len() as u32 - 1;
        let half = self.error * student::quantile(0.975, freedom);
        let rises = student::cdf(self.mean / self.error, freedom);
        Drift { per_s: self.mean, low: self.mean - half, high: self.mean + half, error: self.error, rises }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(sizes: &[f64]) -> Vec<Point> {
        let point = |(at, &size): (usize, &f64)| Point { at_s: 10.0 + 17.0 * at as f64, size, error: 0.0 };
        sizes.iter().enumerate().map(point).collect()
    }

    #[test]
    fn a_place_that_gains_at_a_steady_pace_grows_however_large_it_is() {
        assert!(rises_steadily(&points(&[257_000.0, 258_310.0, 259_720.0, 261_050.0])));
        assert!(rises_steadily(&points(&[9_000.0, 5_000.0, 5_800.0, 6_610.0, 7_400.0])), "after a loss");
        assert!(rises_steadily(&points(&[0.0, 32_000.0, 33_000.0, 34_010.0, 35_000.0])), "after a start");
        let growth = growth(&points(&[257_000.0, 258_360.0, 259_720.0, 261_080.0])).expect("it grows");
        let drift = growth.drift.expect("it has a pace");
        assert!((drift.per_s - 80.0).abs() < 1e-9 && drift.low > 74.0 && drift.high < 86.0, "{drift:?}");
    }

    #[test]
    fn the_pace_is_that_of_the_captures_since_the_growth_began() {
        let growth = growth(&points(&[0.0, 736.0, 2_266.0, 3_796.0, 5_327.0, 6_856.0])).expect("it grows");
        let drift = growth.drift.expect("it has a pace");
        assert!((drift.per_s - 90.0).abs() < 0.1 && drift.low > 80.0, "{drift:?}");
    }

    #[test]
    fn what_falls_bursts_or_ebbs_or_has_few_captures_does_not() {
        for sizes in [
            &[1_000.0, 1_100.0, 1_200.0][..],
            &[1_000.0, 1_100.0, 1_090.0, 1_300.0],
            &[1_000.0, 1_005.0, 1_010.0, 1_400.0],
            &[1_000.0, 1_300.0, 1_390.0, 1_400.0],
            &[1_000.0, 1_010.0, 1_020.0, 1_030.0],
            &[1_000.0, 1_030.0, 1_075.0, 1_090.0],
            &[765.0, 2_208.0, 3_225.0, 4_088.0, 4_863.0, 5_414.0],
        ] {
            assert!(!rises_steadily(&points(sizes)), "{sizes:?}");
        }
        assert!(is_rising(&points(&[1_000.0, 1_100.0])) && !is_rising(&points(&[1_000.0, 1_030.0])));
        assert!(!is_rising(&points(&[1_000.0, 1_200.0, 1_100.0])));
    }
}
