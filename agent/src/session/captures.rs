//! T2 as the session runs it, by any method that is asked for. A fault is reported in the capture's own end; the
//! asking side decides on the next try.

use super::order_error::OrderError;
use super::snapshots::Snapshots;
use super::survey::survey;
use super::{Session, log};
use crate::capture::methods::methods;
use crate::capture::watchdog::Fault;
use crate::capture::{names, walk::Walker};
use crate::faults::Place;
use crate::jvmti::jni::Jni;
use crate::link::outbox::Outbox;
use crate::os::ring::METHOD_SLOTS;
use crate::stop::StopBound;
use rootbound_wire::ids::SnapshotId;
use rootbound_wire::message::{CaptureDone, CaptureFault, CaptureMethod, FromAgent};
use std::sync::atomic::AtomicU64;
use std::time::Instant;

/// The snapshot and method of a capture, as in [`rootbound_wire::message::ToAgent::Capture`].
#[derive(Clone, Copy, Debug)]
pub struct Order {
    /// The name of the capture.
    pub snapshot: SnapshotId,
    /// The method.
    pub method: CaptureMethod,
    /// Bound of the stop; 0: none.
    pub abort_after_ms: u32,
    /// Bound of a child's running time; 0: the agent's own.
    pub deadline_ms: u32,
    /// Whether a fork leaves out what is free.
    pub leave_out: bool,
}

impl Order {
    /// Creates an order with a pause of `abort_after_ms` milliseconds at most, and the agent's own bounds.
    pub fn unattended(snapshot: SnapshotId, method: CaptureMethod, abort_after_ms: u32) -> Self {
        Self { snapshot, method, abort_after_ms, deadline_ms: 0, leave_out: true }
    }
}

impl Snapshots {
    /// Captures; returns the fault, if there was one.
    ///
    /// # Errors
    /// The reason why it is worth nothing; it has been reported.
    pub fn capture(&mut self, session: &Session, jni: &Jni, outbox: &Outbox, order: Order) -> Result<(), CaptureFault> {
        let Order { snapshot, method, .. } = order;
        outbox.send(FromAgent::CaptureStarted { snapshot, at_ms: session.at_ms(), method });
        self.begun += 1;
        let mut done = CaptureDone { snapshot, ..CaptureDone::default() };
        let result = self.make(session, jni, outbox, order, &mut done);
        outbox.pool.drain();
        let fault = result.err();
        let kind = fault.as_ref().map(|fault| fault.kind);
        (done.fault, done.failure) = (kind, fault.map(|fault| fault.text));
        done.at_ms = session.at_ms();
        log::info(&format!("{method:?} {:.0} ms {}", done.pause_ms, done.failure.as_deref().unwrap_or_default()));
        self.stopped_ms += done.pause_ms;
        if kind.is_none() {
            self.learned.walked = done.references;
        }
        self.worked_ms += done.child.map_or(done.pause_ms, |child| child.cpu_ms);
        outbox.send(FromAgent::CaptureDone(done));
        kind.map_or(Ok(()), Err)
    }

    fn make(
        &mut self,
        session: &Session,
        jni: &Jni,
        outbox: &Outbox,
        order: Order,
        done: &mut CaptureDone,
    ) -> Result<(), Fault> {
        if outbox.is_over() {
            return Err(Fault::new(CaptureFault::NoReader, "nobody reads what a capture would write"));
        }
        if let Some(obstacle) = survey(self, session, jni).of(order.method).obstacle.clone() {
            return Err(Fault::new(CaptureFault::Refused, obstacle));
        }
        match order.method {
            CaptureMethod::Tags => self.capture_by_tags(session, jni, outbox, order, done),
            CaptureMethod::Fork | CaptureMethod::InProcess => {
                self.capture_by_address(session, jni, outbox, order, done)
            }
        }
    }

    fn capture_by_tags(
        &mut self,
        session: &Session,
        jni: &Jni,
        outbox: &Outbox,
        order: Order,
        done: &mut CaptureDone,
    ) -> Result<(), Fault> {
        let buffers = if session.options.faults.runs_dry(self.begun) { 1 } else { usize::MAX };
        outbox.pool.fill(buffers);
        let walked = self.walk(session, jni, outbox, order, done);
        if walked.is_err() {
            self.ages.abort(done.snapshot);
        }
        walked
    }

    fn walk(
        &mut self,
        session: &Session,
        jni: &Jni,
        outbox: &Outbox,
        order: Order,
        done: &mut CaptureDone,
    ) -> Result<(), Fault> {
        let panic = session.options.faults.panic_at(Place::Capture);
        self.open(session, done.snapshot)?;
        let env = self.tags.as_ref().ok_or(OrderError::NoTags)?;
        let table: Vec<AtomicU64> = (0..METHOD_SLOTS).map(|_| AtomicU64::new(0)).collect();
        let stop = StopBound::from_now(order.abort_after_ms);
        let mut walker = Walker::new(done.snapshot, &self.ages, outbox, &table, stop, panic);
        let begun = Instant::now();
        let walked = env.follow_references(&mut walker);
        done.pause_ms = begun.elapsed().as_secs_f64() * 1e3;
        walked.map_err(OrderError::of_walk)?;
        self.standing = self.standing.max(walker.objects_seen());
        walker.finish()?;
        if !names::send(env, jni, done.snapshot, &methods(&table), outbox) {
            return Err("the connection broke, or the JVM would not list its classes".into());
        }
        Ok(())
    }
}
