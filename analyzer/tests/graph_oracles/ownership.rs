//! Immediate dominators and retained sizes over all roots.

use super::brute_force::{Domination, root_objects};
use super::random_heap::for_each;
use rootbound::graph::Ownership;
use rootbound::heap::dsl::HeapSketch;
use rootbound::heap::{Heap, ObjectIdx};

const LENGTH: usize = 300_000;

#[test]
fn an_object_owns_what_nothing_reaches_without_it_whatever_the_root() {
    for_each(|heap| {
        let (ownership, truth) = (Ownership::new(heap), Domination::from(heap, &root_objects(heap, None)));
        for object in heap.objects() {
            assert_eq!(ownership.is_reachable(object), truth.reachable[object.at()], "{object:?}");
            assert_eq!(ownership.immediate_dominator(object), truth.immediate_dominator(object), "of {object:?}");
            let owned = heap.objects().filter(|&below| truth.dominates(object, below));
            let bytes: u64 = owned.map(|below| heap.shallow_bytes(below)).sum();
            assert_eq!(ownership.retained_bytes(object), bytes, "{object:?}");
        }
        let reachable: Vec<ObjectIdx> = heap.objects().filter(|&object| truth.reachable[object.at()]).collect();
        assert_eq!(ownership.reachable_count(), reachable.len());
        assert_eq!(
            ownership.reachable_bytes(),
            reachable.iter().map(|&object| heap.shallow_bytes(object)).sum::<u64>()
        );
    });
}

/// A list whose every node has a leaf of its own and shares another with all.
fn list() -> (Heap, Vec<ObjectIdx>, Vec<ObjectIdx>, ObjectIdx) {
    let mut sketch = HeapSketch::new();
    let nodes: Vec<ObjectIdx> = (0..LENGTH).map(|_| sketch.old("Node")).collect();
    let leaves: Vec<ObjectIdx> = (0..LENGTH).map(|_| sketch.old("Leaf")).collect();
    let shared = sketch.old("Leaf");
    nodes.windows(2).for_each(|pair| sketch.refer(pair[0], "next", pair[1]));
    for (&node, &leaf) in nodes.iter().zip(&leaves) {
        sketch.refer(node, "own", leaf);
        sketch.refer(node, "common", shared);
    }
    sketch.static_field("Holder", "first", nodes[0]);
    (sketch.build(), nodes, leaves, shared)
}

#[test]
fn a_long_list_owns_the_rest_of_itself_at_every_node() {
    let (heap, nodes, leaves, shared) = list();
    let ownership = Ownership::new(&heap);
    for (at, (&node, &leaf)) in nodes.iter().zip(&leaves).enumerate() {
        let bytes = 48 * (LENGTH - at) as u64;
        assert_eq!(ownership.retained_bytes(node), bytes + if at == 0 { 24 } else { 0 });
        assert_eq!(ownership.immediate_dominator(leaf), Some(node));
    }
    assert_eq!(ownership.immediate_dominator(shared), Some(nodes[0]));
}

#[test]
fn an_array_of_many_lists_is_walked_in_one_go() {
    let mut sketch = HeapSketch::new();
    let array = sketch.old("Node[]");
    let nodes: Vec<ObjectIdx> = (0..LENGTH).map(|_| sketch.old("Node")).collect();
    for pair in nodes.windows(2) {
        sketch.element(array, pair[0]);
        sketch.refer(pair[1], "before", pair[0]);
    }
    sketch.static_field("Holder", "all", array);
    let heap = sketch.build();
    let ownership = Ownership::new(&heap);
    assert!(nodes[..LENGTH - 1].iter().all(|&node| ownership.immediate_dominator(node) == Some(array)));
    assert!(!ownership.is_reachable(nodes[LENGTH - 1]));
}
