//! Change-proxies that the next collections let go: they are, or hold, a weak or soft reference to an object that is
//! kept by nothing else. A reference queue receives the reference, so that its owner can remove it.
//!
//! A weak map whose keys die in the old generation grows until that is collected, and a cache with soft values grows
//! until memory is short. Neither is a leak. These are leaks: a map whose values refer to their own keys; a map whose
//! keys are kept by another object; and a list of weak references without a queue, which are cleared and stay. A table
//! of thread locals has no queue either, but removes what was cleared. So references without a queue wait for the
//! collector as long as fewer of the structure's own are cleared than wait.

use super::Region;
use crate::graph::ObjectGraph;
use crate::heap::ObjectIdx;
use crate::relations::chain::above;
use crate::relations::referents::{find_near, nearest, sample};

/// Maximum of steps from a referent up to the object that keeps it.
const MAX_ABOVE: usize = 4;
/// The field by which a reference refers to its queue, and the class of the queue that stands for none
/// (`java.lang.ref`).
const QUEUE_FIELD: &str = "queue";
const NO_QUEUE: &str = "java.lang.ref.ReferenceQueue$Null";

/// Shares of a region's change-proxies, in [0, 1].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Clearable {
    /// Share of change-proxies that stay as long as something keeps a referent.
    pub weak: f64,
    /// Share of all change-proxies whose referent nothing keeps any more: collections will let them go.
    pub waiting: f64,
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
    /// One without a queue, whose referent nothing keeps.
    Unqueued,
    /// One without a queue that was cleared.
    Cleared,
}

/// Clearable share of an owner's objects of the change-proxies' type: of the old or of the new ones, whichever is
/// larger. In some caches the newest are in use and the old are not; others began with entries that stay for good.
pub fn clearable(graph: &ObjectGraph<'_>, region: &Region) -> Clearable {
    let newness = |change| graph.ages.newness(change);
    let found: Vec<(f64, Reference)> = sample(graph, region.owner, region.change_class)
        .map(|change| (newness(change), reference(graph, change)))
        .collect();
    let number = |such| found.iter().filter(|each| each.1 == such).count();
    let drops_cleared = number(Reference::Cleared) < number(Reference::Unqueued);
    let asked: Vec<(f64, Held)> = found.iter().map(|&(newness, found)| (newness, held(found, drops_cleared))).collect();
    let sum = |least: Held, weight: fn(f64) -> f64| -> f64 {
        asked.iter().filter(|&&(_, held)| held >= least).fold(0.0, |sum, each| sum + weight(each.0))
    };
    let share = |least, weight| sum(least, weight) / sum(Held::Strongly, weight).max(f64::MIN_POSITIVE);
    let most = |least| share(least, |newness| newness).max(share(least, |newness| 1.0 - newness));
    Clearable { weak: most(Held::Weakly), waiting: most(Held::Waiting) }
}

/// Strength by which a change-proxy is held. `drops_cleared`: its structure removes references that were cleared.
fn held(found: Reference, drops_cleared: bool) -> Held {
    match found {
        Reference::Queued(held) => held,
        Reference::Unqueued if drops_cleared => Held::Waiting,
        Reference::None | Reference::Unqueued | Reference::Cleared => Held::Strongly,
    }
}

/// What a change-proxy is, or holds.
fn reference(graph: &ObjectGraph<'_>, change: ObjectIdx) -> Reference {
    if let Some(referent) = nearest(graph, change, |reference| has_queue(graph, reference)) {
        let is_waiting = is_let_go(graph, referent);
        return Reference::Queued(if is_waiting { Held::Waiting } else { Held::Weakly });
    }
    match nearest(graph, change, |_| true) {
        Some(referent) if !graph.dominators.is_reachable(referent) => Reference::Unqueued,
        None if holds_unqueued(graph, change) => Reference::Cleared,
        Some(_) | None => Reference::None,
    }
}

/// Whether an object is, or has a few fields away, a reference without a queue.
fn holds_unqueued(graph: &ObjectGraph<'_>, object: ObjectIdx) -> bool {
    find_near(graph, object, |near| queues(graph, near).find(|&queue| is_no_queue(graph, queue))).is_some()
}

/// Whether a referent is kept by nothing any more, or only by objects that wait for the collector themselves. The value
/// that a weak map holds next to a key is such an object.
fn is_let_go(graph: &ObjectGraph<'_>, referent: ObjectIdx) -> bool {
    if !graph.dominators.is_reachable(referent) {
        return true;
    }
    let keepers = above(graph, referent).take(MAX_ABOVE).take_while(|&object| !graph.heap.is_array(object));
    let mut kept_with = keepers.filter_map(|object| nearest(graph, object, |near| has_queue(graph, near)));
    kept_with.next().is_some_and(|other| !graph.dominators.is_reachable(other))
}

fn has_queue(graph: &ObjectGraph<'_>, reference: ObjectIdx) -> bool {
    queues(graph, reference).any(|queue| !is_no_queue(graph, queue))
}

/// The objects to which a reference refers by the field of its queue.
fn queues<'a>(graph: &'a ObjectGraph<'_>, reference: ObjectIdx) -> impl Iterator<Item = ObjectIdx> + 'a {
    let (heap, classes) = (graph.heap, graph.heap.classes());
    let is_queue =
        move |label| classes.field(heap.class_of(reference), label).is_some_and(|field| field.name == QUEUE_FIELD);
    heap.references().labelled(reference).filter(move |&(_, label)| is_queue(label)).map(|(queue, _)| queue)
}

fn is_no_queue(graph: &ObjectGraph<'_>, queue: ObjectIdx) -> bool {
    graph.heap.classes().get(graph.heap.class_of(queue)).name == NO_QUEUE
}
