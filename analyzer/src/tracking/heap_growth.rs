//! Growth of the heap as a whole.

use super::captured::{Captured, Gain, Gained, Share};
use super::mode;
use super::thresholds::THRESHOLDS;
use super::{Drift, Point, Series};

/// Used bytes after collections, by time.
#[derive(Clone, Debug, Default)]
pub struct HeapGrowth {
    lows: Series,
    bucket: Option<(u64, Point)>,
    latest: Option<(u64, u64)>,
    /// The limit by a survey: it is known before the first collection.
    surveyed_max: Option<u64>,
    /// Time of the last snapshot in seconds, and the bytes that it reached.
    reached: Option<(f64, u64)>,
    captured: Captured,
}

const SECONDS_AN_HOUR: f64 = 3600.0;

/// Growth of the heap in bytes an hour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    /// 0 where none is significant, or where the growth may be garbage.
    pub per_hour: f64,
    /// Lower end of the 95 % interval.
    least_per_hour: f64,
    /// Upper end.
    pub most_per_hour: f64,
    /// Whether the used bytes after collections rise, garbage included.
    rises: bool,
}

impl HeapGrowth {
    /// Takes in the state after a collection: milliseconds, used bytes, heap limit.
    pub fn observe(&mut self, at_ms: u64, used_bytes: u64, max_bytes: u64) {
        self.latest = Some((used_bytes, max_bytes));
        let point = Point { at_s: at_ms as f64 / 1000.0, size: used_bytes as f64, error: 0.0 };
        let number = at_ms / THRESHOLDS.bucket_ms;
        match self.bucket {
            Some((current, least)) if current == number && least.size <= point.size => return,
            Some((current, done)) if current != number => self.lows.push(done),
            _ => {}
        }
        self.bucket = Some((number, point));
    }

    /// Takes in the heap's limit by a survey.
    pub fn survey(&mut self, max_bytes: u64) {
        self.surveyed_max = Some(max_bytes);
    }

    /// Takes in the bytes that a snapshot reached.
    pub fn reach(&mut self, at_s: f64, bytes: u64) {
        self.reached = Some((at_s, bytes));
    }

    /// Marks were chosen from a capture that reached these bytes.
    pub fn begin_capture(&mut self, at_s: f64, bytes: u64) {
        self.captured.begin(at_s, bytes);
    }

    /// The capture after these marks.
    pub fn end_capture(&mut self, at_s: f64, bytes: u64, gained: Gained) {
        self.captured.end(at_s, bytes, gained);
    }

    /// Share of the growth up to the latest capture that growers keep together.
    pub fn explained_by_capture(&self) -> Option<Share> {
        self.captured.explained()
    }

    /// Whether the program was still being built when the latest marks were chosen.
    pub fn was_being_built(&self) -> bool {
        self.captured.was_being_built()
    }

    /// Growth of the reachable bytes between captures.
    pub fn captured(&self) -> Option<Gain> {
        self.captured.gain()
    }

    /// Number of captures from which that growth is taken.
    pub fn captures(&self) -> Option<u64> {
        self.captured.captures()
    }

    /// Growth that is certain, by collections, or by captures where collections neither show nor exclude it.
    pub fn certain(&self) -> Option<Gain> {
        let by_collections = self.growth();
        let shown = by_collections.filter(|growth| growth.per_hour > 0.0);
        let shown = shown.map(|it| Gain { per_hour: it.per_hour, low: it.least_per_hour, high: it.most_per_hour });
        let most = by_collections.map_or(f64::INFINITY, |growth| growth.most_per_hour);
        shown.or_else(|| self.captured().filter(|gain| gain.low > 0.0 && gain.low <= most))
    }

    /// Bytes that the latest snapshot reached.
    pub fn reachable_bytes(&self) -> Option<u64> {
        self.reached.map(|(_, bytes)| bytes)
    }

    /// Used bytes after the latest collection.
    pub fn live_bytes(&self) -> Option<u64> {
        self.latest.map(|(used, _)| used)
    }

    /// Bytes up to the limit, from those that the latest collection left; before the first one from those that the
    /// latest snapshot reached.
    pub fn free_bytes(&self) -> Option<u64> {
        let live_bytes = self.live_bytes().or(self.reachable_bytes())?;
        self.max_bytes().map(|max| max.saturating_sub(live_bytes))
    }

    /// The heap's limit.
    pub fn max_bytes(&self) -> Option<u64> {
        self.latest.map(|(_, max)| max).or(self.surveyed_max).filter(|&max| max > 0)
    }

