//! The forked child as its parent sees it: whether it works, has finished or is gone, its cost, and its end. Touches
//! no other process, and no JVM.

use super::failure::Failure;
use super::recorder::failure;
use super::watchdog::{Fault, Progress, Watchdog};
use crate::os::fork::{EXIT_PANICKED, EXIT_UNSETTLED};
use crate::os::ring::RingCounters;
use crate::room::files::Files;
use rootbound_wire::message::{CaptureFault, ChildReceipt};
use rustix::fd::OwnedFd;
use rustix::process::{Pid, PidfdFlags, Signal, WaitOptions, kill_process, pidfd_open, pidfd_send_signal, waitpid};
use std::fs;
use std::time::{Duration, Instant};

const POLL: Duration = Duration::from_millis(4);
/// A child has finished after this number of checks in a row at which it slept and nothing had moved.
const STILL_LOOKS: u32 = 6;
/// A child that has reported nothing yet may only be slow to begin. After this number of checks it waits for a lock.
const LOOKS_AT_NOTHING: u32 = 40;

/// A running child; ended when dropped.
pub struct Child {
    pid: Pid,
    /// Names this process and no later one of the same number; `None` where the kernel is too old.
    handle: Option<OwnedFd>,
    born: Instant,
    faults_before: Option<u64>,
    is_reaped: bool,
}

/// The fields of `/proc/PID/stat` that are used here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stat {
    state: char,
    minor_faults: u64,
    cpu_ticks: u64,
}

impl Child {
    /// The child with this number, forked at `born`, when the parent had had this number of faults.
    pub fn new(pid: i32, born: Instant, faults_before: Option<u64>) -> Option<Self> {
        let pid = Pid::from_raw(pid)?;
        let handle = pidfd_open(pid, PidfdFlags::empty()).ok();
        Some(Self { pid, handle, born, faults_before, is_reaped: false })
    }

    /// Waits until the child has finished its walk. `why_leave` returns a reason to give it up, if there is one.
    ///
    /// # Errors
    /// The reason why its walk is worth nothing.
    pub fn watch<F: Files>(
        &mut self,
        counters: RingCounters<'_>,
        mut dog: Watchdog<'_, F>,
        mut why_leave: impl FnMut() -> Option<Fault>,
    ) -> Result<(), Fault> {
        let (mut still, mut before) = (0, None);
        let enough = || if counters.references() == 0 { LOOKS_AT_NOTHING } else { STILL_LOOKS };
        while still < enough() {
            std::thread::sleep(POLL);
            let Some(stat) = self.stat().filter(|stat| !matches!(stat.state, 'Z' | 'X')) else {
                return Err(self.gone(counters));
            };
            let now = Some((stat.cpu_ticks, counters.references(), counters.records()));
            let is_waiting = counters.is_waiting();
            let rests = stat.state == 'S' && !is_waiting && !counters.is_behind() && now == before;
            still = if rests { still + 1 } else { 0 };
            before = now;
            if let Some(fault) = why_leave() {
                return Err(fault);
            }
            dog.look(
                Instant::now(),
                self.born.elapsed(),
                Progress { done: counters.records() + counters.copied(), is_waiting },
            )?;
        }
        Ok(())
    }

    /// The address of the lock for which a child waits that has seen no reference; no thread of the child releases it.
    pub fn waits_at(&self) -> Option<u64> {
        waits_at(&fs::read_to_string(format!("/proc/{}/syscall", self.pid)).ok()?)
    }

    /// The reason why the child ended by itself.
    fn gone(&mut self, counters: RingCounters<'_>) -> Fault {
        let status = self.reap();
        if let Some(failure) = failure(counters) {
            return failure.into();
        }
        let signal = status.and_then(rustix::process::WaitStatus::terminating_signal);
        match (signal, status.and_then(rustix::process::WaitStatus::exit_status)) {
            (Some(KILLED), _) => Fault::new(
                CaptureFault::ChildKilled,
                "the forked child was killed, most likely by the kernel because memory ran out",
            ),
            (Some(ALARM), _) => Fault::new(CaptureFault::ChildEnded, "the forked child had had its time"),
            (Some(signal), _) => {
                Fault::new(CaptureFault::ChildDied, format!("the forked child was ended by signal {signal}"))
            }
            (_, Some(EXIT_PANICKED)) => Fault::new(CaptureFault::ChildDied, "the agent panicked in the forked child"),
            (_, Some(EXIT_UNSETTLED)) => {
                Fault::new(CaptureFault::Other, "the forked child could not leave the program's memory alone")
            }
            _ => Fault::new(CaptureFault::ChildDied, "the forked child ended before it had finished"),
        }
    }

    /// Ends the child and reports its cost.
    pub fn end(mut self) -> ChildReceipt {
        const MS_A_TICK: u64 = 10; // USER_HZ is 100 on every Linux that runs a JVM
        let private_bytes = fs::read_to_string(format!("/proc/{}/smaps_rollup", self.pid)).ok();
        let cpu_ticks = self.stat().map_or(0, |stat| stat.cpu_ticks);
        self.kill();
        let parent_faults = minor_faults().zip(self.faults_before).map(|(now, then)| now.saturating_sub(then));
        ChildReceipt {
            lifetime_ms: self.born.elapsed().as_secs_f64() * 1e3,
            cpu_ms: (cpu_ticks * MS_A_TICK) as f64,
            private_bytes: private_bytes.and_then(|text| private(&text)),
            parent_faults,
            ..ChildReceipt::default()
        }
    }

