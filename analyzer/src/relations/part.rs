//! Regions that are pieces of one structure ([`Rule::Node`](super::Rule::Node)): skip lists and trees have nodes with
//! many nodes below them, and none of these is a structure of its own.

use super::chain::{above, are_assignable};
use crate::graph::ObjectGraph;
use crate::heap::{ClassIdx, ObjectIdx};

/// Dominators above an owner that may be nodes of its kind.
const NEAR: usize = 4;

/// Whether an owner is itself a node of the type of its change-proxies, below another such node. A count from there has
/// the same result as one of the whole, which is followed from above all nodes; and objects behind a header are behind
/// its first node, too.
#[must_use]
pub fn is_below_node(graph: &ObjectGraph<'_>, owner: ObjectIdx, change_class: ClassIdx) -> bool {
    let classes = graph.heap.classes();
    let is_node = |object: ObjectIdx| classes.is_subclass(graph.heap.class_of(object), change_class);
    is_node(owner) && above(&graph.dominators, owner).take(NEAR).any(is_node)
}

/// The object that holds the owner by a field. The uppermost index of a skip list changes over time, but its map stays
/// the same. `None` where the owner is of the type of its change-proxies.
#[must_use]
pub fn holder_of_node(graph: &ObjectGraph<'_>, owner: ObjectIdx, change_class: ClassIdx) -> Option<ObjectIdx> {
    let heap = graph.heap;
    if heap.classes().is_subclass(heap.class_of(owner), change_class) {
        return None;
    }
    let holder = graph.dominators.immediate_dominator(owner)?;
    let mut by = heap.references().labelled(holder).filter(|&(referee, _)| referee == owner);
    by.any(|(_, label)| label.field_index().is_some()).then_some(holder)
}

/// The node that an owner is, or whose array it is, if the nodes of the structure are of the change-proxies' type.
#[must_use]
pub(super) fn node(graph: &ObjectGraph<'_>, owner: ObjectIdx, change_class: ClassIdx) -> Option<ObjectIdx> {
    let node = super::chain::holder_of_arrays(graph, owner)?;
    are_assignable(graph, graph.heap.class_of(node), change_class).then_some(node)
}
