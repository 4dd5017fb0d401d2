//! One region under observation: histogram of updates, size over time, trend with hysteresis.

use super::array_limit::{ArrayLimit, Bounded};
use super::evidence::{Origin, is_inconclusive};
use super::extent::Extent;
use super::level::Level;
use super::thresholds::THRESHOLDS;
use super::trend::{Assessment, Flux, Trend, assess, assess_captures, least_certainty, within_bounds};
use super::untracked::Untracked;
use super::{Point, Series};
use crate::regions::Clearable;
use rootbound_wire::message::{ProbeReport, Sighting, VisitMethod, VisitOutcome};

/// Histogram of detected updates (LeakBot §5): the result of each visit, by net change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Updates {
    /// The region had grown.
    pub additions: u64,
    /// It had shrunk.
    pub removals: u64,
    /// Same size, but members or a path element had been replaced.
    pub relinks: u64,
    /// Nothing had changed.
    pub quiet: u64,
}

/// Bound of the growth of a structure that has a drift and no sign of a bound in its sizes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// The length of an array.
    Array(Bounded),
    /// The size at which others of its kind are full.
    Peers(u64),
    /// The collector: most change-proxies go with referents that nothing else keeps.
    Collector,
}

/// Whether a region is still being followed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Fate {
    /// Not installed yet.
    #[default]
    Waiting,
    /// Being followed.
    Followed,
    /// Not followed, or no more, for this reason.
    Untracked(Untracked),
}

/// A region under observation.
#[derive(Clone, Debug, Default)]
pub struct TrackedRegion {
    proxy_size_at_capture: f64,
    size_at_capture: Option<f64>,
    /// Whether it is followed.
    pub fate: Fate,
    /// Histogram of the changes that the visits detected.
    pub updates: Updates,
    /// Size over time.
    pub series: Series,
    /// The latest assessment that has held for two visits.
    pub assessment: Option<Assessment>,
    /// Trend of the last visit alone.
    pub tick: Option<Trend>,
    /// Method by which the last visit found the size.
    pub method: Option<VisitMethod>,
    /// Sample bias after the last visit.
    pub bias: Option<f32>,
    /// Bound of growth that ends, or has ended, for a reason that its series does not show.
    pub bound: Option<Bound>,
    /// Share of change-proxies that collections may remove, by the latest capture.
    pub clearable: Clearable,
    /// Slots of the arrays that hold its change-proxies and are never replaced, in the latest capture.
    pub capacity: Option<u64>,
    /// Size at which others of its kind are full.
    pub full_size: Option<u64>,
    /// For a buffer: the length of its array over time.
    pub extent: Option<Extent>,
    level: Level,
    /// Number of followed regions at this place, this one included, once it is known.
    similar: usize,
    array: ArrayLimit,
    flux: Flux,
    /// The program has replaced a table or another part of the path since the last turnover.
    is_relinked: bool,
    contender: Option<Trend>,
    assessed_s: Option<f64>,
    blind_visits: u32,
    is_captured: bool,
}

impl TrackedRegion {
    /// A region that was just found.
    pub fn new(proxy_size: u64) -> Self {
        Self { proxy_size_at_capture: proxy_size as f64, ..Self::default() }
    }

    /// A buffer that was just found, whose array has gained `gained` slots since the capture before.
    pub fn of_buffer(gained: u64) -> Self {
        Self { extent: Some(Extent::new(gained)), ..Self::new(gained) }
    }

    /// Takes in a later capture that found the region again: facts that only captures show are taken from it.
    pub fn found_again(&mut self, later: &Self) {
        (self.clearable, self.capacity) = (later.clearable, later.capacity);
    }

    /// Sets the number of followed regions at this place, this one included: shards of one map.
    pub fn set_similar(&mut self, count: usize) {
        self.similar = count;
    }

    /// The size at the last visit, in change-proxies.
    pub fn latest_size(&self) -> Option<f64> {
        self.series.points().last().map(|point| point.size)
    }

    /// Time of the latest assessment in seconds; negative infinity before the first.
    pub fn assessed_s(&self) -> f64 {
        self.assessed_s.unwrap_or(f64::NEG_INFINITY)
    }

