//! Growth of the heap as a whole.

use super::mode;
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
}

/// Young collections leave garbage in the old generation: only the least of several values shows the live bytes.
const BUCKET_MS: u64 = 5_000;
const MIN_BUCKETS: usize = 6;
/// Share of the growth after collections. If a snapshot reached fewer bytes than collections left then, and the
/// difference is above this share, the growth may be garbage of the old generation.
const GARBAGE_SHARE: f64 = 1.0 / 3.0;
/// Probability from which on growth is reported as such.
const SURE: f64 = 0.99;
/// Growth an hour, as a share of the heap limit, below which the heap does not grow: the limit is ten days away.
const STILL_SHARE_AN_HOUR: f64 = 0.004;
const SECONDS_AN_HOUR: f64 = 3600.0;

/// Growth of the heap in bytes an hour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    /// 0 where none is significant, or where the growth may be garbage.
    pub per_hour: f64,
    /// Upper end of the 95 % interval.
    pub most_per_hour: f64,
    /// Whether the used bytes after collections rise, garbage included.
    rises: bool,
}

impl HeapGrowth {
    /// Takes in the state after a collection: milliseconds, used bytes, heap limit.
    pub fn observe(&mut self, at_ms: u64, used_bytes: u64, max_bytes: u64) {
        self.latest = Some((used_bytes, max_bytes));
        let point = Point { at_s: at_ms as f64 / 1000.0, size: used_bytes as f64, error: 0.0 };
        let number = at_ms / BUCKET_MS;
        match &mut self.bucket {
            Some((current, least)) if *current == number => {
                if point.size < least.size {
                    *least = point;
                }
            }
            other => {
                if let Some((_, done)) = other.replace((number, point)) {
                    self.lows.push(done);
                }
            }
        }
    }

    /// Takes in the heap's limit by a survey.
    pub fn survey(&mut self, max_bytes: u64) {
        self.surveyed_max = Some(max_bytes);
    }

    /// Takes in the bytes that a snapshot reached.
    pub fn reach(&mut self, at_s: f64, bytes: u64) {
        self.reached = Some((at_s, bytes));
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
        let lows = mode::latest(self.lows.points(), |lows| lows.len() >= MIN_BUCKETS);
        if lows.len() < MIN_BUCKETS {
            return None;
        }
        let drift = Drift::of(lows)?;
        let rises = drift.rises >= SURE;
        let per_s = if rises && !self.may_be_garbage(lows) { drift.per_s } else { 0.0 };
        let most_per_hour = (drift.high * SECONDS_AN_HOUR).max(0.0);
        Some(Growth { per_hour: per_s * SECONDS_AN_HOUR, most_per_hour, rises })
    }

    /// Whether the growth may be unreachable objects.
    fn may_be_garbage(&self, lows: &[Point]) -> bool {
        let (Some((at_s, bytes)), Some(first), Some(last)) = (self.reached, lows.first(), lows.last()) else {
            return false;
        };
        let near = |point: &&Point| (point.at_s - at_s).abs();
        let Some(then) = lows.iter().min_by(|a, b| near(a).total_cmp(&near(b))) else { return false };
        then.size - bytes as f64 > GARBAGE_SHARE * (last.size - first.size)
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
        self.max_bytes().is_some_and(|max| growth.most_per_hour < STILL_SHARE_AN_HOUR * max as f64)
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
    fn what_no_snapshot_reaches_may_be_garbage() {
        let mut heap = rising();
        heap.reach(30.0, 20 << 20);
        assert_eq!(heap.bytes_per_hour(), Some(0.0));
        assert!(heap.may_grow_unseen() && !heap.stands_still());
    }
}
