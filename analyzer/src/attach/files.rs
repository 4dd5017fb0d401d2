//! The files of another process, reached from handles on its folders. Its program may replace a folder or file by a
//! link at any time, and the analyzer may be root: so nothing here follows a link out of the process's own root.

use rustix::fs::{AtFlags, FileType, FlockOperation, Mode, OFlags, ResolveFlags};
use rustix::fs::{chownat, flock, fstat, open, openat, openat2};
use rustix::io::Errno;
use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Component, Path, PathBuf};

/// More of a text is not read.
const MOST_TEXT: u64 = 256 * 1024;

/// All files of a process, from its root folder down.
#[derive(Debug)]
pub struct Files {
    root: OwnedFd,
}

impl Files {
    /// The files that this process sees.
    ///
    /// # Errors
    /// When it has ended, or belongs to another user.
    pub fn of(pid: i32) -> io::Result<Self> {
        Ok(Self { root: folder_at(&format!("/proc/{pid}/root"))? })
    }

    /// The files that this process sees.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn own() -> io::Result<Self> {
        Ok(Self { root: folder_at("/")? })
    }

    /// A folder of the process, by its own absolute path.
    ///
    /// # Errors
    /// When it cannot be opened or is no folder.
    pub fn folder(&self, theirs: &Path) -> io::Result<Folder> {
        Ok(Folder { handle: self.open(theirs, OFlags::PATH | OFlags::DIRECTORY)? })
    }

    /// The first 256 KB of a text file of the process; `None` when there is no such regular file, or it is no UTF-8.
    #[must_use]
    pub fn text(&self, theirs: &Path) -> Option<String> {
        String::from_utf8(self.bytes(theirs, MOST_TEXT)?).ok()
    }

    /// The first bytes of a regular file of the process; `None` when there is none.
    #[must_use]
    pub fn bytes(&self, theirs: &Path, most: u64) -> Option<Vec<u8>> {
        // A pipe must not block.
        let file = File::from(self.open(theirs, OFlags::RDONLY | OFlags::NONBLOCK).ok()?);
        let mut bytes = Vec::new();
        if !file.metadata().ok()?.is_file() {
            return None;
        }
        file.take(most).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }

    /// Whether there is a regular file.
    #[must_use]
    pub fn has(&self, theirs: &Path) -> bool {
        self.bytes(theirs, 0).is_some()
    }

    fn open(&self, theirs: &Path, flags: OFlags) -> io::Result<OwnedFd> {
        let flags = flags | OFlags::CLOEXEC;
        let resolve = ResolveFlags::IN_ROOT | ResolveFlags::NO_MAGICLINKS;
        match openat2(&self.root, theirs, flags, Mode::empty(), resolve) {
            // Kernels before 5.6 do not have the call, and some sandboxes deny it.
            Err(Errno::NOSYS | Errno::PERM) => self.open_without_links(theirs, flags),
            opened => Ok(opened?),
        }
    }

    /// As [`Self::open`], on a path without symbolic links.
    fn open_without_links(&self, theirs: &Path, flags: OFlags) -> io::Result<OwnedFd> {
        let mut names = theirs.components().filter(|part| !matches!(part, Component::RootDir | Component::CurDir));
        let mut folder = self.root.try_clone()?;
        let Some(mut name) = names.next() else { return Ok(folder) };
        for next in names {
            let inner = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            folder = openat(&folder, normal(name)?, inner, Mode::empty())?;
            name = next;
        }
        Ok(openat(&folder, normal(name)?, flags | OFlags::NOFOLLOW, Mode::empty())?)
    }
}

/// A name that leads down.
fn normal(part: Component<'_>) -> io::Result<&Path> {
    match part {
        Component::Normal(name) => Ok(Path::new(name)),
        _ => Err(io::ErrorKind::InvalidInput.into()),
    }
}

/// A folder by its handle: renaming it, or putting a link at its place, changes nothing.
#[derive(Debug)]
pub struct Folder {
    handle: OwnedFd,
}

impl Folder {
    /// The working folder of a process.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn working(pid: i32) -> io::Result<Self> {
        Ok(Self { handle: folder_at(&format!("/proc/{pid}/cwd"))? })
    }

    /// A path that leads to this folder in this process, as long as the value lives.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        path_of(&self.handle)
    }

    /// A folder in it that we have made just now.
    ///
    /// # Errors
    /// When it is a link, or somebody else's.
    pub fn own(&self, name: &Path) -> io::Result<Self> {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let handle = openat(&self.handle, name, flags, Mode::empty())?;
        if fstat(&handle)?.st_uid != rustix::process::geteuid().as_raw() {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        Ok(Self { handle })
    }

    /// Holds a lock on the folder until the value is dropped, or this process ends in whatever way.
    ///
    /// # Errors
    /// When another process holds it, or the file system has no locks.
    pub fn hold(&self) -> io::Result<Held> {
        Held::lock(self.readable()?)
    }

    /// Another handle, by which names can be listed and locks be held.
    pub(super) fn readable(&self) -> io::Result<OwnedFd> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(openat(&self.handle, ".", flags, Mode::empty())?)
    }

    /// The handle itself.
    pub(super) fn handle(&self) -> &OwnedFd {
        &self.handle
    }

    /// Makes a file that is not there yet.
    ///
    /// # Errors
    /// When there is something of this name.
    pub fn create(&self, name: &str, mode: u32) -> io::Result<File> {
        OpenOptions::new().write(true).create_new(true).mode(mode).open(self.path().join(name))
    }

    /// Gives a file in it to another user; a link is given itself.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn give(&self, name: &str, user: u32, group: u32) -> io::Result<()> {
        let (user, group) = (rustix::fs::Uid::from_raw(user), rustix::fs::Gid::from_raw(group));
        Ok(chownat(&self.handle, name, Some(user), Some(group), AtFlags::SYMLINK_NOFOLLOW)?)
    }

    /// A socket in it that one of these users has made.
    ///
    /// # Errors
    /// When it is none, or somebody else's.
    pub fn socket(&self, name: &str, users: &[u32]) -> io::Result<SocketFile> {
        let handle = openat(&self.handle, name, OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())?;
        let found = fstat(&handle)?;
        if FileType::from_raw_mode(found.st_mode) != FileType::Socket || !users.contains(&found.st_uid) {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        Ok(SocketFile { handle })
    }
}