    /// Sets the size that the region's own traversal counts in the capture; `None` when that is not known.
    pub fn set_size_at_capture(&mut self, size: Option<u64>) {
        self.size_at_capture = size.map(|size| size as f64);
    }

    /// Takes in the sizes that captures show, in the order of time, instead of visits, and judges them.
    pub fn judge_captures(&mut self, points: &[Point]) {
        (self.fate, self.is_captured) = (Fate::Followed, true);
        for point in points {
            let before = self.series.points().last().map(|before| before.size);
            self.series.push(*point);
            if let Some(before) = before {
                self.count_net(point.size - before);
            }
        }
        if let (Some(extent), Some(last)) = (&mut self.extent, points.last()) {
            extent.captured(last.size as u32);
        }
        // The size at the capture is that of the last one: nothing has been added since.
        self.size_at_capture = self.latest_size();
        self.judge_again();
    }

    /// Judges the sizes of captures by what is known of the structure now.
    pub fn judge_again(&mut self) {
        let assessment = assess_captures(&self.series);
        self.assessment = assessment.map(|assessment| self.within_its_bound(assessment));
    }

    /// Whether its sizes come from captures instead of visits.
    pub fn is_captured(&self) -> bool {
        self.is_captured
    }

    fn origin(&self) -> Origin {
        if self.is_captured { Origin::Captures } else { Origin::Visits }
    }

    fn count_net(&mut self, net: f64) {
        let (count, tick) = if net > 0.0 {
            (&mut self.updates.additions, Trend::Grower)
        } else if net < 0.0 {
            (&mut self.updates.removals, Trend::Shrinker)
        } else {
            (&mut self.updates.quiet, Trend::Flatliner)
        };
        *count += 1;
        self.tick = Some(tick);
    }

    /// Takes in one visit. Returns whether the trend has changed.
    pub fn observe(&mut self, report: &ProbeReport) -> bool {
        self.bias = Some(report.bias);
        if let (VisitOutcome::Seen(sighting), Some(extent)) = (&report.outcome, &mut self.extent) {
            extent.see(sighting);
        }
        match &report.outcome {
            VisitOutcome::Seen(sighting) if sighting.size.is_finite() && sighting.size_error.is_finite() => {
                return self.see(report.at_ms as f64 / 1000.0, sighting);
            }
            VisitOutcome::Seen(_) => self.blind_visits += 1,
            VisitOutcome::OwnerGone => {
                self.fate = Fate::Untracked(Untracked::OwnerGone);
                (self.assessment, self.tick) = (None, None);
            }
            VisitOutcome::Failed(reason) => self.fate = Fate::Untracked(Untracked::Unreadable(reason.clone())),
        }
        false
    }

    fn see(&mut self, at_s: f64, sighting: &Sighting) -> bool {
        let before = self.series.points().last().map(|point| point.size);
        self.fate = Fate::Followed;
        self.method = Some(sighting.method);
        if self.extent.as_mut().is_some_and(|extent| extent.turns(sighting.method)) {
            (self.series, self.level) = (Series::default(), Level::default());
        }
        let error = self.level.push(&mut self.series, at_s, sighting);
        let least = sighting.size - 2.0 * sighting.size_error;
        // A buffer that was once replaced by a longer one is not bounded by its present length.
        if self.extent.is_none() {
            self.array.see(sighting.slots, least, sighting.relinked);
        }
        self.flow(sighting);
        if let Some(before) = before {
            self.count_update(sighting.size - before, 2.0 * error, sighting);
        }
        let watched_s = at_s - self.series.points()[0].at_s;
        let (least_s, most_s) = THRESHOLDS.assessed_every_s;
        if at_s - self.assessed_s() < (THRESHOLDS.assessed_every * watched_s).clamp(least_s, most_s) {
            return false;
        }
        self.assessed_s = Some(at_s);
        self.reassess()
    }

