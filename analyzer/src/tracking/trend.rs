//! The trend of a region (LeakBot §5), decided on evidence.
//!
//! The paper classifies by the histogram of updates: only additions make a grower, only removals a shrinker, a mixture
//! an oscillator, none a flatliner. Real structures are noisier, so the same four words are decided on the series of
//! sizes: a grower's growth must be significant whatever the noise ([`Drift`]), must go on to the end, must not be
//! given back, and must not slow down towards a bound. docs/trends.md has the reasons and the figures.

use super::drift::{Drift, normal_cdf};
use super::evidence::{Origin, is_inconclusive, precise};
use super::series::span_s;
use super::settled::{settled, still_within};
use super::thresholds::THRESHOLDS;
use super::vetoes::Rise;
use super::{Point, Series};
use super::{envelope, mode, vetoes};
use crate::naming::named::named;

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
    pub(super) fn is_one_way(self) -> bool {
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
    /// Name of the veto by which a drift is no growth, or no loss ([`super::VETOES`]).
    pub veto: Option<&'static str>,
}

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
        self.removals > THRESHOLDS.heavy_flux * self.additions && self.removals > THRESHOLDS.min_growth
    }
}

/// Assesses a series; `None` while there is too little evidence. `known` is the present trend.
///
/// The recent past decides. When it shows no significant change, the whole history may still show slow growth.
pub fn assess(series: &Series, flux: Flux, known: Option<Trend>) -> Option<Assessment> {
    assess_by(Origin::Visits, series, flux, known)
}

/// The same for the sizes of captures: all of them are judged together. Where these show only a doubtful rise, those
/// after the first third decide: a cache that was empty at the first capture has one step, and then none. A rise that
/// has ended by then, and goes on afterwards, is not clear either. Few captures may show neither growth nor its
/// absence: a rise that is only doubtful has no trend.
pub(super) fn assess_captures(series: &Series) -> Option<Assessment> {
    let judged = |series: &Series| assess_by(Origin::Captures, series, Flux::default(), None);
    let is_clear =
        |found: &Assessment| !found.veto.is_some_and(vetoes::is_doubt) || found.confidence >= THRESHOLDS.likely;
    let later = judged(&series.after(THRESHOLDS.filled_by));
    let goes_on = later.is_some_and(|later| later.trend == Trend::Grower);
    let whole = judged(series).filter(|whole| is_clear(whole) && (whole.trend.is_one_way() || !goes_on));
    whole.or_else(|| later.filter(|later| !later.trend.is_one_way() && is_clear(later)))
}

fn assess_by(origin: Origin, series: &Series, flux: Flux, known: Option<Trend>) -> Option<Assessment> {
    let (recent, history) = (precise(recent(origin, series)), precise(series.points()));
    let (recent, history) = (&recent[..], &history[..]);
    if !origin.is_evidence(recent) {
        return None;
    }
    let judged = |points| View { points, history, flux, known, origin }.classify();
    let of_recent = judged(recent);
    let is_slow = |all: &Assessment| all.trend == Trend::Grower && goes_on(all, &of_recent);
    let may_be_slow = of_recent.trend != Trend::Grower && history.len() != recent.len();
    let slow = may_be_slow.then(|| judged(history)).filter(is_slow);
    Some(slow.unwrap_or(of_recent)).filter(|found| found.trend.is_one_way() || !is_inconclusive(recent))
}

fn recent(origin: Origin, series: &Series) -> &[Point] {
    series.recent(origin.recent_s(), origin.least_points())
}

/// Whether the recent past does not contradict the growth of the whole.
fn goes_on(whole: &Assessment, recent: &Assessment) -> bool {
    whole.drift.zip(recent.drift).is_none_or(|(whole, recent)| recent.high >= THRESHOLDS.same_growth * whole.per_s)
}

/// Assessment of the growth of a structure whose bound is known from other evidence, with the certainty of that bound.
pub(super) fn within_bounds(origin: Origin, series: &Series, growth: Assessment, confidence: f64) -> Assessment {
    Assessment { trend: settled(recent(origin, series)), confidence, ..growth }
}

/// Required probability of the direction: higher where the stretch was chosen, lower for a trend that holds.
pub(super) fn least_certainty(is_known: bool, is_chosen: bool) -> f64 {
    match (is_known, is_chosen) {
        (true, _) => THRESHOLDS.sure_enough_to_stay,
        (false, true) => THRESHOLDS.sure_of_chosen,
        (false, false) => THRESHOLDS.sure,
    }
}

/// The points to assess, and their context.
#[derive(Clone, Copy)]
struct View<'a> {
    points: &'a [Point],
    /// All points.
    history: &'a [Point],
    flux: Flux,
    known: Option<Trend>,
    origin: Origin,
}

