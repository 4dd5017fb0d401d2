//! The kernel's texts about the process: `/proc/self/status` and `/proc/self/maps`. Texts in, numbers out.

use crate::os::maps;
use std::ops::Range;

/// A figure of `status` that is given in kB, in bytes.
pub fn bytes(status: &str, key: &str) -> Option<u64> {
    let figure = status.lines().find_map(|line| line.strip_prefix(key))?;
    Some(figure.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}

/// A figure of `status` that is a number of things.
pub fn count(status: &str, key: &str) -> Option<u64> {
    status.lines().find_map(|line| line.strip_prefix(key))?.trim().parse().ok()
}

/// Sums over the mappings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mapped {
    /// Private memory without a file that may be written and executed: compiled code.
    pub code_bytes: u64,
    /// Files that are mapped to be shared.
    pub file_bytes: u64,
    /// The writable private mappings within the stretch that was asked for.
    pub within: Vec<Range<u64>>,
    /// Whether shared memory lies in that stretch, or is named as a heap.
    pub is_heap_shared: bool,
}

/// Kernel names of memory files: they are no files of a disk, and a collector may keep its heap in one.
const MEMORY_FILES: [&str; 4] = ["/memfd:", "/dev/shm/", "/dev/zero", "/SYSV"];
const HEAP_FILE: &str = "java_heap";

/// Sums `maps` up; `heap` is where the Java heap may lie.
pub fn mapped(maps: &str, heap: &Range<u64>) -> Mapped {
    let mut all = Mapped::default();
    for line in maps.lines() {
        let Some(mapping) = maps::mapping(line.as_bytes()) else { continue };
        let (range, name) = (mapping.start as u64..mapping.end as u64, name(line));
        let length = range.end - range.start;
        let part = range.start.max(heap.start)..range.end.min(heap.end);
        if part.start < part.end && mapping.is_writable {
            all.is_heap_shared |= mapping.is_shared;
            all.within.push(part);
        } else if mapping.is_shared && name.contains(HEAP_FILE) {
            all.is_heap_shared = true;
        } else if mapping.is_shared && name.starts_with('/') && !MEMORY_FILES.iter().any(|file| name.starts_with(file))
        {
            all.file_bytes += length;
        } else if is_code(line) && name.is_empty() {
            all.code_bytes += length;
        }
    }
    all
}

/// The file behind a mapping; empty when there is none.
fn name(line: &str) -> &str {
    const FIELDS_BEFORE: usize = 5;
    line.splitn(FIELDS_BEFORE + 1, ' ').nth(FIELDS_BEFORE).unwrap_or_default().trim()
}

fn is_code(line: &str) -> bool {
    line.split(' ').nth(1) == Some("rwxp")
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAPS: &str = "\
705400000-707400000 rw-p 00000000 00:00 0 
707400000-7ffe00000 ---p 00000000 00:00 0 
7f1bd4000000-7f1bd4270000 rwxp 00000000 00:00 0 
7f1c00000000-7f1c00008000 rw-s 00000000 fe:01 77                         /tmp/hsperfdata_shop/1
7f1c00100000-7f1c00200000 r--s 00000000 fe:01 78                         /srv/shop data/index
7f1c00300000-7f1c00400000 rw-s 00000000 00:05 79                         /dev/zero (deleted)
7f1c00500000-7f1c00600000 r-xp 00000000 fe:01 80                         /usr/lib/libc.so.6
7ffd1a000000-7ffd1a002000 rw-p 00000000 00:00 0                          [stack]
";
    const HEAP: Range<u64> = 0x7_0540_0000..0x8_0000_0000;

    #[test]
    fn code_files_and_the_touchable_heap_are_distinguished() {
        let all = mapped(MAPS, &HEAP);
        assert_eq!((all.code_bytes, all.file_bytes), (0x27_0000, 0x10_8000));
        assert_eq!(all.within, vec![Range { start: 0x7_0540_0000, end: 0x7_0740_0000 }]);
        assert!(!all.is_heap_shared);
    }

    #[test]
    fn a_heap_in_shared_memory_is_known_by_its_place_or_its_name() {
        let shared = "705400000-707400000 rw-s 00000000 00:01 5   /mnt/huge (deleted)\n";
        assert!(mapped(shared, &HEAP).is_heap_shared);
        let named = "4000000000-4001000000 rw-s 00000000 00:01 5   /memfd:java_heap (deleted)\n";
        let all = mapped(named, &(0..0));
        assert!(all.is_heap_shared && all.file_bytes == 0);
    }

    #[test]
    fn figures_of_the_status_are_bytes_and_counts() {
        let status = "VmRSS:\t  1744 kB\nRssAnon:\t     108 kB\nThreads:\t17\n";
        assert_eq!(bytes(status, "VmRSS:"), Some(1744 << 10));
        assert_eq!(count(status, "Threads:"), Some(17));
        assert_eq!(bytes(status, "VmSwap:"), None);
    }
}
