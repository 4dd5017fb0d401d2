//! One replay, with its processor time and its memory.

use e2e::measure::machine::{ended_children_ms, peak_bytes};
use e2e::watching::rootbound;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

/// Time between two checks of the memory.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// The cost of one replay.
pub struct Replayed {
    /// Of user and system together.
    pub processor_ms: f64,
    /// Most memory that it held at one time, as far as observed.
    pub peak_bytes: u64,
}

/// Replays a recording with these options, and discards the report.
pub fn replay(recording: &Path, options: &[&str]) -> Replayed {
    let before = ended_children_ms();
    let mut child = rootbound(["replay", "-q"])
        .args(options)
        .arg(recording)
        .stdout(Stdio::null())
        .spawn()
        .expect("rootbound starts");
    let mut peak = 0;
    let status = loop {
        peak = peak_bytes(child.id()).unwrap_or(0).max(peak);
        match child.try_wait().expect("a child can be waited for") {
            Some(status) => break status,
            None => thread::sleep(LOOK_EVERY),
        }
    };
    assert!(status.success(), "the replay failed: {status}");
    Replayed { processor_ms: ended_children_ms() - before, peak_bytes: peak }
}
