//! What `/proc` tells of the machine and of one process. Changes nothing.

use std::fs;

/// Cores and memory in one line, for below a table.
pub fn facts() -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let memory = kilobytes("/proc/meminfo", "MemTotal:").unwrap_or(0) as f64 / 1e6;
    let free = available_bytes() as f64 / 1e9;
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or("?").to_owned();
    format!("{cores} cores, {memory:.0} GB of memory ({free:.0} GB free), load {load}")
}

/// Memory that programs may still take.
pub fn available_bytes() -> u64 {
    kilobytes("/proc/meminfo", "MemAvailable:").unwrap_or(0) * 1000
}

/// Most memory that the process ever held at once.
pub fn peak_bytes(pid: u32) -> Option<u64> {
    kilobytes(&format!("/proc/{pid}/status"), "VmHWM:").map(|kilobytes| kilobytes * 1024)
}

/// Memory that the process holds.
pub fn resident_bytes(pid: u32) -> Option<u64> {
    kilobytes(&format!("/proc/{pid}/status"), "VmRSS:").map(|kilobytes| kilobytes * 1024)
}

fn kilobytes(file: &str, key: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(key))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// What a process has taken from the kernel and must give back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Holdings {
    pub children: usize,
    pub mappings: usize,
    pub descriptors: usize,
    pub threads: usize,
}

impl Holdings {
    /// Those of a process now.
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

/// Processes whose parent is `pid`, those included that have ended and are not buried yet.
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
