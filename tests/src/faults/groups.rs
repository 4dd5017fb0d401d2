//! Memory groups of the kernel (cgroups, version 1 and 2), where this machine permits them: each has the processes of
//! one test, a limit, and the kernel's count of those that it killed.

use crate::process::wait_for;
use rustix::process::{Pid, Signal, kill_process};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// A group; its processes are ended and it is removed on drop.
#[derive(Debug)]
pub struct Group {
    folder: PathBuf,
    files: &'static Files,
}

/// File names of the two versions.
#[derive(Debug)]
struct Files {
    parent: &'static str,
    limit: &'static str,
    usage: &'static str,
    peak: &'static str,
    /// File that bounds memory and swap together, or swap alone, and whether it is to be 0.
    swap: (&'static str, bool),
    /// The file and the word that count kills.
    kills: (&'static str, &'static str),
    /// Likewise the number of times that a limit was reached; the first version has files with a number alone.
    hits: &'static [(&'static str, Option<&'static str>)],
}

const FIRST: Files = Files {
    parent: "/sys/fs/cgroup/memory",
    limit: "memory.limit_in_bytes",
    usage: "memory.usage_in_bytes",
    peak: "memory.max_usage_in_bytes",
    swap: ("memory.memsw.limit_in_bytes", false),
    kills: ("memory.oom_control", "oom_kill "),
    hits: &[("memory.failcnt", None), ("memory.memsw.failcnt", None)],
};

const SECOND: Files = Files {
    parent: "/sys/fs/cgroup",
    limit: "memory.max",
    usage: "memory.current",
    peak: "memory.peak",
    swap: ("memory.swap.max", true),
    kills: ("memory.events", "oom_kill "),
    hits: &[("memory.events", Some("max "))],
};

impl Group {
    /// A new group without a limit; `None`, with a message, where none can be created.
    pub fn new() -> Option<Self> {
        let group = [&FIRST, &SECOND].into_iter().find_map(Self::of_version);
        if group.is_none() {
            println!("skipped: this machine lets us make no memory group");
        }
        group
    }

    fn of_version(files: &'static Files) -> Option<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = Path::new(files.parent).join(format!("rootbound-e2e-{}-{number}", std::process::id()));
        fs::create_dir(&folder).ok()?;
        let group = Self { folder, files };
        // A folder that is no group, or one without this controller, has no such file.
        group.folder.join(files.limit).is_file().then_some(group)
    }

    /// The words before a command that make its process a member before it starts.
    pub fn entrance(&self) -> Vec<OsString> {
        let script = format!("echo $$ > '{}' && exec \"$@\"", self.folder.join("cgroup.procs").display());
        ["sh", "-c", &script, "sh"].map(OsString::from).to_vec()
    }

    /// Bounds the memory of all members. Panics when the kernel rejects the limit.
    pub fn limit(&self, bytes: u64) {
        // The bound of memory and swap must never be below that of memory: first up, then down.
        let _ = self.write(self.files.swap.0, if self.files.swap.1 { 0 } else { bytes });
        self.write(self.files.limit, bytes).expect("a group takes a limit");
        let _ = self.write(self.files.swap.0, if self.files.swap.1 { 0 } else { bytes });
    }

    /// Bounds it at the present use of the members and `more_bytes` more.
    pub fn leave(&self, more_bytes: u64) {
        self.limit(self.usage() + more_bytes);
    }

    /// Bytes that the members hold, files in memory included.
    pub fn usage(&self) -> u64 {
        self.number(self.files.usage, None)
    }

    /// The most bytes that they ever held.
    pub fn peak(&self) -> u64 {
        self.number(self.files.peak, None)
    }

    /// Processes of the group that the kernel killed for want of memory.
    pub fn kills(&self) -> u64 {
        self.number(self.files.kills.0, Some(self.files.kills.1))
    }

    /// Number of times that the limit was reached.
    pub fn hits(&self) -> u64 {
        self.files.hits.iter().map(|&(file, word)| self.number(file, word)).sum()
    }

    fn write(&self, file: &str, number: u64) -> std::io::Result<()> {
        fs::write(self.folder.join(file), number.to_string())
    }

    /// A number that is alone in a file, or follows a word.
    fn number(&self, file: &str, word: Option<&str>) -> u64 {
        let text = fs::read_to_string(self.folder.join(file)).unwrap_or_default();
        let said = word.map_or(Some(text.as_str()), |word| text.lines().find_map(|line| line.strip_prefix(word)));
        said.and_then(|number| number.trim().parse().ok()).unwrap_or(0)
    }

    fn members(&self) -> Vec<Pid> {
        let text = fs::read_to_string(self.folder.join("cgroup.procs")).unwrap_or_default();
        text.lines().filter_map(|line| Pid::from_raw(line.parse().ok()?)).collect()
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // A group can be removed when its last process has been reaped.
        let _ = wait_for(Duration::from_secs(10), || {
            for member in self.members() {
                let _ = kill_process(member, Signal::KILL);
            }
            fs::remove_dir(&self.folder).ok()
        });
    }
}
