//! The trend of a region (LeakBot §5), decided on evidence.
//!
//! The paper classifies by the histogram of updates: only additions make a grower, only removals a shrinker, a mixture
//! an oscillator, none a flatliner. Real structures are noisier, so the same four words are decided on the series of
//! sizes: a grower's growth must be significant, must go on to the end, and must not be undone on the way.

use super::series::thin;
use super::statistics::{Slope, mann_kendall, theil_sen};
use super::{Point, Series};

/// Kinds of evolution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Trend {
    /// Grows without sign of a bound.
    Grower,
    /// Changes, but comes back.
    Oscillator,
    /// Loses members.
    Shrinker,
    /// Stands still.
    Flatliner,
}

impl Trend {
    /// As the report says it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Grower => "grower",
            Self::Oscillator => "oscillator",
            Self::Shrinker => "shrinker",
            Self::Flatliner => "flatliner",
        }
    }
}

/// A trend with its figures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Assessment {
    /// The trend.
    pub trend: Trend,
    /// Net change a second, for every trend.
    pub slope: Option<Slope>,
    /// Standard score of the Mann–Kendall test.
    pub score: f64,
}

/// The recent past, in seconds: long enough to average out bursts, short enough to notice a change of mode.
const RECENT_S: f64 = 90.0;
/// Fewer sightings, or a shorter time, are no evidence.
const MIN_POINTS: usize = 6;
const MIN_SPAN_S: f64 = 8.0;
/// Mann–Kendall score for significance (one-sided 1 %), and where members also leave (flux), 0.05 %.
const SIGNIFICANT: f64 = 2.33;
const SIGNIFICANT_IN_FLUX: f64 = 3.3;
/// In flux, growth must have lasted so long: a saw-tooth rises for a while, too.
const MIN_SPAN_IN_FLUX_S: f64 = 20.0;
/// Net growth below this many change-proxies is no leak yet.
const MIN_GROWTH: f64 = 8.0;
/// Growth in fewer steps than this may be a burst or two.
const MIN_STEPS: usize = 5;
/// The last third of the time must bring at least this share of the growth (a third, were it steady).
const LATE_SHARE: f64 = 0.12;
/// The deepest fall on the way, as a share of the net growth.
const MAX_DRAWDOWN: f64 = 0.5;
/// A stop that says something, and what it must be missing in units of the least growth that counts.
const MIN_STOP_S: f64 = 4.0;
const MISSING_STEPS: f64 = 5.0;
/// How much longer than any stop before it.
const LONGER: f64 = 1.5;
/// Less than this share of the whole growth is no progress: a full queue goes up and down a little.
const PROGRESS: f64 = 0.05;
/// Sizes within this share of their mean stand still.
const STANDS_STILL_WITHIN: f64 = 0.025;
/// Points that the quadratic statistics look at.
const MAX_ASSESSED: usize = 120;

/// What the visits said of members that left, beside the net change.
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

/// Assesses a series; `None` while there is too little evidence.
///
/// The recent past decides. When it shows no significant change, the whole history may still show slow growth.
pub fn assess(series: &Series, flux: Flux) -> Option<Assessment> {
    let recent = thin(series.recent(RECENT_S, MIN_POINTS), MAX_ASSESSED);
    if !is_evidence(&recent) {
        return None;
    }
    let of_recent = classify(&recent, flux);
    if of_recent.trend == Trend::Grower || series.points().len() == recent.len() {
        return Some(of_recent);
    }
    let of_all = classify(&series.thinned(MAX_ASSESSED), flux);
    Some(if of_all.trend == Trend::Grower { of_all } else { of_recent })
}

fn is_evidence(points: &[Point]) -> bool {
    points.len() >= MIN_POINTS && span_s(points) >= MIN_SPAN_S
}

fn span_s(points: &[Point]) -> f64 {
    points.last().map_or(0.0, |last| last.at_s - points[0].at_s)
}

