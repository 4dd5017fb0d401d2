//! Ctrl-C, SIGTERM and SIGHUP: the first requests the report, the second an immediate end.

use anyhow::Context;
use crossbeam_channel::{Receiver, bounded};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Number of requests to leave.
pub(crate) struct Interrupt {
    count: Arc<AtomicUsize>,
    wakes: Receiver<()>,
}

impl Interrupt {
    /// Catches the signals for the whole process.
    pub(crate) fn catch() -> anyhow::Result<Self> {
        let count = Arc::new(AtomicUsize::new(0));
        let (wake, wakes) = bounded(1);
        let counted = Arc::clone(&count);
        ctrlc::set_handler(move || {
            counted.fetch_add(1, Ordering::Relaxed);
            // A pending wake has the same effect.
            let _ = wake.try_send(());
        })
        .context("cannot catch Ctrl-C")?;
        Ok(Self { count, wakes })
    }

    /// Records a key of the live table that has the effect of a signal.
    pub(crate) fn raise(&self) {
        self.count.fetch_add(1, Ordering::Relaxed);
    }

    /// Receives a value when a signal has come.
    pub(crate) fn wakes(&self) -> &Receiver<()> {
        &self.wakes
    }

    /// Whether the user wants the report.
    pub(crate) fn is_raised(&self) -> bool {
        self.count.load(Ordering::Relaxed) > 0
    }

    /// Whether the user does not even want to wait for it.
    pub(crate) fn is_urgent(&self) -> bool {
        self.count.load(Ordering::Relaxed) > 1
    }
}