/// A folder that this process has locked.
#[derive(Debug)]
pub struct Held {
    handle: OwnedFd,
}

impl Held {
    /// Locks an open folder.
    ///
    /// # Errors
    /// When another process holds it, or the file system has no locks.
    pub(super) fn lock(handle: OwnedFd) -> io::Result<Self> {
        flock(&handle, FlockOperation::NonBlockingLockExclusive)?;
        Ok(Self { handle })
    }

    /// The handle itself.
    pub(super) fn handle(&self) -> &OwnedFd {
        &self.handle
    }
}

/// A socket's file by its handle.
#[derive(Debug)]
pub struct SocketFile {
    handle: OwnedFd,
}

impl SocketFile {
    /// A path that leads to this socket, as long as the value lives.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        path_of(&self.handle)
    }
}

/// A path that leads to what a handle of this process has opened, whatever happens to its names.
fn path_of(handle: &OwnedFd) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}", handle.as_raw_fd()))
}

/// A folder behind a link of `/proc`.
fn folder_at(path: &str) -> io::Result<OwnedFd> {
    Ok(open(path, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::{UnixListener, UnixStream};

    /// A root folder with `tmp`, a link `away` that leads out of it, and a link `near` to `/tmp` in it.
    fn root() -> (tempfile::TempDir, Files) {
        let outside = tempfile::tempdir().unwrap();
        fs::create_dir_all(outside.path().join("root/tmp")).unwrap();
        fs::create_dir(outside.path().join("secret")).unwrap();
        fs::write(outside.path().join("secret/text"), "secret").unwrap();
        symlink(outside.path().join("secret"), outside.path().join("root/away")).unwrap();
        symlink("/tmp", outside.path().join("root/near")).unwrap();
        let files = Files { root: folder_at(outside.path().join("root").to_str().unwrap()).unwrap() };
        (outside, files)
    }

    #[test]
    fn a_link_leads_nowhere_but_within_the_root() {
        let (outside, files) = root();
        assert!(files.folder(Path::new("/away")).is_err());
        assert!(files.text(Path::new("/away/text")).is_none());
        assert!(files.folder(Path::new("/tmp/../../secret")).is_err());
        fs::write(outside.path().join("root/tmp/text"), "ours").unwrap();
        assert_eq!(files.text(Path::new("/near/text")).as_deref(), Some("ours"));
    }

    #[test]
    fn without_the_newer_call_no_link_is_followed() {
        let (outside, files) = root();
        fs::create_dir(outside.path().join("root/tmp/inner")).unwrap();
        let open = |path: &str| files.open_without_links(Path::new(path), OFlags::PATH | OFlags::CLOEXEC);
        assert!(open("/tmp/inner").is_ok() && open("/").is_ok());
        assert!(open("/near/inner").is_err() && open("/away/text").is_err() && open("/tmp/../tmp").is_err());
    }

    #[test]
    fn a_pipe_is_no_text() {
        let (outside, files) = root();
        let pipe = outside.path().join("root/tmp/pipe");
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, FileType::Fifo, Mode::RUSR, 0).unwrap();
        assert!(files.text(Path::new("/tmp/pipe")).is_none());
    }

    #[test]
    fn a_folder_is_the_one_that_was_opened() {
        let (outside, files) = root();
        let folder = files.folder(Path::new("/tmp")).unwrap();
        fs::rename(outside.path().join("root/tmp"), outside.path().join("root/moved")).unwrap();
        symlink(outside.path().join("secret"), outside.path().join("root/tmp")).unwrap();
        drop(folder.create("text", 0o600).unwrap());
        assert!(outside.path().join("root/moved/text").is_file());
        assert!(folder.create("text", 0o600).is_err(), "it is there already");
        symlink(outside.path().join("secret"), outside.path().join("root/moved/link")).unwrap();
        assert!(folder.own(Path::new("link")).is_err());
    }

    #[test]
    fn only_a_socket_of_these_users_is_one() {
        let (outside, files) = root();
        let folder = files.folder(Path::new("/tmp")).unwrap();
        let _listener = UnixListener::bind(outside.path().join("root/tmp/a.sock")).unwrap();
        symlink("a.sock", outside.path().join("root/tmp/b.sock")).unwrap();
        let own = rustix::process::geteuid().as_raw();
        let socket = folder.socket("a.sock", &[own]).unwrap();
        assert!(UnixStream::connect(socket.path()).is_ok());
        assert!(folder.socket("b.sock", &[own]).is_err() && folder.socket("a.sock", &[own + 1]).is_err());
    }
}
