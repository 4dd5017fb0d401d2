//! The writer thread: codes the messages of the queue and writes them. Ends with its connection; attaches to no JVM.

use super::outbox::Counts;
use super::pool::Pool;
use super::split;
use crate::guard::own_threads::OwnThread;
use crossbeam_channel::{Receiver, RecvTimeoutError};
use rootbound_wire::frame;
use rootbound_wire::message::FromAgent;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Bytes gathered before a write.
const BATCH_BYTES: usize = 256 << 10;
const LOOK_UP: Duration = Duration::from_millis(200);

/// Drains `queue` into `sink` until all senders are gone, `closed` is set, or writing fails. The outbox is over then.
///
/// # Errors
/// The reason why nothing more can be written.
pub fn drain(
    queue: &Receiver<FromAgent>,
    sink: &mut impl Write,
    pool: &Pool,
    counts: &Counts,
    closed: &AtomicBool,
) -> io::Result<()> {
    let _own = OwnThread::enter();
    let written = write_all(queue, sink, pool, counts, closed);
    counts.end();
    written
}

fn write_all(
    queue: &Receiver<FromAgent>,
    sink: &mut impl Write,
    pool: &Pool,
    counts: &Counts,
    closed: &AtomicBool,
) -> io::Result<()> {
    let mut coder = Coder::default();
    while !closed.load(Ordering::Relaxed) {
        let first = match queue.recv_timeout(LOOK_UP) {
            Ok(first) => first,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        };
        let (mut next, mut taken) = (Some(first), 0);
        while let Some(mut message) = next {
            coder.code(&mut message);
            pool.recycle(message);
            taken += 1;
            next = if coder.bytes.len() < BATCH_BYTES { queue.try_recv().ok() } else { None };
        }
        let written = sink.write_all(&coder.bytes).and_then(|()| sink.flush());
        coder.bytes.clear();
        counts.settle(taken);
        written?;
    }
    Ok(())
}

/// Turns messages into frames. A message that fits no frame is never lost in silence: a capture that misses a record
/// ends as failed.
#[derive(Default)]
struct Coder {
    bytes: Vec<u8>,
    /// The reason why the running capture is not whole.
    lack: Option<String>,
}

impl Coder {
    fn code(&mut self, message: &mut FromAgent) {
        match message {
            FromAgent::CaptureStarted { .. } => self.lack = None,
            FromAgent::CaptureDone(done) => done.failure = done.failure.take().or(self.lack.take()),
            _ => {}
        }
        let Err(error) = frame::append(message, &mut self.bytes) else { return };
        match split::halves(message) {
            Some(halves) => halves.into_iter().for_each(|mut half| self.code(&mut half)),
            None => {
                let text = format!("a message could not be sent: {error}");
                // A short text always fits. The writer has no clock of the session's.
                drop(frame::append(&FromAgent::Problem { at_ms: 0, text: text.clone() }, &mut self.bytes));
                self.lack = Some(text);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::outbox::queue;
    use rootbound_wire::frame::{FrameReader, MAX_PAYLOAD_BYTES};
    use rootbound_wire::ids::{MethodId, SnapshotId};
    use rootbound_wire::message::{CaptureDone, CaptureMethod, MethodRecord};

    fn methods(count: u64, name_bytes: usize) -> FromAgent {
        let name = "m".repeat(name_bytes);
        FromAgent::Methods((0..count).map(|id| MethodRecord { id: MethodId(id), name: name.clone() }).collect())
    }

    fn coded(messages: impl IntoIterator<Item = FromAgent>) -> Vec<FromAgent> {
        let mut coder = Coder::default();
        messages.into_iter().for_each(|mut message| coder.code(&mut message));
        let mut frames = FrameReader::new(&coder.bytes[..]);
        let next = || frames.next_frame().ok().flatten().and_then(|frame| frame.message().ok().flatten());
        std::iter::from_fn(next).collect()
    }

    fn capture(middle: FromAgent) -> Vec<FromAgent> {
        let done = CaptureDone { snapshot: SnapshotId(2), ..CaptureDone::default() };
        let method = CaptureMethod::Tags;
        coded([
            FromAgent::CaptureStarted { snapshot: SnapshotId(2), at_ms: 0, method },
            middle,
            FromAgent::CaptureDone(done),
        ])
    }

    #[test]
    fn a_full_disk_is_reported_and_ends_the_outbox() {
        let (outbox, queue, counts) = queue();
        let mut sink = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        assert!(outbox.send(FromAgent::Methods(Vec::new())) && !outbox.is_over());
        let error = drain(&queue, &mut sink, &outbox.pool, &counts, &AtomicBool::new(false)).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        assert!(outbox.is_over());
    }

    #[test]
    fn a_message_too_long_for_a_frame_arrives_in_parts() {
        let arrived = capture(methods(9, MAX_PAYLOAD_BYTES / 4));
        let ids: Vec<u64> = arrived
            .iter()
            .filter_map(|message| match message {
                FromAgent::Methods(methods) => Some(methods.iter().map(|method| method.id.0)),
                _ => None,
            })
            .flatten()
            .collect();
        assert_eq!(ids, (0..9).collect::<Vec<_>>());
        assert!(matches!(arrived.last(), Some(FromAgent::CaptureDone(done)) if done.failure.is_none()));
    }

    #[test]
    fn a_record_too_long_for_a_frame_fails_its_capture() {
        let arrived = capture(methods(2, MAX_PAYLOAD_BYTES));
        let failure = match arrived.last() {
            Some(FromAgent::CaptureDone(done)) => done.failure.clone().unwrap_or_default(),
            other => panic!("{other:?}"),
        };
        assert!(failure.contains("longer than a frame"), "{failure}");
    }
}
