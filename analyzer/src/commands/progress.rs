//! Progress of the work on a dump: one line on standard error that names the phase, if that is a terminal and the work
//! takes longer than a second.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::thread;
use std::time::Duration;

/// Work that ends sooner shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// Time between two steps of the line.
const TICK: Duration = Duration::from_millis(100);

/// The line; gone when it is dropped.
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Starts the clock.
    pub(crate) fn start() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
            bar.set_style(style);
        }
        if stderr().is_terminal() && tracing::enabled!(tracing::Level::WARN) {
            let late = bar.clone();
            thread::spawn(move || {
                thread::sleep(PATIENCE);
                if !late.is_finished() {
                    late.set_draw_target(ProgressDrawTarget::stderr());
                    late.enable_steady_tick(TICK);
                }
            });
        }
        Self { bar }
    }

    /// Begins another phase.
    pub(crate) fn phase(&self, name: &'static str) {
        tracing::debug!("{name}");
        self.bar.set_message(name);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
