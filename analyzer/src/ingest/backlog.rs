//! The bounded queue between the socket's reader and the loop that works.
//!
//! An agent aborts a capture when the analyzer reads too slowly, while an analysis may keep the loop busy for seconds.
//! So the queue is bounded by the bytes it holds rather than by a number of frames: memory takes up what time cannot.

use crossbeam_channel::{Receiver, Sender, unbounded};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// Bytes that a frame costs beside its payload; keeps a flood of empty frames bounded as well.
const FRAME_OVERHEAD_BYTES: usize = 64;

#[derive(Default)]
struct Gauge {
    held_bytes: Mutex<usize>,
    freed: Condvar,
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
    gauge: Arc<Gauge>,
    limit_bytes: usize,
}

/// The reading end. [`Self::ready`] takes part in a `select!`; what it gives must go through [`Self::release`].
pub(crate) struct BacklogReceiver<T> {
    queue: Receiver<Parcel<T>>,
    gauge: Arc<Gauge>,
}

/// A queue that holds at most `limit_bytes`, and always at least one entry.
pub(crate) fn backlog<T>(limit_bytes: usize) -> (BacklogSender<T>, BacklogReceiver<T>) {
    let (sender, receiver) = unbounded();
    let gauge = Arc::new(Gauge::default());
    (
        BacklogSender { queue: sender, gauge: Arc::clone(&gauge), limit_bytes },
        BacklogReceiver { queue: receiver, gauge },
    )
}

impl<T> BacklogSender<T> {
    /// Waits for room and enqueues; `false` when nobody will ever read it.
    pub(crate) fn send(&self, payload_bytes: usize, entry: T) -> bool {
        let cost_bytes = payload_bytes + FRAME_OVERHEAD_BYTES;
        let mut held = self.gauge.held_bytes.lock().unwrap_or_else(PoisonError::into_inner);
        while *held > 0 && *held + cost_bytes > self.limit_bytes {
            held = self.gauge.freed.wait(held).unwrap_or_else(PoisonError::into_inner);
        }
        *held += cost_bytes;
        drop(held);
        self.queue.send(Parcel { cost_bytes, entry }).is_ok()
    }
}

impl<T> BacklogReceiver<T> {
    /// The channel to wait on.
    pub(crate) fn ready(&self) -> &Receiver<Parcel<T>> {
        &self.queue
    }

    /// Gives the entry's room back.
    pub(crate) fn release(&self, parcel: Parcel<T>) -> T {
        self.free(parcel.cost_bytes);
        parcel.entry
    }

    fn free(&self, cost_bytes: usize) {
        let mut held = self.gauge.held_bytes.lock().unwrap_or_else(PoisonError::into_inner);
        *held = held.saturating_sub(cost_bytes);
        self.gauge.freed.notify_one();
    }
}

impl<T> Drop for BacklogReceiver<T> {
    /// A sender may wait for room that nobody will free any more: lets it pass, so that it finds the queue closed.
    fn drop(&mut self) {
        self.free(usize::MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;
    use std::time::Duration;

    #[test]
    fn a_full_backlog_makes_the_sender_wait_until_an_entry_is_taken() {
        let (sender, receiver) = backlog(1000);
        assert!(sender.send(800, 1));
        let waiting = thread::spawn(move || sender.send(800, 2));
        thread::sleep(Duration::from_millis(30));
        assert_eq!(receiver.ready().len(), 1);
        assert_eq!(receiver.release(receiver.ready().recv().unwrap()), 1);
        assert_eq!(receiver.release(receiver.ready().recv().unwrap()), 2);
        assert!(waiting.join().unwrap());
    }

    #[test]
    fn an_entry_longer_than_the_limit_passes_when_the_backlog_is_empty() {
        let (sender, _receiver) = backlog(10);
        assert!(sender.send(5000, ()));
    }

    #[test]
    fn a_sender_that_waits_learns_that_the_reader_left() {
        let (sender, receiver) = backlog(100);
        assert!(sender.send(90, ()));
        let waiting = thread::spawn(move || sender.send(90, ()));
        thread::sleep(Duration::from_millis(30));
        drop(receiver);
        let _closed_or_dropped = waiting.join().unwrap();
    }
}