    /// Takes in the turnover of a sighting, unless the program has replaced a table since the turnover before: some maps
    /// copy their nodes then, and no member is recognised.
    fn flow(&mut self, sighting: &Sighting) {
        self.is_relinked |= sighting.relinked;
        let is_copied = self.is_relinked && sighting.removals > 0.0;
        let copied = if is_copied { sighting.removals.min(sighting.additions) } else { 0.0 };
        self.flux.additions += (sighting.additions - copied).max(0.0);
        self.flux.removals += (sighting.removals - copied).max(0.0);
        self.is_relinked &= !is_copied;
    }

    fn count_update(&mut self, net: f64, noise: f64, sighting: &Sighting) {
        let (count, tick) = if net > noise {
            (&mut self.updates.additions, Trend::Grower)
        } else if net < -noise {
            (&mut self.updates.removals, Trend::Shrinker)
        } else if sighting.relinked || sighting.removals >= 1.0 {
            (&mut self.updates.relinks, Trend::Oscillator)
        } else {
            (&mut self.updates.quiet, Trend::Flatliner)
        };
        *count += 1;
        self.tick = Some(tick);
    }

    /// A new trend must hold for two assessments before it replaces another.
    fn reassess(&mut self) -> bool {
        let Some(assessment) = assess(&self.series, self.flux, self.trend()) else { return false };
        let known = self.trend();
        let assessment = self.within_its_bound(among(self.similar, assessment, known, &self.series));
        if known.is_none_or(|known| known == assessment.trend) || self.contender == Some(assessment.trend) {
            self.assessment = Some(assessment);
            self.contender = None;
        } else {
            self.contender = Some(assessment.trend);
        }
        self.trend() != known
    }

    /// Growth that ends at the length of an array, or with a collection, is no leak.
    fn within_its_bound(&mut self, assessment: Assessment) -> Assessment {
        let growth = assessment.drift.filter(|_| assessment.trend == Trend::Grower);
        let Some(drift) = growth else {
            // A structure that was filled up does not grow now.
            let is_fixed = self.array.is_fixed() || self.capacity.is_some();
            self.bound = self.bound.filter(|bound| match bound {
                Bound::Array(_) => is_fixed,
                Bound::Peers(_) => self.within_peers().is_some(),
                Bound::Collector => false,
            });
            return assessment;
        };
        let by_array = self.within_capacity().or_else(|| self.array.bounds(self.series.points(), &drift));
        let is_mostly_garbage = self.clearable.waiting >= THRESHOLDS.mostly;
        let by_collector = is_mostly_garbage.then_some(Bound::Collector);
        self.bound = by_array.map(Bound::Array).or(by_collector).or_else(|| self.within_peers().map(Bound::Peers));
        match self.bound {
            None => assessment,
            Some(Bound::Peers(_)) => within_bounds(self.origin(), &self.series, assessment, THRESHOLDS.likely),
            Some(Bound::Array(array)) => {
                let confidence = if array.is_proven { THRESHOLDS.proven } else { THRESHOLDS.likely };
                within_bounds(self.origin(), &self.series, assessment, confidence)
            }
            Some(Bound::Collector) => {
                Assessment { trend: Trend::Oscillator, confidence: THRESHOLDS.waiting, ..assessment }
            }
        }
    }

    /// The bound by arrays that are never replaced, as long as all change-proxies find room in those of the capture.
    fn within_capacity(&self) -> Option<Bounded> {
        let slots = self.capacity.filter(|&slots| self.is_within(slots))?;
        Some(Bounded { slots, is_proven: true })
    }

    /// The size at which others of its kind are full, as long as it is not larger.
    fn within_peers(&self) -> Option<u64> {
        self.full_size.filter(|&size| self.is_within(size))
    }

    fn is_within(&self, most: u64) -> bool {
        self.series.points().last().is_some_and(|last| last.size - 2.0 * last.error <= most as f64)
    }

    /// Whether it grows by change-proxies that later collections may still clear, as far as the latest capture shows.
    pub fn may_be_cleared(&self) -> bool {
        self.trend() == Some(Trend::Grower) && self.clearable.weak >= THRESHOLDS.mostly
    }

    /// Whether it is visited, and no visit has reported its size yet.
    pub fn is_blind(&self) -> bool {
        self.series.points().is_empty() && self.blind_visits >= THRESHOLDS.blind_visits
    }

