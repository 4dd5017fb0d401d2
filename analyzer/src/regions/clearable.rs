//! Change-proxies that the next collections let go: they are, or hold, a weak or soft reference to an object that is
//! kept by nothing else. A reference queue receives the reference, so that its owner can remove it.
//!
//! A weak map whose keys die in the old generation grows until that is collected, and a cache with soft values grows
//! until memory is short. Neither is a leak. These are leaks: a map whose values refer to their own keys; a map whose
//! keys are kept by another object; and a list of weak references without a queue, which are cleared and stay. A table
//! of thread locals has no queue either, but removes what was cleared. So references without a queue wait for the
//! collector as long as fewer of the structure's own are cleared than wait.
//!
//! Where two captures show how many wait, the gain between them decides: a constant number is in use, and the others
//! wait, or a constant number waits, and the others stay.

use super::Region;
use crate::graph::{ObjectGraph, OwnedHeap};
use crate::heap::{ClassIdx, ObjectIdx};
use crate::relations::chain::above;
use crate::relations::referents::{Sample, find_near, nearest};

/// Maximum of steps from a referent up to the object that keeps it.
const MAX_ABOVE: usize = 4;
/// The field by which a reference refers to its queue, and the class of the queue that stands for none
/// (`java.lang.ref`).
const QUEUE_FIELD: &str = "queue";
const NO_QUEUE: &str = "java.lang.ref.ReferenceQueue$Null";

/// Standard errors from which a gain is clear.
const CLEAR: f64 = 2.0;

/// Shares of a region's change-proxies, in [0, 1].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Clearable {
    /// Share of change-proxies that stay as long as something keeps a referent.
    pub weak: f64,
    /// Share of all change-proxies whose referent nothing keeps any more: collections will let them go.
    pub waiting: f64,
    /// Their numbers.
    pub backlog: Backlog,
}

/// Numbers of change-proxies in one capture. By default of no owner.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Backlog {
    /// All of them.
    pub members: f64,
    /// Those whose referent nothing keeps any more.
    pub waiting: f64,
    /// Standard error of either number.
    pub error: f64,
    /// Owners that have them.
    pub owners: u32,
}

impl Backlog {
    /// Share that waits of what was gained since an earlier capture; `None` where it is not clear whether that is most.
    fn waiting_since(&self, before: &Self) -> Option<f64> {
        let (gained, waiting) = (self.members - before.members, self.waiting - before.waiting);
        let error = CLEAR * self.error.hypot(before.error);
        let is_clear = before.owners == self.owners && gained > 0.0 && (waiting - gained / 2.0).abs() > error;
        is_clear.then(|| (waiting / gained).clamp(0.0, 1.0))
    }

    fn with(self, other: Self) -> Self {
        Self {
            members: self.members + other.members,
            waiting: self.waiting + other.waiting,
            error: self.error.hypot(other.error),
            owners: self.owners + other.owners,
        }
    }
}

impl Clearable {
    /// The same where an earlier capture is known.
    #[must_use]
    pub fn after(self, before: &Self) -> Self {
        let waiting = self.backlog.waiting_since(&before.backlog).unwrap_or(self.waiting);
        Self { waiting, ..self }
    }

    /// Those of two owners together.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        let backlog = self.backlog.with(other.backlog);
        let share = other.backlog.members / backlog.members.max(1.0);
        let mean = |one: f64, other: f64| one + share * (other - one);
        Self { weak: mean(self.weak, other.weak), waiting: mean(self.waiting, other.waiting), backlog }
    }
}

/// Strength by which a change-proxy is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Held {
    /// By its structure.
    Strongly,
    /// By the object that keeps its referent.
    Weakly,
    /// By nothing any more; no collection has noticed it yet.
    Waiting,
}

/// What a change-proxy is, or holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reference {
    /// None that tells.
    None,
    /// One with a queue, whose referent is held so.
    Queued(Held),
    /// One without a queue, whose referent is held so.
    Unqueued(Held),
    /// One without a queue that was cleared.
    Cleared,
}

/// Clearable share of an owner's objects of the change-proxies' type: of the old or of the new ones, whichever is
/// larger. In some caches the newest are in use and the old are not; others began with entries that stay for good.
pub fn clearable(graph: &ObjectGraph<'_>, region: &Region) -> Clearable {
    let sample =
        Sample::of(graph.owned(), region.owner, |class| graph.heap.classes().is_subclass(class, region.change_class));
    clearable_of(graph.owned(), &sample, |change| graph.ages.newness(change))
}

/// The same for an owner in a capture without ages, and for its objects of such types.
pub fn clearable_now(owned: OwnedHeap<'_>, owner: ObjectIdx, is_such: impl Fn(ClassIdx) -> bool) -> Clearable {
    clearable_of(owned, &Sample::of(owned, owner, is_such), |_| 0.0)
}

