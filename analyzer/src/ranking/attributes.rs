//! Counts over the objects that an object uniquely owns (LeakBot §3.2): those that it dominates, without itself.
//!
//! Counts that depend on ages are sums of weights: whole numbers if ages are exact, estimates otherwise.

use crate::graph::ObjectGraph;
use crate::heap::{ObjectIdx, RootKind};
use rayon::prelude::*;

/// Counts over the objects that one object owns, and the kinds of roots that reach it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Attributes {
    /// Number of owned objects.
    pub owned: u64,
    /// Their shallow sizes together, in bytes.
    pub owned_bytes: u64,
    /// Number of old ones.
    pub old: f64,
    /// Number of new ones.
    pub new: f64,
    /// Standard error of `new`; 0 if ages are exact.
    pub new_error: f64,
    /// Number of new ones that are arrays of references.
    pub new_arrays: f64,
    /// Number of arrays of references.
    pub object_arrays: u64,
    /// Number of objects on the fringe.
    pub fringe: f64,
    /// Standard error of `fringe`; 0 if ages are exact.
    pub fringe_error: f64,
    /// Number of new ones that an on-stack root refers to.
    pub new_on_stack: f64,
    /// Number of owned objects whose dominance frontier is not empty.
    pub embedded: u64,
    /// Newness of the object itself, in [0, 1].
    pub newness: f64,
    /// Whether an on-stack root reaches it.
    pub reached_from_stack: bool,
    /// Whether only on-stack roots reach it.
    pub only_from_stack: bool,
}

/// Fills one field from the sum of one column. Counts are whole numbers far below 2⁵³, whose sums are exact.
type Column<'a> = (&'a (dyn Fn(ObjectIdx) -> f64 + Sync), fn(&mut Attributes, f64));

/// The attributes of each of `objects`, which must be reachable.
///
/// Subtrees are ranges of the preorder, so each count is a difference of two prefix sums; one column of prefix sums
/// exists at a time.
pub(super) fn describe(graph: &ObjectGraph<'_>, objects: &[ObjectIdx]) -> Vec<(ObjectIdx, Attributes)> {
    let heap = graph.heap;
    let on_stack = on_stack(graph);
    let mut described: Vec<(ObjectIdx, Attributes)> =
        objects.par_iter().map(|&o| (o, about_itself(graph, o))).collect();
    let newness = |o| graph.ages.newness(o);
    let columns: [Column<'_>; 10] = [
        (&|o| heap.shallow_bytes(o) as f64, |a, sum| a.owned_bytes = sum as u64),
        (&|o| 1.0 - newness(o), |a, sum| a.old = sum),
        (&newness, |a, sum| a.new = sum),
        (&|o| graph.ages.variance(o), |a, sum| a.new_error = sum.max(0.0).sqrt()),
        (&|o| if heap.is_object_array(o) { newness(o) } else { 0.0 }, |a, sum| a.new_arrays = sum),
        (&|o| one_if(heap.is_object_array(o)), |a, sum| a.object_arrays = sum as u64),
        (&|o| graph.fringe.weight(&graph.ages, o), |a, sum| a.fringe = sum),
        (&|o| fringe_variance(graph, o), |a, sum| a.fringe_error = sum.max(0.0).sqrt()),
        (&|o| if on_stack[o.at()] { newness(o) } else { 0.0 }, |a, sum| a.new_on_stack = sum),
        (&|o| one_if(graph.frontier.contains(o.at())), |a, sum| a.embedded = sum as u64),
    ];
    let mut prefix = Vec::new();
    for (value, set) in columns {
        prefix_sums(graph, value, &mut prefix);
        described.par_iter_mut().for_each(|(object, attributes)| {
            let start = graph.dominators.position(*object) as usize;
            let end = start + graph.dominators.subtree(*object).len();
            set(attributes, prefix[end] - prefix[start + 1]);
        });
    }
    described
}

fn one_if(condition: bool) -> f64 {
    f64::from(u8::from(condition))
}

/// Variance of the weight on the fringe, which is the newness times a known factor.
fn fringe_variance(graph: &ObjectGraph<'_>, object: ObjectIdx) -> f64 {
    if graph.fringe.contains(object) { graph.ages.variance(object) } else { 0.0 }
}

fn about_itself(graph: &ObjectGraph<'_>, object: ObjectIdx) -> Attributes {
    Attributes {
        owned: graph.dominators.subtree(object).len() as u64 - 1,
        newness: graph.ages.newness(object),
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
fn prefix_sums(graph: &ObjectGraph<'_>, value: &(dyn Fn(ObjectIdx) -> f64 + Sync), prefix: &mut Vec<f64>) {
    prefix.clear();
    prefix.reserve(graph.dominators.preorder().len() + 1);
    let values = graph.dominators.preorder().par_iter().map(|&object| value(object));
    // Values are read by several threads, and added in order: sums depend on it.
    values.collect_into_vec(prefix);
    let mut sum = 0.0;
    for value in &mut *prefix {
        let before = sum;
        sum += *value;
        *value = before;
    }
    prefix.push(sum);
}
