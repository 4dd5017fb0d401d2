//! Copies that a child makes ahead, as its parent asks (see `capture/ahead.rs`). Inside heap callbacks and in a forked
//! child: no allocation, no lock, no call to the JVM.
//!
//! The copies rest while the program collects: its collector needs the processors, and the pages that it writes first
//! have been copied.

use super::ring::RingWriter;
use super::{fork, pages};
use std::thread;
use std::time::Duration;

/// Between two slices the parent reads the progress.
const SLICE_BYTES: u64 = 1 << 20;
/// When all copies are made, the program no longer pays for the child's running time; so the child takes less.
const NICE_AFTERWARDS: libc::c_int = 5;
/// Rests of one child, all together; its parent may be stopped, or collect for long.
const LONGEST_REST: Duration = Duration::from_secs(2);
const REST_STEP: Duration = Duration::from_millis(1);

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
    let mut rest_left = LONGEST_REST;
    for range in writer.asked() {
        // The program's next collection writes what it allocated last, which lies at the end.
        let mut end = range.end;
        while end > range.start {
            rest(writer, &mut rest_left);
            let start = end.saturating_sub(SLICE_BYTES).max(range.start);
            // SAFETY: only a child is asked, for parts of the heap that hold objects; it has one thread.
            if unsafe { pages::unshare(start, end - start) } {
                writer.count_copied(end - start);
            }
            end = start;
        }
    }
    // SAFETY: the child's own rank.
    unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, NICE_AFTERWARDS) };
}

/// Sleeps while it shall, and as long as there is time `left`. A child that sleeps and does not say that it waits looks
/// like one that has finished.
fn rest(writer: &RingWriter<'_>, left: &mut Duration) {
    while !left.is_zero() && writer.shall_rest() {
        writer.set_waiting(true);
        thread::sleep(REST_STEP);
        *left = left.saturating_sub(REST_STEP);
    }
    writer.set_waiting(false);
}

#[cfg(test)]
mod tests {
    use super::super::ring::Ring;
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn a_rest_ends_when_no_time_is_left() {
        let mut ring = Ring::new(1).expect("memory");
        let (writer, _, counters) = ring.split();
        let mut left = 3 * REST_STEP;
        rest(&writer, &mut left);
        assert_eq!(left, 3 * REST_STEP, "it was not asked to");
        counters.let_copies_rest(true);
        rest(&writer, &mut left);
        assert_eq!(left, Duration::ZERO);
        assert!(!counters.is_waiting());
    }

    #[test]
    fn the_reader_sees_a_rest_and_ends_it() {
        let mut ring = Ring::new(1).expect("memory");
        let (writer, _, counters) = ring.split();
        let (is_over, mut left) = (AtomicBool::new(false), Duration::from_secs(20));
        counters.let_copies_rest(true);
        let is_seen = thread::scope(|scope| {
            let reader = scope.spawn(|| {
                while !counters.is_waiting() && !is_over.load(Ordering::Relaxed) {
                    thread::yield_now();
                }
                counters.let_copies_rest(false);
                !is_over.load(Ordering::Relaxed)
            });
            rest(&writer, &mut left);
            is_over.store(true, Ordering::Relaxed);
            reader.join().expect("the reader")
        });
        assert!(is_seen && !left.is_zero());
    }
}
