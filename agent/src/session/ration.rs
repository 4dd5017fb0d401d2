//! Limits on the pauses that orders may cause, for all connections together. Protects the host; decides nothing else.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The time that both bounds are for.
const WINDOW: Duration = Duration::from_secs(60);
/// Orders that pause the program, however shortly. An analyzer gives two or three for a cycle; benches give some a
/// second.
const MOST_ORDERS: usize = 240;
/// Once the program has been paused for this time, no further order that pauses it is begun.
const MOST_STOPPED_MS: f64 = 20_000.0;

/// The reason why an order is refused.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// Orders paused the program for too long.
    #[error(
        "orders have stopped the program for {:.1} s within a minute, and the agent allows no more of it",
        stopped_ms / 1e3
    )]
    Stopped {
        /// The sum of the pauses.
        stopped_ms: f64,
    },
    /// Too many orders paused the program.
    #[error("{MOST_ORDERS} orders have stopped the program within a minute, and the agent allows no more of it")]
    Orders,
}

/// The cost of the last minute.
#[derive(Debug, Default)]
pub struct Ration {
    orders: VecDeque<Instant>,
    stops: VecDeque<(Instant, f64)>,
}

impl Ration {
    /// Admits an order, if one more is bearable.
    ///
    /// # Errors
    /// The reason of the refusal.
    pub fn take(&mut self, now: Instant) -> Result<(), Refusal> {
        self.forget(now);
        let stopped_ms: f64 = self.stops.iter().map(|(_, pause_ms)| pause_ms).sum();
        if stopped_ms >= MOST_STOPPED_MS {
            return Err(Refusal::Stopped { stopped_ms });
        }
        if self.orders.len() >= MOST_ORDERS {
            return Err(Refusal::Orders);
        }
        self.orders.push_back(now);
        Ok(())
    }

    /// Counts a pause of this length.
    pub fn stopped(&mut self, now: Instant, pause_ms: f64) {
        if pause_ms > 0.0 {
            self.stops.push_back((now, pause_ms));
        }
    }

    fn forget(&mut self, now: Instant) {
        let is_past = |at: &Instant| now.saturating_duration_since(*at) >= WINDOW;
        while self.orders.front().is_some_and(is_past) {
            self.orders.pop_front();
        }
        while self.stops.front().is_some_and(|(at, _)| is_past(at)) {
            self.stops.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_refused_when_there_were_many_within_a_minute() {
        let (mut ration, begun) = (Ration::default(), Instant::now());
        for number in 0..MOST_ORDERS as u64 {
            assert_eq!(ration.take(begun + Duration::from_millis(100 * number)), Ok(()));
        }
        let reason = ration.take(begun + Duration::from_secs(59)).unwrap_err().to_string();
        assert!(reason.contains("240 orders"), "{reason}");
        assert_eq!(ration.take(begun + Duration::from_secs(60)), Ok(()));
        assert!(ration.take(begun + Duration::from_secs(60)).is_err());
    }

    #[test]
    fn orders_are_refused_when_the_program_was_paused_for_long() {
        let (mut ration, begun) = (Ration::default(), Instant::now());
        ration.stopped(begun, 11_000.0);
        assert_eq!(ration.take(begun + Duration::from_secs(1)), Ok(()));
        ration.stopped(begun + Duration::from_secs(10), 9_400.0);
        let reason = ration.take(begun + Duration::from_secs(11)).unwrap_err().to_string();
        assert!(reason.contains("20.4 s"), "{reason}");
        assert_eq!(ration.take(begun + Duration::from_secs(60)), Ok(()));
    }
}
