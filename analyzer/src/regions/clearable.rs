//! Change-proxies that the next collections let go: they are, or hold, a weak or soft reference to an object that is
//! kept by nothing else. A reference queue receives the reference, so that its owner can remove it.
//!
//! A weak map whose keys die in the old generation grows until that is collected, and a cache with soft values grows
//! until memory is short. Neither is a leak. These are leaks: a map whose values refer to their own keys; a map whose
//! keys are kept by another object; and a list of weak references without a queue, which are cleared and stay.

use super::Region;
use crate::graph::ObjectGraph;
use crate::heap::ObjectIdx;
use crate::relations::chain::above;
use crate::relations::referents::{nearest, sample};

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

/// Clearable share of an owner's objects of the change-proxies' type: of the old or of the new ones, whichever is
/// larger. In some caches the newest are in use and the old are not; others began with entries that stay for good.
pub fn clearable(graph: &ObjectGraph<'_>, region: &Region) -> Clearable {
    let newness = |change| graph.ages.newness(change);
    let asked: Vec<(f64, Held)> =
        sample(graph, region.owner, region.change_class).map(|change| (newness(change), held(graph, change))).collect();
    let sum = |least: Held, weight: fn(f64) -> f64| -> f64 {
        asked.iter().filter(|&&(_, held)| held >= least).fold(0.0, |sum, each| sum + weight(each.0))
    };
    let share = |least, weight| sum(least, weight) / sum(Held::Strongly, weight).max(f64::MIN_POSITIVE);
    let most = |least| share(least, |newness| newness).max(share(least, |newness| 1.0 - newness));
    Clearable { weak: most(Held::Weakly), waiting: most(Held::Waiting) }
}

/// Strength by which a change-proxy is held.
fn held(graph: &ObjectGraph<'_>, change: ObjectIdx) -> Held {
    match nearest(graph, change, |reference| has_queue(graph, reference)) {
        None => Held::Strongly,
        Some(referent) if is_let_go(graph, referent) => Held::Waiting,
        Some(_) => Held::Weakly,
    }
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
    let (heap, classes) = (graph.heap, graph.heap.classes());
    let is_queue =
        |label| classes.field(heap.class_of(reference), label).is_some_and(|field| field.name == QUEUE_FIELD);
    let mut queues = heap.references().labelled(reference).filter(|&(_, label)| is_queue(label));
    queues.any(|(queue, _)| classes.get(heap.class_of(queue)).name != NO_QUEUE)
}