fn clearable_of(owned: OwnedHeap<'_>, sample: &Sample, newness: impl Fn(ObjectIdx) -> f64) -> Clearable {
    let found: Vec<Reference> = sample.asked.iter().map(|&change| reference(owned, change)).collect();
    let number = |such| found.iter().filter(|&&each| each == such).count();
    let cleared = number(Reference::Cleared);
    let drops_cleared = cleared == 0 || cleared < number(Reference::Unqueued(Held::Waiting));
    let newness = sample.asked.iter().map(|&change| newness(change));
    let asked: Vec<(f64, Held)> = newness.zip(&found).map(|(new, found)| (new, held(*found, drops_cleared))).collect();
    let sum = |least: Held, weight: fn(f64) -> f64| -> f64 {
        asked.iter().filter(|&&(_, held)| held >= least).fold(0.0, |sum, each| sum + weight(each.0))
    };
    let share = |least, weight| sum(least, weight) / sum(Held::Strongly, weight).max(f64::MIN_POSITIVE);
    let most = |least| share(least, |newness| newness).max(share(least, |newness| 1.0 - newness));
    let backlog = backlog(sample, share(Held::Waiting, |_| 1.0));
    Clearable { weak: most(Held::Weakly), waiting: most(Held::Waiting), backlog }
}

/// Numbers of all members, where this share of the sample waits.
fn backlog(sample: &Sample, waiting: f64) -> Backlog {
    let asked = sample.asked.len() as f64;
    let left_out = (1.0 - asked / sample.members.max(1.0)).max(0.0);
    let variance = waiting * (1.0 - waiting) / asked.max(1.0) * left_out;
    let error = sample.error.hypot(sample.members * variance.sqrt());
    Backlog { members: sample.members, waiting: waiting * sample.members, error, owners: 1 }
}

/// Strength by which a change-proxy is held. `drops_cleared`: its structure removes references that were cleared.
fn held(found: Reference, drops_cleared: bool) -> Held {
    match found {
        Reference::Queued(held) => held,
        Reference::Unqueued(held) if drops_cleared => held,
        Reference::None | Reference::Unqueued(_) | Reference::Cleared => Held::Strongly,
    }
}

/// What a change-proxy is, or holds.
fn reference(owned: OwnedHeap<'_>, change: ObjectIdx) -> Reference {
    if let Some(referent) = nearest(owned, change, |reference| has_queue(owned, reference)) {
        let is_waiting = is_let_go(owned, referent);
        return Reference::Queued(if is_waiting { Held::Waiting } else { Held::Weakly });
    }
    match nearest(owned, change, |_| true) {
        Some(referent) if owned.dominators.is_reachable(referent) => Reference::Unqueued(Held::Weakly),
        Some(_) => Reference::Unqueued(Held::Waiting),
        None if holds_unqueued(owned, change) => Reference::Cleared,
        None => Reference::None,
    }
}

/// Whether an object is, or has a few fields away, a reference without a queue.
fn holds_unqueued(owned: OwnedHeap<'_>, object: ObjectIdx) -> bool {
    find_near(owned, object, |near| queues(owned, near).find(|&queue| is_no_queue(owned, queue))).is_some()
}

/// Whether a referent is kept by nothing any more, or only by objects that wait for the collector themselves. The value
/// that a weak map holds next to a key is such an object.
fn is_let_go(owned: OwnedHeap<'_>, referent: ObjectIdx) -> bool {
    if !owned.dominators.is_reachable(referent) {
        return true;
    }
    let keepers = above(owned.dominators, referent).take(MAX_ABOVE).take_while(|&object| !owned.heap.is_array(object));
    let mut kept_with = keepers.filter_map(|object| nearest(owned, object, |near| has_queue(owned, near)));
    kept_with.next().is_some_and(|other| !owned.dominators.is_reachable(other))
}

fn has_queue(owned: OwnedHeap<'_>, reference: ObjectIdx) -> bool {
    queues(owned, reference).any(|queue| !is_no_queue(owned, queue))
}

/// The objects to which a reference refers by the field of its queue.
fn queues(owned: OwnedHeap<'_>, reference: ObjectIdx) -> impl Iterator<Item = ObjectIdx> + '_ {
    let (heap, classes) = (owned.heap, owned.heap.classes());
    let is_queue =
        move |label| classes.field(heap.class_of(reference), label).is_some_and(|field| field.name == QUEUE_FIELD);
    heap.references().labelled(reference).filter(move |&(_, label)| is_queue(label)).map(|(queue, _)| queue)
}

fn is_no_queue(owned: OwnedHeap<'_>, queue: ObjectIdx) -> bool {
    owned.heap.classes().get(owned.heap.class_of(queue)).name == NO_QUEUE
}