    /// Whether its sightings are too uncertain for a trend.
    pub fn is_vague(&self) -> bool {
        let points = self.series.points();
        self.trend().is_none() && points.len() >= THRESHOLDS.min_points && is_inconclusive(points)
    }

    /// Whether a probe follows the region, or is about to.
    pub fn is_followed(&self) -> bool {
        !matches!(self.fate, Fate::Untracked(_))
    }

    /// The trend, once there is evidence.
    pub fn trend(&self) -> Option<Trend> {
        self.assessment.map(|assessment| assessment.trend)
    }

    /// Net growth a minute with its interval (per minute: rate, low, high), once there is evidence.
    pub fn rate_per_min(&self) -> Option<(f64, f64, f64)> {
        let drift = self.assessment?.drift?;
        Some((drift.per_s * 60.0, drift.low * 60.0, drift.high * 60.0))
    }

    /// Certainty of the trend, in [0, 1] (see [`Assessment::confidence`]); `None` before there is one.
    pub fn confidence(&self) -> Option<f64> {
        self.assessment.map(|assessment| assessment.confidence)
    }

    /// Definition 6 updated by the results of probes: distinct change-proxies now.
    pub fn proxy_size(&self) -> f64 {
        let points = self.series.points();
        let base = self.size_at_capture.or(points.first().map(|point| point.size));
        let growth = points.last().zip(base).map_or(0.0, |(last, base)| last.size - base);
        (self.proxy_size_at_capture + growth).max(0.0)
    }
}

/// The assessment, where it is sure enough for one of several similar regions.
///
/// Of the shards of one map, one seems to grow by chance more often than a single region does. The probability that none
/// of them is wrong is to be that of a single region (Bonferroni).
fn among(similar: usize, assessment: Assessment, known: Option<Trend>, series: &Series) -> Assessment {
    let is_held = known == Some(assessment.trend);
    let least = 1.0 - (1.0 - least_certainty(is_held, false)) / similar.max(1) as f64;
    if assessment.trend.is_one_way() && assessment.confidence < least {
        return within_bounds(Origin::Visits, series, assessment, assessment.confidence);
    }
    assessment
}

#[cfg(test)]
mod tests {
    use super::*;
    use rootbound_wire::ids::ProbeId;

    /// A region that has gained two members a second for a minute, with this result of a capture.
    fn grown(clearable: Clearable) -> TrackedRegion {
        let mut region = TrackedRegion::new(100);
        region.clearable = clearable;
        (0..60).for_each(|second| see(&mut region, second));
        region
    }

    fn see(region: &mut TrackedRegion, second: u64) {
        see_with(region, second, 0.0);
    }

    fn see_with(region: &mut TrackedRegion, second: u64, size_error: f64) {
        observe(region, second, Sighting { size_error, ..sighting(second) });
    }

    fn sighting(second: u64) -> Sighting {
        let (additions, removals, relinked, slots, method) = (0.0, 0.0, false, None, VisitMethod::Full);
        Sighting { size: 100.0 + 2.0 * second as f64, size_error: 0.0, additions, removals, relinked, slots, method }
    }

    fn observe(region: &mut TrackedRegion, second: u64, seen: Sighting) {
        let (at_ms, outcome) = (1000 * second, VisitOutcome::Seen(seen));
        region.observe(&ProbeReport { probe: ProbeId(1), at_ms, bias: 1.0, reads: 1, micros: 1, outcome });
    }

    #[test]
    fn nodes_that_are_copied_into_a_longer_table_have_not_left() {
        let mut region = TrackedRegion::new(100);
        let turnover = |second, count| Sighting { additions: count + 8.0, removals: count, ..sighting(second) };
        observe(&mut region, 0, Sighting { relinked: true, ..sighting(0) });
        observe(&mut region, 1, sighting(1));
        observe(&mut region, 2, turnover(2, 300.0));
        assert_eq!(region.flux, Flux { additions: 8.0, removals: 0.0 });
        observe(&mut region, 3, turnover(3, 300.0));
        assert_eq!(region.flux, Flux { additions: 316.0, removals: 300.0 }, "the table is the same");
    }

