//! The bounded queue between a socket's reader and the worker thread of its JVM.
//!
//! An agent aborts a capture when the analyzer reads too slowly, while an analysis may occupy the worker for seconds.
//! So queues are bounded by their bytes rather than by a number of frames: memory compensates for the delay. All queues
//! share one bound. Beyond it each still has a little room of its own, so that no JVM can block another's intake.

use crossbeam_channel::{Receiver, Sender, unbounded};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Bytes that a frame costs in addition to its payload; keeps a flood of empty frames bounded as well.
const FRAME_OVERHEAD_BYTES: usize = 64;

/// Bytes of frames that may wait in memory, over all links; a capture of ten million objects fits in.
const SHARED_BYTES: usize = 512 << 20;

/// Bytes that each link may hold, whatever the others hold.
const OWN_BYTES: usize = 8 << 20;

/// The memory that all backlogs share.
#[derive(Clone, Debug)]
pub struct IntakeMemory(Arc<Gauge>);

#[derive(Debug)]
struct Gauge {
    shared_bytes: usize,
    own_bytes: usize,
    held_bytes: Mutex<usize>,
    freed: Condvar,
}

impl Default for IntakeMemory {
    fn default() -> Self {
        Self::bounded(SHARED_BYTES, OWN_BYTES)
    }
}

impl IntakeMemory {
    /// Memory of `shared_bytes` in all, and `own_bytes` for each backlog when that is used up.
    fn bounded(shared_bytes: usize, own_bytes: usize) -> Self {
        Self(Arc::new(Gauge { shared_bytes, own_bytes, held_bytes: Mutex::new(0), freed: Condvar::new() }))
    }

    fn lock(&self) -> MutexGuard<'_, usize> {
        self.0.held_bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The part of the memory that one backlog holds. Both numbers change only while the memory is locked.
#[derive(Debug)]
struct Share {
    memory: IntakeMemory,
    held_bytes: AtomicUsize,
    is_closed: AtomicBool,
}

impl Share {
    /// Waits for room and takes it; `false` if the reading end is closed.
    fn take(&self, cost_bytes: usize) -> bool {
        let mut all = self.memory.lock();
        while !self.is_closed.load(Ordering::Relaxed) && !self.has_room(*all, cost_bytes) {
            all = self.memory.0.freed.wait(all).unwrap_or_else(PoisonError::into_inner);
        }
        if self.is_closed.load(Ordering::Relaxed) {
            return false;
        }
        *all += cost_bytes;
        self.held_bytes.fetch_add(cost_bytes, Ordering::Relaxed);
        true
    }

    /// Whether an entry fits. An empty backlog takes anything: a frame larger than all bounds must pass, too.
    fn has_room(&self, all_bytes: usize, cost_bytes: usize) -> bool {
        let gauge = &self.memory.0;
        let own = self.held_bytes.load(Ordering::Relaxed);
        own == 0 || own + cost_bytes <= gauge.own_bytes || all_bytes + cost_bytes <= gauge.shared_bytes
    }

    fn give_back(&self, cost_bytes: usize) {
        let mut all = self.memory.lock();
        *all = all.saturating_sub(cost_bytes);
        self.held_bytes.fetch_sub(cost_bytes, Ordering::Relaxed);
        self.memory.0.freed.notify_all();
    }

