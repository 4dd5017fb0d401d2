//! Limits of the system on one running process. They are set when the program is ready, relative to its use at that
//! time, so that they mean the same on every release of Java.

use rustix::process::{Pid, Resource, Rlimit, prlimit};
use std::fs;

/// Bounds the address space of the process at its present size and `more_bytes` more (`ulimit -v`). May be called again
/// with more or less. `false` when the process is gone.
pub fn leave_address_space(pid: Pid, more_bytes: u64) -> bool {
    let Some(now) = address_space(pid) else { return false };
    let maximum = highest(pid);
    let current = maximum.map_or(now + more_bytes, |maximum| maximum.min(now + more_bytes));
    prlimit(Some(pid), Resource::As, Rlimit { current: Some(current), maximum }).is_ok()
}

/// The limit that the process can never raise; `None`: there is none.
fn highest(pid: Pid) -> Option<u64> {
    let limits = fs::read_to_string(format!("/proc/{}/limits", pid.as_raw_nonzero())).ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// Bytes of address space that the process has.
fn address_space(pid: Pid) -> Option<u64> {
    let pages = fs::read_to_string(format!("/proc/{}/statm", pid.as_raw_nonzero())).ok()?;
    let pages: u64 = pages.split(' ').next()?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}