    #[test]
    fn what_a_collection_lets_go_in_the_main_is_no_grower() {
        let waiting = grown(Clearable { weak: 1.0, waiting: 0.9 });
        assert_eq!((waiting.trend(), waiting.bound), (Some(Trend::Oscillator), Some(Bound::Collector)));
        let in_use = grown(Clearable { weak: 1.0, waiting: 0.1 });
        assert_eq!((in_use.trend(), in_use.bound), (Some(Trend::Grower), None));
    }

    #[test]
    fn arrays_that_are_never_replaced_bound_the_growth_while_there_is_room() {
        let within = |slots: u64| {
            let mut region = TrackedRegion::new(100);
            region.capacity = Some(slots);
            (0..60).for_each(|second| see(&mut region, second));
            (region.trend(), region.bound.is_some())
        };
        assert_eq!(within(100_000), (Some(Trend::Flatliner), true));
        assert_eq!(within(150), (Some(Trend::Grower), false), "218 do not fit");
    }

    /// A buffer with one visit a second, each with a fill, a length and a method.
    fn filled(visits: impl IntoIterator<Item = (f64, u32, VisitMethod)>) -> TrackedRegion {
        let mut region = TrackedRegion::of_buffer(0);
        for (second, (size, slots, method)) in visits.into_iter().enumerate() {
            let (additions, removals, relinked, slots) = (0.0, 0.0, false, Some(slots));
            let seen = Sighting { size, size_error: 0.0, additions, removals, relinked, slots, method };
            region.see(second as f64, &seen);
            region.extent.iter_mut().for_each(|extent| extent.see(&seen));
        }
        region
    }

    #[test]
    fn a_buffer_is_bounded_by_no_array_for_it_takes_a_longer_one() {
        let counter = VisitMethod::Counter { counter: 0 };
        let region = filled((0..30).map(|second| (300.0 + 20.0 * f64::from(second), 1_000, counter)));
        assert_eq!((region.trend(), region.bound), (Some(Trend::Grower), None));
    }

    #[test]
    fn the_sizes_of_a_buffer_begin_anew_when_a_counter_takes_over_from_its_length() {
        let (length, counter) = (VisitMethod::Length, VisitMethod::Counter { counter: 0 });
        let visits = (0..40).map(|second| match second {
            0..20 => (1_024.0, 1_024, length),
            _ => (520.0 + f64::from(second), 1_024, counter),
        });
        let region = filled(visits);
        assert_eq!(region.series.points()[0].size, 540.0);
        assert_eq!(region.trend(), Some(Trend::Grower));
    }

    #[test]
    fn visits_that_show_no_size_are_reported_until_one_does() {
        let mut region = TrackedRegion::new(100);
        (0..7).for_each(|second| see_with(&mut region, second, f64::INFINITY));
        assert!(!region.is_blind());
        see_with(&mut region, 7, f64::INFINITY);
        assert!(region.is_blind());
        see(&mut region, 8);
        assert!(!region.is_blind());
    }

    #[test]
    fn of_many_shards_one_must_be_surer_to_grow_than_a_single_map() {
        let sure = |confidence| Assessment { trend: Trend::Grower, drift: None, confidence, veto: None };
        let series = grown(Clearable::default()).series;
        let judged = |similar, confidence| among(similar, sure(confidence), None, &series).trend;
        assert_eq!((judged(1, 0.992), judged(4, 0.998)), (Trend::Grower, Trend::Grower));
        assert_ne!(judged(4, 0.992), Trend::Grower);
        let held = among(4, sure(0.993), Some(Trend::Grower), &series);
        assert_eq!(held.trend, Trend::Grower);
    }

    #[test]
    fn a_later_capture_may_say_otherwise() {
        let mut region = grown(Clearable { weak: 1.0, waiting: 0.1 });
        assert!(region.may_be_cleared());
        region.found_again(&grown(Clearable { weak: 1.0, waiting: 0.9 }));
        (60..70).for_each(|second| see(&mut region, second));
        assert_eq!(region.trend(), Some(Trend::Oscillator));
        assert!(!region.may_be_cleared());
    }
}
