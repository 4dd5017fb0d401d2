//! Diagnostics on standard error; while the live table owns the terminal they wait in memory, so as not to tear it.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt::MakeWriter;

/// Maximum of bytes that wait; a screen that stays up for days must not fill the memory.
const HELD_BYTES: usize = 256 << 10;

/// Destination of diagnostics.
#[derive(Clone, Default)]
pub(crate) struct Diagnostics {
    /// `Some` while they are held back.
    held: Arc<Mutex<Option<Vec<u8>>>>,
    loudness: Loudness,
}

/// Amount of messages that the user wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Loudness {
    /// Number of `-v` options.
    pub(crate) verbose: u8,
    /// Errors alone.
    pub(crate) quiet: bool,
}

impl Loudness {
    /// The same for verbs that are useless without their report.
    pub(crate) fn spoken(self) -> Self {
        Self { quiet: false, ..self }
    }
}

impl Diagnostics {
    /// Installs the subscriber for the whole process.
    pub(crate) fn start(loudness: Loudness) -> Self {
        let diagnostics = Self { loudness, ..Self::default() };
        let level = match (loudness.quiet, loudness.verbose) {
            (true, _) => LevelFilter::ERROR,
            (false, 0) => LevelFilter::WARN,
            (false, 1) => LevelFilter::INFO,
            (false, _) => LevelFilter::TRACE,
        };
        tracing_subscriber::fmt()
            .with_max_level(level)
            .with_writer(diagnostics.clone())
            .with_ansi(false)
            .without_time()
            .with_target(loudness.verbose > 1)
            // Such an error would be printed on standard error, which is the stream that failed.
            .log_internal_errors(false)
            .init();
        diagnostics
    }

    /// Amount of messages that the user wants.
    pub(crate) fn loudness(&self) -> Loudness {
        self.loudness
    }

    /// Holds diagnostics back until the guard is dropped, and prints them then.
    pub(crate) fn hold(&self) -> Held<'_> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default();
        Held(self)
    }

    fn release(&self) {
        let waiting = self.held.lock().unwrap_or_else(PoisonError::into_inner).take();
        // Standard error may be closed, and then the message is lost.
        drop(io::stderr().write_all(&waiting.unwrap_or_default()));
    }
}

/// Holds diagnostics back.
pub(crate) struct Held<'a>(&'a Diagnostics);

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.0.release();
    }
}

impl<'a> MakeWriter<'a> for Diagnostics {
    type Writer = Self;

    fn make_writer(&'a self) -> Self::Writer {
        self.clone()
    }
}

impl Write for Diagnostics {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.held.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            Some(waiting) if waiting.len() + bytes.len() <= HELD_BYTES => waiting.extend_from_slice(bytes),
            Some(_) => {}
            None => io::stderr().write_all(bytes)?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}
