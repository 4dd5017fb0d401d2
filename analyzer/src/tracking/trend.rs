//! The trend of a region (LeakBot §5), decided on evidence.
//!
//! The paper classifies by the histogram of updates: only additions make a grower, only removals a shrinker, a mixture
//! an oscillator, none a flatliner. Real structures are noisier, so the same four words are decided on the series of
//! sizes: a grower's growth must be significant whatever the noise ([`Drift`]), must go on to the end, must not be
//! given back, and must not slow down towards a bound. docs/trends.md has the reasons and the figures.

use super::drift::{Drift, normal_cdf};
use super::series::{smoothed, span_s};
use super::{Point, Series};
use super::{bounds, envelope, mode};
use crate::naming::named::named;
use std::borrow::Cow;

named! {
    /// Kinds of evolution.
    pub enum Trend {
        /// Grows without sign of a bound.
        Grower = "grower",
        /// Changes, but comes back.
        Oscillator = "oscillator",
        /// Loses members.
        Shrinker = "shrinker",
        /// Does not change.
        Flatliner = "flatliner",
    }
}

impl Trend {
    /// Whether it goes in one direction.
    fn is_one_way(self) -> bool {
        matches!(self, Self::Grower | Self::Shrinker)
    }
}

/// A trend with its figures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Assessment {
    /// The trend.
    pub trend: Trend,
    /// Net change, for every trend; for growers beneath a flux the change of the lower envelope.
    pub drift: Option<Drift>,
    /// Certainty of the trend, in [0, 1]: for growers and shrinkers the probability that the drift has this sign; for
    /// the others that the gain in the time watched is less than would count as growth.
    pub confidence: f64,
}

/// The recent past, in seconds: long enough to average out bursts, short enough to notice a change of mode.
const RECENT_S: f64 = 90.0;
/// Fewer sightings, or a shorter time, are no evidence.
pub(super) const MIN_POINTS: usize = 6;
const MIN_SPAN_S: f64 = 8.0;
/// Required probability of the direction, and the one where the stretch was chosen for its result: some twenty places
/// and three envelopes are tried.
pub(super) const SURE: f64 = 0.99;
const SURE_OF_CHOSEN: f64 = 0.9998;
/// A trend that holds needs less to stay: evidence that wavers about a limit must not make the report waver.
const SURE_ENOUGH_TO_STAY: f64 = 0.97;
/// In flux, growth must have lasted this number of seconds: a saw-tooth rises for a while, too.
const MIN_SPAN_IN_FLUX_S: f64 = 20.0;
/// Net growth below this many change-proxies is no leak yet.
const MIN_GROWTH: f64 = 8.0;
/// Growth in fewer steps than this may be a burst or two.
const MIN_STEPS: usize = 5;
/// Ratio to the error of the best sightings from which on a sighting is left out; a count is as good as half an entry.
const LESS_PRECISE: f64 = 3.0;
const LEAST_ERROR: f64 = 0.5;
/// Precise sightings must cover this share of the time.
pub(super) const COVERED: f64 = 0.5;
/// Numbers of stretches whose lows are examined; few long ones show the lows of slow saw-teeth, many short ones give
/// better intervals.
const STRETCHES: [usize; 3] = [12, 8, 6];
/// Falls are looked for in means over this part of the rise: faster changes are noise, which the error of the drift
/// covers.
const SMOOTHED: f64 = 8.0;
/// Sizes within this share of their mean are constant.
const STANDS_STILL_WITHIN: f64 = 0.025;
/// A size that moves one way goes back by less than this share of its distance.
const RETREATS_WITHIN: f64 = 0.1;
/// A sighting whose error is a larger share of its size is no evidence for a structure of constant size.
const UNSURE_SHARE: f64 = 0.2;
/// Range of repeated sightings of one size, in standard errors.
const NOISE_RANGE: f64 = 6.0;

/// Reports of the visits on members that left, in addition to the net change.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Flux {
    /// Sum of estimated additions.
    pub additions: f64,
    /// Sum of estimated removals.
    pub removals: f64,
}

impl Flux {
    /// Whether members leave about as often as they come.
    fn is_heavy(self) -> bool {
        self.removals > 0.3 * self.additions && self.removals > MIN_GROWTH
    }
}

/// Assesses a series; `None` while there is too little evidence. `known` is the present trend.
///
/// The recent past decides. When it shows no significant change, the whole history may still show slow growth.
pub fn assess(series: &Series, flux: Flux, known: Option<Trend>) -> Option<Assessment> {
    let (recent, history) = (precise(series.recent(RECENT_S, MIN_POINTS)), precise(series.points()));
    let (recent, history) = (&recent[..], &history[..]);
    if !is_evidence(recent) {
        return None;
    }
    let of_recent = View { points: recent, history, flux, known }.classify();
    let slow = if of_recent.trend == Trend::Grower || history.len() == recent.len() {
        None
    } else {
        let of_all = View { points: history, history, flux, known }.classify();
        Some(of_all).filter(|all| all.trend == Trend::Grower && goes_on(all, &of_recent))
    };
    Some(slow.unwrap_or(of_recent)).filter(|found| found.trend.is_one_way() || !is_inconclusive(recent))
}

