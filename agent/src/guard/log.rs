//! The few lines that the agent writes to the program's standard error. Never fails.

use crate::options::LogLevel;
use std::io::Write;
use std::sync::atomic::{AtomicU8, Ordering};

static LEVEL: AtomicU8 = AtomicU8::new(LogLevel::Error as u8);

/// Sets the level of messages.
pub fn set_level(level: LogLevel) {
    LEVEL.store(level as u8, Ordering::Relaxed);
}

/// Writes an error that the user must fix: wrong options.
pub fn always(text: &str) {
    // A closed standard error is no reason to fail.
    drop(writeln!(std::io::stderr(), "rootbound: {text}"));
}

/// Writes an error.
pub fn error(text: &str) {
    say(LogLevel::Error, text);
}

/// Writes an event.
pub fn info(text: &str) {
    say(LogLevel::Info, text);
}

fn say(level: LogLevel, text: &str) {
    if LEVEL.load(Ordering::Relaxed) >= level as u8 {
        always(text);
    }
}
