//! A capture by address: from the objects held before it to the names assigned after it and the receipt. It runs in
//! process, or in a forked child that is watched from here while the program runs.

use super::Session;
use super::captures::Order;
use super::forked::Forking;
use super::order_error::OrderError;
use super::snapshots::Snapshots;
use crate::capture::assigned_ids::AssignedIds;
use crate::capture::bounds::Bounds;
use crate::capture::drain::{DrainMode, Drained, Over, drain};
use crate::capture::methods::methods;
use crate::capture::names;
use crate::capture::recorder::{Recorder, failure};
use crate::capture::roll::HeldObjects;
use crate::capture::roots::Held;
use crate::capture::watchdog::Fault;
use crate::faults::{Corruption, Place};
use crate::jvmti::env::Env;
use crate::jvmti::jni::Jni;
use crate::jvmti::sentinels::Sentinels;
use crate::link::outbox::Outbox;
use crate::os::ring::{Ring, RingCounters, RingWriter, SLOTS};
use crate::stop::StopBound;
use rootbound_wire::message::{CaptureDone, CaptureFault, CaptureMethod};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

/// Slots of a ring that is to run over.
const FEW_SLOTS: usize = 1;
/// Local references of the planted objects, and of classes and threads. It is only a promise, no memory is taken for
/// it.
const ROOM: usize = 60_000;

impl Snapshots {
    /// Captures by address, in process or in a child.
    ///
    /// # Errors
    /// The reason why it is worth nothing.
    pub(super) fn capture_by_address(
        &mut self,
        session: &Session,
        jni: &Jni,
        outbox: &Outbox,
        order: Order,
        done: &mut CaptureDone,
    ) -> Result<(), Fault> {
        if session.options.faults.walks_empty() {
            return empty_walk(&Env::tagging(session.vm).map_err(OrderError::from)?, done);
        }
        self.open(session, order.snapshot)?;
        let env = self.tags.as_ref().ok_or(OrderError::NoTags)?;
        let corruption = session.options.faults.corruption(self.begun);
        let forks = order.method == CaptureMethod::Fork;
        let mut forking = forks.then(|| Forking::prepare(order, &self.learned));
        let (ages, earlier) = (&self.ages, &mut self.assigned);
        let before = earlier.fresh();
        let mut widest = 0;
        let walked = jni.frame(ROOM, || {
            let held_objects =
                HeldObjects::acquire(env, jni, order.snapshot, ages, earlier).map_err(OrderError::from)?;
            let planted = Sentinels::plant(jni).ok_or("the program has no memory left")?;
            let held = Held { held_objects: &held_objects, planted: &planted };
            let walk = Walk { session, env, outbox, order, held, corruption };
            let methods = walk.run(jni, forking.as_mut(), &mut widest, done)?;
            Ok((methods, AssignedIds::assign(env, order.snapshot, &held_objects)))
        });
        // Of the names of the capture before, only those on objects that have ended since remain.
        self.standing = self.standing.saturating_sub(before.saturating_sub(earlier.fresh()));
        let walked = walked.unwrap_or(Err("the JVM gives no room for references".into()));
        if let Some(forking) = forking {
            (self.learned.locks, self.learned.writes_widely) = (forking.locks, forking.writes_widely);
            if let Err(fault) = &walked {
                self.learned.from_fault(fault, done.child.is_some_and(|child| child.left_out_bytes > 0));
            }
            done.remark = forking.remark;
        }
        let (methods, mut assigned) = walked?;
        self.learned.widest_array = Some(widest);
        let sent = names::send(env, jni, order.snapshot, &methods, outbox);
        if !sent {
            assigned.restore(env, jni);
        }
        self.standing += assigned.fresh();
        self.assigned = assigned;
        sent.then_some(()).ok_or_else(|| "the connection broke, or the JVM would not list its classes".into())
    }
}

/// The JVM's part of a walk; a test hook.
fn empty_walk(env: &Env, done: &mut CaptureDone) -> Result<(), Fault> {
    let begun = Instant::now();
    let counted = env.follow_and_count();
    done.pause_ms = begun.elapsed().as_secs_f64() * 1e3;
    done.references = counted.map_err(OrderError::of_walk)?;
    Err("empty walk (test hook)".into())
}

