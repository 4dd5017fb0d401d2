//! Limits of the system on one living process. They are laid on when the program is ready, measured from what it holds
//! then, so that they mean the same on every release of Java.

use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};
use std::fs;

/// Bounds the address space of the process at what it has now and so many bytes more (`ulimit -v`). May be called again
/// with more or less. `false` when the process is gone.
pub fn leave_address_space(pid: Pid, more_bytes: u64) -> bool {
    let Some(now) = address_space(pid) else { return false };
    let bounds = Rlimit { current: Some(now + more_bytes), maximum: getrlimit(Resource::As).maximum };
    prlimit(Some(pid), Resource::As, bounds).is_ok()
}

/// Bytes of address space that the process has.
fn address_space(pid: Pid) -> Option<u64> {
    let pages = fs::read_to_string(format!("/proc/{}/statm", pid.as_raw_nonzero())).ok()?;
    let pages: u64 = pages.split(' ').next()?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}
