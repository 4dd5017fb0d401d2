//! A program from its start to its end: its duration and its memory.

use e2e::measure::machine::peak_bytes;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Time between two checks of the memory; an allocation in the last moment of a program may be missed.
const LOOK_EVERY: Duration = Duration::from_millis(2);

/// One run.
pub struct Timed {
    pub took: Duration,
    /// Most memory that it held at one time, as far as observed.
    pub peak_bytes: u64,
    /// Reason why it did not end well.
    pub failure: Option<String>,
}

/// Runs it and discards its output.
pub fn run(mut command: Command) -> Timed {
    let begun = Instant::now();
    let mut child = match command.stdout(Stdio::null()).stderr(Stdio::null()).spawn() {
        Ok(child) => child,
        Err(error) => return Timed { took: begun.elapsed(), peak_bytes: 0, failure: Some(error.to_string()) },
    };
    let mut peak = 0;
    loop {
        peak = peak_bytes(child.id()).unwrap_or(0).max(peak);
        match child.try_wait() {
            Ok(None) => thread::sleep(LOOK_EVERY),
            Ok(Some(status)) => {
                let failure = (!status.success()).then(|| status.to_string());
                return Timed { took: begun.elapsed(), peak_bytes: peak, failure };
            }
            Err(error) => return Timed { took: begun.elapsed(), peak_bytes: peak, failure: Some(error.to_string()) },
        }
    }
}
