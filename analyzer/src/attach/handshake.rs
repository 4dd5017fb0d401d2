//! The JVM's attach socket: asks the JVM to open it, as the JDK's own tools do, and connects.

use super::error::AttachError;
use super::files::Folder;
use super::jvm::Jvm;
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::io;
use std::os::unix::fs::fchown;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// The folder in which HotSpot opens its sockets.
const SOCKETS: &str = "/tmp";
/// Longest wait for the socket.
const OPENS: Duration = Duration::from_secs(6);
const POLL: Duration = Duration::from_millis(20);
/// Longest wait for one read or write.
const ANSWERS: Duration = Duration::from_secs(30);

/// Connects to the JVM's attach socket, which it opens on request.
///
/// # Errors
/// When the JVM does not open it, or the system refuses.
pub fn connect(jvm: &Jvm) -> Result<UnixStream, AttachError> {
    let stream = match connect_now(jvm) {
        Ok(stream) => stream,
        // A socket file of an earlier process with this number refuses.
        Err(_) => ask(jvm)?,
    };
    let bounded = stream.set_read_timeout(Some(ANSWERS)).and_then(|()| stream.set_write_timeout(Some(ANSWERS)));
    bounded.map_err(|source| AttachError::Socket { pid: jvm.pid, source })?;
    Ok(stream)
}

/// Connects to the socket that is there. The JVM's program may have put something else at its place.
fn connect_now(jvm: &Jvm) -> io::Result<UnixStream> {
    let folder = jvm.files()?.folder(Path::new(SOCKETS))?;
    UnixStream::connect(folder.socket(&format!(".java_pid{}", jvm.inner_pid), &[jvm.user, 0])?.path())
}

/// Puts the file that asks for a socket, and sends the signal on which the JVM looks for it.
fn ask(jvm: &Jvm) -> Result<UnixStream, AttachError> {
    let request = Request::put(jvm)?;
    let quit = || {
        // SIGQUIT without the file prints all stacks: it is only sent while the file is there.
        let pid = Pid::from_raw(jvm.pid).ok_or(AttachError::NoProcess(jvm.pid))?;
        kill_process(pid, Signal::QUIT).map_err(|source| AttachError::Socket { pid: jvm.pid, source: source.into() })
    };
    quit()?;
    let begun = Instant::now();
    while begun.elapsed() < OPENS {
        if let Ok(stream) = connect_now(jvm) {
            drop(request);
            return Ok(stream);
        }
        if !jvm.is_alive() {
            return Err(AttachError::NoProcess(jvm.pid));
        }
        thread::sleep(POLL);
    }
    Err(AttachError::NoSocket(jvm.pid, OPENS.as_secs()))
}

/// The file that asks for a socket; removed when dropped.
struct Request {
    folder: Folder,
    name: String,
}

impl Request {
    fn put(jvm: &Jvm) -> Result<Self, AttachError> {
        let name = format!(".attach_pid{}", jvm.inner_pid);
        let failed = |path: PathBuf| move |source| AttachError::File { path, source };
        let working = || failed(format!("/proc/{}/cwd/{name}", jvm.pid).into());
        let usual = jvm.files().and_then(|files| files.folder(Path::new(SOCKETS)));
        match usual.and_then(|folder| create(&folder, &name, jvm).map(|()| folder)) {
            Ok(folder) => Ok(Self { folder, name }),
            Err(_) => {
                let folder = Folder::working(jvm.pid).map_err(working())?;
                create(&folder, &name, jvm).map_err(working())?;
                Ok(Self { folder, name })
            }
        }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join(&self.name)
    }
}

/// The JVM trusts a file of its own user only, or of root.
fn create(folder: &Folder, name: &str, jvm: &Jvm) -> io::Result<()> {
    // A file that was left behind is as good, if it is of the right user: it is made anew.
    match fs::remove_file(folder.path().join(name)) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let file = folder.create(name, 0o600)?;
    if jvm.user == rustix::process::geteuid().as_raw() {
        return Ok(());
    }
    fchown(file, Some(jvm.user), Some(jvm.group))
}

impl Drop for Request {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_file(self.path()) {
            tracing::debug!("{}: {error}", self.name);
        }
    }
}