    /// Closes the backlog: frees all its room and wakes a waiting sender.
    fn close(&self) {
        let mut all = self.memory.lock();
        self.is_closed.store(true, Ordering::Relaxed);
        *all = all.saturating_sub(self.held_bytes.swap(0, Ordering::Relaxed));
        self.memory.0.freed.notify_all();
    }
}

/// An entry with the room that it takes up.
#[derive(Debug)]
pub struct Parcel<T> {
    cost_bytes: usize,
    entry: T,
}

/// The writing end.
pub(crate) struct BacklogSender<T> {
    queue: Sender<Parcel<T>>,
    share: Arc<Share>,
}

/// The reading end. [`Self::ready`] takes part in a `select!`; what it yields must go through [`Self::release`].
pub(crate) struct BacklogReceiver<T> {
    queue: Receiver<Parcel<T>>,
    share: Arc<Share>,
}

/// A queue that takes its room from `memory`, and always holds at least one entry.
pub(crate) fn backlog<T>(memory: &IntakeMemory) -> (BacklogSender<T>, BacklogReceiver<T>) {
    let (sender, receiver) = unbounded();
    let (held_bytes, is_closed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let share = Arc::new(Share { memory: memory.clone(), held_bytes, is_closed });
    (BacklogSender { queue: sender, share: Arc::clone(&share) }, BacklogReceiver { queue: receiver, share })
}

impl<T> BacklogSender<T> {
    /// Waits for room and enqueues; `false` if the reading end is closed.
    pub(crate) fn send(&self, payload_bytes: usize, entry: T) -> bool {
        let cost_bytes = payload_bytes + FRAME_OVERHEAD_BYTES;
        self.share.take(cost_bytes) && self.queue.send(Parcel { cost_bytes, entry }).is_ok()
    }
}

impl<T> BacklogReceiver<T> {
    /// The channel to wait on.
    pub(crate) fn ready(&self) -> &Receiver<Parcel<T>> {
        &self.queue
    }

    /// Frees the entry's room and returns the entry.
    pub(crate) fn release(&self, parcel: Parcel<T>) -> T {
        self.share.give_back(parcel.cost_bytes);
        parcel.entry
    }
}

impl<T> Drop for BacklogReceiver<T> {
    fn drop(&mut self) {
        self.share.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;
    use std::time::Duration;

    /// Time that suffices for a sender that need not wait.
    const MOMENT: Duration = Duration::from_millis(30);

    #[test]
    fn a_full_backlog_makes_the_sender_wait_until_an_entry_is_taken() {
        let (sender, receiver) = backlog(&IntakeMemory::bounded(1000, 0));
        assert!(sender.send(800, 1));
        let waiting = thread::spawn(move || sender.send(800, 2));
        thread::sleep(MOMENT);
        assert_eq!(receiver.ready().len(), 1);
        assert_eq!(receiver.release(receiver.ready().recv().unwrap()), 1);
        assert_eq!(receiver.release(receiver.ready().recv().unwrap()), 2);
        assert!(waiting.join().unwrap());
    }

    #[test]
    fn an_entry_longer_than_the_limit_passes_when_the_backlog_is_empty() {
        let (sender, _receiver) = backlog(&IntakeMemory::bounded(10, 0));
        assert!(sender.send(5000, ()));
    }

    #[test]
    fn a_sender_that_waits_learns_that_the_reader_left() {
        let (sender, receiver) = backlog(&IntakeMemory::bounded(100, 0));
        assert!(sender.send(90, ()));
        let waiting = thread::spawn(move || sender.send(90, ()));
        thread::sleep(MOMENT);
        drop(receiver);
        assert!(!waiting.join().unwrap());
    }

    #[test]
    fn a_backlog_that_fills_the_memory_leaves_the_others_room_of_their_own() {
        let memory = IntakeMemory::bounded(1000, 300);
        let (greedy, _kept) = backlog(&memory);
        assert!(greedy.send(900, ()));
        let (modest, read) = backlog(&memory);
        for _ in 0..2 {
            assert!(modest.send(80, ()));
        }
        let waiting = thread::spawn(move || modest.send(80, ()));
        thread::sleep(MOMENT);
        assert_eq!(read.ready().len(), 2, "a third entry is beyond its own room");
        read.release(read.ready().recv().unwrap());
        assert!(waiting.join().unwrap());
    }

    #[test]
    fn what_a_backlog_held_is_free_for_the_others_when_its_reader_leaves() {
        let memory = IntakeMemory::bounded(1000, 0);
        let (first, held) = backlog(&memory);
        assert!(first.send(900, ()));
        let (second, _read) = backlog(&memory);
        assert!(second.send(10, ()));
        let waiting = thread::spawn(move || second.send(800, ()));
        thread::sleep(MOMENT);
        drop(held);
        assert!(waiting.join().unwrap());
        assert!(!first.send(1, ()), "nobody reads it");
    }
}
