//! Objects of one type in a chain, with or without arrays between them.

use crate::graph::{DominatorTree, ObjectGraph, OwnedHeap};
use crate::heap::{ClassIdx, ObjectIdx};

/// The object of the change-proxy's type from which a member of the same type hangs, directly or by an array.
///
/// Of nodes that were chained to one another since T1, Definition 4 names the first as the change-proxy of all. Each of
/// them was one leaking operation, which proxy-size is to estimate, and each will be counted by the probe.
#[must_use]
pub fn predecessor(owned: OwnedHeap<'_>, member: ObjectIdx, change_class: ClassIdx) -> Option<ObjectIdx> {
    if owned.heap.class_of(member) != change_class {
        return None;
    }
    let before = owned.dominators.immediate_dominator(member)?;
    if owned.heap.is_array(before) { owned.dominators.immediate_dominator(before) } else { Some(before) }
}

/// Whether objects of one class may stand for objects of the other.
#[must_use]
pub fn are_assignable(graph: &ObjectGraph<'_>, one: ClassIdx, other: ClassIdx) -> bool {
    let classes = graph.heap.classes();
    classes.is_subclass(one, other) || classes.is_subclass(other, one)
}

/// The dominators of an object, the nearest first, without itself.
pub fn above(dominators: &DominatorTree, object: ObjectIdx) -> impl Iterator<Item = ObjectIdx> + '_ {
    std::iter::successors(dominators.immediate_dominator(object), |&at| dominators.immediate_dominator(at))
}

/// The nearest object at or above this one that is no array of objects.
#[must_use]
pub fn holder_of_arrays(graph: &ObjectGraph<'_>, object: ObjectIdx) -> Option<ObjectIdx> {
    std::iter::once(object).chain(above(&graph.dominators, object)).find(|&at| !graph.heap.is_object_array(at))
}
