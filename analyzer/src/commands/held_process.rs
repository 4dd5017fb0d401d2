//! A process that may be signalled later. Its number may have been reused by then: the signal goes to this process or
//! to none.

use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open, pidfd_send_signal};
use std::fs;
use std::os::fd::OwnedFd;

/// A process as it was met.
#[derive(Debug)]
pub(crate) struct HeldProcess {
    pid: Pid,
    identity: Identity,
}

#[derive(Debug)]
enum Identity {
    /// The kernel's own handle, since Linux 5.3.
    Descriptor(OwnedFd),
    /// Its start time, in the kernel's ticks: no two processes of one number have the same.
    Started(u64),
}

impl HeldProcess {
    /// The process that has this number now; `None` when there is none.
    pub(crate) fn of(pid: Pid) -> Option<Self> {
        let identity = match pidfd_open(pid, PidfdFlags::empty()) {
            Ok(descriptor) => Identity::Descriptor(descriptor),
            Err(Errno::SRCH) => return None,
            Err(_) => Identity::Started(started(pid)?),
        };
        Some(Self { pid, identity })
    }

    /// Sends it a signal.
    ///
    /// # Errors
    /// When it has ended, or the system does not allow it.
    pub(crate) fn signal(&self, signal: Signal) -> rustix::io::Result<()> {
        match &self.identity {
            Identity::Descriptor(descriptor) => pidfd_send_signal(descriptor, signal),
            Identity::Started(then) if started(self.pid) == Some(*then) => kill_process(self.pid, signal),
            Identity::Started(_) => Err(Errno::SRCH),
        }
    }
}

/// Start time of a process: the 22nd field of its `stat`, counted behind its name, which may contain any characters.
fn started(pid: Pid) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
    stat.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Child, Command};

    fn sleeper() -> (Child, Pid) {
        let child = Command::new("sleep").arg("60").spawn().unwrap();
        let pid = Pid::from_child(&child);
        (child, pid)
    }

    #[test]
    fn a_process_is_signalled_by_either_identity() {
        for by_descriptor in [true, false] {
            let (mut child, pid) = sleeper();
            let held = if by_descriptor {
                HeldProcess::of(pid).unwrap()
            } else {
                HeldProcess { pid, identity: Identity::Started(started(pid).unwrap()) }
            };
            held.signal(Signal::KILL).unwrap();
            child.wait().unwrap();
            assert_eq!(held.signal(Signal::KILL), Err(Errno::SRCH));
        }
    }

    #[test]
    fn another_process_with_the_number_is_left_alone() {
        let (mut child, pid) = sleeper();
        let held = HeldProcess { pid, identity: Identity::Started(started(pid).unwrap() - 1) };
        assert_eq!(held.signal(Signal::KILL), Err(Errno::SRCH));
        assert!(child.try_wait().unwrap().is_none(), "it lives");
        child.kill().unwrap();
        child.wait().unwrap();
    }

    #[test]
    fn a_process_that_has_gone_is_not_held() {
        let (mut child, pid) = sleeper();
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(HeldProcess::of(pid).is_none());
    }
}
