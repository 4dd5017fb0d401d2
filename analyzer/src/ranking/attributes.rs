//! What an object uniquely owns (LeakBot §3.2), counted. Owned are the objects that it dominates, itself not.

use crate::graph::ObjectGraph;
use crate::heap::{ObjectIdx, RootKind};

/// Counts over the objects that one object owns, and what reaches it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Attributes {
    /// Objects owned.
    pub owned: u64,
    /// Their shallow sizes together.
    pub owned_bytes: u64,
    /// Old ones.
    pub old: u64,
    /// New ones.
    pub new: u64,
    /// New ones that are arrays of references.
    pub new_arrays: u64,
    /// Arrays of references.
    pub object_arrays: u64,
    /// Objects on the fringe.
    pub fringe: u64,
    /// New ones that an on-stack root refers to.
    pub new_on_stack: u64,
    /// Owned objects whose dominance frontier is not empty.
    pub embedded: u64,
    /// Whether the object itself is new.
    pub is_new: bool,
    /// Whether an on-stack root reaches it.
    pub reached_from_stack: bool,
    /// Whether nothing but on-stack roots reaches it.
    pub only_from_stack: bool,
}

/// Fills one field for one column of ones and zeros (or sizes).
type Column<'a> = (&'a dyn Fn(ObjectIdx) -> u64, fn(&mut Attributes) -> &mut u64);

/// The attributes of each of `objects`, which must be reachable.
///
/// Subtrees are ranges of the preorder, so each count is a difference of two prefix sums; one column of prefix sums
/// lives at a time.
pub(super) fn describe(graph: &ObjectGraph<'_>, objects: &[ObjectIdx]) -> Vec<(ObjectIdx, Attributes)> {
    let heap = graph.heap;
    let on_stack = on_stack(graph);
    let mut described: Vec<(ObjectIdx, Attributes)> = objects.iter().map(|&o| (o, about_itself(graph, o))).collect();
    let columns: [Column<'_>; 8] = [
        (&|o| heap.shallow_bytes(o), |a| &mut a.owned_bytes),
        (&|o| u64::from(!graph.ages.is_new(o)), |a| &mut a.old),
        (&|o| u64::from(graph.ages.is_new(o)), |a| &mut a.new),
        (&|o| u64::from(graph.ages.is_new(o) && heap.is_object_array(o)), |a| &mut a.new_arrays),
        (&|o| u64::from(heap.is_object_array(o)), |a| &mut a.object_arrays),
        (&|o| u64::from(graph.fringe.contains(o)), |a| &mut a.fringe),
        (&|o| u64::from(graph.ages.is_new(o) && on_stack[o.at()]), |a| &mut a.new_on_stack),
        (&|o| u64::from(graph.frontier.contains(o.at())), |a| &mut a.embedded),
    ];
    let mut prefix = Vec::new();
    for (value, field) in columns {
        prefix_sums(graph, value, &mut prefix);
        for (object, attributes) in &mut described {
            let start = graph.dominators.position(*object) as usize;
            let end = start + graph.dominators.subtree(*object).len();
            *field(attributes) = prefix[end] - prefix[start + 1];
        }
    }
    described
}

fn about_itself(graph: &ObjectGraph<'_>, object: ObjectIdx) -> Attributes {
    Attributes {
        owned: graph.dominators.subtree(object).len() as u64 - 1,
        is_new: graph.ages.is_new(object),
        reached_from_stack: graph.reachability.kinds(object).contains(RootKind::OnStack),
        only_from_stack: graph.reachability.only_on_stack(object),
        ..Attributes::default()
    }
}

fn on_stack(graph: &ObjectGraph<'_>) -> Vec<bool> {
    let mut marked = vec![false; graph.heap.object_count()];
    for root in graph.heap.roots().iter().filter(|root| root.kind == RootKind::OnStack) {
        marked[root.object.at()] = true;
    }
    marked
}

/// `prefix[i]` becomes the sum over the first `i` objects of the preorder.
fn prefix_sums(graph: &ObjectGraph<'_>, value: &dyn Fn(ObjectIdx) -> u64, prefix: &mut Vec<u64>) {
    prefix.clear();
    prefix.reserve(graph.dominators.preorder().len() + 1);
    let mut sum = 0;
    prefix.push(sum);
    for &object in graph.dominators.preorder() {
        sum += value(object);
        prefix.push(sum);
    }
}
