//! The writer thread: codes what the queue holds and writes it. Ends with its connection; attaches to no JVM.

use super::outbox::Counts;
use super::pool::Pool;
use crossbeam_channel::{Receiver, RecvTimeoutError};
use rootbound_wire::frame;
use rootbound_wire::message::FromAgent;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Bytes gathered before a write.
const BATCH_BYTES: usize = 256 << 10;
const LOOK_UP: Duration = Duration::from_millis(200);

/// Drains `queue` into `sink` until all senders are gone, `closed` is set, or writing fails.
pub fn drain(queue: &Receiver<FromAgent>, sink: &mut impl Write, pool: &Pool, counts: &Counts, closed: &AtomicBool) {
    let mut bytes = Vec::with_capacity(BATCH_BYTES * 2);
    while !closed.load(Ordering::Relaxed) {
        let first = match queue.recv_timeout(LOOK_UP) {
            Ok(first) => first,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => return,
        };
        let (mut next, mut taken) = (Some(first), 0);
        while let Some(message) = next {
            // A message too long for a frame is left out: the frames around it stay readable.
            drop(frame::append(&message, &mut bytes));
            pool.recycle(message);
            taken += 1;
            next = if bytes.len() < BATCH_BYTES { queue.try_recv().ok() } else { None };
        }
        let written = sink.write_all(&bytes).and_then(|()| sink.flush());
        bytes.clear();
        counts.settle(taken);
        if written.is_err() {
            return;
        }
    }
}
