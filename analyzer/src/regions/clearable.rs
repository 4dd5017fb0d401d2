//! What the next collections let go: change-proxies that are, or hold, a weak or soft reference to what nothing else
//! keeps, and that a queue will be told of, so that their owner can remove them.
//!
//! A weak map whose keys die in the old generation grows until that is collected, and a cache with soft values until
//! memory is short: neither is a leak. A map whose values refer to their own keys, or whose keys somebody else keeps, is
//! one, and so is a list of weak references that no queue is told of: those are cleared and stay.

use super::Region;
use super::collect::follows;
use crate::graph::ObjectGraph;
use crate::heap::{Label, ObjectIdx};

/// From this share of change-proxies on whose referents one owner keeps, it keeps them.
const MOSTLY_KEPT: f64 = 0.5;
/// Objects of one owner that are looked at, and of those how many change-proxies are asked.
const MAX_LOOKED_AT: usize = 65_536;
const MAX_ASKED: usize = 256;
/// From a change-proxy to its reference by so many fields: a node, a holder, the reference.
const MAX_HOPS: usize = 2;
/// From a referent up to what keeps it.
const MAX_ABOVE: usize = 4;
/// Objects of one change-proxy that are looked at.
const MAX_OBJECTS: usize = 64;
/// The field by which a reference knows its queue, and the class of the queue that is none (`java.lang.ref`).
const QUEUE_FIELD: &str = "queue";
const NO_QUEUE: &str = "java.lang.ref.ReferenceQueue$Null";

/// Shares of a region's change-proxies, in [0, 1].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Clearable {
    /// Those that stay as long as something keeps a referent.
    pub weak: f64,
    /// Of all, those whose referent nothing keeps any more: collections will let them go.
    pub waiting: f64,
}

/// How a change-proxy is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Held {
    /// By its structure.
    Strongly,
    /// By what keeps its referent.
    Weakly,
    /// By nothing any more; no collection has seen it yet.
    Waiting,
}

/// What collections will let go of an owner's objects of the change-proxies' type: of the old or of the new ones, whichever
/// is more. Of some caches the newest are in use and the old are not; others began with entries that stay for good.
pub fn clearable(graph: &ObjectGraph<'_>, region: &Region) -> Clearable {
    let newness = |change| graph.ages.newness(change);
    let asked: Vec<(f64, Held)> = sample(graph, region).map(|change| (newness(change), held(graph, change))).collect();
    let sum = |least: Held, weight: fn(f64) -> f64| -> f64 {
        asked.iter().filter(|&&(_, held)| held >= least).fold(0.0, |sum, each| sum + weight(each.0))
    };
    let share = |least, weight| sum(least, weight) / sum(Held::Strongly, weight).max(f64::MIN_POSITIVE);
    let most = |least| share(least, |newness| newness).max(share(least, |newness| 1.0 - newness));
    Clearable { weak: most(Held::Weakly), waiting: most(Held::Waiting) }
}

/// The owner of another region that keeps what a region's change-proxies refer to weakly: keys of a side table, thread
/// locals. Most of those asked must be kept by it; of several owners, one within another, the innermost. `None` where
/// the region's own owner keeps them, or nobody.
pub fn keeper(graph: &ObjectGraph<'_>, region: &Region, others: &[Region]) -> Option<ObjectIdx> {
    let dominators = &graph.dominators;
    let asked: Vec<ObjectIdx> = sample(graph, region).collect();
    let referents = asked.iter().filter_map(|&change| nearest_referent(graph, change, |_| true));
    let kept: Vec<ObjectIdx> = referents.filter(|&referent| dominators.is_reachable(referent)).collect();
    let least = (MOSTLY_KEPT * asked.len() as f64).max(1.0);
    if (kept.len() as f64) < least {
        return None;
    }
    let is_other = |&owner: &ObjectIdx| !dominators.dominates(owner, region.owner);
    let keeps_most = |owner: &ObjectIdx| {
        kept.iter().filter(|&&referent| dominators.dominates(*owner, referent)).count() as f64 >= least
    };
    let owners = others.iter().map(|other| other.owner).filter(is_other).filter(keeps_most);
    owners.max_by_key(|&owner| dominators.depth(owner))
}

