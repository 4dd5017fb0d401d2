//! A file of the library that outlives this process. Programs started under `run` hand the option with its path on to
//! JVMs that start later, and these do not start when the file is gone.

use super::error::AgentError;
use super::libc::Libc;
use super::source::Source;
use rustix::fs::{StatVfsMountFlags, statvfs};
use std::env;
use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// The path of a library that JVMs of this user can load, unpacked if need be.
///
/// # Errors
/// When there is none, or no folder can hold it.
pub fn installed(libc: Libc, asked: Option<&Path>) -> Result<PathBuf, AgentError> {
    let packed = match Source::find(libc, asked)? {
        Source::File(path) => return Ok(path),
        packed @ Source::Packed(_) => packed,
    };
    let bytes = packed.bytes()?;
    let mut tried = Vec::new();
    for folder in folders() {
        match keep(&folder, libc.library(), &bytes) {
            Ok(path) => return Ok(path),
            Err(error) => tried.push(format!("{} ({error})", folder.display())),
        }
    }
    Err(AgentError::NoFolder(tried.join(", ")))
}

/// Writes the libraries that this program has into a folder, readable by all.
///
/// # Errors
/// When there is none, or a file cannot be written.
pub fn unpack(folder: &Path, wanted: &[Libc]) -> Result<Vec<PathBuf>, AgentError> {
    let file = |path: &Path| {
        let path = path.to_owned();
        |source| AgentError::File { path, source }
    };
    fs::create_dir_all(folder).map_err(file(folder))?;
    wanted
        .iter()
        .map(|&libc| {
            let bytes = Source::find(libc, None)?.bytes()?;
            let path = folder.join(libc.library());
            replace(folder, &path, &bytes).map_err(file(&path))?;
            Ok(path)
        })
        .collect()
}

/// Folders of this user's, in the order in which they are tried. A name with the version of this program keeps the
/// libraries of several versions apart.
fn folders() -> Vec<PathBuf> {
    let own = concat!("rootbound/agent-", env!("CARGO_PKG_VERSION"));
    let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")));
    let user = rustix::process::geteuid().as_raw();
    let temporary = env::temp_dir().join(format!("rootbound-{user}"));
    cache.into_iter().map(|cache| cache.join(own)).chain([temporary]).collect()
}

/// Keeps the library under this name in a folder that nobody else can write.
fn keep(folder: &Path, name: &str, bytes: &[u8]) -> Result<PathBuf, StoreError> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let found = fs::symlink_metadata(folder)?;
    let is_ours = found.uid() == rustix::process::geteuid().as_raw();
    if !found.is_dir() || !is_ours || found.permissions().mode() & 0o022 != 0 {
        return Err(StoreError::NotPrivate);
    }
    if statvfs(folder).is_ok_and(|mount| mount.f_flag.contains(StatVfsMountFlags::NOEXEC)) {
        return Err(StoreError::NoExecution);
    }
    let path = folder.join(name);
    if fs::read(&path).is_ok_and(|kept| kept == bytes) {
        return Ok(path);
    }
    replace(folder, &path, bytes)?;
    Ok(path)
}

/// A JVM that has loaded the earlier file keeps it: the new one takes its place in one step.
fn replace(folder: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = tempfile::Builder::new().permissions(Permissions::from_mode(0o755)).tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().set_permissions(Permissions::from_mode(0o755))?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

#[derive(Debug, thiserror::Error)]
enum StoreError {
    #[error("others may write to it")]
    NotPrivate,
    #[error("mounted noexec")]
    NoExecution,
    #[error("{0}")]
    System(#[from] io::Error),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_is_kept_once_and_replaced_when_it_differs() {
        let above = tempfile::tempdir().unwrap();
        let folder = above.path().join("a/b");
        let path = keep(&folder, "x.so", b"one").unwrap();
        let inode = |path: &Path| fs::metadata(path).unwrap().ino();
        let first = inode(&path);
        assert_eq!(inode(&keep(&folder, "x.so", b"one").unwrap()), first);
        keep(&folder, "x.so", b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing else is left");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o755);
    }

    #[test]
    fn a_folder_that_others_may_write_to_is_not_trusted() {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(0o777)).unwrap();
        assert!(matches!(keep(folder.path(), "x.so", b"one"), Err(StoreError::NotPrivate)));
        let link = folder.path().join("link");
        std::os::unix::fs::symlink("/tmp", &link).unwrap();
        assert!(keep(&link, "x.so", b"one").is_err());
    }
}
