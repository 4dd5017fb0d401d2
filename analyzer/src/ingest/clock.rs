//! The agent's clock in the analyzer: the time that messages carry, extrapolated between them.

use rootbound_wire::message::FromAgent;
use std::time::Instant;

/// The time that `message` carries, in milliseconds since the agent was loaded; `None` for messages without a time of
/// their own.
#[must_use]
pub fn at_ms(message: &FromAgent) -> Option<u64> {
    match message {
        FromAgent::Survey(survey) => Some(survey.at_ms),
        FromAgent::MarkDone(done) => Some(done.at_ms),
        FromAgent::CaptureDone(done) => Some(done.at_ms),
        FromAgent::GcFinished(finished) => Some(finished.at_ms),
        FromAgent::ProbeReport(report) => Some(report.at_ms),
        FromAgent::CounterDropped(dropped) => Some(dropped.at_ms),
        FromAgent::Heartbeat(heartbeat) => Some(heartbeat.at_ms),
        FromAgent::Platform(platform) => Some(platform.at_ms),
        FromAgent::AllocationSites(sites) => Some(sites.at_ms),
        FromAgent::HeadsHeld(held) => Some(held.at_ms),
        FromAgent::CaptureStarted { at_ms, .. }
        | FromAgent::ProbesInstalled { at_ms, .. }
        | FromAgent::Problem { at_ms, .. }
        | FromAgent::Goodbye { at_ms, .. } => Some(*at_ms),
        FromAgent::Hello(_)
        | FromAgent::Graph(_)
        | FromAgent::HeadsRead(_)
        | FromAgent::Objects(_)
        | FromAgent::References(_)
        | FromAgent::Roots(_)
        | FromAgent::Classes(_)
        | FromAgent::Threads(_)
        | FromAgent::Methods(_) => None,
    }
}

/// Extrapolates the agent's clock. A message can only be late, so the least late message sets the clock. The clock
/// never goes back.
#[derive(Clone, Copy, Debug)]
pub struct AgentClock {
    connected: Instant,
    ahead_ms: u64,
}

impl AgentClock {
    /// Starts at zero with the connection: an agent is at least as old as its connection.
    #[must_use]
    pub fn starting(connected: Instant) -> Self {
        Self { connected, ahead_ms: 0 }
    }

    /// Adjusts the clock to a message that was received at `now`.
    pub fn observe(&mut self, message: &FromAgent, now: Instant) {
        if let Some(at_ms) = at_ms(message) {
            self.ahead_ms = self.ahead_ms.max(at_ms.saturating_sub(self.elapsed_ms(now)));
        }
    }

    /// Milliseconds since the agent was loaded.
    #[must_use]
    pub fn now_ms(&self, now: Instant) -> u64 {
        self.elapsed_ms(now) + self.ahead_ms
    }

    fn elapsed_ms(&self, now: Instant) -> u64 {
        u64::try_from(now.saturating_duration_since(self.connected).as_millis()).unwrap_or(u64::MAX / 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rootbound_wire::message::GoodbyeReason;
    use std::time::Duration;

    fn said_at(at_ms: u64) -> FromAgent {
        FromAgent::Goodbye { at_ms, reason: GoodbyeReason::Detached }
    }

    #[test]
    fn the_least_late_message_sets_the_clock_and_it_never_goes_back() {
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        let mut clock = AgentClock::starting(start);
        assert_eq!(clock.now_ms(at(5)), 5);
        clock.observe(&said_at(1000), at(10));
        assert_eq!(clock.now_ms(at(20)), 1010);
        clock.observe(&said_at(1005), at(500));
        assert_eq!(clock.now_ms(at(500)), 1490);
    }
}
