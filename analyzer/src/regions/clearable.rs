//! Change-proxies that the next collections let go: they are, or hold, a weak or soft reference to an object that is
//! kept by nothing else. A reference queue receives the reference, so that its owner can remove it.
//!
//! A weak map whose keys die in the old generation grows until that is collected, and a cache with soft values grows
//! until memory is short. Neither is a leak. These are leaks: a map whose values refer to their own keys; a map whose
//! keys are kept by another object; and a list of weak references without a queue, which are cleared and stay.

use super::Region;
use super::collect::follows;
use crate::graph::ObjectGraph;
use crate::heap::{Label, ObjectIdx};

/// Share of the change-proxies whose referents one owner keeps from which on it counts as their keeper.
const MOSTLY_KEPT: f64 = 0.5;
/// Maximum of objects of one owner that are examined, and of change-proxies among them.
const MAX_LOOKED_AT: usize = 65_536;
const MAX_ASKED: usize = 256;
/// Maximum of fields from a change-proxy to its reference: a node, a holder, the reference.
const MAX_HOPS: usize = 2;
/// Maximum of steps from a referent up to the object that keeps it.
const MAX_ABOVE: usize = 4;
/// Maximum of objects of one change-proxy that are examined.
const MAX_OBJECTS: usize = 64;
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
    let asked: Vec<(f64, Held)> = sample(graph, region).map(|change| (newness(change), held(graph, change))).collect();
    let sum = |least: Held, weight: fn(f64) -> f64| -> f64 {
        asked.iter().filter(|&&(_, held)| held >= least).fold(0.0, |sum, each| sum + weight(each.0))
    };
    let share = |least, weight| sum(least, weight) / sum(Held::Strongly, weight).max(f64::MIN_POSITIVE);
    let most = |least| share(least, |newness| newness).max(share(least, |newness| 1.0 - newness));
    Clearable { weak: most(Held::Weakly), waiting: most(Held::Waiting) }
}

/// The owner of another region that keeps the objects to which a region's change-proxies refer weakly: keys of a side
/// table, thread locals. It must keep most of the examined ones; of several owners, one within another, the innermost
/// counts. `None` where the region's own owner keeps them, or no owner does.
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

/// Change-proxies of a region, and old objects of their type, from everywhere in the structure.
fn sample(graph: &ObjectGraph<'_>, region: &Region) -> impl Iterator<Item = ObjectIdx> + use<> {
    let (classes, class) = (graph.heap.classes(), region.change_class);
    let all = graph.dominators.subtree(region.owner);
    let is_change = |object: &ObjectIdx| classes.is_subclass(graph.heap.class_of(*object), class);
    let looked_at = all.iter().copied().step_by(all.len().div_ceil(MAX_LOOKED_AT).max(1));
    let changes: Vec<ObjectIdx> = looked_at.filter(is_change).collect();
    let step = changes.len().div_ceil(MAX_ASKED).max(1);
    changes.into_iter().step_by(step)
}

/// Strength by which a change-proxy is held.
fn held(graph: &ObjectGraph<'_>, change: ObjectIdx) -> Held {
    match nearest_referent(graph, change, |reference| tells_a_queue(graph, reference)) {
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
    let above = std::iter::successors(Some(referent), |&object| graph.dominators.immediate_dominator(object));
    let above = above.skip(1).take(MAX_ABOVE).take_while(|&object| !graph.heap.is_array(object));
    let mut kept_with = above.filter_map(|object| nearest_referent(graph, object, |near| tells_a_queue(graph, near)));
    kept_with.next().is_some_and(|other| !graph.dominators.is_reachable(other))
}

/// The referent of the nearest such reference that an object is, or has a few fields away. `None` where there is no
/// such reference, or it was cleared.
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

/// Objects that belong to an object alone and are referred to by its fields; nodes chained to the change-proxy are not
/// included.
fn parts<'a>(graph: &'a ObjectGraph<'_>, change: ObjectIdx, object: ObjectIdx) -> impl Iterator<Item = ObjectIdx> + 'a {
    let class = graph.heap.class_of(change);
    let is_own = move |&(part, label): &(ObjectIdx, Label)| {
        label.is_instance_field()
            && graph.dominators.immediate_dominator(part) == Some(object)
            && follows(graph, part, class).is_none()
    };
    graph.heap.references().labelled(object).filter(is_own).map(|(part, _)| part)
}