    /// Growth since the latest change of mode (a start-up that has ended is no evidence of the present); `None` without
    /// enough collections.
    pub fn growth(&self) -> Option<Growth> {
        let lows = mode::latest(self.lows.points(), |lows| lows.len() >= THRESHOLDS.min_points);
        if lows.len() < THRESHOLDS.min_points {
            return None;
        }
        let drift = Drift::of(lows)?;
        let rises = drift.rises >= THRESHOLDS.sure;
        let per_s = if rises && !self.may_be_garbage(lows) { drift.per_s } else { 0.0 };
        let most_per_hour = (drift.high * SECONDS_AN_HOUR).max(0.0);
        let least_per_hour = drift.low * SECONDS_AN_HOUR;
        Some(Growth { per_hour: per_s * SECONDS_AN_HOUR, least_per_hour, most_per_hour, rises })
    }

    /// Whether the growth may be unreachable objects.
    fn may_be_garbage(&self, lows: &[Point]) -> bool {
        let (Some((at_s, bytes)), Some(first), Some(last)) = (self.reached, lows.first(), lows.last()) else {
            return false;
        };
        let near = |point: &&Point| (point.at_s - at_s).abs();
        let Some(then) = lows.iter().min_by(|a, b| near(a).total_cmp(&near(b))) else { return false };
        then.size - bytes as f64 > THRESHOLDS.garbage_share * (last.size - first.size)
    }

    /// Growth in bytes an hour; 0 where collections show no significant growth.
    pub fn bytes_per_hour(&self) -> Option<f64> {
        self.growth().map(|growth| growth.per_hour)
    }

    /// Whether no growth is observed, and none is excluded either.
    pub fn may_grow_unseen(&self) -> bool {
        self.growth().is_none_or(|growth| growth.per_hour == 0.0 && !self.is_excluded(growth))
    }

    /// Whether the heap is known not to grow. In the first minutes, the absence of observed growth is weak evidence.
    pub fn stands_still(&self) -> bool {
        self.growth().is_some_and(|growth| !growth.rises && self.is_excluded(growth))
    }

    /// Whether growth of at most this amount does not matter to this heap.
    fn is_excluded(&self, growth: Growth) -> bool {
        self.max_bytes().is_some_and(|max| growth.most_per_hour < THRESHOLDS.still_share_an_hour * max as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A minute of collections, one a second: 20 MB at first, and one more each second.
    fn rising() -> HeapGrowth {
        let mut heap = HeapGrowth::default();
        (0..60).for_each(|second| heap.observe(second * 1000, (20 + second) << 20, 512 << 20));
        heap
    }

    #[test]
    fn free_bytes_are_known_before_the_first_collection() {
        let mut heap = HeapGrowth::default();
        heap.survey(512 << 20);
        assert_eq!(heap.free_bytes(), None, "nothing is known of the contents");
        heap.reach(1.0, 12 << 20);
        assert_eq!(heap.free_bytes(), Some(500 << 20));
        heap.observe(2_000, 100 << 20, 400 << 20);
        assert_eq!(heap.free_bytes(), Some(300 << 20), "a collection is newer");
    }

    #[test]
    fn what_snapshots_reach_too_is_growth() {
        let mut heap = rising();
        heap.reach(30.0, 48 << 20);
        let growth = heap.growth().unwrap();
        assert!((growth.per_hour / (3600.0 * 1_048_576.0) - 1.0).abs() < 0.1, "{growth:?}");
    }

    #[test]
    fn captures_show_growth_before_collections_do_unless_it_may_be_chance() {
        let mut heap = HeapGrowth::default();
        heap.begin_capture(10.0, 20_000_000);
        heap.end_capture(20.0, 21_000_000, Gained { error: 600_000.0, kept: None });
        assert!(heap.captured().is_some_and(|gain| gain.low < 0.0) && heap.certain().is_none());
        let mut heap = HeapGrowth::default();
        heap.begin_capture(30.0, 20_000_000);
        heap.end_capture(40.0, 21_000_000, Gained { error: 100_000.0, kept: None });
        let gain = heap.certain().unwrap();
        assert!((gain.per_hour - 360e6).abs() < 1.0 && (gain.low - 289.44e6).abs() < 1e4, "{gain:?}");
        (0..60).for_each(|second| heap.observe(second * 1000, 20 << 20, 512 << 20));
        assert_eq!(heap.certain(), None, "collections exclude as much");
    }

    #[test]
    fn what_no_snapshot_reaches_may_be_garbage() {
        let mut heap = rising();
        heap.reach(30.0, 20 << 20);
        assert_eq!(heap.bytes_per_hour(), Some(0.0));
        assert!(heap.may_grow_unseen() && !heap.stands_still());
    }
}
