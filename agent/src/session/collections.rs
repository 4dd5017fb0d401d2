//! Pauses of the program by collections: their number and length. Written by the JVM's collection events with the
//! world stopped, so everything is atomic.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Collections since the JVM started to report them.
#[derive(Debug)]
pub struct Collections {
    base: Instant,
    /// When the latest began, in nanoseconds since `base`.
    begun: AtomicU64,
    count: AtomicU64,
    total: AtomicU64,
    /// Since [`Self::watch`].
    longest: AtomicU64,
    /// The end of the latest, and its time after the one before; 0: not yet.
    ended: AtomicU64,
    distance: AtomicU64,
    /// Used bytes of the heap when they were read after the latest.
    used: AtomicU64,
}

/// The collections up to a moment.
#[derive(Clone, Copy, Debug)]
pub struct SoFar {
    count: u64,
    /// Nanoseconds.
    total: u64,
}

/// The collections between two moments, against those before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meanwhile {
    /// Their number.
    pub count: u64,
    /// The longest, in milliseconds.
    pub longest_ms: f64,
    /// Mean of all before, in milliseconds; `None` when there was none.
    pub before_ms: Option<f64>,
}

impl Default for Collections {
    fn default() -> Self {
        Self::new()
    }
}

impl Collections {
    /// State before the first collection.
    pub fn new() -> Self {
        let zero = || AtomicU64::new(0);
        Self {
            base: Instant::now(),
            begun: zero(),
            count: zero(),
            total: zero(),
            longest: zero(),
            ended: zero(),
            distance: zero(),
            used: zero(),
        }
    }

    /// Their number.
    pub fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }

    /// One begins.
    pub fn begin(&self) {
        self.begun.store(self.now(), Ordering::Relaxed);
    }

    /// Whether one has begun and not ended.
    pub fn is_under_way(&self) -> bool {
        self.begun.load(Ordering::Relaxed) != 0
    }

    /// It has ended.
    pub fn end(&self) {
        // An end without a beginning counts, but its time is unknown and taken as 0.
        let took = match self.begun.swap(0, Ordering::Relaxed) {
            0 => 0,
            begun => self.now().saturating_sub(begun),
        };
        let now = self.now();
        let before = self.ended.swap(now, Ordering::Relaxed);
        if before > 0 {
            self.distance.store(now.saturating_sub(before), Ordering::Relaxed);
        }
        self.count.fetch_add(1, Ordering::Relaxed);
        self.total.fetch_add(took, Ordering::Relaxed);
        self.longest.fetch_max(took, Ordering::Relaxed);
    }

    /// Time between the ends of the latest two, or since the latest if that is longer. `None` before there were two.
    pub fn distance(&self) -> Option<Duration> {
        let distance = self.distance.load(Ordering::Relaxed);
        let since = self.now().saturating_sub(self.ended.load(Ordering::Relaxed));
        (distance > 0).then(|| Duration::from_nanos(distance.max(since)))
    }

    /// Notes the used bytes shortly after a collection.
    pub fn note_used(&self, bytes: u64) {
        self.used.store(bytes, Ordering::Relaxed);
    }

    /// Bytes in use right after a collection, if the program collects at least once in `most`.
    pub fn used_behind(&self, most: Duration) -> Option<u64> {
        let used = self.used.load(Ordering::Relaxed);
        (used > 0 && self.distance().is_some_and(|distance| 2 * distance <= most)).then_some(used)
    }

    /// Begins to look for the longest.
    pub fn watch(&self) -> SoFar {
        self.longest.store(0, Ordering::Relaxed);
        SoFar { count: self.count(), total: self.total.load(Ordering::Relaxed) }
    }

    /// The collections since then.
    pub fn since(&self, then: SoFar) -> Meanwhile {
        Meanwhile {
            count: self.count() - then.count,
            longest_ms: self.longest.load(Ordering::Relaxed) as f64 / 1e6,
            before_ms: (then.count > 0).then(|| then.total as f64 / 1e6 / then.count as f64),
        }
    }

    /// Never 0.
    fn now(&self) -> u64 {
        self.base.elapsed().as_nanos() as u64 + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread::sleep;

    #[test]
    fn the_longest_is_that_since_the_watch_began() {
        let collections = Collections::new();
        let collect = |ms| {
            collections.begin();
            sleep(Duration::from_millis(ms));
            collections.end();
        };
        assert_eq!(collections.since(collections.watch()).before_ms, None);
        collect(20);
        let then = collections.watch();
        assert_eq!(collections.since(then).longest_ms, 0.0);
        collect(5);
        let since = collections.since(then);
        assert!(since.count == 1 && since.longest_ms >= 5.0 && since.before_ms.is_some_and(|ms| ms >= 20.0));
    }

    #[test]
    fn the_distance_of_two_grows_when_no_third_comes() {
        let collections = Collections::new();
        collections.end();
        assert_eq!(collections.distance(), None);
        sleep(Duration::from_millis(5));
        collections.end();
        let distance = collections.distance().expect("two");
        assert!(distance >= Duration::from_millis(5));
        sleep(3 * distance);
        assert!(collections.distance() > Some(2 * distance));
    }

    #[test]
    fn an_end_without_a_beginning_takes_no_time() {
        let collections = Collections::new();
        let then = collections.watch();
        collections.end();
        assert_eq!(collections.since(then), Meanwhile { count: 1, longest_ms: 0.0, before_ms: None });
    }
}