impl View<'_> {
    fn classify(&self) -> Assessment {
        let mode = mode::latest(self.points, |points| self.origin.is_evidence(points));
        let drift = Drift::of(mode);
        let mut veto = None;
        for (trend, sign) in [(Trend::Grower, 1.0), (Trend::Shrinker, -1.0)] {
            let Some(drift) = drift else { continue };
            let (moves, turned_down) = self.moves_on(mode, drift, trend, sign);
            if let Some(moves) = moves {
                let confidence = mirrored_drift(moves, sign).rises;
                return Assessment { trend, confidence, drift: Some(moves), veto: None };
            }
            if drift.per_s * sign > 0.0 {
                veto = turned_down;
            }
        }
        let confidence = drift.map_or(0.0, |drift| stays_bounded(mode, &drift));
        Assessment { trend: settled(self.points), drift, confidence, veto }
    }

    /// The drift, if the size moves in one direction (`sign` +1 or −1) by the points themselves or by their lower
    /// envelope; and the name of the veto against the points.
    fn moves_on(&self, mode: &[Point], drift: Drift, trend: Trend, sign: f64) -> (Option<Drift>, Option<&'static str>) {
        let is_known = self.known == Some(trend);
        let (sizes, history) = (mirrored_points(mode, sign), mirrored_points(self.history, sign));
        let rise = Rise {
            sizes: &sizes,
            lows: None,
            history: &history,
            drift: Some(mirrored_drift(drift, sign)).into(),
            least_certainty: least_certainty(is_known, mode.len() != self.points.len()),
            origin: self.origin,
            is_brief_in_flux: self.flux.is_heavy() && span_s(self.points) < THRESHOLDS.min_span_in_flux_s,
            left: (sign > 0.0 && self.flux.is_heavy())
                .then(|| self.flux.removals * span_s(mode) / span_s(self.history)),
        };
        let of_lows = || {
            let chosen = least_certainty(is_known, true);
            let drifts = envelope::all(&sizes).filter_map(|lows| rise.of_lows(&lows, chosen).growth().0);
            drifts.min_by(|a, b| a.error.total_cmp(&b.error))
        };
        let (growth, veto) = rise.growth();
        (growth.or_else(of_lows).map(|moves| mirrored_drift(moves, sign)), veto)
    }
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

/// Probability that the drift brought less in the time watched than would count as growth.
fn stays_bounded(points: &[Point], drift: &Drift) -> f64 {
    let counts = THRESHOLDS.min_growth.max(still_within(points)) / span_s(points);
    normal_cdf((counts - drift.per_s) / drift.error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_captures(points: &[(f64, f64)]) -> Option<Trend> {
        let mut series = Series::default();
        points.iter().for_each(|&(at_s, size)| series.push(Point { at_s, size, error: 0.0 }));
        assess_captures(&series).map(|found| found.trend)
    }

    #[test]
    fn what_was_filled_up_in_the_second_third_of_the_captures_stands_still() {
        let sizes = [(10.0, 0.0), (60.0, 0.0), (179.0, 113.0), (253.0, 188.0), (345.0, 240.0), (403.0, 240.0)];
        let full = [&sizes[..], &[(471.0, 240.0), (549.0, 240.0)]].concat();
        assert_eq!(of_captures(&full), Some(Trend::Flatliner));
        assert_eq!(of_captures(&sizes), None, "two captures of one size are few");
    }

    #[test]
    fn the_last_captures_of_growth_that_became_a_little_faster_are_sure() {
        let first = [(10.1, 332.0), (25.3, 1025.0), (40.5, 1705.0), (55.7, 2405.0), (71.1, 3100.0), (86.5, 3795.0)];
        let later = [(102.1, 4525.0), (119.4, 5315.0), (144.1, 6425.0), (175.5, 7885.0), (205.1, 9255.0)];
        let last = [(239.6, 10_880.0), (279.9, 12_750.0), (326.9, 14_960.0), (381.8, 17_535.0), (445.8, 20_585.0)];
        let sizes = [&first[..], &later, &last, &[(520.5, 24_150.0)]].concat();
        assert_eq!(of_captures(&sizes), Some(Trend::Grower));
    }

    #[test]
    fn a_start_that_brought_most_does_not_hide_slow_growth_behind_it() {
        let slow = |at: u32| (60.0 * f64::from(at), if at == 0 { 0.0 } else { 5_000.0 + 6.0 * f64::from(at) });
        let sizes: Vec<(f64, f64)> = (0..10).map(slow).collect();
        assert_ne!(of_captures(&sizes), Some(Trend::Flatliner));
        assert_ne!(of_captures(&sizes), Some(Trend::Oscillator));
    }
}
