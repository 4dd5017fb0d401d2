//! Objects to which the change-proxies of a region refer weakly or softly.

use super::chain::predecessor;
use crate::graph::ObjectGraph;
use crate::heap::{ClassIdx, Label, ObjectIdx};

/// Maximum of objects of one owner that are examined, and of change-proxies among them.
const MAX_LOOKED_AT: usize = 65_536;
const MAX_ASKED: usize = 256;
/// Maximum of fields from a change-proxy to its reference: a node, a holder, the reference.
const MAX_HOPS: usize = 2;
/// Maximum of objects of one change-proxy that are examined.
const MAX_OBJECTS: usize = 64;

/// Change-proxies of an owner, and old objects of their type, from everywhere in the structure.
pub fn sample(
    graph: &ObjectGraph<'_>,
    owner: ObjectIdx,
    change_class: ClassIdx,
) -> impl Iterator<Item = ObjectIdx> + use<> {
    let classes = graph.heap.classes();
    let all = graph.dominators.subtree(owner);
    let is_change = |object: &ObjectIdx| classes.is_subclass(graph.heap.class_of(*object), change_class);
    let looked_at = all.iter().copied().step_by(all.len().div_ceil(MAX_LOOKED_AT).max(1));
    let changes: Vec<ObjectIdx> = looked_at.filter(is_change).collect();
    let step = changes.len().div_ceil(MAX_ASKED).max(1);
    changes.into_iter().step_by(step)
}

/// The referent of the nearest such reference that an object is, or has a few fields away. `None` where there is no
/// such reference, or it was cleared.
pub fn nearest(graph: &ObjectGraph<'_>, object: ObjectIdx, is_such: impl Fn(ObjectIdx) -> bool) -> Option<ObjectIdx> {
    find_near(graph, object, |near| graph.heap.referent(near).filter(|_| is_such(near)))
}

/// What is found first in an object, and in what it has a few fields away.
pub fn find_near<T>(graph: &ObjectGraph<'_>, object: ObjectIdx, find: impl Fn(ObjectIdx) -> Option<T>) -> Option<T> {
    let mut near = vec![object];
    let mut seen = 1;
    for _ in 0..=MAX_HOPS {
        if let Some(found) = near.iter().find_map(|&near| find(near)) {
            return Some(found);
        }
        let parts = near.iter().flat_map(|&near| parts(graph, object, near));
        near = parts.take(MAX_OBJECTS.saturating_sub(seen)).collect();
        seen += near.len();
    }
    None
}

/// Objects that belong to an object alone and are referred to by its fields; nodes chained to the change-proxy are not
/// included.
fn parts<'a>(graph: &'a ObjectGraph<'_>, change: ObjectIdx, object: ObjectIdx) -> impl Iterator<Item = ObjectIdx> + 'a {
    let class = graph.heap.class_of(change);
    let is_own = move |&(part, label): &(ObjectIdx, Label)| {
        label.is_instance_field()
            && graph.dominators.immediate_dominator(part) == Some(object)
            && predecessor(graph, part, class).is_none()
    };
    graph.heap.references().labelled(object).filter(is_own).map(|(part, _)| part)
}
