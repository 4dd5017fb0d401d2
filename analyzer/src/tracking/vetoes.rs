//! Signs that a rise is no growth without bound, in one table. The first one that applies turns the rise down.
//!
//! A fall is judged as its mirror image. Evidence beyond the sizes turns growth down elsewhere: the array
//! (`array_limit.rs`), the whole around a part (`conservation.rs`), similar regions and the collector (`tracked.rs`).

use super::evidence::Origin;
use super::series::{smoothed, span_s};
use super::thresholds::THRESHOLDS;
use super::{Drift, Point};
use super::{bounds, envelope, mode};
use std::cell::OnceCell;

/// Sizes that may rise without bound, or their lower envelope.
pub(super) struct Rise<'a> {
    /// Sizes since the latest change of mode.
    pub(super) sizes: &'a [Point],
    /// Their lows, where these are judged.
    pub(super) lows: Option<&'a [Point]>,
    /// All sizes: an earlier fall and a slow bend show in them alone.
    pub(super) history: &'a [Point],
    /// Drift of the points that are judged, once it is needed.
    pub(super) drift: OnceCell<Option<Drift>>,
    /// Required probability of the direction.
    pub(super) least_certainty: f64,
    /// Origin of the sizes.
    pub(super) origin: Origin,
    /// Whether members leave about as often as they come, and the time is too short for that.
    pub(super) is_brief_in_flux: bool,
    /// Members that left since the latest change of mode, where members leave about as often as they come. Unknown for a
    /// fall: what came meanwhile is known too badly.
    pub(super) left: Option<f64>,
}

const UNSURE: &str = "unsure";
const FEW_STEPS: &str = "few steps";

/// Whether the veto of this name shows no bound, but only that the evidence is weak.
pub(super) fn is_doubt(name: &str) -> bool {
    matches!(name, UNSURE | FEW_STEPS)
}

/// A sign that turns a rise down.
pub struct Veto {
    /// Its name.
    pub name: &'static str,
    /// The reason why such a rise is no growth, or not known to be growth.
    pub why: &'static str,
    test: fn(&Rise<'_>) -> bool,
}

/// The table, in the order in which its rows are tried.
pub const VETOES: [Veto; 12] = [
    Veto { name: "brief in flux", why: "a saw-tooth rises for a while, too", test: |rise| rise.is_brief_in_flux },
    Veto {
        name: "lows stay",
        why: "it was emptied down to the same size again and again",
        test: |rise| rise.lows.is_some_and(|lows| bounds::gain(lows) < THRESHOLDS.min_growth),
    },
    Veto { name: UNSURE, why: "the noise of the sizes explains such a rise", test: |rise| !rise.is_sure() },
    Veto {
        name: "load",
        why: "those that come and go are a few more while the load is higher",
        test: |rise| rise.is_load(),
    },
    Veto { name: "few members", why: "a handful is no leak yet", test: |rise| rise.net() < THRESHOLDS.min_growth },
    Veto {
        name: FEW_STEPS,
        why: "a rise in a few steps may be a burst or two",
        test: |rise| rise.lows.is_none() && bounds::steps(rise.sizes) < rise.origin.least_steps(),
    },
    Veto {
        name: "ebbed",
        why: "a warm-up has ended: the last third brought little",
        test: |rise| bounds::has_ebbed(rise.points()) && bounds::has_ebbed(&rise.means(rise.points())),
    },
    Veto { name: "stopped", why: "a queue is full: no stop was as long", test: |rise| bounds::has_stopped(rise.sizes) },
    Veto {
        name: "peaks rise alone",
        why: "a cache that is cleaned behind its writers overshoots its limit now more, now less",
        test: |rise| {
            rise.lows.is_none() && envelope::has_falls(rise.sizes) && bounds::peaks_alone(rise.sizes, rise.net())
        },
    },
    Veto {
        name: "comes back",
        why: "a loss that happened once may happen again",
        test: |rise| bounds::comes_back(&rise.means(rise.history), rise.net()),
    },
    Veto { name: "slows down", why: "a cache that fills does so", test: |rise| bounds::slows_down(rise.points()) },
    Veto {
        name: "bends",
        why: "a slow bend shows in the whole history alone",
        test: |rise| {
            let is_evidence = |points: &[Point]| rise.origin.is_evidence(points);
            rise.lows.is_none() && bounds::slows_down(mode::latest(rise.history, is_evidence))
        },
    },
];

impl Rise<'_> {
    /// Its drift where it is growth; otherwise the name of the first veto that shows a bound, or of the first doubt.
    pub(super) fn growth(&self) -> (Option<Drift>, Option<&'static str>) {
        let mut vetoes = VETOES.iter().filter(|veto| (veto.test)(self)).map(|veto| veto.name);
        let Some(first) = vetoes.next() else { return (self.drift(), None) };
        let is_of_captures = self.origin == Origin::Captures;
        let bound = if is_of_captures && is_doubt(first) { vetoes.find(|name| !is_doubt(name)) } else { None };
        (None, bound.or(Some(first)))
    }

    /// The rise of its lows.
    pub(super) fn of_lows<'a>(&'a self, lows: &'a [Point], least_certainty: f64) -> Rise<'a> {
        Rise { lows: Some(lows), drift: OnceCell::new(), least_certainty, ..*self }
    }

    fn points(&self) -> &[Point] {
        self.lows.unwrap_or(self.sizes)
    }

    fn drift(&self) -> Option<Drift> {
        *self.drift.get_or_init(|| Drift::of(self.points()))
    }

    fn is_sure(&self) -> bool {
        self.drift().is_some_and(|drift| drift.per_s > 0.0 && drift.rises >= self.least_certainty)
    }

    /// Members that the drift brought.
    fn net(&self) -> f64 {
        self.drift().map_or(0.0, |drift| drift.per_s * span_s(self.points()))
    }

    /// Whether members come and go, somewhat more of them come than before, and they have not been replaced often enough
    /// to show how many there are under one load. Where no member is recognised, it is not known how many come and go.
    fn is_load(&self) -> bool {
        let are_recognised = |point: &Point| point.error == 0.0 && point.size <= THRESHOLDS.recognised;
        let Some(left) = self.left.filter(|_| self.sizes.iter().all(are_recognised)) else { return false };
        let level = self.level();
        left < THRESHOLDS.turnovers * level && self.net() < THRESHOLDS.of_load * left.min(level)
    }

    /// Mean size.
    fn level(&self) -> f64 {
        self.sizes.iter().map(|point| point.size).sum::<f64>() / self.sizes.len() as f64
    }

    /// Means over an eighth of the rise: faster changes are noise. Lows have none.
    fn means(&self, of: &[Point]) -> Vec<Point> {
        self.lows.map_or_else(|| smoothed(of, span_s(self.sizes) / THRESHOLDS.smoothed), <[Point]>::to_vec)
    }
}
