//! T2 as the session runs it, by whatever method is asked for. What goes wrong is told in the capture's own end; what to try
//! next is for who asked.

use super::snapshots::{Snapshots, fatal_or_text};
use super::survey::survey;
use super::{Session, log};
use crate::capture::methods::methods;
use crate::capture::{names, walk::Walker};
use crate::jvmti::jni::Jni;
use crate::jvmti::ring::METHOD_SLOTS;
use crate::link::outbox::Outbox;
use crate::options::PanicPlace;
use rootbound_wire::ids::SnapshotId;
use rootbound_wire::message::{CaptureDone, CaptureMethod, FromAgent};
use std::sync::atomic::AtomicU64;
use std::time::Instant;

/// What to capture and how, as [`rootbound_wire::message::ToAgent::Capture`] says.
#[derive(Clone, Copy, Debug)]
pub struct Order {
    /// The name of the capture.
    pub snapshot: SnapshotId,
    /// How.
    pub method: CaptureMethod,
    /// Bound of the stop; 0: none.
    pub abort_after_ms: u32,
    /// Bound of a child's life; 0: the agent's own.
    pub deadline_ms: u32,
}

impl Order {
    /// Without bounds but the agent's own.
    pub fn plain(snapshot: SnapshotId, method: CaptureMethod) -> Self {
        Self { snapshot, method, abort_after_ms: 0, deadline_ms: 0 }
    }
}

impl Snapshots {
    /// Captures. Whether it is complete.
    pub fn capture(&mut self, session: &Session, jni: &Jni, outbox: &Outbox, order: Order) -> bool {
        let Order { snapshot, method, .. } = order;
        outbox.send(FromAgent::CaptureStarted { snapshot, at_ms: session.at_ms(), method });
        self.begun += 1;
        let mut done = CaptureDone { snapshot, ..CaptureDone::default() };
        let result = match method {
            CaptureMethod::Tags => self.capture_by_tags(session, jni, outbox, &mut done),
            CaptureMethod::Fork => match survey(session, jni).fork_obstacle {
                Some(obstacle) => Err(obstacle),
                None => self.capture_by_address(session, jni, outbox, order, &mut done),
            },
            CaptureMethod::InProcess => match survey(session, jni).address_obstacle {
                Some(obstacle) => Err(obstacle),
                None => self.capture_by_address(session, jni, outbox, order, &mut done),
            },
        };
        outbox.pool.drain();
        done.failure = result.err();
        done.at_ms = session.at_ms();
        log::info(&format!("{method:?} {:.0} ms {}", done.pause_ms, done.failure.as_deref().unwrap_or_default()));
        let is_whole = done.failure.is_none();
        outbox.send(FromAgent::CaptureDone(done));
        is_whole
    }

    fn capture_by_tags(
        &mut self,
        session: &Session,
        jni: &Jni,
        outbox: &Outbox,
        done: &mut CaptureDone,
    ) -> Result<(), String> {
        let buffers = if self.begun <= session.options.test_dry { 1 } else { usize::MAX };
        outbox.pool.fill(buffers);
        let walked = self.walk(session, jni, outbox, done);
        if walked.is_err() {
            self.ages.abort(done.snapshot);
        }
        walked
    }

    fn walk(&mut self, session: &Session, jni: &Jni, outbox: &Outbox, done: &mut CaptureDone) -> Result<(), String> {
        let panics = session.options.test_panic == Some(PanicPlace::Capture);
        self.open(session, done.snapshot)?;
        let env = self.tags.as_ref().ok_or("no tag environment")?;
        let table: Vec<AtomicU64> = (0..METHOD_SLOTS).map(|_| AtomicU64::new(0)).collect();
        let mut walker = Walker::new(done.snapshot, &self.ages, outbox, &table, panics);
        let begun = Instant::now();
        let walked = env.follow_references(&mut walker);
        done.pause_ms = begun.elapsed().as_secs_f64() * 1e3;
        walked.map_err(|error| fatal_or_text(&error))?;
        self.standing = self.standing.max(walker.objects_seen());
        walker.finish()?;
        if !names::send(env, jni, done.snapshot, &methods(&table), outbox) {
            return Err("the connection broke, or the JVM would not list its classes".to_owned());
        }
        Ok(())
    }
}
