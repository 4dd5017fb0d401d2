//! Facts from `/proc` on the machine and on one process. Changes nothing.

use std::fs;

/// Cores and memory in one line, for the text below a table.
pub fn facts() -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let memory = kilobytes("/proc/meminfo", "MemTotal:").unwrap_or(0) as f64 / 1e6;
    let free = available_bytes() as f64 / 1e9;
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or("?").to_owned();
    format!("{cores} cores, {memory:.0} GB of memory ({free:.0} GB free), load {load}")
}

/// Bytes of memory that programs may still take.
pub fn available_bytes() -> u64 {
    kilobytes("/proc/meminfo", "MemAvailable:").unwrap_or(0) * 1000
}

/// Most bytes that the process ever held at one time.
pub fn peak_bytes(pid: u32) -> Option<u64> {
    kilobytes(&format!("/proc/{pid}/status"), "VmHWM:").map(|kilobytes| kilobytes * 1024)
}

/// Bytes of the process without a file behind them: heaps, stacks, allocations.
pub fn anonymous_bytes(pid: u32) -> Option<u64> {
    kilobytes(&format!("/proc/{pid}/status"), "RssAnon:").map(|kilobytes| kilobytes * 1024)
}

/// Resident bytes of the mappings of a file whose path has this end.
pub fn mapped_bytes(pid: u32, file: &str) -> u64 {
    let text = fs::read_to_string(format!("/proc/{pid}/smaps")).unwrap_or_default();
    let mut ours = false;
    let mut sum = 0;
    for line in text.lines() {
        match line.strip_prefix("Rss:") {
            Some(kilobytes) if ours => {
                sum += kilobytes.split_whitespace().next().and_then(|number| number.parse::<u64>().ok()).unwrap_or(0);
            }
            Some(_) => {}
            // Lines of mappings begin with addresses, lines of figures with a word and a colon.
            None if line.split(' ').next().is_some_and(|word| word.contains('-')) => ours = line.ends_with(file),
            None => {}
        }
    }
    sum * 1024
}

/// Processor time of the process's threads whose names have this beginning, in clock ticks of 10 ms, and the number of
/// such threads.
pub fn threads_called(pid: u32, beginning: &str) -> (u64, usize) {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let stats = tasks.filter_map(|task| fs::read_to_string(task.path().join("stat")).ok());
    let ticks = stats.filter_map(|stat| {
        let (name, rest) = stat.split_once('(')?.1.rsplit_once(") ")?;
        let mut figures = rest.split(' ').skip(11).map(|figure| figure.parse::<u64>().unwrap_or(0));
        name.starts_with(beginning).then(|| figures.next().unwrap_or(0) + figures.next().unwrap_or(0))
    });
    ticks.fold((0, 0), |(sum, count), ticks| (sum + ticks, count + 1))
}

/// Processor time, user and system together, of this process's children that have ended and were waited for. The kernel
/// counts in ticks of 10 ms.
pub fn ended_children_ms() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let figures = stat.rsplit(") ").next().unwrap_or_default();
    let ticks = figures.split(' ').skip(13).take(2).filter_map(|figure| figure.parse::<u64>().ok());
    10.0 * ticks.sum::<u64>() as f64
}

/// Page faults of the process so far that read nothing from a disk.
pub fn minor_faults(pid: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.split(' ').nth(7)?.parse().ok()
}

/// Resident bytes of the process.
pub fn resident_bytes(pid: u32) -> Option<u64> {
    kilobytes(&format!("/proc/{pid}/status"), "VmRSS:").map(|kilobytes| kilobytes * 1024)
}

fn kilobytes(file: &str, key: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(key))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// Kernel resources of a process that must be released.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Holdings {
    /// Child processes that it has not reaped.
    pub children: usize,
    /// Mappings of memory.
    pub mappings: usize,
    /// Open descriptors.
    pub descriptors: usize,
    /// Threads.
    pub threads: usize,
}

impl Holdings {
    /// Resources that a process holds now.
    pub fn of(pid: u32) -> Self {
        let entries = |folder: &str| fs::read_dir(format!("/proc/{pid}/{folder}")).map_or(0, Iterator::count);
        Self {
            children: children_of(pid),
            mappings: fs::read_to_string(format!("/proc/{pid}/maps")).map_or(0, |maps| maps.lines().count()),
            descriptors: entries("fd"),
            threads: entries("task"),
        }
    }
}

/// Number of processes whose parent is `pid`, those included that have ended and are not reaped yet.
fn children_of(pid: u32) -> usize {
    let is_child = |stat: String| {
        let after_name = stat.rsplit(") ").next().unwrap_or_default().to_owned();
        after_name.split(' ').nth(1) == Some(&pid.to_string())
    };
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok())
        .filter(|stat| is_child(stat.clone()))
        .count()
}
