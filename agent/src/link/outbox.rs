//! The bounded queue of one connection. When it is full, messages that can be missed are dropped and counted.

use super::pool::Pool;
use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};
use rootbound_wire::message::FromAgent;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Messages that may wait in addition to the buffers of a capture.
const QUEUE_MESSAGES: usize = 512;
/// Longest time that a message that must arrive may wait for room.
const ESSENTIAL_WAIT: Duration = Duration::from_secs(5);

/// The sending end; cheap to clone.
#[derive(Clone)]
pub struct Outbox {
    sender: Sender<FromAgent>,
    /// Buffers for captures.
    pub pool: Arc<Pool>,
    counts: Arc<Counts>,
}

/// The state that both ends share.
#[derive(Default)]
pub struct Counts {
    queued: AtomicU64,
    written: AtomicU64,
    dropped: AtomicU64,
    is_over: AtomicBool,
}

impl Counts {
    /// Number of messages that the writer has written (or given up).
    pub fn settle(&self, messages: u64) {
        self.written.fetch_add(messages, Ordering::Release);
    }

    /// The writer has ended: nothing more will be written.
    pub fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

/// A new queue: both ends, and their shared state.
pub fn queue() -> (Outbox, Receiver<FromAgent>, Arc<Counts>) {
    let (sender, receiver) = bounded(QUEUE_MESSAGES + Pool::BUFFERS);
    let counts = Arc::new(Counts::default());
    (Outbox { sender, pool: Arc::new(Pool::new()), counts: counts.clone() }, receiver, counts)
}

impl Outbox {
    /// Sends a message that can be missed; never waits.
    pub fn offer(&self, message: FromAgent) {
        if self.sender.len() >= QUEUE_MESSAGES || !self.hand_over(message) {
            self.counts.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Sends a message that must arrive, or the connection is of no use. `false` when it is gone or stuck.
    pub fn send(&self, message: FromAgent) -> bool {
        let sent = self.sender.send_timeout(message, ESSENTIAL_WAIT).is_ok();
        self.counts.queued.fetch_add(u64::from(sent), Ordering::Release);
        sent
    }

    /// Sends a buffer of a running capture from inside a heap callback: no waiting, no allocation.
    pub fn hand_over(&self, message: FromAgent) -> bool {
        match self.sender.try_send(message) {
            Ok(()) => {
                self.counts.queued.fetch_add(1, Ordering::Release);
                true
            }
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => false,
        }
    }

    /// Messages dropped so far.
    pub fn dropped(&self) -> u64 {
        self.counts.dropped.load(Ordering::Relaxed)
    }

    /// Whether the connection is gone.
    pub fn is_over(&self) -> bool {
        self.counts.is_over.load(Ordering::Relaxed)
    }

    /// Waits until everything is written, at most for `patience`.
    pub fn flush(&self, patience: Duration) {
        let deadline = Instant::now() + patience;
        while self.counts.written.load(Ordering::Acquire) < self.counts.queued.load(Ordering::Acquire)
            && Instant::now() < deadline
        {
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_without_room_is_dropped_and_counted() {
        let (outbox, _receiver, _counts) = queue();
        for at_ms in 0..QUEUE_MESSAGES as u64 + 3 {
            outbox.offer(FromAgent::Problem { at_ms, text: String::new() });
        }
        assert_eq!(outbox.dropped(), 3);
    }

    #[test]
    fn without_a_writer_a_message_that_must_arrive_is_refused() {
        let (outbox, receiver, _counts) = queue();
        drop(receiver);
        assert!(!outbox.send(FromAgent::Problem { at_ms: 0, text: String::new() }));
    }
}
