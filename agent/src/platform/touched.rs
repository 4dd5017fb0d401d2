//! The amount of the heap that the program has touched. Committed pages cost nothing until they are written to, so
//! resident memory grows while a young heap is used for the first time, and that is no leak. The kernel reports it
//! page by page; a large heap is read in parts, a bounded number of pages each time.

use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt;

/// The unit of reading.
const SEGMENT_BYTES: u64 = 2 << 20;
/// Most segments in one reading: 2 GB of heap. Measured at 1 to 2 ms where all of them are touched.
const SEGMENTS_A_LOOK: usize = 1024;
/// A segment that was wholly touched stays so, unless the collector returns memory: it is read again once in this
/// number of readings.
const FULL_EVERY: usize = 16;

/// Pages by address.
pub trait Pages {
    /// Bytes of the pages in memory, or swapped out, of those that begin at `start`.
    fn touched_bytes(&self, start: u64, bytes: u64) -> Option<u64>;
}

/// `/proc/self/pagemap`: a word a page.
pub struct PageMap {
    file: File,
    page_bytes: u64,
}

impl PageMap {
    /// `None` where the kernel does not report it.
    pub fn open() -> Option<Self> {
        Some(Self { file: File::open("/proc/self/pagemap").ok()?, page_bytes: rustix::param::page_size() as u64 })
    }
}

impl Pages for PageMap {
    fn touched_bytes(&self, start: u64, bytes: u64) -> Option<u64> {
        const ENTRY_BYTES: u64 = 8;
        /// Present, swapped out.
        const EITHER: u64 = 1 << 63 | 1 << 62;
        let mut entries = vec![0; (bytes / self.page_bytes * ENTRY_BYTES) as usize];
        self.file.read_exact_at(&mut entries, start / self.page_bytes * ENTRY_BYTES).ok()?;
        let (entries, _) = entries.as_chunks::<{ ENTRY_BYTES as usize }>();
        let touched = entries.iter().filter(|entry| u64::from_ne_bytes(**entry) & EITHER != 0).count();
        Some(touched as u64 * self.page_bytes)
    }
}

/// The state of the heap, segment by segment.
#[derive(Debug, Default)]
pub struct Touched {
    segments: Vec<u32>,
    next: usize,
    looks: usize,
}

impl Touched {
    /// Reads a part of the heap and returns the touched bytes of all. `committed` are the parts that may be touched.
    /// `None` where the kernel does not report it, and before the whole heap was read once.
    pub fn look(&mut self, heap: &Range<u64>, committed: &[Range<u64>], pages: &impl Pages) -> Option<u64> {
        let count = ((heap.end - heap.start).div_ceil(SEGMENT_BYTES)) as usize;
        let is_first = self.segments.len() != count;
        if is_first {
            *self = Self { segments: vec![0; count], next: 0, looks: 0 };
        }
        self.looks += 1;
        let open = open_segments(heap, committed, count);
        let mut left = SEGMENTS_A_LOOK;
        for at in (self.next..count).chain(0..self.next) {
            if !open[at] {
                self.segments[at] = 0;
                continue;
            }
            let is_full = u64::from(self.segments[at]) == SEGMENT_BYTES;
            if is_full && at % FULL_EVERY != self.looks % FULL_EVERY {
                continue;
            }
            if left == 0 {
                self.next = at;
                break;
            }
            left -= 1;
            let start = heap.start + at as u64 * SEGMENT_BYTES;
            self.segments[at] = pages.touched_bytes(start, SEGMENT_BYTES.min(heap.end - start))? as u32;
        }
        let seen_once = self.looks * SEGMENTS_A_LOOK >= count;
        seen_once.then(|| self.segments.iter().map(|&bytes| u64::from(bytes)).sum())
    }
}

/// Which segments hold anything that may be touched.
fn open_segments(heap: &Range<u64>, committed: &[Range<u64>], count: usize) -> Vec<bool> {
    let mut open = vec![false; count];
    for range in committed {
        let segment = |address: u64| ((address.saturating_sub(heap.start)) / SEGMENT_BYTES) as usize;
        let last = segment(range.end.saturating_sub(1)).min(count.saturating_sub(1));
        open[segment(range.start).min(last)..=last].fill(true);
    }
    open
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// Pages that are touched up to an address, and a count of the readings of them.
    struct UpTo {
        address: u64,
        asked: Cell<usize>,
    }

    impl Pages for UpTo {
        fn touched_bytes(&self, start: u64, bytes: u64) -> Option<u64> {
            self.asked.set(self.asked.get() + 1);
            Some(self.address.saturating_sub(start).min(bytes))
        }
    }

    const START: u64 = 0x7_0540_0000;

    fn heap(segments: u64) -> Range<u64> {
        START..START + segments * SEGMENT_BYTES
    }

    fn up_to(bytes: u64) -> UpTo {
        UpTo { address: START + bytes, asked: Cell::new(0) }
    }

    #[test]
    fn the_touched_part_of_the_committed_is_reported() {
        let mut touched = Touched::default();
        let committed = [Range { start: START, end: START + 5 * SEGMENT_BYTES }];
        assert_eq!(touched.look(&heap(8), &committed, &up_to(5_000_000)), Some(5_000_000));
        assert_eq!(touched.look(&heap(8), &committed, &up_to(9_000_000)), Some(9_000_000));
        assert_eq!(touched.look(&heap(8), &[], &up_to(9_000_000)), Some(0), "all was given back");
    }

    #[test]
    fn a_wholly_touched_segment_is_seldom_read_but_its_end_is_noticed() {
        let mut touched = Touched::default();
        let all = [heap(64)];
        touched.look(&heap(64), &all, &up_to(64 * SEGMENT_BYTES));
        let pages = up_to(0);
        touched.look(&heap(64), &all, &pages);
        assert_eq!(pages.asked.get(), 64 / FULL_EVERY);
        for _ in 0..FULL_EVERY {
            touched.look(&heap(64), &all, &pages);
        }
        assert_eq!(touched.look(&heap(64), &all, &pages), Some(0));
    }

    #[test]
    fn a_large_heap_is_read_in_parts_and_reported_when_all_are_read() {
        let segments = 2 * SEGMENTS_A_LOOK as u64;
        let (mut touched, pages) = (Touched::default(), up_to(segments * SEGMENT_BYTES));
        assert_eq!(touched.look(&heap(segments), &[heap(segments)], &pages), None);
        assert_eq!(pages.asked.get(), SEGMENTS_A_LOOK);
        let found = touched.look(&heap(segments), &[heap(segments)], &pages);
        assert_eq!((found, pages.asked.get()), (Some(segments * SEGMENT_BYTES), 2 * SEGMENTS_A_LOOK));
    }
}
