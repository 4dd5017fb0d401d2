//! Writes a recording while a JVM is watched. A disk failure ends the recording, never the watching.

use rootbound_wire::codec::Message;
use rootbound_wire::frame::{self, FrameError};
use rootbound_wire::private_file;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Number of frames between two flushes, the most that a killed analyzer loses.
const FRAMES_BETWEEN_FLUSHES: u32 = 16;

/// Buffered bytes; a capture comes in frames larger than a default buffer.
const BUFFER_BYTES: usize = 1 << 20;

/// A recording that stopped. Its content stays readable.
#[derive(Debug, thiserror::Error)]
#[error("the recording {} stops here: {reason}", path.display())]
pub struct RecordingStopped {
    path: PathBuf,
    reason: FrameError,
}

/// An unfinished recording.
pub struct RecordingWriter {
    path: PathBuf,
    /// `None` after a failure.
    out: Option<BufWriter<File>>,
    unflushed_frames: u32,
}

impl RecordingWriter {
    /// Creates the file, or empties it, for this user alone: it holds names, call sites and the graph.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn create(path: &Path) -> io::Result<Self> {
        let out = BufWriter::with_capacity(BUFFER_BYTES, private_file::create(path)?);
        Ok(Self { path: path.to_owned(), out: Some(out), unflushed_frames: 0 })
    }

    /// Appends one message. Coding is canonical, so the bytes are those on the socket.
    ///
    /// # Errors
    /// The failure, once. The recording has stopped then, its content stays readable, and later calls do nothing.
    pub fn append<M: Message>(&mut self, message: &M) -> Result<(), RecordingStopped> {
        let written = self.write(message);
        written.map_err(|reason| {
            self.out = None;
            RecordingStopped { path: self.path.clone(), reason }
        })
    }

    fn write<M: Message>(&mut self, message: &M) -> Result<(), FrameError> {
        let Some(out) = &mut self.out else { return Ok(()) };
        frame::write(message, out)?;
        self.unflushed_frames += 1;
        if self.unflushed_frames >= FRAMES_BETWEEN_FLUSHES {
            self.flush()?;
        }
        Ok(())
    }

    /// Passes all buffered data to the system.
    ///
    /// # Errors
    /// The system's error.
    pub fn flush(&mut self) -> io::Result<()> {
        self.unflushed_frames = 0;
        self.out.as_mut().map_or(Ok(()), BufWriter::flush)
    }
}
