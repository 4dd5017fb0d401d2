//! Objects to which the change-proxies of a region refer weakly or softly.

use super::chain::predecessor;
use crate::graph::OwnedHeap;
use crate::heap::{ClassIdx, Label, ObjectIdx};

/// Maximum of objects of one owner that are examined, and of change-proxies among them.
const MAX_LOOKED_AT: usize = 65_536;
const MAX_ASKED: usize = 256;
/// Maximum of fields from a change-proxy to its reference: a node, a holder, the reference.
const MAX_HOPS: usize = 2;
/// Maximum of objects of one change-proxy that are examined.
const MAX_OBJECTS: usize = 64;

/// Change-proxies of an owner, and old objects of their type, from everywhere in the structure.
#[derive(Debug)]
pub struct Sample {
    /// Those that are examined.
    pub asked: Vec<ObjectIdx>,
    /// Number of all, estimated where the structure is large.
    pub members: f64,
    /// Standard error of that number.
    pub error: f64,
}

impl Sample {
    /// A sample of an owner's objects of such types.
    #[must_use]
    pub fn of(owned: OwnedHeap<'_>, owner: ObjectIdx, is_such: impl Fn(ClassIdx) -> bool) -> Self {
        let all = owned.dominators.subtree(owner);
        let looked_at = all.len().div_ceil(MAX_LOOKED_AT).max(1);
        let is_change = |object: &ObjectIdx| is_such(owned.heap.class_of(*object));
        let changes: Vec<ObjectIdx> = all.iter().copied().step_by(looked_at).filter(is_change).collect();
        let step = changes.len().div_ceil(MAX_ASKED).max(1);
        let (met, each) = (changes.len() as f64, looked_at as f64);
        let error = if looked_at > 1 { met.sqrt() * each } else { 0.0 };
        Self { asked: changes.into_iter().step_by(step).collect(), members: met * each, error }
    }
}

/// The referent of the nearest such reference that an object is, or has a few fields away. `None` where there is no
/// such reference, or it was cleared.
pub fn nearest(owned: OwnedHeap<'_>, object: ObjectIdx, is_such: impl Fn(ObjectIdx) -> bool) -> Option<ObjectIdx> {
    find_near(owned, object, |near| owned.heap.referent(near).filter(|_| is_such(near)))
}

/// What is found first in an object, and in what it has a few fields away.
pub fn find_near<T>(owned: OwnedHeap<'_>, object: ObjectIdx, find: impl Fn(ObjectIdx) -> Option<T>) -> Option<T> {
    let mut near = vec![object];
    let mut seen = 1;
    for _ in 0..=MAX_HOPS {
        if let Some(found) = near.iter().find_map(|&near| find(near)) {
            return Some(found);
        }
        let parts = near.iter().flat_map(|&near| parts(owned, object, near));
        near = parts.take(MAX_OBJECTS.saturating_sub(seen)).collect();
        seen += near.len();
    }
    None
}

/// Objects that belong to an object alone and are referred to by its fields; nodes chained to the change-proxy are not
/// included.
fn parts<'a>(owned: OwnedHeap<'a>, change: ObjectIdx, object: ObjectIdx) -> impl Iterator<Item = ObjectIdx> + 'a {
    let class = owned.heap.class_of(change);
    let is_own = move |&(part, label): &(ObjectIdx, Label)| {
        label.is_instance_field()
            && owned.dominators.immediate_dominator(part) == Some(object)
            && predecessor(owned, part, class).is_none()
    };
    owned.heap.references().labelled(object).filter(is_own).map(|(part, _)| part)
}
