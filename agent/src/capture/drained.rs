//! One walk by address with the thread that drains its ring next to it: the frame of a capture, whoever asks for it.
//! The walk itself is the caller's: here in the program ([`walk_here`]), or in a forked child.

use super::bounds::Bounds;
use super::drain::{DrainMode, Drained, Over, drain};
use super::methods::methods;
use super::recorder::{Recorder, failure};
use super::roots::Held;
use super::watchdog::Fault;
use crate::faults::{Corruption, Panic};
use crate::jvmti::env::Env;
use crate::jvmti::heap::WalkError;
use crate::link::outbox::Outbox;
use crate::os::ring::{Ring, RingCounters, RingWriter, SLOTS};
use crate::stop::StopBound;
use rootbound_wire::message::{CaptureDone, CaptureFault};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

/// Slots of a ring that is to run over.
const FEW_SLOTS: usize = 1;

/// The place of a walk, and the test hook.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Whether it runs in the program, which is paused meanwhile.
    pub in_process: bool,
    /// The test hook: whether the ring runs over.
    pub overflows: bool,
}

/// The result of a walk.
#[derive(Debug)]
pub struct Walked {
    /// The methods that roots name.
    pub methods: Vec<u64>,
    /// Elements of the largest array with references.
    pub widest: u64,
}

/// Runs `walk` with the writing end of a ring, while a second thread sends what it writes. `walk` also gets a flag that
/// is set when the drain has failed.
///
/// # Errors
/// The reason why the capture is worth nothing.
pub fn with_drain(
    outbox: &Outbox,
    setting: Setting,
    done: &mut CaptureDone,
    walk: impl FnOnce((RingWriter<'_>, RingCounters<'_>), &AtomicBool, &mut CaptureDone) -> Result<(), Fault>,
) -> Result<Walked, Fault> {
    let slots = if setting.overflows { FEW_SLOTS } else { SLOTS };
    let mut ring = Ring::new(slots).map_err(|error| format!("no memory for the ring: {error}"))?;
    if setting.in_process {
        ring.populate();
    }
    let (writer, mut reader, counters) = ring.split();
    outbox.pool.fill_chunks();
    let (is_over, is_broken) = (AtomicBool::new(false), AtomicBool::new(false));
    let mode = DrainMode { keeps_back: setting.in_process, is_slow: setting.overflows };
    let (walked, drained) = thread::scope(|scope| {
        let over = Over(&is_over);
        let drain = thread::Builder::new()
            .name("rootbound-drain".to_owned())
            .spawn_scoped(scope, || {
                let drained = drain(&mut reader, outbox, &is_over, mode);
                is_broken.store(!drained.is_whole, Ordering::Release);
                drained
            })
            .map_err(|error| format!("no thread to drain the ring: {error}"))?;
        let walked = walk((writer, counters), &is_broken, done);
        drop(over);
        let drained = drain.join().unwrap_or(Drained { is_whole: false, bytes: 0 });
        Ok::<_, Fault>((walked, drained))
    })?;
    done.records = counters.records();
    done.references = counters.references();
    let ring_bytes = if setting.in_process { counters.range().1 as u64 } else { counters.bytes() };
    done.agent_bytes += ring_bytes + drained.bytes;
    walked?;
    if !drained.is_whole {
        return Err(broken());
    }
    Ok(Walked { methods: methods(counters.methods()), widest: u64::from(counters.widest()) + 1 })
}

/// Walks in the program; `of_walk` makes a fault of what ended the walk early.
///
/// # Errors
/// The reason why the walk is worth nothing.
pub fn walk_here(
    env: &Env,
    held: Held<'_>,
    (writer, counters): (RingWriter<'_>, RingCounters<'_>),
    (stop, corruption, panic): (StopBound, Corruption, Panic),
    of_walk: impl FnOnce(WalkError) -> Fault,
    done: &mut CaptureDone,
) -> Result<(), Fault> {
    let begun = Instant::now();
    let mut recorder = Recorder::new(held, writer, Bounds::in_process(stop), (corruption, panic));
    done.agent_bytes = recorder.bytes();
    let walked = env.follow_by_address(&mut recorder, None);
    done.pause_ms = begun.elapsed().as_secs_f64() * 1e3;
    walked.map_err(of_walk)?;
    recorder.finish();
    failure(counters).map_or(Ok(()), |failure| Err(failure.into()))
}

/// The reader of the capture is gone.
pub fn broken() -> Fault {
    Fault::new(CaptureFault::NoReader, "the connection broke or stalled during the capture")
}
