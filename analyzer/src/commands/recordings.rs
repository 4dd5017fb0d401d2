//! The recordings of a run: one for each JVM, named by the rule of [`super::naming`].

use crate::commands::naming::{Naming, is_pattern, is_plain_target};
use anyhow::Context;
use rootbound::ingest::recording::RecordingWriter;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Begins recordings as JVMs come.
pub(crate) struct Recordings {
    asked: PathBuf,
    naming: Naming,
    /// Where the file's name does not depend on the JVM, it is created before anything starts.
    first: Option<RecordingWriter>,
}

/// A recording that has begun.
pub(crate) struct Begun {
    pub(crate) writer: RecordingWriter,
    pub(crate) path: PathBuf,
}

/// The reason why a JVM is not recorded.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotRecorded {
    /// The name is that of a pipe or a device.
    #[error("not recorded: {} can hold the recording of one JVM only", _0.display())]
    OneOnly(PathBuf),
    /// The system refuses.
    #[error("not recorded: cannot write {}: {error}", path.display())]
    Unwritable { path: PathBuf, error: io::Error },
}

impl Recordings {
    /// Checks that recordings can be written before anything starts; `None` when none is wanted.
    pub(crate) fn prepare(asked: Option<&Path>) -> anyhow::Result<Option<Self>> {
        let Some(asked) = asked else { return Ok(None) };
        let context = || format!("cannot write the recording to {}", asked.display());
        let first = if is_pattern(asked) {
            let folder = asked.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
            tempfile::tempfile_in(folder).with_context(context)?;
            None
        } else {
            Some(RecordingWriter::create(asked).with_context(context)?)
        };
        Ok(Some(Self { asked: asked.to_owned(), naming: Naming::of(asked), first }))
    }

    /// The name that the user asked for.
    pub(crate) fn asked(&self) -> &Path {
        &self.asked
    }

    /// The names of further recordings.
    pub(crate) fn naming(&mut self) -> &mut Naming {
        &mut self.naming
    }

    /// Begins the recording of the next JVM.
    ///
    /// # Errors
    /// The reason when there can be none; the JVM is watched nevertheless.
    pub(crate) fn begin(&mut self, pid: u32) -> Result<Begun, NotRecorded> {
        let path = self.naming.next(pid);
        if let Some(writer) = self.first.take() {
            return Ok(Begun { writer, path });
        }
        if !is_plain_target(&path) {
            return Err(NotRecorded::OneOnly(path));
        }
        match RecordingWriter::create(&path) {
            Ok(writer) => Ok(Begun { writer, path }),
            Err(error) => Err(NotRecorded::Unwritable { path, error }),
        }
    }

    /// Discards a useless recording: its name is free again.
    pub(crate) fn discard(&mut self, path: &Path) {
        self.naming.free(path);
        if path != self.asked
            && let Err(error) = fs::remove_file(path)
        {
            tracing::debug!("{} was gone already: {error}", path.display());
        }
    }

    /// Gives the recording at `best` the requested name, and `other` the recording that has it now.
    pub(crate) fn promote(&mut self, best: &Path, other: Option<u32>) {
        if best == self.asked || is_pattern(&self.asked) || !is_plain_target(&self.asked) {
            return;
        }
        let aside = other.map_or(Ok(()), |pid| fs::rename(&self.asked, self.naming.next(pid)));
        if let Err(error) = aside.and_then(|()| fs::rename(best, &self.asked)) {
            tracing::warn!("the recording stays at {}: {error}", best.display());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recordings(folder: &Path, name: &str) -> Recordings {
        Recordings::prepare(Some(&folder.join(name))).unwrap().unwrap()
    }

    fn begun(recordings: &mut Recordings, pid: u32) -> PathBuf {
        recordings.begin(pid).map(|begun| begun.path).unwrap()
    }

    #[test]
    fn a_place_that_cannot_be_written_is_refused_before_the_start() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Recordings::prepare(Some(&folder.path().join("missing/a.rb"))).is_err());
        assert!(Recordings::prepare(Some(&folder.path().join("missing/{pid}.rb"))).is_err());
        assert!(Recordings::prepare(None).unwrap().is_none());
    }

    #[test]
    fn each_jvm_has_its_own_file() {
        let folder = tempfile::tempdir().unwrap();
        let mut recordings = recordings(folder.path(), "a.rb");
        let paths = [begun(&mut recordings, 7), begun(&mut recordings, 8)];
        assert_eq!(paths, [folder.path().join("a.rb"), folder.path().join("a.8.rb")]);
        assert!(paths.iter().all(|path| path.is_file()));
    }

    #[test]
    fn the_best_recording_changes_places_with_the_first() {
        let folder = tempfile::tempdir().unwrap();
        let mut recordings = recordings(folder.path(), "a.rb");
        let (first, best) = (begun(&mut recordings, 7), begun(&mut recordings, 8));
        fs::write(&first, "first").unwrap();
        fs::write(&best, "best").unwrap();
        recordings.promote(&best, Some(7));
        assert_eq!(fs::read_to_string(&first).unwrap(), "best");
        assert_eq!(fs::read_to_string(folder.path().join("a.7.rb")).unwrap(), "first");
        assert!(!best.exists());
    }

    #[test]
    fn a_pipe_holds_one_recording() {
        let mut recordings = Recordings::prepare(Some(Path::new("/dev/null"))).unwrap().unwrap();
        assert!(recordings.begin(1).is_ok());
        assert!(recordings.begin(2).is_err());
    }
}
