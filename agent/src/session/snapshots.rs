//! Mark and capture, as the session runs them: one tag environment that lives from the first of them until the owners
//! are held by weak references, and goes away with all its tags.

use super::{Session, log};
use crate::capture::{names, walk::Walker};
use crate::identity::{ages::Ages, mark::mark_all, tag::LAST_SNAPSHOT};
use crate::jvmti::env::Env;
use crate::jvmti::heap::WalkError;
use crate::jvmti::jni::Jni;
use crate::link::outbox::Outbox;
use crate::options::PanicPlace;
use rootbound_wire::ids::SnapshotId;
use rootbound_wire::message::{CaptureDone, CaptureMethod, FromAgent, MarkDone};
use std::time::Instant;

/// The tags of the snapshots that stand.
#[derive(Default)]
pub struct Snapshots {
    tags: Option<Env>,
    standing: u64,
    ages: Ages,
    /// The highest number that stands in a tag.
    newest: u32,
    /// Captures begun since the agent was loaded; only the test hook asks.
    begun: u32,
}

impl Snapshots {
    /// Tags that stand now.
    pub fn standing(&self) -> u64 {
        self.standing
    }

    /// The environment of the tags, while it lives.
    pub fn tags(&self) -> Option<&Env> {
        self.tags.as_ref()
    }

    /// Clears every tag.
    pub fn clear(&mut self) {
        *self = Self { begun: self.begun, ..Self::default() };
    }

    fn open(&mut self, session: &Session, snapshot: SnapshotId) -> Result<(), String> {
        if snapshot.0 == 0 || snapshot.0 > LAST_SNAPSHOT {
            return Err(format!("snapshot numbers run from 1 to {LAST_SNAPSHOT}, not {}", snapshot.0));
        }
        // A number that stands in tags already would confuse two snapshots; numbers that rise never come here.
        if snapshot.0 <= self.newest {
            self.clear();
        }
        self.newest = snapshot.0;
        if self.tags.is_none() {
            self.tags = Some(Env::tagging(session.vm).map_err(|error| error.to_string())?);
        }
        Ok(())
    }

    /// T1.
    ///
    /// # Errors
    /// Why it could not be done, for people to read.
    pub fn mark(&mut self, session: &Session, jni: &Jni, outbox: &Outbox, snapshot: SnapshotId) -> Result<(), String> {
        let panics = session.options.test_panic == Some(PanicPlace::Mark);
        self.open(session, snapshot)?;
        let env = self.tags.as_ref().ok_or("no tag environment")?;
        let marked = mark_all(env, jni, snapshot, &self.ages, panics).map_err(|error| fatal_or_text(&error))?;
        self.standing = marked.marked;
        let pause_ms = marked.pause.as_secs_f64() * 1e3;
        log::info(&format!("marked {} objects in {pause_ms:.0} ms", marked.marked));
        outbox.send(FromAgent::MarkDone(MarkDone {
            snapshot,
            at_ms: session.at_ms(),
            objects: marked.objects,
            marked: marked.marked,
            pause_ms,
            missed: Vec::new(),
            failure: None,
        }));
        Ok(())
    }

    /// T2. Whatever goes wrong is told in the capture's own end; the marks then stand for a capture to come.
    pub fn capture(&mut self, session: &Session, jni: &Jni, outbox: &Outbox, snapshot: SnapshotId) {
        let method = CaptureMethod::Tags;
        outbox.send(FromAgent::CaptureStarted { snapshot, at_ms: session.at_ms(), method });
        self.begun += 1;
        let buffers = if self.begun <= session.options.test_dry { 1 } else { usize::MAX };
        outbox.pool.fill(buffers);
        let mut pause_ms = 0.0;
        let result = self.walk(session, jni, outbox, snapshot, &mut pause_ms);
        outbox.pool.drain();
        let failure = result.err();
        if failure.is_some() {
            self.ages.abort(snapshot);
        }
        log::info(&format!("captured in {pause_ms:.0} ms{}", failure.as_deref().unwrap_or_default()));
        outbox.send(FromAgent::CaptureDone(CaptureDone {
            snapshot,
            at_ms: session.at_ms(),
            pause_ms,
            records: 0,
            references: 0,
            child: None,
            agent_bytes: 0,
            failure,
        }));
    }

    fn walk(
        &mut self,
        session: &Session,
        jni: &Jni,
        outbox: &Outbox,
        snapshot: SnapshotId,
        pause_ms: &mut f64,
    ) -> Result<(), String> {
        let panics = session.options.test_panic == Some(PanicPlace::Capture);
        self.open(session, snapshot)?;
        let env = self.tags.as_ref().ok_or("no tag environment")?;
        let mut walker = Walker::new(snapshot, &self.ages, outbox, panics);
        let begun = Instant::now();
        let walked = env.follow_references(&mut walker);
        *pause_ms = begun.elapsed().as_secs_f64() * 1e3;
        walked.map_err(|error| fatal_or_text(&error))?;
        self.standing = self.standing.max(walker.objects_seen());
        let methods = walker.finish()?;
        if !names::send(env, jni, snapshot, &methods, outbox) {
            return Err("the connection broke, or the JVM would not list its classes".to_owned());
        }
        Ok(())
    }
}

/// A panic inside the callback was stopped at the border; here it may go on, to the containment of the work thread.
fn fatal_or_text(error: &WalkError) -> String {
    match error {
        WalkError::Panicked => std::panic::resume_unwind(Box::new("heap visitor")),
        WalkError::Jvmti(error) => error.to_string(),
    }
}