/// Whether the sizes are too uncertain to show a constant size or a return.
pub(super) fn is_inconclusive(points: &[Point]) -> bool {
    let unsure = points.iter().filter(|point| point.error > UNSURE_SHARE * point.size).count();
    2 * unsure > points.len()
}

/// Whether the recent past does not contradict the growth of the whole.
fn goes_on(whole: &Assessment, recent: &Assessment) -> bool {
    whole.drift.zip(recent.drift).is_none_or(|(whole, recent)| recent.high >= 0.5 * whole.per_s)
}

/// The points without those that are much less precise than the best quarter of them: a few samples would only blur a
/// counter's readings. All points, where the precise ones do not cover the time.
fn precise(points: &[Point]) -> Cow<'_, [Point]> {
    let mut errors: Vec<f64> = points.iter().map(|point| point.error).collect();
    errors.sort_by(f64::total_cmp);
    let best = errors.get(errors.len() / 4).copied().unwrap_or(0.0);
    let most = LESS_PRECISE * best.max(LEAST_ERROR);
    let precise = || points.iter().copied().filter(|point| point.error <= most).collect::<Vec<Point>>();
    if errors.last().is_none_or(|&worst| worst <= most) {
        return Cow::Borrowed(points);
    }
    Some(precise())
        .filter(|precise| precise.len() >= MIN_POINTS && span_s(precise) >= COVERED * span_s(points))
        .map_or(Cow::Borrowed(points), Cow::Owned)
}

fn is_evidence(points: &[Point]) -> bool {
    points.len() >= MIN_POINTS && span_s(points) >= MIN_SPAN_S
}

/// Assessment of the growth of a structure whose bound is known from other evidence, with the certainty of that bound.
pub(super) fn within_bounds(series: &Series, growth: Assessment, confidence: f64) -> Assessment {
    Assessment { trend: bounded(series.recent(RECENT_S, MIN_POINTS)), confidence, ..growth }
}

/// The points to assess, and their context.
#[derive(Clone, Copy)]
struct View<'a> {
    points: &'a [Point],
    /// All points.
    history: &'a [Point],
    flux: Flux,
    known: Option<Trend>,
}

impl View<'_> {
    fn classify(&self) -> Assessment {
        let mode = mode::latest(self.points, is_evidence);
        let drift = Drift::of(mode);
        for (trend, sign) in [(Trend::Grower, 1.0), (Trend::Shrinker, -1.0)] {
            if let Some(moves) = drift.and_then(|drift| self.moves_on(mode, drift, trend, sign)) {
                return Assessment { trend, confidence: moves.certainty(sign), drift: Some(moves) };
            }
        }
        let confidence = drift.map_or(0.0, |drift| stays_bounded(mode, &drift));
        Assessment { trend: bounded(self.points), drift, confidence }
    }

    /// The drift, if the size moves in one direction (`sign` +1 or −1): significantly, still, and without a sign of a
    /// bound; by the points themselves, or by their lower envelope.
    fn moves_on(&self, mode: &[Point], drift: Drift, trend: Trend, sign: f64) -> Option<Drift> {
        if self.flux.is_heavy() && span_s(self.points) < MIN_SPAN_IN_FLUX_S {
            return None;
        }
        let stays = self.known == Some(trend);
        let mirrored = mirrored_points(mode, sign);
        let upright = mirrored_drift(drift, sign);
        let is_growth = upright.per_s > 0.0
            && is_sure(&upright, stays, mode.len() == self.points.len())
            && rises(&mirrored, &mirrored_points(self.history, sign), &upright);
        let moves = if is_growth { Some(upright) } else { envelope_rises(&mirrored, stays) };
        moves.map(|moves| mirrored_drift(moves, sign))
    }
}

/// Required probability of the direction of a trend that is new, or is known.
pub(super) fn least_certainty(is_known: bool) -> f64 {
    if is_known { SURE_ENOUGH_TO_STAY } else { SURE }
}

/// Whether the direction is sure enough; the limit is higher where the stretch was chosen, and lower for a trend that
/// holds.
fn is_sure(drift: &Drift, stays: bool, is_whole: bool) -> bool {
    drift.rises
        >= match (stays, is_whole) {
            (false, false) => SURE_OF_CHOSEN,
            _ => least_certainty(stays),
        }
}

