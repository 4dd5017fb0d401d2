//! Output of the started program while the live table owns the terminal: kept in memory, bounded, printed afterwards.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

/// Most bytes kept of each stream; the last ones, because they show how the program ended.
const KEPT_BYTES: usize = 1 << 20;

/// The end of one stream.
#[derive(Debug, Default)]
struct Tail {
    kept: VecDeque<u8>,
    lost_bytes: u64,
}

impl Tail {
    fn push(&mut self, bytes: &[u8]) {
        self.kept.extend(bytes);
        let surplus = self.kept.len().saturating_sub(KEPT_BYTES);
        self.kept.drain(..surplus);
        self.lost_bytes += surplus as u64;
    }
}

/// Drains one stream of the program, so that it is never held up.
pub(crate) struct HeldOutput {
    tail: Arc<Mutex<Tail>>,
    drain: JoinHandle<()>,
}

impl HeldOutput {
    /// Begins to drain.
    pub(crate) fn of(mut stream: impl Read + Send + 'static) -> io::Result<Self> {
        let tail = Arc::new(Mutex::new(Tail::default()));
        let shared = Arc::clone(&tail);
        let drain = thread::Builder::new().name("rootbound-output".to_owned()).spawn(move || {
            let mut buffer = [0; 16 << 10];
            while let Ok(count @ 1..) = stream.read(&mut buffer) {
                shared.lock().unwrap_or_else(PoisonError::into_inner).push(&buffer[..count]);
            }
        })?;
        Ok(Self { tail, drain })
    }

    /// Prints the kept output, with a note about the lost part. A grandchild may hold the stream open for ever, so this
    /// waits for its end only when `complete` states that every possible writer is gone.
    pub(crate) fn print(self, complete: bool, mut out: impl Write) -> io::Result<()> {
        if complete {
            // A drain that panicked has reported it already.
            drop(self.drain.join());
        }
        let mut tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        if tail.lost_bytes > 0 {
            writeln!(out, "[rootbound: {} earlier bytes of the program's output were not kept]", tail.lost_bytes)?;
        }
        out.write_all(tail.kept.make_contiguous())?;
        out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_printed_while_it_is_short() {
        let mut out = Vec::new();
        HeldOutput::of(&b"hello\n"[..]).unwrap().print(true, &mut out).unwrap();
        assert_eq!(out, b"hello\n");
    }

    #[test]
    fn of_a_flood_the_end_is_kept_and_the_loss_is_reported() {
        let mut flood = vec![b'x'; KEPT_BYTES + 10];
        flood.extend_from_slice(b"the end");
        let mut out = Vec::new();
        HeldOutput::of(io::Cursor::new(flood)).unwrap().print(true, &mut out).unwrap();
        assert!(out.starts_with(b"[rootbound: 17 earlier bytes"));
        assert!(out.ends_with(b"the end"));
    }
}
