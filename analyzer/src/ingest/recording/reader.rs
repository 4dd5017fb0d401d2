//! Reads a recording back: every message in order, and at the end the damage.

use rootbound_wire::class_table::{DECLARATIONS, Declared, ROWS};
use rootbound_wire::codec::CodecError;
use rootbound_wire::frame::{Frame, FrameError, FrameReader};
use rootbound_wire::message::{FromAgent, ToAgent};
use rootbound_wire::packing::unpacked;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Reasons why a recording cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    /// The file cannot be opened.
    #[error("cannot open the recording: {0}")]
    Open(io::Error),
    /// The file is something else, or empty.
    #[error("this is no recording: it holds no frame")]
    NoFrame,
    /// Another version wrote it, or reading failed.
    #[error(transparent)]
    Frame(#[from] FrameError),
}

/// One recorded message, with its direction.
#[derive(Clone, Debug, PartialEq)]
pub enum RecordedMessage {
    /// A message of the agent.
    FromAgent(FromAgent),
    /// A message of the analyzer of that time.
    ToAgent(ToAgent),
}

/// The parts of a recording that could not be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Damage {
    /// Number of bytes in the middle that are no frame.
    pub skipped_bytes: u64,
    /// Number of bytes of a last frame that was cut off.
    pub torn_bytes: u64,
    /// Number of whole frames without a message.
    pub undecodable_frames: u64,
}

impl Damage {
    /// The damage in sentences; none for a sound recording.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        if self.skipped_bytes > 0 {
            sentences.push(format!("{} bytes of the recording are damaged and were skipped", self.skipped_bytes));
        }
        if self.undecodable_frames > 0 {
            sentences.push(format!("{} frames of the recording hold no message", self.undecodable_frames));
        }
        if self.torn_bytes > 0 {
            sentences.push(format!("the recording is cut off: its last {} bytes are part of a frame", self.torn_bytes));
        }
        sentences
    }
}

/// Reads messages in order.
pub struct RecordingReader<R> {
    frames: FrameReader<R>,
    declared: Declared,
    frames_seen: u64,
    undecodable_frames: u64,
}

impl RecordingReader<File> {
    /// Opens a recording.
    ///
    /// # Errors
    /// [`RecordingError::Open`].
    pub fn open(path: &Path) -> Result<Self, RecordingError> {
        File::open(path).map(Self::new).map_err(RecordingError::Open)
    }
}

impl<R: Read> RecordingReader<R> {
    /// A reader at the beginning of `source`.
    pub fn new(source: R) -> Self {
        let frames = FrameReader::of_recording(source);
        Self { frames, declared: Declared::default(), frames_seen: 0, undecodable_frames: 0 }
    }

    /// The next message; `None` at the end or at the cut.
    ///
    /// # Errors
    /// [`RecordingError::NoFrame`] if the end comes before the first frame, otherwise the errors of the frames.
    pub fn next_message(&mut self) -> Result<Option<RecordedMessage>, RecordingError> {
        while let Some(frame) = self.frames.next_frame()? {
            self.frames_seen += 1;
            let is_declaration = frame.kind == DECLARATIONS;
            match self.message(frame) {
                Ok(Some(message)) => return Ok(Some(message)),
                Ok(None) if is_declaration => {}
                Ok(None) | Err(_) => self.undecodable_frames += 1,
            }
        }
        if self.frames_seen == 0 { Err(RecordingError::NoFrame) } else { Ok(None) }
    }

    fn message(&mut self, frame: Frame) -> Result<Option<RecordedMessage>, CodecError> {
        if matches!(frame.kind, DECLARATIONS | ROWS) {
            return Ok(self.declared.take(&frame)?.map(RecordedMessage::FromAgent));
        }
        let frame = unpacked(frame)?;
        let reported = frame.message()?.map(RecordedMessage::FromAgent);
        Ok(reported.or(frame.message()?.map(RecordedMessage::ToAgent)))
    }

    /// The damage so far.
    pub fn damage(&self) -> Damage {
        Damage {
            skipped_bytes: self.frames.skipped_bytes(),
            torn_bytes: self.frames.torn_bytes(),
            undecodable_frames: self.undecodable_frames,
        }
    }
}