fn classify(points: &[Point], flux: Flux) -> Assessment {
    let score = mann_kendall(points);
    let slope = theil_sen(points);
    let trend = if moves_on(points, flux, score, 1.0) {
        Trend::Grower
    } else if moves_on(points, flux, score, -1.0) {
        Trend::Shrinker
    } else {
        bounded(points)
    };
    Assessment { trend, slope, score }
}

/// Whether the size moves in one direction (`sign` +1 or −1): significantly, still, and without coming back.
fn moves_on(points: &[Point], flux: Flux, score: f64, sign: f64) -> bool {
    let (first, last) = (points[0], points[points.len() - 1]);
    let net = sign * (last.size - first.size);
    let noise = 2.0 * points.iter().map(|point| point.error).fold(0.0, f64::max);
    let (required_score, required_span) =
        if flux.is_heavy() { (SIGNIFICANT_IN_FLUX, MIN_SPAN_IN_FLUX_S) } else { (SIGNIFICANT, MIN_SPAN_S) };
    let late = sign * (last.size - size_at(points, first.at_s + span_s(points) * 2.0 / 3.0));
    sign * score >= required_score
        && span_s(points) >= required_span
        && net >= MIN_GROWTH.max(noise)
        && steps(points, sign) >= MIN_STEPS
        && late >= LATE_SHARE * net
        && drawdown(points, sign) <= MAX_DRAWDOWN * net
        && !has_ended(points, sign)
}

/// Whether what moved steadily has come to a stop: a queue that is full now. The stop must be longer than any
/// before it, and be missing much of what the pace until then would have brought. Only exact counts can tell.
fn has_ended(points: &[Point], sign: f64) -> bool {
    let progress = PROGRESS * sign * (points[points.len() - 1].size - points[0].size);
    let mut record = points[0];
    let mut longest_s = 0.0f64;
    for point in points.iter().filter(|point| point.error == 0.0) {
        if sign * (point.size - record.size) > progress {
            longest_s = longest_s.max(point.at_s - record.at_s);
            record = *point;
        }
    }
    let stopped_s = points[points.len() - 1].at_s - record.at_s;
    let pace_per_s = sign * (record.size - points[0].size) / (record.at_s - points[0].at_s).max(1.0);
    points.iter().all(|point| point.error == 0.0)
        && stopped_s >= MIN_STOP_S.max(LONGER * longest_s)
        && pace_per_s * stopped_s >= MISSING_STEPS * MIN_GROWTH
}

/// The size at the last sighting not later than `at_s`.
fn size_at(points: &[Point], at_s: f64) -> f64 {
    points[points.partition_point(|point| point.at_s <= at_s).saturating_sub(1)].size
}

/// Sightings that moved on from the one before.
fn steps(points: &[Point], sign: f64) -> usize {
    points.windows(2).filter(|pair| sign * (pair[1].size - pair[0].size) > 0.0).count()
}

/// The deepest fall from an earlier extreme.
fn drawdown(points: &[Point], sign: f64) -> f64 {
    let mut highest = f64::NEG_INFINITY;
    let mut deepest = 0.0f64;
    for point in points {
        highest = highest.max(sign * point.size);
        deepest = deepest.max(highest - sign * point.size);
    }
    deepest
}

/// Flatliner or oscillator, by the later half: what happened before has ended.
fn bounded(points: &[Point]) -> Trend {
    let middle = points[0].at_s + span_s(points) / 2.0;
    let later = &points[points.partition_point(|point| point.at_s < middle)..];
    let (least, most) =
        later.iter().fold((f64::MAX, f64::MIN), |(least, most), point| (least.min(point.size), most.max(point.size)));
    let mean = later.iter().map(|point| point.size).sum::<f64>() / later.len() as f64;
    let noise = 4.0 * later.iter().map(|point| point.error).fold(0.0, f64::max);
    let stands_still = most - least <= (mean * STANDS_STILL_WITHIN).max(1.0).max(noise);
    let falls = later.windows(2).any(|pair| pair[1].size < pair[0].size);
    if stands_still || !falls { Trend::Flatliner } else { Trend::Oscillator }
}
