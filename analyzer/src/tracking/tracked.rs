//! One region under observation: histogram of updates, size over time, trend with hysteresis.

use super::array_limit::{ArrayLimit, Bounded};
use super::counted;
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
    /// The size of the one before it at its place when the program dropped that.
    Dropped(u64),
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
    /// Size at which the others in its array stand still, in the latest capture.
    pub full_like_siblings: Option<u64>,
    /// Length of its array, where arrays of this length bound others of its kind.
    pub array_like_others: Option<u64>,
    /// The largest size at which the program has dropped one like it, at its place.
    pub dropped_size: Option<u64>,
    /// The heap's limit, above which no size is possible.
    pub heap_bytes: Option<u64>,
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
    is_counted: bool,
    /// Time in seconds up to which another capture may show that it waits for the collector.
    doubted_until_s: f64,
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
        self.capacity = later.capacity;
        self.full_like_siblings = later.full_like_siblings;
        self.set_clearable(later.clearable);
    }

    /// Sets what a later capture shows of change-proxies that wait for the collector.
    pub fn set_clearable(&mut self, clearable: Clearable) {
        (self.clearable, self.doubted_until_s) = (clearable.after(&self.clearable), 0.0);
    }

    /// Gives up a growth that was last seen longer ago than it was watched, at least half a minute: it may be over.
    pub fn lapse(&mut self, now_s: f64) {
        let Some((first, last)) = self.series.points().first().zip(self.series.points().last()) else { return };
        let lasts_s = (last.at_s - first.at_s).max(THRESHOLDS.least_lapse_s);
        if self.trend() == Some(Trend::Grower) && !self.is_captured && !self.is_counted && now_s > last.at_s + lasts_s {
            (self.assessment, self.contender) = (None, None);
        }
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

    /// Takes in the exact counts of a few captures of a program that goes on, and judges their growth.
    pub fn judge_counts(&mut self, points: &[Point]) {
        self.judge_captures(points);
        self.is_counted = true;
        self.assessment = counted::growth(points).map(|growth| self.within_its_bound(growth));
    }

    /// Judges the growth by the size at which one like it was dropped, at its place.
    pub fn bound_by_dropped(&mut self, size: Option<u64>) {
        self.dropped_size = size;
        self.assessment = self.assessment.map(|assessment| self.within_its_bound(assessment));
    }

    /// Judges the sizes of captures by what is known of the structure now.
    pub fn judge_again(&mut self) {
        let assessment = assess_captures(&self.series);
        self.assessment = assessment.map(|assessment| self.within_its_bound(assessment));
    }

    /// Whether visits know its size exactly, and have judged it.
    pub fn is_exact(&self) -> bool {
        self.trend().is_some() && self.series.points().iter().all(|point| point.error == 0.0)
    }

    /// Whether its growth was found by the counts of a few captures.
    pub fn is_counted(&self) -> bool {
        self.is_counted
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
            VisitOutcome::Seen(sighting) if self.is_possible(sighting) => {
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

    /// Whether the heap could hold that many members, of a byte each at least. An estimate of a structure that is too
    /// deep for the budget may be any number.
    #[must_use]
    pub fn is_possible(&self, sighting: &Sighting) -> bool {
        let most = self.heap_bytes.map_or(f64::MAX, |bytes| bytes as f64);
        (0.0..=most).contains(&sighting.size) && sighting.size_error.is_finite()
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
        let since_s = at_s - self.assessed_s();
        if since_s < (THRESHOLDS.assessed_every * watched_s).clamp(least_s, most_s) {
            return false;
        }
        self.assessed_s = Some(at_s);
        self.reassess(since_s >= most_s)
    }

    /// Takes in the turnover of a sighting, unless the program has replaced a table since the turnover before: some
    /// maps copy their nodes then, and no member is recognised.
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

    /// A new trend must hold for two assessments before it replaces another, or come long after the one before: where
    /// visits are rare, the second would be made when the run is over.
    fn reassess(&mut self, is_rare: bool) -> bool {
        let Some(assessment) = assess(&self.series, self.flux, self.trend()) else { return false };
        let known = self.trend();
        let assessment = self.within_its_bound(among(self.similar, assessment, known, &self.series));
        let replaces = is_rare || self.contender == Some(assessment.trend);
        if replaces || known.is_none_or(|known| known == assessment.trend) {
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
                Bound::Dropped(_) => self.within_dropped().is_some(),
                Bound::Collector => false,
            });
            return assessment;
        };
        let by_its_array = || self.array.bounds(self.series.points(), &drift);
        let by_array = self.within_capacity().or_else(by_its_array).or_else(|| self.within_array_like_others());
        let is_mostly_garbage = self.clearable.waiting >= THRESHOLDS.mostly || self.is_doubted();
        let by_collector = is_mostly_garbage.then_some(Bound::Collector);
        let by_others = || self.within_peers().map(Bound::Peers).or_else(|| self.within_dropped().map(Bound::Dropped));
        self.bound = by_array.map(Bound::Array).or(by_collector).or_else(by_others);
        match self.bound {
            None => assessment,
            Some(Bound::Peers(_) | Bound::Dropped(_)) => {
                within_bounds(self.origin(), &self.series, assessment, THRESHOLDS.likely)
            }
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

    /// The bound by an array of the length that bounds others of its kind, as long as it is not replaced.
    fn within_array_like_others(&self) -> Option<Bounded> {
        let slots = self.array_like_others.filter(|&slots| self.fixed_slots() == Some(slots))?;
        Some(Bounded { slots, is_proven: false })
    }

    /// Length of its array in the latest sighting.
    pub fn slots(&self) -> Option<u64> {
        self.array.slots()
    }

    /// The same, where the array has been the same in all sightings.
    pub fn fixed_slots(&self) -> Option<u64> {
        self.slots().filter(|_| self.array.is_fixed())
    }

    /// Whether its array shows that it is no list that replaces its array as it grows: it is bound by the array, or fills
    /// less of it than such a list would.
    pub fn is_no_growing_list(&self) -> bool {
        let Some(slots) = self.fixed_slots() else { return false };
        let is_bound = matches!(self.bound, Some(Bound::Array(array)) if array.slots == slots);
        let least = THRESHOLDS.presized_share * slots as f64;
        let is_far_from_full = slots as f64 > THRESHOLDS.least_slots
            && self.series.points().last().is_some_and(|last| last.size + 2.0 * last.error <= least);
        is_bound || is_far_from_full
    }

    /// The size at which others of its kind are full, as long as it is not larger.
    fn within_peers(&self) -> Option<u64> {
        self.full_size.or(self.full_like_siblings).filter(|&size| self.is_within(size))
    }

    /// The size at which one like it was dropped, as long as it is not much larger.
    fn within_dropped(&self) -> Option<u64> {
        self.dropped_size.filter(|&size| self.is_within((THRESHOLDS.outgrown * size as f64) as u64))
    }

    fn is_within(&self, most: u64) -> bool {
        self.series.points().last().is_some_and(|last| last.size - 2.0 * last.error <= most as f64)
    }

    /// Whether it grows by change-proxies that later collections may still clear, as far as the latest capture shows.
    pub fn may_be_cleared(&self) -> bool {
        self.trend() == Some(Trend::Grower) && self.clearable.weak >= THRESHOLDS.mostly
    }

    /// Doubts its growth up to this time in seconds: a capture is under way that shows what waits for the collector.
    pub fn doubt(&mut self, until_s: f64) {
        self.doubted_until_s = until_s;
        self.contender = None;
        self.assessment = self.assessment.map(|assessment| self.within_its_bound(assessment));
    }

    /// Whether a capture is to show if it only waits for the collector.
    pub fn is_doubted(&self) -> bool {
        self.series.points().last().is_some_and(|last| last.at_s < self.doubted_until_s)
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
/// Of the shards of one map, one seems to grow by chance more often than a single region does. The probability that
/// none of them is wrong is to be that of a single region (Bonferroni).
fn among(similar: usize, assessment: Assessment, known: Option<Trend>, series: &Series) -> Assessment {
    let is_held = known == Some(assessment.trend);
    let least = 1.0 - (1.0 - least_certainty(is_held, false)) / similar.max(1) as f64;
    if assessment.trend.is_one_way() && assessment.confidence < least {
        return within_bounds(Origin::Visits, series, assessment, assessment.confidence);
    }
    assessment
}

#[cfg(test)]
#[path = "tracked_tests.rs"]
mod tests;
