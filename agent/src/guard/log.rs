//! The few lines that the agent writes to the program's standard error. Never fails.

use crate::options::LogLevel;
use std::io::Write;
use std::sync::atomic::{AtomicU8, Ordering};

static LEVEL: AtomicU8 = AtomicU8::new(LogLevel::Error as u8);

/// Sets how much is said.
pub fn set_level(level: LogLevel) {
    LEVEL.store(level as u8, Ordering::Relaxed);
}

/// Says what the user must know: his options are wrong.
pub fn always(text: &str) {
    // A closed standard error is no reason to fail.
    drop(writeln!(std::io::stderr(), "rootbound: {text}"));
}

/// Says what went wrong.
pub fn error(text: &str) {
    say(LogLevel::Error, text);
}

/// Says what happens.
pub fn info(text: &str) {
    say(LogLevel::Info, text);
}

fn say(level: LogLevel, text: &str) {
    if LEVEL.load(Ordering::Relaxed) >= level as u8 {
        always(text);
    }
}
