//! Processes of a test: their output is in files, every wait is bounded, and none of them outlives its test.
//!
//! Each test has a [`Scratch`] folder whose path is in the command line of every process it starts. By that path even a
//! JVM whose parent was killed is found and ended.

use rustix::process::{Pid, Signal, kill_process};
use std::fs::{self, File};
use std::os::unix::fs::FileTypeExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Time between two checks of a wait.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// Waits until `found` returns a value, at most `limit`.
pub fn wait_for<T>(limit: Duration, mut found: impl FnMut() -> Option<T>) -> Option<T> {
    let end = Instant::now() + limit;
    loop {
        if let Some(value) = found() {
            return Some(value);
        }
        if Instant::now() >= end {
            return None;
        }
        std::thread::sleep(LOOK_AGAIN);
    }
}

/// A test's own folder and the processes that belong to it.
pub struct Scratch {
    folder: tempfile::TempDir,
}

impl Default for Scratch {
    fn default() -> Self {
        Self::new()
    }
}

impl Scratch {
    /// A fresh, empty folder.
    pub fn new() -> Self {
        Self {
            folder: tempfile::Builder::new().prefix("rb-e2e").tempdir().expect("the temporary folder can be written"),
        }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A file in the folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }

    /// Starts `command` with its output in the files `NAME.out` and `NAME.err`. By default, sockets are created in this
    /// folder.
    pub fn spawn(&self, name: &str, mut command: Command) -> Running {
        let (out, err) = (self.file(&format!("{name}.out")), self.file(&format!("{name}.err")));
        command
            .stdin(Stdio::null())
            .stdout(File::create(&out).expect("the scratch folder can be written"))
            .stderr(File::create(&err).expect("the scratch folder can be written"))
            .env("TMPDIR", self.folder())
            .env("XDG_RUNTIME_DIR", self.folder());
        let child = command.spawn().unwrap_or_else(|error| panic!("cannot start {command:?}: {error}"));
        Running { child, out, err }
    }

    /// Running processes of this test whose program has the name `program`.
    pub fn processes(&self, program: &str) -> Vec<Pid> {
        let called = |argument: &[u8]| Path::new(&*String::from_utf8_lossy(argument)).ends_with(program);
        self.mentioned_in().into_iter().filter(|(_, arguments)| called(&arguments[0])).map(|(pid, _)| pid).collect()
    }

    /// Waits until a process with the name `program` runs.
    pub fn wait_for_process(&self, program: &str, limit: Duration) -> Pid {
        wait_for(limit, || self.processes(program).first().copied())
            .unwrap_or_else(|| panic!("no {program} came up within {limit:?}"))
    }

    /// Sockets in the folder.
    pub fn sockets(&self) -> Vec<PathBuf> {
        let mut sockets = Vec::new();
        let mut folders = vec![self.folder().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                    Ok(kind) if kind.is_socket() => sockets.push(entry.path()),
                    _ => {}
                }
            }
        }
        sockets
    }

    /// Processes whose command line mentions the folder, with their arguments.
    fn mentioned_in(&self) -> Vec<(Pid, Vec<Vec<u8>>)> {
        let folder = self.folder().as_os_str().as_encoded_bytes().to_owned();
        let mut found = Vec::new();
        for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
            let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()).and_then(Pid::from_raw)
            else {
                continue;
            };
            // A zombie's command line is empty, so that it counts as gone.
            let Ok(line) = fs::read(entry.path().join("cmdline")) else { continue };
            if line.windows(folder.len()).any(|part| part == folder) {
                found.push((pid, line.split(|&byte| byte == 0).map(<[u8]>::to_vec).collect()));
            }
        }
        found
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        for (pid, _) in self.mentioned_in() {
            // It may have ended by itself meanwhile.
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}

/// A process of a test; killed on drop.
pub struct Running {
    child: Child,
    out: PathBuf,
    err: PathBuf,
}

impl Running {
    /// Its process id.
    pub fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// Sends it a signal.
    pub fn signal(&self, signal: Signal) {
        kill_process(self.pid(), signal).expect("the process is still there");
    }

    /// Its standard output so far.
    pub fn stdout(&self) -> String {
        text(&self.out)
    }

    /// Its standard error so far.
    pub fn stderr(&self) -> String {
        text(&self.err)
    }

    /// Kills it, and waits until it is gone: whoever comes next finds only what it left behind.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Waits for its end. Panics with its output when it takes longer than `limit`.
    pub fn wait(mut self, limit: Duration) -> Ended {
        let status = wait_for(limit, || self.child.try_wait().expect("a child can be waited for"));
        let Some(status) = status else {
            panic!("still running after {limit:?}\n{}\n{}", self.stdout(), self.stderr());
        };
        Ended { status, stdout: self.stdout(), stderr: self.stderr() }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Result of a process that has ended.
#[derive(Debug)]
pub struct Ended {
    /// Its exit status.
    pub status: ExitStatus,
    /// All of its standard output.
    pub stdout: String,
    /// All of its standard error.
    pub stderr: String,
}

impl Ended {
    /// Its exit code; `None` when a signal ended it.
    pub fn code(&self) -> Option<i32> {
        self.status.code()
    }

    /// The signal that ended it.
    pub fn signal(&self) -> Option<i32> {
        self.status.signal()
    }
}

fn text(file: &Path) -> String {
    String::from_utf8_lossy(&fs::read(file).unwrap_or_default()).into_owned()
}
