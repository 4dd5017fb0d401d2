//! The drift of a series under one model of its noise: generalised least squares, computed by a Kalman filter in one
//! pass. Independent of trends.
//!
//! A size deviates from a straight line partly by a process that forgets (Ornstein–Uhlenbeck), partly afresh at each
//! sighting. *Memory* is the time after which it forgets, as a share of the time watched: 0 is white noise, several
//! times the whole is a random walk. *Fresh* is the variance that is added at each sighting, in units of the variance
//! that the forgetful part gains between two sightings.

use super::Point;
use super::thresholds::THRESHOLDS;

/// Result of one model of the noise for a series.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fit {
    /// Change-proxies a second.
    pub(super) per_s: f64,
    /// Standard error of that.
    pub(super) error: f64,
    /// Restricted log-likelihood: the quality of the model's fit.
    pub(super) log_likelihood: f64,
}

/// Products that multiply on without loss.
const WITHOUT_LOSS: std::ops::Range<f64> = 1e-150..1e150;

/// Sums over the innovations of 1, time and size.
struct Sums {
    /// Weighted squares and products: 1·1, 1·time, time·time, 1·size, time·size, size·size.
    products: [f64; 6],
    weights: f64,
    /// Product of the variances; the overflow is in its logarithm.
    determinant: f64,
    log_determinant: f64,
}

impl Sums {
    const NONE: Self = Self { products: [0.0; 6], weights: 0.0, determinant: 1.0, log_determinant: 0.0 };

    fn add(&mut self, [one, time, size]: [f64; 3], variance: f64) {
        let weight = 1.0 / variance;
        let terms = [one * one, one * time, time * time, one * size, time * size, size * size];
        self.products = std::array::from_fn(|at| self.products[at] + terms[at] * weight);
        self.weights += weight;
        // One logarithm for many factors: this runs for each sighting under each noise.
        self.determinant *= variance;
        if !WITHOUT_LOSS.contains(&self.determinant) {
            self.log_determinant += self.determinant.ln();
            self.determinant = 1.0;
        }
    }

    /// Slope in size over the whole span.
    fn solve(&self, count: f64, span_s: f64) -> Option<Fit> {
        let [one_one, one_time, time_time, one_size, time_size, size_size] = self.products;
        let determinant = one_one * time_time - one_time * one_time;
        if determinant <= 0.0 {
            return None;
        }
        let slope = (one_one * time_size - one_time * one_size) / determinant;
        let level = (time_time * one_size - one_time * time_size) / determinant;
        let left = (size_size - level * one_size - slope * time_size).max(0.0);
        let left = left + THRESHOLDS.least_variance * self.weights;
        let freedom = count - 2.0;
        let error = (left / freedom * one_one / determinant).sqrt();
        let log_likelihood =
            -0.5 * (freedom * left.ln() + self.log_determinant + self.determinant.ln() + determinant.ln());
        Some(Fit { per_s: slope / span_s, error: error / span_s, log_likelihood })
    }
}

/// Fits a line under noises of one memory, one for each amount of fresh noise; none for fewer than three points, or no
/// time between the first and the last.
pub(super) fn fits(points: &[Point], memory: f64, fresh: &[f64]) -> Vec<Fit> {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return Vec::new() };
    let span_s = last.at_s - first.at_s;
    if points.len() < 3 || span_s <= 0.0 {
        return Vec::new();
    }
    let remembered = |time: f64| if memory > 0.0 { (-time / memory).exp() } else { 0.0 };
    let gained = 1.0 - remembered(2.0 / (points.len() - 1) as f64);
    let mut before = 0.0;
    let steps: Vec<([f64; 3], f64)> = points
        .iter()
        .map(|point| {
            let time = (point.at_s - first.at_s) / span_s;
            let kept = remembered(time - std::mem::replace(&mut before, time));
            ([1.0, time - 0.5, point.size - first.size], kept)
        })
        .collect();
    fresh.iter().filter_map(|&fresh| filtered(&steps, fresh * gained).solve(points.len() as f64, span_s)).collect()
}

/// The innovations of the observations: the part that the past does not predict. Each step holds an observation (1,
/// time, size) and the share of the forgetful part that is kept since the step before.
fn filtered(steps: &[([f64; 3], f64)], fresh: f64) -> Sums {
    let (mut state, mut variance) = ([0.0; 3], 1.0);
    let mut sums = Sums::NONE;
    for &(seen, kept) in steps {
        variance = kept * kept * variance + 1.0 - kept * kept;
        let total = (variance + fresh).max(1e-9);
        let gain = variance / total;
        let innovation: [f64; 3] = std::array::from_fn(|at| seen[at] - kept * state[at]);
        state = std::array::from_fn(|at| kept * state[at] + gain * innovation[at]);
        variance *= 1.0 - gain;
        sums.add(innovation, total);
    }
    sums
}
