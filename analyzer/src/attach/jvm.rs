//! A JVM as `/proc` shows it. Everything here is read; nothing is changed.

use super::error::AttachError;
use super::files::Files;
use crate::agents::libc::Libc;
use procfs::process::{MMapPath, Process, Status};
use procfs::{Current, ProcError, Uptime};
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Time in which a launcher has loaded its machine.
const LOADS: Duration = Duration::from_secs(3);
/// SIGQUIT in a mask of signals.
const QUIT: u64 = 1 << 2;

/// A process that has loaded a Java virtual machine.
#[derive(Debug)]
pub struct Jvm {
    /// Its number here.
    pub pid: i32,
    /// Its number in its innermost PID namespace.
    pub inner_pid: i32,
    /// Its effective user and group.
    pub user: u32,
    /// See above.
    pub group: u32,
    /// Time since its start.
    pub age: Duration,
    /// Resident memory in bytes.
    pub resident: u64,
    /// Whether SIGQUIT does what HotSpot wants, instead of ending it.
    pub catches_quit: bool,
    /// The kernel's letter for its state.
    pub state: char,
    /// Its arguments, with the program itself first.
    pub arguments: Vec<String>,
    /// Which machine it is.
    pub machine: Machine,
    /// An agent of ours that it has loaded: the path by which it did.
    pub agent: Option<PathBuf>,
    /// Its C library, and the file of that.
    pub libc: Option<(Libc, PathBuf)>,
    /// Whether its files are ours: it has our mount namespace.
    pub shares_files: bool,
    process: Process,
}

/// The virtual machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Machine {
    /// HotSpot; the feature release where its `release` file says it.
    HotSpot(Option<u32>),
    /// OpenJ9.
    OpenJ9,
}

impl Jvm {
    /// The JVM with this process id.
    ///
    /// # Errors
    /// When there is no such process, it cannot be read, or it is none.
    pub fn find(pid: i32) -> Result<Self, AttachError> {
        let process = Process::new(pid).map_err(|error| unreadable(pid, error))?;
        let status = process.status().map_err(|error| unreadable(pid, error))?;
        // Another user's maps cannot be read; that is worth an error of its own.
        let libraries = libraries(&process).map_err(|error| match error {
            ProcError::PermissionDenied(_) => foreign(pid, status.euid),
            other => unreadable(pid, other),
        })?;
        Self::of(process, &status, &libraries).ok_or(AttachError::NoJvm(pid))
    }

    /// The JVM that this process is; `None` when it is none, or cannot be read.
    pub(super) fn of_process(process: Process) -> Option<Self> {
        let (status, libraries) = (process.status().ok()?, libraries(&process).ok()?);
        Self::of(process, &status, &libraries)
    }

    fn of(process: Process, status: &Status, libraries: &[PathBuf]) -> Option<Self> {
        let named =
            |name: &str| libraries.iter().find(|path| file_name(path).is_some_and(|file| file.starts_with(name)));
        let shares_files = same_mounts(process.pid);
        let machine = match (named("libjvm.so"), named("libj9vm")) {
            (_, Some(_)) => Machine::OpenJ9,
            (Some(library), None) => {
                Machine::HotSpot(Files::of(process.pid).ok().and_then(|files| release(&files, library)))
            }
            (None, None) => return None,
        };
        Some(Self {
            pid: process.pid,
            inner_pid: innermost(status),
            user: status.euid,
            group: status.egid,
            age: age(&process).unwrap_or_default(),
            resident: status.vmrss.unwrap_or(0) * 1024,
            catches_quit: status.sigcgt & QUIT != 0 && status.sigign & QUIT == 0,
            state: status.state.chars().next().unwrap_or('?'),
            arguments: process.cmdline().unwrap_or_default(),
            machine,
            agent: named("librootbound_agent").cloned(),
            libc: Libc::among(libraries).map(|(libc, file)| (libc, file.clone())),
            shares_files,
            process,
        })
    }

    /// Its files.
    ///
    /// # Errors
    /// When it has ended, or belongs to another user.
    pub fn files(&self) -> io::Result<Files> {
        Files::of(self.pid)
    }

