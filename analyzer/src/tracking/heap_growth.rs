//! The heap as a whole: does it grow at all?

use super::mode;
use super::{Drift, Point, Series};

/// Used bytes after collections, by time.
#[derive(Clone, Debug, Default)]
pub struct HeapGrowth {
    lows: Series,
    bucket: Option<(u64, Point)>,
    latest: Option<(u64, u64)>,
}

/// Young collections leave garbage in the old generation: only the least of several says what lives.
const BUCKET_MS: u64 = 5_000;
const MIN_BUCKETS: usize = 6;
/// How sure growth must be to be called so.
const SURE: f64 = 0.99;

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

    /// Used bytes after the latest collection.
    pub fn live_bytes(&self) -> Option<u64> {
        self.latest.map(|(used, _)| used)
    }

    /// The heap's limit.
    pub fn max_bytes(&self) -> Option<u64> {
        self.latest.map(|(_, max)| max).filter(|&max| max > 0)
    }

    /// Growth in bytes an hour since the latest change of mode (a start-up that has ended says nothing of the present);
    /// `None` without enough collections, 0 when they show no significant growth.
    pub fn bytes_per_hour(&self) -> Option<f64> {
        let lows = mode::latest(self.lows.points(), |lows| lows.len() >= MIN_BUCKETS);
        if lows.len() < MIN_BUCKETS {
            return None;
        }
        let drift = Drift::of(lows)?;
        Some(if drift.rises >= SURE { drift.per_s * 3600.0 } else { 0.0 })
    }

    /// Whether the heap is known not to grow: enough collections, and no significant upward trend.
    pub fn stands_still(&self) -> bool {
        self.bytes_per_hour() == Some(0.0)
    }
}