    fn stat(&self) -> Option<Stat> {
        stat(&fs::read_to_string(format!("/proc/{}/stat", self.pid)).ok()?)
    }

    fn kill(&mut self) {
        if self.is_reaped {
            return;
        }
        // It may have ended by itself.
        let _gone_at_worst = match &self.handle {
            Some(handle) => pidfd_send_signal(handle, Signal::KILL),
            None => kill_process(self.pid, Signal::KILL),
        };
        self.reap();
    }

    /// Waits for this child and no other. `None` when another part of the program waits for every child, and was
    /// first.
    fn reap(&mut self) -> Option<rustix::process::WaitStatus> {
        self.is_reaped = true;
        loop {
            match waitpid(Some(self.pid), WaitOptions::empty()) {
                Ok(found) => return found.map(|(_, status)| status),
                Err(rustix::io::Errno::INTR) => {}
                Err(_) => return None,
            }
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.kill();
    }
}

const KILLED: i32 = libc::SIGKILL;
const ALARM: i32 = libc::SIGALRM;

impl From<Failure> for Fault {
    fn from(failure: Failure) -> Self {
        let kind = match failure {
            Failure::TooLong => CaptureFault::TooLong,
            Failure::Overflow => CaptureFault::NoReader,
            Failure::Layout | Failure::Handles => CaptureFault::Other,
        };
        Self::new(kind, failure.text())
    }
}

/// The word that a thread waits for, from `/proc/PID/syscall`: number, arguments; `None` when it waits for no lock.
fn waits_at(text: &str) -> Option<u64> {
    let mut words = text.split_whitespace();
    let number: libc::c_long = words.next()?.parse().ok()?;
    let address = u64::from_str_radix(words.next()?.strip_prefix("0x")?, 16).ok()?;
    (number == libc::SYS_futex).then_some(address)
}

/// Minor faults of this process so far.
pub fn minor_faults() -> Option<u64> {
    Some(stat(&fs::read_to_string("/proc/self/stat").ok()?)?.minor_faults)
}

fn stat(text: &str) -> Option<Stat> {
    // The name in parentheses may hold anything.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let number = |at: usize| fields.get(at)?.parse::<u64>().ok();
    let state = fields.first()?.chars().next()?;
    Some(Stat { state, minor_faults: number(7)?, cpu_ticks: number(11)? + number(12)? })
}

/// Bytes that no other process maps, from `smaps_rollup`.
fn private(rollup: &str) -> Option<u64> {
    let kilobytes = |key: &str| {
        let line = rollup.lines().find_map(|line| line.strip_prefix(key))?;
        line.trim().strip_suffix(" kB")?.parse::<u64>().ok()
    };
    Some((kilobytes("Private_Clean:")? + kilobytes("Private_Dirty:")?) << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stat_line_is_read_behind_any_name() {
        let line = "77 (a) b (c) S 1 77 77 0 -1 4194304 500 0 3 0 12 30 0 0 20 0 1 0 99";
        assert_eq!(stat(line), Some(Stat { state: 'S', minor_faults: 500, cpu_ticks: 42 }));
        assert_eq!(stat("77 (cut"), None);
        assert_eq!(stat("77 (cut) S 1"), None);
    }

    #[test]
    fn the_lock_that_a_child_waits_for_is_an_argument_of_its_call() {
        let line = format!("{} 0x7f0012345678 0x80 0x2 0x0 0x0 0x0 0x7ffd 0x7f00", libc::SYS_futex);
        assert_eq!(waits_at(&line), Some(0x7f00_1234_5678));
        assert_eq!(waits_at("running"), None);
        assert_eq!(waits_at("230 0x0 0x0"), None, "it sleeps");
    }

    #[test]
    fn private_memory_is_the_sum_of_clean_and_dirty() {
        let rollup = "Rss:    900 kB\nPrivate_Clean:         8 kB\nPrivate_Dirty:       100 kB\nSwap: 0 kB\n";
        assert_eq!(private(rollup), Some(108 << 10));
        assert_eq!(private("Rss: 1 kB\n"), None);
    }

    #[test]
    fn a_child_of_this_process_is_seen_to_end() {
        // `end` waits for it.
        #[allow(clippy::zombie_processes)]
        let program = std::process::Command::new("sleep").arg("60").spawn().expect("starts");
        let child = Child::new(program.id() as i32, Instant::now(), minor_faults()).expect("a process");
        assert!(child.stat().is_some());
        let path = format!("/proc/{}", program.id());
        let receipt = child.end();
        assert!(receipt.lifetime_ms > 0.0 && receipt.parent_faults.is_some());
        assert!(!std::path::Path::new(&path).exists(), "ended and reaped");
    }
}
