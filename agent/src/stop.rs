//! A bound on a pause of the program, kept from inside heap callbacks: no allocation, no lock, no call to the JVM.

use std::time::{Duration, Instant};

/// The clock is read once in this number of checks.
const LOOKS: u32 = 1024;
/// The work after the last callback counts as well: marks in headers are removed before JDK 19, and the program is
/// resumed. So a walk ends when this part of its time is left.
const KEPT_BACK: u32 = 5;

/// The end of a pause that is about to begin.
#[derive(Clone, Copy, Debug)]
pub struct StopBound {
    /// `None`: it has none.
    end: Option<Instant>,
    looks: u32,
}

impl StopBound {
    /// A pause that may take this time from now on; 0: without end.
    pub fn from_now(most_ms: u32) -> Self {
        let most = Duration::from_millis(u64::from(most_ms));
        Self { end: (most_ms != 0).then(|| Instant::now() + (most - most / KEPT_BACK)), looks: 0 }
    }

    /// A pause that another part ends.
    pub fn none() -> Self {
        Self { end: None, looks: 0 }
    }

    /// Whether it is over. The first check reads the clock, then one in many does.
    #[inline]
    pub fn is_over(&mut self) -> bool {
        let Some(end) = self.end else { return false };
        if self.looks > 0 {
            self.looks -= 1;
            return false;
        }
        self.looks = LOOKS;
        Instant::now() >= end
    }

    /// The time left; `None` without an end.
    pub fn left(&self) -> Option<Duration> {
        self.end.map(|end| end.saturating_duration_since(Instant::now()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_ends_before_its_time_and_one_without_a_bound_never_does() {
        let mut over = StopBound::from_now(1);
        std::thread::sleep(Duration::from_millis(1));
        assert!(over.is_over());
        let mut long = StopBound::from_now(60_000);
        assert!((0..5000).all(|_| !long.is_over()));
        assert!(!StopBound::none().is_over() && !StopBound::from_now(0).is_over());
    }
}
