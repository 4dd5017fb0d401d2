//! Files that are read as text, and files that appear when they are whole.

use crate::commands::naming::is_plain_target;
use anyhow::{Context, bail};
use std::fs::{self, File, Permissions};
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use tempfile::NamedTempFile;

/// Who may read a file that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Readers {
    /// This user alone: reports name classes, threads and call sites.
    Owner,
    /// Those that the umask lets: other programs are to read it.
    Usual,
}

/// Reads a text file of at most `most` bytes.
pub(crate) fn read_text(path: &Path, most: u64) -> anyhow::Result<String> {
    let mut text = String::new();
    File::open(path)?.take(most + 1).read_to_string(&mut text)?;
    if text.len() as u64 > most {
        bail!("it is longer than {} MB", most >> 20);
    }
    Ok(text)
}

/// Refuses a file that could not be written at the end.
pub(crate) fn check_target(path: &Path) -> anyhow::Result<()> {
    if path == Path::new("-") {
        bail!("a file is needed instead of `-`; /dev/stdout is one");
    }
    if is_plain_target(path) {
        if path.is_dir() {
            bail!("cannot write {}: it is a directory", path.display());
        }
        draft(path, Readers::Owner)?;
    }
    Ok(())
}

/// A new file in the directory of `path`, removed again unless it takes its place.
fn draft(path: &Path, readers: Readers) -> anyhow::Result<NamedTempFile> {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mode = match readers {
        Readers::Owner => 0o600,
        Readers::Usual => 0o666,
    };
    tempfile::Builder::new()
        .prefix(".rootbound-report-")
        .permissions(Permissions::from_mode(mode))
        .tempfile_in(directory)
        .with_context(|| format!("cannot write the report to {}", path.display()))
}

/// Writes a text as a whole or not at all; a device or pipe is written to and never replaced.
pub(crate) fn write_text(path: &Path, text: &str, readers: Readers) -> anyhow::Result<()> {
    if !is_plain_target(path) {
        return Ok(fs::write(path, text)?);
    }
    let mut draft = draft(path, readers)?;
    draft.write_all(text.as_bytes())?;
    draft.as_file().sync_all()?;
    draft.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_too_long_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "12345").unwrap();
        assert_eq!(read_text(&path, 5).unwrap(), "12345");
        assert!(read_text(&path, 4).is_err());
        assert!(read_text(Path::new("/dev/zero"), 1 << 10).is_err());
    }

    #[test]
    fn a_target_that_cannot_be_written_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        for path in [folder.path(), &folder.path().join("missing/a"), Path::new("-")] {
            assert!(check_target(path).is_err(), "{}", path.display());
        }
        assert!(check_target(&folder.path().join("a")).is_ok());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing stays behind");
    }
}
