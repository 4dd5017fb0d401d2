//! Writes a recording while a JVM is watched. A disk that fails ends the recording, never the watching.

use rootbound_wire::codec::Message;
use rootbound_wire::frame;
use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Frames between two flushes: what a killed analyzer loses at most, beside what fits no buffer.
const FRAMES_BETWEEN_FLUSHES: u32 = 16;

/// Buffered bytes; a capture comes in frames larger than a default buffer.
const BUFFER_BYTES: usize = 1 << 20;

/// A recording in the making.
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
    /// When it cannot be written.
    pub fn create(path: &Path) -> io::Result<Self> {
        let out = BufWriter::with_capacity(BUFFER_BYTES, private_file(path)?);
        Ok(Self { path: path.to_owned(), out: Some(out), unflushed_frames: 0 })
    }

    /// Appends one message. Coding is canonical, so the bytes are those that crossed the socket.
    ///
    /// # Errors
    /// What went wrong, once: the recording has stopped then, what it holds stays readable, later calls do nothing.
    pub fn append<M: Message>(&mut self, message: &M) -> Result<(), String> {
        let written = self.write(message);
        written.map_err(|reason| {
            self.out = None;
            format!("the recording {} stops here: {reason}", self.path.display())
        })
    }

    fn write<M: Message>(&mut self, message: &M) -> Result<(), String> {
        let Some(out) = &mut self.out else { return Ok(()) };
        frame::write(message, out).map_err(|error| error.to_string())?;
        self.unflushed_frames += 1;
        if self.unflushed_frames >= FRAMES_BETWEEN_FLUSHES {
            self.flush()?;
        }
        Ok(())
    }

    /// Hands everything to the system.
    ///
    /// # Errors
    /// What the system says.
    pub fn flush(&mut self) -> Result<(), String> {
        self.unflushed_frames = 0;
        self.out.as_mut().map_or(Ok(()), BufWriter::flush).map_err(|error| error.to_string())
    }
}

/// A file that stood there already loses the mode that it had; a device or a pipe keeps it.
fn private_file(path: &Path) -> io::Result<File> {
    const MODE: u32 = 0o600;
    let file = OpenOptions::new().write(true).create(true).truncate(true).mode(MODE).open(path)?;
    if file.metadata()?.is_file() {
        file.set_permissions(Permissions::from_mode(MODE))?;
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_recording_is_for_its_user_alone_even_where_a_file_stood() {
        let folder = tempfile::tempdir().unwrap();
        let (new, old) = (folder.path().join("new"), folder.path().join("old"));
        fs::write(&old, "old").unwrap();
        fs::set_permissions(&old, Permissions::from_mode(0o644)).unwrap();
        for path in [new, old] {
            RecordingWriter::create(&path).unwrap();
            let found = fs::metadata(&path).unwrap();
            assert_eq!((found.permissions().mode() & 0o777, found.len()), (0o600, 0));
        }
    }

    #[test]
    fn a_device_keeps_its_mode() {
        let mode = || fs::metadata("/dev/null").unwrap().permissions().mode();
        let before = mode();
        RecordingWriter::create(Path::new("/dev/null")).unwrap();
        assert_eq!(mode(), before);
    }
}
