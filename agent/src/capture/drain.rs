//! Runs next to a walk by address: takes chunks out of the shared ring and queues them for the analyzer. It runs on a
//! native thread that never touches the JVM, so it works on while the world is stopped.

use crate::guard::own_threads::OwnThread;
use crate::link::outbox::Outbox;
use crate::link::pool::Pool;
use crate::os::ring::{Drain, SLOT_BYTES};
use rootbound_wire::graph::Chunk;
use rootbound_wire::message::FromAgent;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A link that gives no buffer back for this time is dead; a write gives up before (see `link/socket.rs`).
const DEAD_AFTER: Duration = Duration::from_secs(10);
const NAP: Duration = Duration::from_millis(1);
/// A walk is quicker when the drain does not work for each slot. So it lets this number of slots gather (a quarter of
/// the ring), or those that come in within this number of naps.
const GATHERED: u64 = 16;
const NAPS: u32 = 50;
/// Most chunks that are kept back: three quarters of all buffers.
const KEPT: usize = Pool::CHUNK_BUFFERS / 4 * 3;
/// The nap of the test hook.
const LONG_NAP: Duration = Duration::from_millis(600);

/// Reports to the drain that nothing more is written, by whichever exit its owner is left.
pub struct Over<'a>(pub &'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

/// The result of a drain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drained {
    /// Whether every chunk was queued.
    pub is_whole: bool,
    /// Most memory of chunks under way at one moment.
    pub bytes: u64,
}

/// The mode of a drain.
#[derive(Clone, Copy, Debug)]
pub struct DrainMode {
    /// Chunks are kept back while there is room for them: the program is paused, and coding or sending during the walk
    /// makes the pause longer.
    pub keeps_back: bool,
    /// A test hook.
    pub is_slow: bool,
}

/// Drains until `is_over` and the ring is empty, or the connection is gone.
pub fn drain(ring: &mut Drain<'_>, outbox: &Outbox, is_over: &AtomicBool, mode: DrainMode) -> Drained {
    let _own = OwnThread::enter();
    let mut kept = Kept { chunks: Vec::new(), most: if mode.keeps_back { KEPT } else { 0 }, outbox, most_away: 0 };
    let is_whole = loop {
        match gather(ring, is_over, mode.is_slow) {
            0 => break kept.hand_over(),
            gathered if (0..gathered).all(|_| kept.take(ring)) => {}
            _ => break false,
        }
    };
    Drained { is_whole, bytes: (kept.most_away * SLOT_BYTES) as u64 }
}

/// Chunks that are kept back.
struct Kept<'a> {
    chunks: Vec<Vec<u8>>,
    most: usize,
    outbox: &'a Outbox,
    most_away: usize,
}

impl Kept<'_> {
    /// Takes a slot out of the ring; `false` when the connection is gone.
    fn take(&mut self, ring: &mut Drain<'_>) -> bool {
        let Some(mut chunk) = buffer(self.outbox) else { return false };
        self.most_away = self.most_away.max(self.outbox.pool.chunks.away());
        ring.take(&mut chunk);
        self.chunks.push(chunk);
        self.chunks.len() <= self.most || self.hand_over()
    }

    /// Queues all of them.
    fn hand_over(&mut self) -> bool {
        self.chunks.drain(..).all(|chunk| self.outbox.hand_over(FromAgent::Graph(Chunk(chunk))))
    }
}

/// Waits until it is worth taking slots, and returns their number; 0 when nothing more will come.
fn gather(ring: &Drain<'_>, is_over: &AtomicBool, is_slow: bool) -> u64 {
    if is_slow && !is_over.load(Ordering::Acquire) {
        thread::sleep(LONG_NAP);
    }
    let mut naps = 0;
    loop {
        // Asked first: everything written before the answer was yes is seen below.
        let is_last_look = is_over.load(Ordering::Acquire);
        let waiting = ring.waiting();
        if is_last_look || waiting >= GATHERED || waiting > 0 && naps >= NAPS {
            return waiting;
        }
        thread::sleep(NAP);
        naps += 1;
    }
}

fn buffer(outbox: &Outbox) -> Option<Vec<u8>> {
    let begun = Instant::now();
    loop {
        match outbox.pool.chunks.take(Duration::from_millis(100)) {
            Some(buffer) => return Some(buffer),
            None if begun.elapsed() >= DEAD_AFTER => return None,
            None => {}
        }
    }
}