struct Walk<'a> {
    session: &'a Session,
    env: &'a Env,
    outbox: &'a Outbox,
    order: Order,
    held: Held<'a>,
    corruption: Corruption,
}

impl Walk<'_> {
    /// Walks, here or in a child, with a second thread that drains. Returns the methods that roots name.
    fn run(
        &self,
        jni: &Jni,
        forking: Option<&mut Forking>,
        widest: &mut u64,
        done: &mut CaptureDone,
    ) -> Result<Vec<u64>, Fault> {
        let overflows = self.corruption.overflows();
        let slots = if overflows { FEW_SLOTS } else { SLOTS };
        let mut ring = Ring::new(slots).map_err(|error| format!("no memory for the ring: {error}"))?;
        let in_process = forking.is_none();
        if in_process {
            ring.populate();
        }
        let (writer, mut reader, counters) = ring.split();
        self.outbox.pool.fill_chunks();
        let (is_over, is_broken) = (AtomicBool::new(false), AtomicBool::new(false));
        let mode = DrainMode { keeps_back: in_process, is_slow: overflows };
        let (walked, drained) = thread::scope(|scope| {
            let over = Over(&is_over);
            let drain = thread::Builder::new()
                .name("rootbound-drain".to_owned())
                .spawn_scoped(scope, || {
                    let drained = drain(&mut reader, self.outbox, &is_over, mode);
                    is_broken.store(!drained.is_whole, Ordering::Release);
                    drained
                })
                .map_err(|error| format!("no thread to drain the ring: {error}"))?;
            let walked = match forking {
                Some(forking) => self.walk_in_child(jni, forking, (writer, counters), &is_broken, done),
                None => self.walk_here((writer, counters), done),
            };
            drop(over);
            let drained = drain.join().unwrap_or(Drained { is_whole: false, bytes: 0 });
            Ok::<_, Fault>((walked, drained))
        })?;
        done.records = counters.records();
        done.references = counters.references();
        *widest = u64::from(counters.widest()) + 1;
        done.agent_bytes += if in_process { counters.range().1 as u64 } else { counters.bytes() } + drained.bytes;
        walked?;
        if !drained.is_whole {
            return Err(broken());
        }
        Ok(methods(counters.methods()))
    }

    fn recorder<'r>(&'r self, writer: RingWriter<'r>, bounds: Bounds, done: &mut CaptureDone) -> Recorder<'r> {
        let panic = self.session.options.faults.panic_at(Place::Capture);
        let recorder = Recorder::new(self.held, writer, bounds, (self.corruption, panic));
        done.agent_bytes = recorder.bytes();
        recorder
    }

    fn walk_here(
        &self,
        (writer, counters): (RingWriter<'_>, RingCounters<'_>),
        done: &mut CaptureDone,
    ) -> Result<(), Fault> {
        let begun = Instant::now();
        let bounds = Bounds::in_process(StopBound::from_now(self.order.abort_after_ms));
        let mut recorder = self.recorder(writer, bounds, done);
        let walked = self.env.follow_by_address(&mut recorder, None);
        done.pause_ms = begun.elapsed().as_secs_f64() * 1e3;
        walked.map_err(OrderError::of_walk)?;
        recorder.finish();
        failure(counters).map_or(Ok(()), |failure| Err(failure.into()))
    }

    fn walk_in_child(
        &self,
        jni: &Jni,
        forking: &mut Forking,
        (writer, counters): (RingWriter<'_>, RingCounters<'_>),
        is_broken: &AtomicBool,
        done: &mut CaptureDone,
    ) -> Result<(), Fault> {
        let mut recorder = self.recorder(writer, Bounds::in_child(), done);
        // Without them the roots are reported all the same.
        recorder.know_only(&self.env.methods_on_stacks(jni).unwrap_or_default());
        let why_leave = || {
            if self.session.is_dormant() {
                return Some("the agent was asked to leave during the capture".into());
            }
            (is_broken.load(Ordering::Acquire) || self.outbox.is_over()).then(broken)
        };
        forking.walk(self.session, self.env, jni, (&mut recorder, self.held), counters, why_leave, done)?;
        recorder.finish();
        failure(counters).map_or(Ok(()), |failure| Err(failure.into()))
    }
}

fn broken() -> Fault {
    Fault::new(CaptureFault::NoReader, "the connection broke or stalled during the capture")
}
