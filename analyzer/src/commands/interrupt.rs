//! Ctrl-C, SIGTERM and SIGHUP: the first requests the report, a later one an immediate end.

use anyhow::Context;
use crossbeam_channel::{Receiver, bounded};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Requests within this time are one. A terminal that goes away sends two signals, to the session's leader and to the
/// processes in the foreground, and its run is both.
const ONE_REQUEST: Duration = Duration::from_millis(300);

/// Requests to leave.
pub(crate) struct Interrupt {
    requests: Arc<Requests>,
    wakes: Receiver<()>,
}

impl Interrupt {
    /// Catches the signals for the whole process.
    pub(crate) fn catch() -> anyhow::Result<Self> {
        let requests = Arc::new(Requests::default());
        let (wake, wakes) = bounded(1);
        let counted = Arc::clone(&requests);
        ctrlc::set_handler(move || {
            counted.add(Instant::now());
            // A pending wake has the same effect.
            let _ = wake.try_send(());
        })
        .context("cannot catch Ctrl-C")?;
        Ok(Self { requests, wakes })
    }

    /// Records a key of the live table that has the effect of a signal.
    pub(crate) fn raise(&self) {
        self.requests.add(Instant::now());
    }

    /// Receives a value when a signal has come.
    pub(crate) fn wakes(&self) -> &Receiver<()> {
        &self.wakes
    }

    /// Whether the user wants the report.
    pub(crate) fn is_raised(&self) -> bool {
        self.requests.first.get().is_some()
    }

    /// Whether the user does not even want to wait for it.
    pub(crate) fn is_urgent(&self) -> bool {
        self.requests.is_urgent.load(Ordering::Relaxed)
    }
}

#[derive(Default)]
struct Requests {
    first: OnceLock<Instant>,
    is_urgent: AtomicBool,
}

impl Requests {
    fn add(&self, at: Instant) {
        let first = *self.first.get_or_init(|| at);
        if at.saturating_duration_since(first) >= ONE_REQUEST {
            self.is_urgent.store(true, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_signals_of_one_hang_up_are_one_request_and_a_later_one_is_urgent() {
        let (requests, hang_up) = (Requests::default(), Instant::now());
        requests.add(hang_up);
        requests.add(hang_up + ONE_REQUEST / 10);
        assert!(!requests.is_urgent.load(Ordering::Relaxed));
        requests.add(hang_up + ONE_REQUEST);
        assert!(requests.is_urgent.load(Ordering::Relaxed));
    }
}
