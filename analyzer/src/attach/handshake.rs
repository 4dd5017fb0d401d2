//! The JVM's attach socket: asks the JVM to open it, as the JDK's own tools do, and connects.

use super::error::AttachError;
use super::jvm::Jvm;
use rustix::process::{Pid, Signal, kill_process};
use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::{OpenOptionsExt, chown};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

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
    let socket = jvm.ours(Path::new("/tmp")).join(format!(".java_pid{}", jvm.inner_pid));
    let stream = match UnixStream::connect(&socket) {
        Ok(stream) => stream,
        // A socket file of an earlier process with this number refuses.
        Err(_) => ask(jvm, &socket)?,
    };
    let bounded = stream.set_read_timeout(Some(ANSWERS)).and_then(|()| stream.set_write_timeout(Some(ANSWERS)));
    bounded.map_err(|source| AttachError::Socket { pid: jvm.pid, source })?;
    Ok(stream)
}

/// Puts the file that asks for a socket, and sends the signal on which the JVM looks for it.
fn ask(jvm: &Jvm, socket: &Path) -> Result<UnixStream, AttachError> {
    let request = Request::put(jvm)?;
    let quit = || {
        // SIGQUIT without the file prints all stacks: it is only sent while the file is there.
        let pid = Pid::from_raw(jvm.pid).ok_or(AttachError::NoProcess(jvm.pid))?;
        kill_process(pid, Signal::QUIT).map_err(|source| AttachError::Socket { pid: jvm.pid, source: source.into() })
    };
    quit()?;
    let begun = Instant::now();
    while begun.elapsed() < OPENS {
        if let Ok(stream) = UnixStream::connect(socket) {
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
    path: PathBuf,
}

impl Request {
    fn put(jvm: &Jvm) -> Result<Self, AttachError> {
        let name = format!(".attach_pid{}", jvm.inner_pid);
        let folders = [jvm.ours(Path::new("/tmp")), PathBuf::from(format!("/proc/{}/cwd", jvm.pid))];
        let mut last = None;
        for path in folders.map(|folder| folder.join(&name)) {
            match create(&path, jvm) {
                Ok(()) => return Ok(Self { path }),
                Err(source) => last = Some(AttachError::File { path, source }),
            }
        }
        Err(last.unwrap_or(AttachError::NoProcess(jvm.pid)))
    }
}

/// The JVM trusts a file of its own user only, or of root.
fn create(path: &Path, jvm: &Jvm) -> io::Result<()> {
    // A file that was left behind is as good, if it is of the right user: it is made anew.
    match fs::remove_file(path) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    if jvm.user == rustix::process::geteuid().as_raw() {
        return Ok(());
    }
    chown(path, Some(jvm.user), Some(jvm.group))
}

impl Drop for Request {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_file(&self.path) {
            tracing::debug!("{}: {error}", self.path.display());
        }
    }
}
