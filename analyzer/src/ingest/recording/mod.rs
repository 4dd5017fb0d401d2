//! Recordings: the frames of a connection as a file, both directions in the order of the analyzer.

mod reader;
mod writer;

pub use reader::{Damage, RecordedMessage, RecordingError, RecordingReader};
pub use writer::{RecordingStopped, RecordingWriter};

#[cfg(test)]
mod tests;
