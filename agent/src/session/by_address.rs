//! A capture by address, from the roll that is called before it to the names given after it and the receipt: in process, or
//! in a forked child that is watched from here while the program runs.

use super::Session;
use super::captures::Order;
use super::collections::Meanwhile;
use super::snapshots::{Snapshots, fatal_or_text};
use crate::capture::bounds::Bounds;
use crate::capture::child::{Child, minor_faults};
use crate::capture::drain::{Drained, Manner, Over, drain};
use crate::capture::lie::Lie;
use crate::capture::methods::methods;
use crate::capture::names;
use crate::capture::names_given::Given;
use crate::capture::recorder::{Recorder, failure};
use crate::capture::roll::Roll;
use crate::capture::roots::Held;
use crate::jvmti::env::Env;
use crate::jvmti::jni::Jni;
use crate::jvmti::peek::Walked;
use crate::jvmti::ring::{Gauge, Pen, Ring, SLOTS};
use crate::jvmti::sentinels::Sentinels;
use crate::link::outbox::Outbox;
use crate::options::{EmptyWalk, LieKind, PanicPlace};
use rootbound_wire::message::{CaptureDone, CaptureMethod, ChildReceipt};
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

/// A child that has not finished after this is ended, unless the order says otherwise.
const DEADLINE: Duration = Duration::from_secs(120);
/// Slots of a ring that is to run over.
const FEW_SLOTS: usize = 1;
/// Local references of the planted objects, and of classes and threads. It is only a promise, no memory is taken for it.
const ROOM: usize = 60_000;

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
        let lie = session.options.test_lie.filter(|&(_, captures)| self.begun <= captures).map(|(kind, _)| kind);
        let (ages, earlier) = (&self.ages, &mut self.given);
        let before = earlier.fresh();
        let walked = jni.frame(ROOM, || {
            let roll = Roll::call(env, jni, order.snapshot, ages, earlier).map_err(|error| error.to_string())?;
            let planted = Sentinels::plant(jni).ok_or("the program has no memory left")?;
            let held = Held { roll: &roll, planted: &planted };
            let methods = Walk { session, env, outbox, order, held, lie }.run(jni, done)?;
            Ok((methods, Given::give(env, order.snapshot, &roll)))
        });
        // Of what the capture before named, names stand only on what has ended since.
        self.standing = self.standing.saturating_sub(before.saturating_sub(earlier.fresh()));
        let (methods, mut given) = walked.unwrap_or(Err("the JVM gives no room for references".to_owned()))?;
        let sent = names::send(env, jni, order.snapshot, &methods, outbox);
        if !sent {
            given.take_back(env, jni);
        }
        self.standing += given.fresh();
        self.given = given;
        sent.then_some(()).ok_or_else(|| "the connection broke, or the JVM would not list its classes".to_owned())
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
    held: Held<'a>,
    lie: Option<LieKind>,
}

impl Walk<'_> {
    /// Walks, here or in a child, with a thread beside that drains. Gives the methods that roots name.
    fn run(&self, jni: &Jni, done: &mut CaptureDone) -> Result<Vec<u64>, String> {
        let overflows = self.lie == Some(LieKind::Ring);
        let slots = if overflows { FEW_SLOTS } else { SLOTS };
        let mut ring = Ring::new(slots).map_err(|error| format!("no memory for the ring: {error}"))?;
        let in_process = self.order.method == CaptureMethod::InProcess;
        if in_process {
            ring.populate();
        }
        let (pen, mut reader, gauge) = ring.split();
        self.outbox.pool.fill_chunks();
        let is_over = AtomicBool::new(false);
        let manner = Manner { keeps_back: in_process, is_slow: overflows };
        let (walked, drained) = thread::scope(|scope| {
            let over = Over(&is_over);
            let drain = thread::Builder::new()
                .name("rootbound-drain".to_owned())
                .spawn_scoped(scope, || drain(&mut reader, self.outbox, &is_over, manner))
                .map_err(|error| format!("no thread to drain the ring: {error}"))?;
            let walked = self.walk(jni, (pen, gauge), done);
            drop(over);
            let drained = drain.join().unwrap_or(Drained { is_whole: false, bytes: 0 });
            Ok::<_, String>((walked, drained))
        })?;
        done.records = gauge.records();
        done.references = gauge.references();
        done.agent_bytes += if in_process { gauge.range().1 as u64 } else { gauge.bytes() } + drained.bytes;
        walked?;
        if !drained.is_whole {
            return Err("the connection broke or stalled during the capture".to_owned());
        }
        Ok(methods(gauge.methods()))
    }

    fn walk(&self, jni: &Jni, (pen, gauge): (Pen<'_>, Gauge<'_>), done: &mut CaptureDone) -> Result<(), String> {
        let forks = self.order.method == CaptureMethod::Fork;
        let panics = self.session.options.test_panic == Some(PanicPlace::Capture);
        let bounds = if forks { Bounds::in_child() } else { Bounds::in_process(self.order.abort_after_ms) };
        let lie = Lie::new(self.lie);
        let mut recorder = Recorder::new(self.held, pen, bounds, lie, panics);
        done.agent_bytes = recorder.bytes();
        let faults = minor_faults();
        let collections = self.session.collections.watch();
        let begun = Instant::now();
        if forks {
            // Without them the roots are told all the same.
            recorder.know_only(&self.env.methods_on_stacks(jni).unwrap_or_default());
        }
        let walked = self.env.follow_by_address(&mut recorder, forks.then(|| gauge.range()));
        done.pause_ms = begun.elapsed().as_secs_f64() * 1e3;
        if let Walked::InChild(pid) = walked.map_err(|error| fatal_or_text(&error))? {
            let mut child = Child::new(pid, begun, faults).ok_or("fork gave no child")?;
            child.watch(gauge, self.deadline(), || self.session.is_dormant())?;
            done.child = Some(with_collections(child.end(), self.session.collections.since(collections)));
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

/// The receipt with what the JVM's own stops took meanwhile.
fn with_collections(receipt: ChildReceipt, meanwhile: Meanwhile) -> ChildReceipt {
    ChildReceipt {
        collections: meanwhile.count,
        longest_collection_ms: meanwhile.longest_ms,
        usual_collection_ms: meanwhile.before_ms,
        ..receipt
    }
}
