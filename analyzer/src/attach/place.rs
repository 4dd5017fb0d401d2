//! The folder that holds the socket, and the library where the JVM cannot read ours. It lies in the JVM's own files.

use super::error::AttachError;
use super::files::{Folder, Held};
use super::jvm::Jvm;
use super::leftovers;
use crate::agents::libc::Libc;
use crate::agents::source::Source;
use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Folders that programs usually may read, in the order in which they are tried.
pub(super) const USUAL: &[&str] = &["/tmp", "/dev/shm", "/var/tmp"];
pub(super) const LIBRARY: &str = "librootbound_agent.so";
pub(super) const SOCKET: &str = "agent.sock";
/// Beginning of the folder's name.
pub(super) const PREFIX: &str = ".rootbound-";
/// Mode of the folder once it is in use: others may pass through it, and see nothing in it.
pub(super) const MODE: u32 = 0o711;

/// Where library and socket lie. Its folder goes when it is dropped.
#[derive(Debug)]
pub struct Place {
    /// Removes the folder; the paths in it go through the handle below, which must live longer.
    removal: TempDir,
    _above: Folder,
    folder: Folder,
    /// Says to other analyzers that the folder is in use; `None` where the file system has no locks.
    _held: Option<Held>,
    /// The folder as the JVM calls it.
    theirs: PathBuf,
    /// The library as the JVM calls it.
    pub library: PathBuf,
    is_copied: bool,
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
        let files = jvm.files().ok();
        for folder in wish.map_or_else(|| USUAL.iter().map(PathBuf::from).collect(), |wish| vec![wish.to_owned()]) {
            files.iter().for_each(|files| leftovers::remove_from(files, &folder));
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
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |source| AttachError::File { path, source }
        };
        let above = jvm.files().and_then(|files| files.folder(theirs)).map_err(failed(theirs))?;
        let removal = tempfile::Builder::new()
            .prefix(PREFIX)
            .permissions(Permissions::from_mode(0o700))
            .tempdir_in(above.path())
            .map_err(failed(theirs))?;
        let name = removal.path().file_name().map(PathBuf::from).unwrap_or_default();
        let theirs = theirs.join(&name);
        let folder = above.own(&name).map_err(failed(&theirs))?;
        let held = folder.hold().ok();
        fs::set_permissions(folder.path(), Permissions::from_mode(MODE)).map_err(failed(&theirs))?;
        let is_copied = present.is_none();
        let place_of_library = present.unwrap_or_else(|| theirs.join(LIBRARY));
        if is_copied {
            let bytes = library.bytes().map_err(|source| AttachError::NoAgent { pid: jvm.pid, source })?;
            write(&bytes, &folder).map_err(failed(&place_of_library))?;
        }
        let libc = jvm.c_library();
        Ok(Self { removal, _above: above, folder, _held: held, theirs, library: place_of_library, is_copied, libc })
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
        if jvm.user == rustix::process::geteuid().as_raw() {
            return Ok(());
        }
        let given = self.folder.give(SOCKET, jvm.user, jvm.group);
        given.map_err(|source| AttachError::File { path: self.their_socket(), source })
    }

    /// Removes the copy of the library: a loaded one needs its file no longer. Only musl opens the file again to find
    /// out that it is loaded; so there the copy stays, and the next analyzer wakes the agent that is there.
    pub fn settle_copy(&mut self) {
        if !std::mem::take(&mut self.is_copied) {
            return;
        }
        if self.libc == Libc::Musl {
            self.removal.disable_cleanup(true);
            return;
        }
        if let Err(error) = fs::remove_file(self.folder.path().join(LIBRARY)) {
            tracing::debug!("{}: {error}", self.library.display());
        }
    }
}

fn write(library: &[u8], folder: &Folder) -> io::Result<()> {
    let mut file = folder.create(LIBRARY, 0o755)?;
    file.write_all(library)?;
    file.set_permissions(Permissions::from_mode(0o755))
}

/// Whether everybody may read the file.
fn is_readable(library: &Path) -> bool {
    let is_passable = |folder: &Path| fs::metadata(folder).is_ok_and(|found| found.permissions().mode() & 0o001 != 0);
    let is_open = fs::metadata(library).is_ok_and(|found| found.permissions().mode() & 0o004 != 0);
    is_open && library.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty()).all(is_passable)
}

/// The reason why a folder of the JVM's will not do.
fn fault(jvm: &Jvm, theirs: &Path, holds_library: bool) -> Option<Fault> {
    if let Err(error) = jvm.files().and_then(|files| files.folder(theirs)) {
        return Some(Fault::Missing(error));
    }
    let options = jvm.mount_options(theirs);
    let has = |name: &str| options.iter().any(|option| option == name);
    if has("ro") {
        return Some(Fault::ReadOnly);
    }
    (holds_library && has("noexec")).then_some(Fault::NoExecution)
}

#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("{0}")]
    Missing(io::Error),
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
        fs::set_permissions(folder.path(), Permissions::from_mode(0o700)).unwrap();
        assert!(!is_readable(&library), "the folder is private");
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
        assert!(is_readable(&library) || !is_readable(Path::new("/usr/bin/env")));
        fs::set_permissions(&library, Permissions::from_mode(0o600)).unwrap();
        assert!(!is_readable(&library));
    }
}
