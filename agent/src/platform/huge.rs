//! Huge pages of the heap: a page of a fork that is written while the child runs is split into small ones, and stays
//! so for minutes. Reports their number, and puts split ones together again where every part of them is in memory.

use super::touched::{PageMap, Pages};
use crate::os::pages::collapse;
use std::fs;
use std::ops::Range;
use std::time::{Duration, Instant};

const HUGE_BYTES: u64 = 2 << 20;
/// Putting one together copies two megabytes under a lock of the kernel's: after each the program has three times as
/// long to itself.
const REST: u32 = 3;
/// Longest time in all; khugepaged does the rest over time.
const LONGEST: Duration = Duration::from_secs(5);

/// Whether the kernel provides huge pages to programs at all.
pub fn are_possible() -> bool {
    let enabled = fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled").unwrap_or_default();
    enabled.contains("[always]") || enabled.contains("[madvise]")
}

/// Bytes of huge pages that this process has; `None` where none are provided. A reading walks all page tables.
pub fn present() -> Option<u64> {
    let rollup = if are_possible() { fs::read_to_string("/proc/self/smaps_rollup").ok()? } else { return None };
    let line = rollup.lines().find_map(|line| line.strip_prefix("AnonHugePages:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? << 10)
}

/// Puts huge pages of `ranges` together until `bytes` are restored, the time is over, or `is_leaving`. Returns the
/// bytes restored. A stretch of which a part is not in memory is left alone: it would take memory anew.
pub fn restore(ranges: &[Range<u64>], wanted: u64, is_leaving: impl Fn() -> bool) -> u64 {
    let Some(pages) = PageMap::open() else { return 0 };
    let (begun, mut restored) = (Instant::now(), 0);
    let starts = ranges.iter().flat_map(|range| {
        let first = range.start.next_multiple_of(HUGE_BYTES);
        (first..range.end.saturating_sub(HUGE_BYTES - 1)).step_by(HUGE_BYTES as usize)
    });
    for start in starts {
        if restored >= wanted || begun.elapsed() >= LONGEST || is_leaving() {
            break;
        }
        if pages.touched_bytes(start, HUGE_BYTES) == Some(HUGE_BYTES) {
            let begun = Instant::now();
            if !collapse(start, HUGE_BYTES) {
                continue;
            }
            // A page that was huge already takes no time and does not count.
            let took = begun.elapsed();
            restored += if took > Duration::from_micros(20) { HUGE_BYTES } else { 0 };
            std::thread::sleep(took * REST);
        }
    }
    restored
}
