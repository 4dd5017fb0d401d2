//! Copies that a child makes ahead, as its parent asks (see `capture/ahead.rs`). Inside heap callbacks and in a forked
//! child: no allocation, no lock, no call to the JVM.

use super::ring::RingWriter;
use super::{fork, pages};

/// Between two slices the parent reads the progress.
const SLICE_BYTES: u64 = 1 << 20;
/// When all copies are made, the program no longer pays for the child's running time; so the child takes less.
const NICE_AFTERWARDS: libc::c_int = 5;

/// Copies once, when it is asked.
#[derive(Default)]
pub struct Copier {
    is_done: bool,
}

impl Copier {
    /// Checks whether copies are asked for.
    #[inline]
    pub fn look(&mut self, writer: &RingWriter<'_>) {
        if !self.is_done && writer.is_asked() && fork::is_child() {
            self.is_done = true;
            copy(writer);
        }
    }
}

#[cold]
fn copy(writer: &RingWriter<'_>) {
    for range in writer.asked() {
        let mut start = range.start;
        while start < range.end {
            let length = SLICE_BYTES.min(range.end - start);
            // SAFETY: only a child is asked, for parts of the heap that hold objects; it has one thread.
            if unsafe { pages::unshare(start, length) } {
                writer.count_copied(length);
            }
            start += length;
        }
    }
    // SAFETY: the child's own rank.
    unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, NICE_AFTERWARDS) };
}
