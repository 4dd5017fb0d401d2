//! New objects that growers keep together. Two growers may hold the same objects, so that neither retains them alone:
//! a shutdown hook and a logger that both lead to one class loader.

use crate::graph::{BitSet, Entries, ObjectGraph};
use crate::heap::ObjectIdx;

/// Bytes of the new objects that no entry reaches without these owners (the GC closure of a group, AntTracks §2.2.3).
pub fn kept_new_bytes(graph: &ObjectGraph<'_>, owners: &[ObjectIdx]) -> f64 {
    let heap = graph.heap;
    let (mut seen, mut open) = (BitSet::new(heap.object_count()), Vec::new());
    for owner in owners {
        seen.insert(owner.at());
    }
    open.extend(Entries::new(heap).objects().iter().copied().filter(|entry| seen.insert(entry.at())));
    while let Some(object) = open.pop() {
        open.extend(heap.references().of(object).iter().copied().filter(|referee| seen.insert(referee.at())));
    }
    owners.iter().for_each(|owner| seen.remove(owner.at()));
    let kept = graph.dominators.preorder().iter().filter(|object| !seen.contains(object.at()));
    kept.map(|&object| graph.ages.newness(object) * heap.shallow_bytes(object) as f64).sum()
}

#[cfg(test)]
mod tests {
    use super::kept_new_bytes;
    use crate::graph::ObjectGraph;
    use crate::heap::dsl::{HeapSketch, NEW};

    #[test]
    fn what_two_growers_share_is_kept_by_both_and_by_neither_alone() {
        let mut heap = HeapSketch::new();
        let (hooks, loggers) = (heap.old("Hooks"), heap.old("Loggers"));
        heap.static_field("Shop", "hooks", hooks);
        heap.static_field("Shop", "loggers", loggers);
        let context = heap.object("Context", 1_000, NEW);
        let hook = heap.object("Hook", 24, NEW);
        heap.refer(hooks, "last", hook);
        heap.refer(hook, "context", context);
        heap.refer(loggers, "last", context);
        let heap = heap.build();
        let graph = ObjectGraph::new(&heap);
        let kept = |owners: &[_]| kept_new_bytes(&graph, owners).round();
        assert_eq!([kept(&[hooks]), kept(&[loggers]), kept(&[hooks, loggers])], [24.0, 0.0, 1_024.0]);
    }
}
