//! Marks as the session sets them: by one iteration over the heap, or by paths without any stop. Decides nothing.

use super::order_error::OrderError;
use super::snapshots::Snapshots;
use super::{Session, survey};
use crate::capture::assigned_ids::AssignedIds;
use crate::capture::failure::Failure;
use crate::faults::Place;
use crate::guard::log;
use crate::identity::ages::Ages;
use crate::identity::live::{self, LivePaths};
use crate::identity::mark::{Marking, mark_all, mark_some};
use crate::identity::named::{Gone, Ids, Named};
use crate::identity::pace::Pace;
use crate::identity::path::{MOST_HELD, walk};
use crate::identity::plan::Tree;
use crate::identity::sole::MostStop;
use crate::identity::tag::Tag;
use crate::jvmti::env::Env;
use crate::jvmti::jni::{Jni, NoReferences};
use crate::link::outbox::Outbox;
use crate::platform::collector;
use crate::stop::StopBound;
use rootbound_wire::ids::SnapshotId;
use rootbound_wire::message::{FromAgent, MarkDone, MarkPlan};
use std::time::{Duration, Instant};

/// Every JVM's smallest object but for those of compact headers; and no heap is made of smallest objects alone.
const SMALLEST_OBJECT_BYTES: u64 = 16;
/// Reads of one plan, about a second's, …
const MOST_READS: u64 = 8_000_000;
/// … and the longest they may take on a busy machine. What lies beyond is missed.
const LONGEST: Duration = Duration::from_secs(5);
/// References in addition to those that are counted.
const ROOM: usize = 64;

/// Marks to set by an iteration, as in [`rootbound_wire::message::ToAgent::Mark`].
#[derive(Clone, Copy, Debug)]
pub struct MarkOrder {
    /// The snapshot that they carry.
    pub snapshot: SnapshotId,
    /// Most marks; `None`: all objects.
    pub budget: Option<u32>,
    /// Bound of the stop; 0: none.
    pub abort_after_ms: u32,
}