/// Whether the latest mode is growth: enough, in enough steps, and without a sign of a bound. A slow bend shows in the
/// whole history alone.
fn rises(mode: &[Point], history: &[Point], drift: &Drift) -> bool {
    let net = drift.per_s * span_s(mode);
    net >= MIN_GROWTH
        && steps(mode) >= MIN_STEPS
        && !has_ebbed(mode)
        && !bounds::has_stopped(mode)
        && !peaks_rise_alone(mode, net)
        && !bounds::comes_back(&smoothed(history, span_s(mode) / SMOOTHED), net)
        && !bounds::slows_down(mode)
        && !bounds::slows_down(mode::latest(history, is_evidence))
}

/// Whether the lower envelope does not grow, where members leave.
fn peaks_rise_alone(points: &[Point], net: f64) -> bool {
    envelope::has_falls(points) && bounds::peaks_alone(points, net)
}

/// Whether the growth has ended or nearly so; under noise two sightings prove nothing, so means must show it, too.
fn has_ebbed(points: &[Point]) -> bool {
    bounds::has_ebbed(points) && bounds::has_ebbed(&smoothed(points, span_s(points) / SMOOTHED))
}

/// The best known drift of the lower envelope, if that grows.
fn envelope_rises(points: &[Point], stays: bool) -> Option<Drift> {
    if !envelope::has_falls(points) || bounds::has_stopped(points) {
        return None;
    }
    let drifts = STRETCHES.iter().filter_map(|&stretches| {
        let lows = envelope::minima(points, stretches)?;
        if lows[lows.len() - 1].size - lows[0].size < MIN_GROWTH || bounds::has_ebbed(&lows) {
            return None;
        }
        let drift = Drift::of(&lows)?;
        let net = drift.per_s * span_s(&lows);
        let is_growth = is_sure(&drift, stays, false)
            && net >= MIN_GROWTH
            && !bounds::comes_back(&lows, net)
            && !bounds::slows_down(&lows);
        is_growth.then_some(drift)
    });
    drifts.min_by(|a, b| a.error.total_cmp(&b.error))
}

/// The points with their sizes multiplied by `sign`: upside down for −1.
fn mirrored_points(points: &[Point], sign: f64) -> Vec<Point> {
    points.iter().map(|point| Point { size: sign * point.size, ..*point }).collect()
}

fn mirrored_drift(drift: Drift, sign: f64) -> Drift {
    if sign > 0.0 {
        return drift;
    }
    Drift { per_s: -drift.per_s, low: -drift.high, high: -drift.low, rises: 1.0 - drift.rises, ..drift }
}

/// Sightings that moved on from the one before.
fn steps(points: &[Point]) -> usize {
    points.windows(2).filter(|pair| pair[1].size > pair[0].size).count()
}

/// Probability that the drift brought less in the time watched than would count as growth.
fn stays_bounded(points: &[Point], drift: &Drift) -> f64 {
    let mean = points.iter().map(|point| point.size).sum::<f64>() / points.len() as f64;
    let counts = MIN_GROWTH.max(STANDS_STILL_WITHIN * mean) / span_s(points);
    normal_cdf((counts - drift.per_s) / drift.error)
}

/// Flatliner or oscillator, by the later half: earlier changes have ended. By the last third, where the size only moved
/// to its present value: a queue that filled up.
fn bounded(points: &[Point]) -> Trend {
    let later = since(points, 1.0 / 2.0);
    let falls = later.windows(2).any(|pair| pair[1].size < pair[0].size);
    if stands_still(later) || !falls || has_arrived(points) { Trend::Flatliner } else { Trend::Oscillator }
}

/// The points after this share of the time.
fn since(points: &[Point], share: f64) -> &[Point] {
    let from_s = points[0].at_s + span_s(points) * share;
    &points[points.partition_point(|point| point.at_s < from_s)..]
}

fn stands_still(points: &[Point]) -> bool {
    let (least, most) =
        points.iter().fold((f64::MAX, f64::MIN), |(least, most), point| (least.min(point.size), most.max(point.size)));
    let mean = points.iter().map(|point| point.size).sum::<f64>() / points.len() as f64;
    let noise = NOISE_RANGE * points.iter().map(|point| point.error).fold(0.0, f64::max);
    most - least <= (mean * STANDS_STILL_WITHIN).max(1.0).max(noise)
}

/// Whether the size moved one way, with small retreats, and is constant since.
fn has_arrived(points: &[Point]) -> bool {
    let arrived = since(points, 2.0 / 3.0);
    let way = &points[..points.len() - arrived.len()];
    span_s(arrived) >= MIN_SPAN_S && stands_still(arrived) && moves_one_way(way)
}

fn moves_one_way(points: &[Point]) -> bool {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return false };
    let net = last.size - first.size;
    let mut furthest = f64::MIN;
    let back = points.iter().map(|point| {
        let size = point.size * net.signum();
        furthest = furthest.max(size);
        furthest - size
    });
    back.fold(0.0, f64::max) <= RETREATS_WITHIN * net.abs()
}
