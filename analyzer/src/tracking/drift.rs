//! The drift of a series, with an interval that holds whatever the noise: white, slowly forgetting, or a random walk.
//!
//! Theil and Sen's slope with its interval and the Mann–Kendall test take deviations for independent. Sizes are not: a
//! queue that is long now is long a second later, and a population in which members come and go at random wanders. So
//! the drift is estimated under several noises, from white noise to a random walk. Each noise is weighted by how well
//! it explains the series (restricted likelihood; Bayesian averaging with equal weights before).

use super::Point;
use super::noise::{Fit, fits};
use super::series::{averaged, thin};
use super::student;
use super::thresholds::THRESHOLDS;

/// Drift with its uncertainty, in change-proxies a second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drift {
    /// The best single figure.
    pub per_s: f64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Standard error.
    pub error: f64,
    /// Probability that the drift is above 0.
    pub rises: f64,
}

/// Steps of a search in a cumulative distribution.
const HALVINGS: usize = 30;

/// A model's fit with its weight, and the degrees of freedom that all share.
struct Mixture {
    fits: Vec<(f64, Fit)>,
    freedom: u32,
}

impl Drift {
    /// The drift of at least three points; `None` where no time passes between them.
    pub fn of(points: &[Point]) -> Option<Self> {
        let mixture = Mixture::of(points)?;
        let mean = mixture.mean(|fit| fit.per_s);
        let spread = mixture.mean(|fit| fit.error * fit.error + (fit.per_s - mean).powi(2));
        Some(Self {
            per_s: mean,
            low: mixture.quantile(0.025),
            high: mixture.quantile(0.975),
            error: spread.sqrt(),
            rises: 1.0 - mixture.below(0.0),
        })
    }

    /// Whether two drifts differ by more than `times` the standard error of their difference.
    pub(super) fn differs(&self, other: &Self, times: f64) -> bool {
        (self.per_s - other.per_s).abs() > times * libm::hypot(self.error, other.error)
    }
}

impl Mixture {
    fn of(points: &[Point]) -> Option<Self> {
        let least_error = least_error(points);
        let points = &averaged(points, THRESHOLDS.fitted_points)[..];
        let remembering = THRESHOLDS.memories.iter().flat_map(|&memory| fits(points, memory, &THRESHOLDS.fresh));
        let mut fits: Vec<(f64, Fit)> = remembering
            .chain(fits(points, 0.0, &[0.0]))
            .map(|fit| (fit.log_likelihood, Fit { error: fit.error.max(least_error), ..fit }))
            .collect();
        let best = fits.iter().map(|fit| fit.0).fold(f64::NEG_INFINITY, f64::max);
        fits.iter_mut().for_each(|fit| fit.0 = (fit.0 - best).exp());
        let sum: f64 = fits.iter().map(|fit| fit.0).sum();
        fits.iter_mut().for_each(|fit| fit.0 /= sum);
        (sum.is_finite() && sum > 0.0).then_some(Self { fits, freedom: (points.len() as u32).saturating_sub(2) })
    }

    fn mean(&self, of: impl Fn(&Fit) -> f64) -> f64 {
        self.fits.iter().map(|(weight, fit)| weight * of(fit)).sum()
    }

    /// Probability that the drift is below `per_s`.
    fn below(&self, per_s: f64) -> f64 {
        self.mean(|fit| student::cdf((per_s - fit.per_s) / fit.error, self.freedom))
    }

    fn quantile(&self, share: f64) -> f64 {
        let reach = |fit: &Fit| fit.error * 40.0;
        let mut low = self.fits.iter().map(|(_, fit)| fit.per_s - reach(fit)).fold(f64::MAX, f64::min);
        let mut high = self.fits.iter().map(|(_, fit)| fit.per_s + reach(fit)).fold(f64::MIN, f64::max);
        for _ in 0..HALVINGS {
            let middle = (low + high) / 2.0;
            if self.below(middle) < share { low = middle } else { high = middle }
        }
        (low + high) / 2.0
    }
}

/// Lower limit of the standard error, from the rounding at the ends and the sightings' own standard errors.
fn least_error(points: &[Point]) -> f64 {
    let span_s = points[points.len() - 1].at_s - points[0].at_s;
    let count = points.len() as f64;
    let variance = points.iter().map(|point| point.error * point.error).sum::<f64>() / count;
    (THRESHOLDS.least_error * THRESHOLDS.least_error + 12.0 * variance / count + events(points)).sqrt() / span_s
}

/// Variance of the number of events between the ends, where the size moved in one direction only. Such a size is a
/// count, and short memories explain its random course too well (without this variance, the intervals of leaks at
/// random held in four cases of five). Regular events vary less than random ones; bursts more.
fn events(points: &[Point]) -> f64 {
    let moves = |sign: f64| points.windows(2).all(|pair| sign * (pair[1].size - pair[0].size) >= 0.0);
    let is_exact = points.iter().all(|point| point.error == 0.0);
    if !is_exact || !(moves(1.0) || moves(-1.0)) {
        return 0.0;
    }
    let ends = thin(points, THRESHOLDS.event_stretches + 1);
    let (first, last) = (ends[0], ends[ends.len() - 1]);
    let pace = (last.size - first.size) / (last.at_s - first.at_s);
    let surplus = |pair: &[Point]| pair[1].size - pair[0].size - pace * (pair[1].at_s - pair[0].at_s);
    let stretches = ends.len() as f64 - 1.0;
    ends.windows(2).map(|pair| surplus(pair).powi(2)).sum::<f64>() * stretches / (stretches - 1.0)
}

/// Cumulative normal distribution.
pub(super) fn normal_cdf(score: f64) -> f64 {
    0.5 * libm::erfc(-score / std::f64::consts::SQRT_2)
}