impl Snapshots {
    /// The place of a capture's ids, and the time for which searches for them may pause the program; `None` when no
    /// tag exists.
    pub fn ids(&self, snapshot: SnapshotId, most_stop_ms: u32) -> Option<Ids<'_>> {
        let renamed = self.assigned.planned().collect();
        let most_stop = MostStop { most_ms: most_stop_ms, traverses: collector::traverses_to_iterate() };
        Some(Ids { env: self.tags.as_ref()?, snapshot, generations: &self.generations, renamed, most_stop })
    }

    /// T1 by an iteration: all objects, or at most `budget`. Reports its result.
    pub fn mark(&mut self, session: &Session, jni: &Jni, outbox: &Outbox, order: MarkOrder) {
        let obstacle = survey::survey(self, session, jni).iteration.obstacle;
        let done = settled(match obstacle {
            Some(obstacle) => Err(OrderError::Obstacle(obstacle)),
            None => self.iterate(session, jni, order),
        });
        self.stopped_ms += done.pause_ms;
        report(session, outbox, MarkDone { snapshot: order.snapshot, ..done });
    }

    fn iterate(&mut self, session: &Session, jni: &Jni, order: MarkOrder) -> Result<MarkDone, OrderError> {
        let panic = session.options.faults.panic_at(Place::Mark);
        self.open(session, order.snapshot)?;
        let env = self.tags.as_ref().ok_or(OrderError::NoTags)?;
        let stop = StopBound::from_now(order.abort_after_ms);
        let of = Marking { env, jni, snapshot: order.snapshot, ages: &self.ages, stop, panic };
        let marked = match order.budget.filter(|&budget| u64::from(budget) < most_objects(jni)) {
            None => mark_all(of),
            Some(budget) => mark_some(of, budget),
        };
        let marked = marked.map_err(OrderError::of_walk)?;
        self.standing = marked.standing;
        let pause_ms = marked.pause.as_secs_f64() * 1e3;
        let failure = marked.is_cut.then(|| Failure::TooLong.text().to_owned());
        Ok(MarkDone { objects: marked.objects, marked: marked.marked, pause_ms, failure, ..MarkDone::default() })
    }

    /// T1 by paths, while the program runs. Afterwards only these marks exist; after a failure, those from before.
    pub fn mark_paths(
        &mut self,
        session: &Session,
        jni: &Jni,
        outbox: &Outbox,
        (snapshot, plan): (SnapshotId, &MarkPlan),
        most_stop_ms: u32,
    ) {
        let begun = Instant::now();
        let done = self.along_paths(session, jni, outbox, (snapshot, plan), most_stop_ms);
        log::info(&format!("walked the paths of {} steps in {:?}", plan.steps.len(), begun.elapsed()));
        let done = settled(done);
        self.stopped_ms += done.pause_ms;
        report(session, outbox, MarkDone { snapshot, ..done });
    }

    fn along_paths(
        &mut self,
        session: &Session,
        jni: &Jni,
        outbox: &Outbox,
        (snapshot, plan): (SnapshotId, &MarkPlan),
        most_stop_ms: u32,
    ) -> Result<MarkDone, OrderError> {
        let tree = Tree::check(plan)?;
        let ids = self.ids(snapshot, most_stop_ms).filter(|ids| ids.generations.contains(&snapshot.0)).ok_or(Gone)?;
        // Tags of two environments never meet: earlier tags go with their environment.
        let marks = Env::tagging(session.vm)?;
        let interrupt = || session.is_dormant() || outbox.is_over();
        let mut pace = Pace::new(MOST_READS, LONGEST, &interrupt);
        let room = live::wanted(plan).room() + MOST_HELD + ROOM;
        let walked = jni.frame(room, || follow(jni, &ids, &marks, &tree, &mut pace));
        let (marked, missed, pause) = walked.unwrap_or(Err(NoReferences.into()))?;
        if pace.is_interrupted() {
            return Err(OrderError::Interrupted);
        }
        (self.tags, self.standing) = (Some(marks), marked);
        (self.ages, self.assigned, self.generations) = (Ages::default(), AssignedIds::default(), vec![snapshot.0]);
        let pause_ms = pause.as_secs_f64() * 1e3;
        Ok(MarkDone { objects: pace.reads(), marked, missed, pause_ms, ..MarkDone::default() })
    }
}

/// Walks the plan. Returns the number of marks set, the numbers of the others, and the time of the pause.
fn follow(
    jni: &Jni,
    ids: &Ids<'_>,
    marks: &Env,
    tree: &Tree<'_>,
    pace: &mut Pace<'_>,
) -> Result<(u64, Vec<u32>, Duration), OrderError> {
    let plan = tree.plan();
    let named = Named::find(jni, ids, &live::wanted(plan))?;
    if !plan.classes.is_empty() && named.is_empty() {
        return Err(Gone.into());
    }
    let reader = LivePaths::new(jni, ids.env, &named, plan);
    pace.begin();
    let mut marked = 0;
    let missed = walk(&reader, tree, pace, |object, number| {
        // Two paths may lead to one object: it keeps the number that it got first.
        let tag = Tag::planned(ids.snapshot, number).encode(0);
        let is_set = marks.tag(object) == 0 && marks.set_tag(object, tag).is_ok();
        marked += u64::from(is_set);
        is_set
    });
    Ok((marked, missed, named.pause()))
}

/// More objects than the heap can hold now.
fn most_objects(jni: &Jni) -> u64 {
    jni.heap_bytes().map_or(u64::MAX, |(used, ..)| used / SMALLEST_OBJECT_BYTES)
}

fn settled(done: Result<MarkDone, OrderError>) -> MarkDone {
    done.unwrap_or_else(|error| MarkDone { failure: Some(error.to_string()), ..MarkDone::default() })
}

fn report(session: &Session, outbox: &Outbox, done: MarkDone) {
    match &done.failure {
        Some(reason) => log::info(&format!("nothing marked: {reason}")),
        None => log::info(&format!("marked {} objects in {:.0} ms", done.marked, done.pause_ms)),
    }
    outbox.send(FromAgent::MarkDone(MarkDone { at_ms: session.at_ms(), ..done }));
}
