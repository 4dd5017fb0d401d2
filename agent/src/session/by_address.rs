//! A capture by address: from the objects held before it to the names assigned after it and the receipt. It runs in
//! process, or in a forked child that is watched from here while the program runs.

use super::Session;
use super::captures::Order;
use super::forked::Forking;
use super::order_error::OrderError;
use super::snapshots::Snapshots;
use crate::capture::assigned_ids::AssignedIds;
use crate::capture::bounds::Bounds;
use crate::capture::drained::{Setting, Walked, broken, walk_here, with_drain};
use crate::capture::head_roll::{HeadRoll, HeadsAtWalk};
use crate::capture::names;
use crate::capture::recorder::{Recorder, failure};
use crate::capture::roll::HeldObjects;
use crate::capture::roots::Held;
use crate::capture::watchdog::Fault;
use crate::faults::{Corruption, Panic, Place};
use crate::jvmti::env::Env;
use crate::jvmti::jni::Jni;
use crate::jvmti::sentinels::Sentinels;
use crate::link::outbox::Outbox;
use crate::os::ring::{RingCounters, RingWriter};
use crate::stop::StopBound;
use rootbound_wire::message::{CaptureDone, CaptureMethod, FromAgent, HeadsRead};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

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
        if let Some(forking) = &mut forking {
            forking.wait(&session.collections);
        }
        let (ages, earlier) = (&self.ages, &mut self.assigned);
        let (before, may_resolve) = (earlier.fresh(), || self.heads.may_resolve());
        let mut heads_read = None;
        let walked = jni.frame(ROOM, || {
            // Ends before the frame does: its references are of it.
            let heads = HeadsAtWalk::new(jni, &self.heads.held, &may_resolve);
            let held_objects =
                HeldObjects::acquire(env, jni, order.snapshot, ages, earlier).map_err(OrderError::from)?;
            let held_objects = held_objects.with_heads(&heads);
            let planted = Sentinels::plant(jni).ok_or("the program has no memory left")?;
            let held = Held { held_objects: &held_objects, planted: &planted, own_frames: 0 };
            let walk = Walk { session, env, outbox, order, held, corruption };
            let walked = walk.run(jni, forking.as_mut(), done)?;
            heads_read = heads.read();
            Ok((walked, AssignedIds::assign(env, order.snapshot, &held_objects)))
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
        let (Walked { methods, widest }, mut assigned) = walked?;
        self.learned.widest_array = Some(widest);
        let sent = names::send(env, jni, order.snapshot, &methods, outbox);
        if !sent {
            assigned.restore(env, jni);
        }
        self.standing += assigned.fresh();
        self.assigned = assigned;
        if let Some((live, dead)) = heads_read {
            self.heads.held.forget(&dead);
            outbox.send(FromAgent::HeadsRead(HeadsRead { snapshot: order.snapshot, live, dead }));
        }
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
    /// Walks, here or in a child, with a second thread that drains.
    fn run(&self, jni: &Jni, forking: Option<&mut Forking>, done: &mut CaptureDone) -> Result<Walked, Fault> {
        let setting = Setting { in_process: forking.is_none(), overflows: self.corruption.overflows() };
        with_drain(self.outbox, setting, done, |ends, is_broken, done| match forking {
            Some(forking) => self.walk_in_child(jni, forking, ends, is_broken, done),
            None => {
                let stop = StopBound::from_now(self.order.abort_after_ms);
                let hooks = (stop, self.corruption, self.panic());
                self.held.held_objects.heads().into_iter().for_each(HeadRoll::hold);
                walk_here(self.env, self.held, ends, hooks, |error| OrderError::of_walk(error).into(), done)
            }
        })
    }

    fn panic(&self) -> Panic {
        self.session.options.faults.panic_at(Place::Capture)
    }

    fn walk_in_child(
        &self,
        jni: &Jni,
        forking: &mut Forking,
        (writer, counters): (RingWriter<'_>, RingCounters<'_>),
        is_broken: &AtomicBool,
        done: &mut CaptureDone,
    ) -> Result<(), Fault> {
        let mut recorder = Recorder::new(self.held, writer, Bounds::in_child(), (self.corruption, self.panic()));
        done.agent_bytes = recorder.bytes();
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