    /// An environment variable that it was started with.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<String> {
        let environment = self.process.environ().ok()?;
        environment.get(std::ffi::OsStr::new(name)).map(|value| value.to_string_lossy().into_owned())
    }

    /// Its working folder, as it calls it.
    #[must_use]
    pub fn working_folder(&self) -> Option<PathBuf> {
        self.process.cwd().ok()
    }

    /// Options of the mount in which a path of its own lies.
    #[must_use]
    pub fn mount_options(&self, theirs: &Path) -> Vec<String> {
        let mounts = self.process.mountinfo().map(|mounts| mounts.0).unwrap_or_default();
        let over = mounts.into_iter().filter(|mount| theirs.starts_with(&mount.mount_point));
        // Of mounts over the same folder the last one holds.
        let nearest = over.max_by_key(|mount| mount.mount_point.as_os_str().len());
        nearest
            .map(|mount| mount.mount_options.into_keys().chain(mount.super_options.into_keys()).collect())
            .unwrap_or_default()
    }

    /// Its C library; glibc where it shows none.
    #[must_use]
    pub fn c_library(&self) -> Libc {
        self.libc.as_ref().map_or(Libc::Glibc, |(libc, _)| *libc)
    }

    /// The path of our agent that it has loaded, if loading by it again wakes that agent. Glibc compares paths; musl
    /// opens the file, which must be there.
    #[must_use]
    pub fn agent_to_wake(&self) -> Option<PathBuf> {
        let is_there =
            |path: &PathBuf| self.c_library() == Libc::Glibc || self.files().is_ok_and(|files| files.has(path));
        self.agent.clone().filter(is_there)
    }

    /// Whether the process is still there, and still the same.
    #[must_use]
    pub fn is_alive(&self) -> bool {
        self.process.is_alive()
    }

    /// The same JVM as it is now.
    ///
    /// # Errors
    /// When it has ended.
    pub fn again(&self) -> Result<Self, AttachError> {
        Self::find(self.pid)
    }
}

fn file_name(path: &Path) -> Option<&str> {
    path.file_name()?.to_str()
}

/// The files that are mapped into a process, without the note that one was deleted.
fn libraries(process: &Process) -> Result<Vec<PathBuf>, ProcError> {
    let mut found: Vec<PathBuf> = Vec::new();
    for map in process.maps()? {
        if let MMapPath::Path(path) = map.pathname {
            let path = path.to_string_lossy().trim_end_matches(" (deleted)").into();
            if found.last() != Some(&path) {
                found.push(path);
            }
        }
    }
    Ok(found)
}

/// Two processes may have one mount namespace and different roots.
fn same_mounts(pid: i32) -> bool {
    let link = |of: &str, name: &str| fs::read_link(format!("/proc/{of}/{name}")).ok();
    let folder = |of: &str| fs::metadata(format!("/proc/{of}/root")).map(|found| (found.dev(), found.ino())).ok();
    let pid = pid.to_string();
    link("self", "ns/mnt").is_some_and(|ours| link(&pid, "ns/mnt") == Some(ours)) && folder("self") == folder(&pid)
}

fn innermost(status: &Status) -> i32 {
    status.nstgid.as_ref().and_then(|all| all.last().copied()).unwrap_or(status.pid)
}

/// Whether the process is so young that it may become a JVM.
pub(super) fn is_new(pid: i32) -> bool {
    Process::new(pid).ok().as_ref().and_then(age).is_some_and(|age| age < LOADS)
}

fn age(process: &Process) -> Option<Duration> {
    let started = process.stat().ok()?.starttime as f64 / procfs::ticks_per_second() as f64;
    Duration::try_from_secs_f64(Uptime::current().ok()?.uptime - started).ok()
}

/// The feature release that the file `release` of the Java home says; the library lies in `lib/server` of it.
fn release(files: &Files, library: &Path) -> Option<u32> {
    let text = files.text(&library.ancestors().nth(3)?.join("release"))?;
    let version = text.lines().find_map(|line| line.strip_prefix("JAVA_VERSION=\""))?;
    version.split(['.', '"', '+', '-']).next()?.parse().ok()
}

fn unreadable(pid: i32, error: ProcError) -> AttachError {
    match error {
        ProcError::NotFound(_) => AttachError::NoProcess(pid),
        ProcError::Io(source, _) => AttachError::Unreadable { pid, source },
        other => AttachError::Unreadable { pid, source: io::Error::other(other.to_string()) },
    }
}

/// The error for another user's process.
pub(super) fn foreign(pid: i32, user: u32) -> AttachError {
    AttachError::Foreign { pid, theirs: user_name(user) }
}

/// The name of a user, or the number where it has none.
#[must_use]
pub fn user_name(user: u32) -> String {
    let found = nix::unistd::User::from_uid(nix::unistd::Uid::from_raw(user));
    found.ok().flatten().map_or_else(|| user.to_string(), |user| user.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_without_a_jvm_is_none() {
        let own = i32::try_from(std::process::id()).unwrap();
        assert!(matches!(Jvm::find(own), Err(AttachError::NoJvm(pid)) if pid == own));
        assert!(matches!(Jvm::find(i32::MAX), Err(AttachError::NoProcess(_))));
    }

    #[test]
    fn the_release_is_read_from_the_java_home() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"21.0.4\"\n").unwrap();
        let files = Files::of(i32::try_from(std::process::id()).unwrap()).unwrap();
        let of = |library: &str| release(&files, &folder.path().join(library));
        assert_eq!(of("lib/server/libjvm.so"), Some(21));
        assert_eq!(of("jre/lib/server/libjvm.so"), None);
    }

    #[test]
    fn own_mounts_are_the_same() {
        assert!(same_mounts(i32::try_from(std::process::id()).unwrap()));
    }
}
