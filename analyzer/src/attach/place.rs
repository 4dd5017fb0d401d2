//! The folder that holds the socket, and the library where the JVM cannot read ours. It lies in the JVM's own files.

use super::error::AttachError;
use super::jvm::Jvm;
use crate::agents::libc::Libc;
use crate::agents::source::Source;
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Folders that programs usually may read, in the order in which they are tried.
const USUAL: &[&str] = &["/tmp", "/dev/shm", "/var/tmp"];
const LIBRARY: &str = "librootbound_agent.so";
const SOCKET: &str = "agent.sock";

/// Where library and socket lie. Its folder goes when it is dropped.
#[derive(Debug)]
pub struct Place {
    folder: TempDir,
    /// The folder as the JVM calls it.
    theirs: PathBuf,
    /// The library as the JVM calls it.
    pub library: PathBuf,
    copied: Option<PathBuf>,
    libc: Libc,
}

impl Place {
    /// Makes a folder for this JVM, and puts the library there when the JVM cannot read it where it is. `wish` is a
    /// folder of the JVM's that the user names.
    ///
    /// # Errors
    /// When no folder will do, or a file cannot be written.
    pub fn make(jvm: &Jvm, library: &Source, wish: Option<&Path>) -> Result<Self, AttachError> {
        // The loader knows a library by its path: the same one again wakes the agent that is there.
        let readable = |path: &&PathBuf| jvm.shares_files && is_readable(path);
        let present = jvm.agent_to_wake().or_else(|| match library {
            Source::File(path) => Some(path).filter(readable).cloned(),
            Source::Packed(_) => None,
        });
        let mut tried = Vec::new();
        for folder in wish.map_or_else(|| USUAL.iter().map(PathBuf::from).collect(), |wish| vec![wish.to_owned()]) {
            match fault(jvm, &folder, present.is_none()) {
                Some(fault) => tried.push(format!("{} ({fault})", folder.display())),
                None => match Self::make_in(jvm, &folder, library, present.clone()) {
                    Ok(place) => return Ok(place),
                    Err(AttachError::File { path, source }) => tried.push(format!("{} ({source})", path.display())),
                    Err(other) => return Err(other),
                },
            }
        }
        Err(AttachError::NoPlace { pid: jvm.pid, tried: tried.join(", ") })
    }

    fn make_in(jvm: &Jvm, theirs: &Path, library: &Source, present: Option<PathBuf>) -> Result<Self, AttachError> {
        let above = jvm.ours(theirs);
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |source| AttachError::File { path, source }
        };
        // Others may pass through it, and see nothing in it.
        let folder = tempfile::Builder::new()
            .prefix(".rootbound-")
            .permissions(Permissions::from_mode(0o711))
            .tempdir_in(&above)
            .map_err(failed(&above))?;
        // A umask may have taken more away.
        fs::set_permissions(folder.path(), Permissions::from_mode(0o711)).map_err(failed(folder.path()))?;
        let theirs = folder.path().file_name().map_or_else(|| theirs.to_owned(), |name| theirs.join(name));
        if let Some(library) = present {
            return Ok(Self { folder, theirs, library, copied: None, libc: jvm.c_library() });
        }
        let copy = folder.path().join(LIBRARY);
        let bytes = library.bytes().map_err(|source| AttachError::NoAgent { pid: jvm.pid, source })?;
        fs::write(&copy, bytes).map_err(failed(&copy))?;
        fs::set_permissions(&copy, Permissions::from_mode(0o755)).map_err(failed(&copy))?;
        Ok(Self { library: theirs.join(LIBRARY), folder, theirs, copied: Some(copy), libc: jvm.c_library() })
    }

    /// The socket as we call it.
    #[must_use]
    pub fn our_socket(&self) -> PathBuf {
        self.folder.path().join(SOCKET)
    }

    /// The socket as the JVM calls it.
    #[must_use]
    pub fn their_socket(&self) -> PathBuf {
        self.theirs.join(SOCKET)
    }

    /// Gives the socket to the JVM's user: only that user and root can open it.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn hand_over_socket(&self, jvm: &Jvm) -> Result<(), AttachError> {
        let path = self.our_socket();
        if jvm.user == rustix::process::geteuid().as_raw() {
            return Ok(());
        }
        chown(&path, Some(jvm.user), Some(jvm.group)).map_err(|source| AttachError::File { path, source })
    }

    /// Removes the copy of the library: a loaded one needs its file no longer. Only musl opens the file again to find
    /// out that it is loaded; so there the copy stays, and the next analyzer wakes the agent that is there.
    pub fn settle_copy(&mut self) {
        let Some(copy) = self.copied.take() else { return };
        if self.libc == Libc::Musl {
            self.folder.disable_cleanup(true);
            return;
        }
        if let Err(error) = fs::remove_file(&copy) {
            tracing::debug!("{}: {error}", copy.display());
        }
    }
}

/// Whether everybody may read the file.
fn is_readable(library: &Path) -> bool {
    let is_passable = |folder: &Path| fs::metadata(folder).is_ok_and(|found| found.permissions().mode() & 0o001 != 0);
    let is_open = fs::metadata(library).is_ok_and(|found| found.permissions().mode() & 0o004 != 0);
    is_open && library.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty()).all(is_passable)
}

/// The reason why a folder of the JVM's will not do.
fn fault(jvm: &Jvm, theirs: &Path, holds_library: bool) -> Option<Fault> {
    let found = match fs::metadata(jvm.ours(theirs)) {
        Ok(found) => found,
        Err(error) => return Some(Fault::Missing(error)),
    };
    let options = jvm.mount_options(theirs);
    let has = |name: &str| options.iter().any(|option| option == name);
    if !found.is_dir() {
        return Some(Fault::NoFolder);
    }
    if has("ro") {
        return Some(Fault::ReadOnly);
    }
    (holds_library && has("noexec")).then_some(Fault::NoExecution)
}

#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("{0}")]
    Missing(io::Error),
    #[error("no folder")]
    NoFolder,
    #[error("mounted read-only")]
    ReadOnly,
    #[error("mounted noexec")]
    NoExecution,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_in_a_private_folder_is_not_readable_for_all() {
        let folder = tempfile::tempdir().unwrap();
        let library = folder.path().join("x.so");
        fs::write(&library, "").unwrap();
        fs::set_permissions(&library, Permissions::from_mode(0o644)).unwrap();
        assert!(!is_readable(&library), "the folder is private");
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
        assert!(is_readable(&library) || !is_readable(Path::new("/usr/bin/env")));
        fs::set_permissions(&library, Permissions::from_mode(0o600)).unwrap();
        assert!(!is_readable(&library));
    }
}
