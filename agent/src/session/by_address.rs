//! A capture by address, from the names given before it to the receipt: in process, or in a forked child that is watched
//! from here while the program runs.

use super::Session;
use super::captures::Order;
use super::snapshots::{Snapshots, fatal_or_text};
use crate::capture::bounds::Bounds;
use crate::capture::child::{Child, minor_faults};
use crate::capture::drain::{Drained, Over, drain};
use crate::capture::lie::Lie;
use crate::capture::methods::methods;
use crate::capture::names;
use crate::capture::names_given::Given;
use crate::capture::recorder::{Recorder, failure};
use crate::jvmti::env::Env;
use crate::jvmti::jni::Jni;
use crate::jvmti::peek::Walked;
use crate::jvmti::ring::{Gauge, Pen, Ring, SLOTS};
use crate::jvmti::sentinels::Sentinels;
use crate::link::outbox::Outbox;
use crate::options::{EmptyWalk, LieKind, PanicPlace};
use rootbound_wire::message::{CaptureDone, CaptureMethod};
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

/// A child that has not finished after this is ended, unless the order says otherwise.
const DEADLINE: Duration = Duration::from_secs(120);
/// Slots of a ring that is to run over.
const FEW_SLOTS: usize = 1;
/// Local references of the planted objects.
const ROOM: usize = 40;

impl Snapshots {
    /// Captures by address, in process or in a child.
    ///
    /// # Errors
    /// Why it is worth nothing, for people to read.
    pub(super) fn capture_by_address(
        &mut self,
        session: &Session,
        jni: &Jni,
        outbox: &Outbox,
        order: Order,
        done: &mut CaptureDone,
    ) -> Result<(), String> {
        if session.options.test_empty_walk == Some(EmptyWalk::Bare) {
            return empty_walk(&Env::tagging(session.vm).map_err(|error| error.to_string())?, done);
        }
        self.open(session, order.snapshot)?;
        let env = self.tags.as_ref().ok_or("no tag environment")?;
        let given =
            Given::give(env, jni, order.snapshot, &self.ages, &self.given).map_err(|error| error.to_string())?;
        if session.options.test_empty_walk.is_some() {
            return empty_walk(env, done);
        }
        let lie = session.options.test_lie.filter(|&(_, captures)| self.begun <= captures).map(|(kind, _)| kind);
        let walk = Walk { session, env, outbox, order, given: &given, lie };
        let methods = jni.frame(ROOM, || {
            let planted = Sentinels::plant(jni).ok_or("the program has no memory left")?;
            walk.run(jni, &planted, done)
        });
        let sent = methods.unwrap_or(Err("the JVM gives no room for references".to_owned())).and_then(|methods| {
            let sent = names::send(env, jni, order.snapshot, &methods, outbox);
            sent.then_some(()).ok_or_else(|| "the connection broke, or the JVM would not list its classes".to_owned())
        });
        match sent {
            Ok(()) => {
                self.standing += given.fresh();
                self.given = given;
            }
            Err(_) => given.take_back(env, jni),
        }
        sent
    }
}

/// The JVM's part of a walk; a test hook.
fn empty_walk(env: &Env, done: &mut CaptureDone) -> Result<(), String> {
    let begun = Instant::now();
    let counted = env.follow_and_count();
    done.pause_ms = begun.elapsed().as_secs_f64() * 1e3;
    done.references = counted.map_err(|error| fatal_or_text(&error))?;
    Err("empty walk (test hook)".to_owned())
}

struct Walk<'a> {
    session: &'a Session,
    env: &'a Env,
    outbox: &'a Outbox,
    order: Order,
    given: &'a Given,
    lie: Option<LieKind>,
}

impl Walk<'_> {
    /// Walks, here or in a child, with a thread beside that drains. Gives the methods that roots name.
    fn run(&self, jni: &Jni, planted: &Sentinels<'_>, done: &mut CaptureDone) -> Result<Vec<u64>, String> {
        let overflows = self.lie == Some(LieKind::Ring);
        let slots = if overflows { FEW_SLOTS } else { SLOTS };
        let mut ring = Ring::new(slots).map_err(|error| format!("no memory for the ring: {error}"))?;
        let (pen, mut reader, gauge) = ring.split();
        self.outbox.pool.fill_chunks();
        let is_over = AtomicBool::new(false);
        let (walked, drained) = thread::scope(|scope| {
            let over = Over(&is_over);
            let drain = thread::Builder::new()
                .name("rootbound-drain".to_owned())
                .spawn_scoped(scope, || drain(&mut reader, self.outbox, &is_over, overflows))
                .map_err(|error| format!("no thread to drain the ring: {error}"))?;
            let walked = self.walk(jni, (pen, gauge), planted, done);
            drop(over);
            let drained = drain.join().unwrap_or(Drained { is_whole: false, bytes: 0 });
            Ok::<_, String>((walked, drained))
        })?;
        done.records = gauge.records();
        done.references = gauge.references();
        done.agent_bytes = gauge.bytes() + drained.bytes + Recorder::BYTES;
        walked?;
        if !drained.is_whole {
            return Err("the connection broke or stalled during the capture".to_owned());
        }
        Ok(methods(gauge.methods()))
    }

    fn walk(
        &self,
        jni: &Jni,
        (pen, gauge): (Pen<'_>, Gauge<'_>),
        planted: &Sentinels<'_>,
        done: &mut CaptureDone,
    ) -> Result<(), String> {
        let forks = self.order.method == CaptureMethod::Fork;
        let panics = self.session.options.test_panic == Some(PanicPlace::Capture);
        let bounds = if forks { Bounds::in_child() } else { Bounds::in_process(self.order.abort_after_ms) };
        let lie = Lie::new(self.lie);
        let mut recorder = Recorder::new(self.order.snapshot, self.given, pen, bounds, lie, panics);
        let faults = minor_faults();
        let begun = Instant::now();
        if forks {
            // Without them the roots are told all the same.
            recorder.know_only(&self.env.methods_on_stacks(jni).unwrap_or_default());
        }
        let walked = self.env.follow_by_address(&mut recorder, planted, forks.then(|| gauge.range()));
        done.pause_ms = begun.elapsed().as_secs_f64() * 1e3;
        if let Walked::InChild(pid) = walked.map_err(|error| fatal_or_text(&error))? {
            let mut child = Child::new(pid, begun, faults).ok_or("fork gave no child")?;
            child.watch(gauge, self.deadline(), || self.session.is_dormant())?;
            done.child = Some(child.end());
            // A lock of the JVM may have been held by a thread that does not exist in the child: it waits for ever, as
            // still as one that has finished.
            if gauge.references() == 0 {
                return Err("the child waits for a lock that was held when it was forked".to_owned());
            }
        }
        recorder.finish();
        failure(gauge).map_or(Ok(()), |failure| Err(failure.text().to_owned()))
    }

    fn deadline(&self) -> Duration {
        match self.order.deadline_ms {
            0 => DEADLINE,
            bound => Duration::from_millis(u64::from(bound)),
        }
    }
}