/// Change-proxies of a region, and those that were there before it grew, from everywhere in the structure.
fn sample(graph: &ObjectGraph<'_>, region: &Region) -> impl Iterator<Item = ObjectIdx> + use<> {
    let (classes, class) = (graph.heap.classes(), region.change_class);
    let all = graph.dominators.subtree(region.owner);
    let is_change = |object: &ObjectIdx| classes.is_subclass(graph.heap.class_of(*object), class);
    let looked_at = all.iter().copied().step_by(all.len().div_ceil(MAX_LOOKED_AT).max(1));
    let changes: Vec<ObjectIdx> = looked_at.filter(is_change).collect();
    let step = changes.len().div_ceil(MAX_ASKED).max(1);
    changes.into_iter().step_by(step)
}

/// How a change-proxy is held.
fn held(graph: &ObjectGraph<'_>, change: ObjectIdx) -> Held {
    match nearest_referent(graph, change, |reference| tells_a_queue(graph, reference)) {
        None => Held::Strongly,
        Some(referent) if is_let_go(graph, referent) => Held::Waiting,
        Some(_) => Held::Weakly,
    }
}

/// Whether nothing keeps a referent any more, or only what itself waits for the collector, as the value does that a weak
/// map holds beside a key.
fn is_let_go(graph: &ObjectGraph<'_>, referent: ObjectIdx) -> bool {
    if !graph.dominators.is_reachable(referent) {
        return true;
    }
    let above = std::iter::successors(Some(referent), |&object| graph.dominators.immediate_dominator(object));
    let above = above.skip(1).take(MAX_ABOVE).take_while(|&object| !graph.heap.is_array(object));
    let mut kept_with = above.filter_map(|object| nearest_referent(graph, object, |near| tells_a_queue(graph, near)));
    kept_with.next().is_some_and(|other| !graph.dominators.is_reachable(other))
}

/// The referent of the nearest such reference that an object is, or has a few fields away. `None` where there is none, or it
/// was cleared.
fn nearest_referent(
    graph: &ObjectGraph<'_>,
    object: ObjectIdx,
    is_such: impl Fn(ObjectIdx) -> bool,
) -> Option<ObjectIdx> {
    let mut near = vec![object];
    let mut seen = 1;
    for _ in 0..=MAX_HOPS {
        let mut referents = near.iter().filter_map(|&near| Some((near, graph.heap.referent(near)?)));
        if let Some((_, referent)) = referents.find(|&(near, _)| is_such(near)) {
            return Some(referent);
        }
        let parts = near.iter().flat_map(|&near| parts(graph, object, near));
        near = parts.take(MAX_OBJECTS.saturating_sub(seen)).collect();
        seen += near.len();
    }
    None
}

fn tells_a_queue(graph: &ObjectGraph<'_>, reference: ObjectIdx) -> bool {
    let (heap, classes) = (graph.heap, graph.heap.classes());
    let is_queue =
        |label| classes.field(heap.class_of(reference), label).is_some_and(|field| field.name == QUEUE_FIELD);
    let mut queues = heap.references().labelled(reference).filter(|&(_, label)| is_queue(label));
    queues.any(|(queue, _)| classes.get(heap.class_of(queue)).name != NO_QUEUE)
}

/// What belongs to an object alone and is referred to by its fields; nodes chained to the change-proxy do not.
fn parts<'a>(graph: &'a ObjectGraph<'_>, change: ObjectIdx, object: ObjectIdx) -> impl Iterator<Item = ObjectIdx> + 'a {
    let class = graph.heap.class_of(change);
    let is_own = move |&(part, label): &(ObjectIdx, Label)| {
        label.is_instance_field()
            && graph.dominators.immediate_dominator(part) == Some(object)
            && follows(graph, part, class).is_none()
    };
    graph.heap.references().labelled(object).filter(is_own).map(|(part, _)| part)
}
