//! The forked children of a JVM, as `/proc` shows them.

use crate::process::wait_for;
use rustix::process::{Pid, Signal, kill_process};
use std::fs::{self, File};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::time::{Duration, Instant};

/// Their name.
const NAME: &str = "(rootbound-child)";
/// A child may exist for some milliseconds only.
const LOOK_AGAIN: Duration = Duration::from_millis(1);

/// Running children of that JVM.
pub fn of(jvm: Pid) -> Vec<Pid> {
    let parent = jvm.as_raw_nonzero().to_string();
    all().filter(|(_, stat)| fields(stat).nth(1) == Some(&parent)).map(|(pid, _)| pid).collect()
}

/// Waits for a child of that JVM that is none of `known`.
pub fn next_of(jvm: Pid, known: &[Pid], limit: Duration) -> Option<Pid> {
    let end = Instant::now() + limit;
    while Instant::now() < end {
        if let Some(child) = of(jvm).into_iter().find(|child| !known.contains(child)) {
            return Some(child);
        }
        std::thread::sleep(LOOK_AGAIN);
    }
    None
}

/// Whether this child ends within that time.
pub fn ends(child: Pid, limit: Duration) -> bool {
    wait_for(limit, || (!all().any(|(pid, _)| pid == child)).then_some(())).is_some()
}

/// Sends a signal, if it still exists.
pub fn signal(child: Pid, signal: Signal) {
    let _ = kill_process(child, signal);
}

/// Lets a child crash: its code of the JVM becomes instructions that do not exist. `false` where we lack the
/// permission.
pub fn crash(child: Pid) -> bool {
    const NO_INSTRUCTION: [u8; 2] = [0x0f, 0x0b];
    let process = format!("/proc/{}", child.as_raw_nonzero());
    let maps = fs::read_to_string(format!("{process}/maps")).unwrap_or_default();
    let code = maps.lines().filter(|line| line.contains(" r-xp ") && line.ends_with("libjvm.so")).filter_map(range_of);
    let Ok(memory) = File::options().write(true).open(format!("{process}/mem")) else { return false };
    let mut written = false;
    for range in code {
        let length = usize::try_from(range.end - range.start).unwrap_or(0);
        // The pages are the child's own from here on: no other process's code changes.
        written |= memory.write_all_at(&NO_INSTRUCTION.repeat(length / 2), range.start).is_ok();
    }
    written
}

/// `7f00-7f10 r-xp …`.
fn range_of(line: &str) -> Option<Range<u64>> {
    let (start, end) = line.split(' ').next()?.split_once('-')?;
    Some(u64::from_str_radix(start, 16).ok()?..u64::from_str_radix(end, 16).ok()?)
}

/// Children whose JVM worked in that folder, whether the JVM still runs or not.
pub fn working_in(folder: &std::path::Path) -> Vec<Pid> {
    let works = |pid: &Pid| {
        let place = fs::read_link(format!("/proc/{}/cwd", pid.as_raw_nonzero()));
        place.is_ok_and(|place| place.starts_with(folder))
    };
    all().map(|(pid, _)| pid).filter(works).collect()
}

/// All children of all JVMs with their `stat` lines; those that ended and wait to be reaped are left out.
fn all() -> impl Iterator<Item = (Pid, String)> {
    fs::read_dir("/proc").into_iter().flatten().flatten().filter_map(|entry| {
        let pid = Pid::from_raw(entry.file_name().to_str()?.parse().ok()?)?;
        let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
        let lives = stat.contains(NAME) && !matches!(fields(&stat).next(), Some("Z" | "X"));
        lives.then_some((pid, stat))
    })
}

/// Fields after the name: state, parent, …
fn fields(stat: &str) -> impl Iterator<Item = &str> {
    stat.rsplit(") ").next().unwrap_or_default().split(' ')
}
