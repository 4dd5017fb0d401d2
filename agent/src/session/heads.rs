//! Heads of data structures, held by weak handles from one capture to the next. Decides nothing.

use super::Session;
use super::order_error::OrderError;
use super::snapshots::Snapshots;
use crate::guard::log;
use crate::identity::heads::HeldHeads;
use crate::identity::live::{self, LivePaths};
use crate::identity::named::{Gone, Ids, Named};
use crate::identity::pace::Pace;
use crate::identity::path::{MOST_HELD, walk};
use crate::identity::plan::Tree;
use crate::jvmti::jni::{Jni, NoReferences};
use crate::link::outbox::Outbox;
use crate::probe::schedule::gate::Gate;
use rootbound_wire::ids::SnapshotId;
use rootbound_wire::message::{FromAgent, HeadsHeld, MOST_HEADS, MarkPlan};
use std::collections::BTreeSet;
use std::time::Duration;

/// Reads of one order, about a tenth of a second's, …
const MOST_READS: u64 = 1_000_000;
/// … and the longest they may take on a busy machine. What lies beyond is missed.
const LONGEST: Duration = Duration::from_secs(1);
/// References in addition to those that are counted.
const ROOM: usize = 64;

/// The heads of one connection.
#[derive(Default)]
pub struct Heads {
    pub(super) held: HeldHeads,
    /// The capture of the latest order: one order for each.
    ordered_of: Option<SnapshotId>,
    /// Known from the first order on.
    pub(super) gate: Option<Gate>,
}

impl Heads {
    /// Lets all go.
    pub fn clear(&mut self) {
        *self = Self { gate: self.gate.take(), ..Self::default() };
    }

    /// Whether handles may be resolved now: not while the collector marks, for that would keep their objects.
    pub(super) fn may_resolve(&self) -> bool {
        !self.gate.as_ref().is_some_and(Gate::is_marking)
    }
}

impl Snapshots {
    /// Holds the heads of a plan, and reports its result.
    pub fn hold_heads(
        &mut self,
        session: &Session,
        jni: &Jni,
        outbox: &Outbox,
        (snapshot, keep, plan): (SnapshotId, &[u32], &MarkPlan),
    ) {
        let mut heads = std::mem::take(&mut self.heads);
        heads.held.retain(keep);
        let followed = self.follow_to_heads(session, jni, outbox, (snapshot, plan), &mut heads);
        let (missed, failure) = match followed {
            Ok(missed) => (missed, None),
            Err(error) => (Vec::new(), Some(error.to_string())),
        };
        let held = heads.held.len() as u32;
        self.heads = heads;
        log::info(&format!("holds {held} heads, {} missed; {}", missed.len(), failure.as_deref().unwrap_or_default()));
        outbox.send(FromAgent::HeadsHeld(HeadsHeld { snapshot, at_ms: session.at_ms(), held, missed, failure }));
    }

    fn follow_to_heads(
        &self,
        session: &Session,
        jni: &Jni,
        outbox: &Outbox,
        (snapshot, plan): (SnapshotId, &MarkPlan),
        heads: &mut Heads,
    ) -> Result<Vec<u32>, OrderError> {
        let marks = plan.steps.iter().filter(|step| step.mark != 0).count();
        if heads.ordered_of.replace(snapshot) == Some(snapshot) || heads.held.len() + marks > MOST_HEADS {
            return Err(OrderError::Heads);
        }
        let tree = Tree::check(plan)?;
        let ids = self.ids(snapshot, 1).filter(|ids| ids.generations.contains(&snapshot.0)).ok_or(Gone)?;
        heads.gate.get_or_insert_with(|| Gate::find(&session.env, jni));
        let interrupt = || session.is_dormant() || outbox.is_over();
        let mut pace = Pace::new(MOST_READS, LONGEST, &interrupt);
        let room = live::wanted(plan).room() + MOST_HELD + ROOM;
        let walked = jni.frame(room, || hold(jni, &ids, &tree, &mut pace, &mut heads.held));
        let missed = walked.unwrap_or(Err(NoReferences.into()))?;
        if pace.is_interrupted() { Err(OrderError::Interrupted) } else { Ok(missed) }
    }
}

/// Walks the plan. Returns the numbers that were not reached.
fn hold(
    jni: &Jni,
    ids: &Ids<'_>,
    tree: &Tree<'_>,
    pace: &mut Pace<'_>,
    heads: &mut HeldHeads,
) -> Result<Vec<u32>, OrderError> {
    let plan = tree.plan();
    let mut wanted = live::wanted(plan);
    // Those would take a pause.
    (wanted.unique, wanted.locals) = (BTreeSet::new(), BTreeSet::new());
    let named = Named::find(jni, ids, &wanted)?;
    let reader = LivePaths::new(jni, ids.env, &named, plan);
    pace.begin();
    Ok(walk(&reader, tree, pace, |object, number| heads.hold(jni, number, object)))
}
