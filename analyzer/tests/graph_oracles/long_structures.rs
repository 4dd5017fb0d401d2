//! Structures of a million objects in a row: the stack may not grow with their depth, and a quadratic step would not
//! come to an end.

use rootbound::graph::{ObjectGraph, RootPaths, shortest_path_within};
use rootbound::heap::dsl::HeapSketch;
use rootbound::heap::{Heap, ObjectIdx};

const LENGTH: usize = 1_000_000;

/// A chain below a static field; `link` joins each node to the next.
fn chain(mut link: impl FnMut(&mut HeapSketch, ObjectIdx, ObjectIdx)) -> (Heap, Vec<ObjectIdx>) {
    let mut sketch = HeapSketch::new();
    let nodes: Vec<ObjectIdx> = (0..LENGTH).map(|_| sketch.old("Node")).collect();
    for pair in nodes.windows(2) {
        link(&mut sketch, pair[0], pair[1]);
    }
    sketch.static_field("Holder", "first", nodes[0]);
    (sketch.build(), nodes)
}

fn assert_one_chain_of_dominators(heap: &Heap, nodes: &[ObjectIdx]) {
    let graph = ObjectGraph::new(heap);
    for pair in nodes.windows(2) {
        assert_eq!(graph.dominators.immediate_dominator(pair[1]), Some(pair[0]));
    }
    let (first, last) = (nodes[0], nodes[LENGTH - 1]);
    assert_eq!(graph.dominators.depth(last) as usize, LENGTH + 1);
    assert_eq!(graph.dominators.subtree(first).len(), LENGTH);
    assert!(nodes.iter().all(|&node| graph.single_entry.head_of(node) == graph.single_entry.head_of(first)));
    let path = RootPaths::new(heap).path_to(heap, last);
    assert_eq!(path.map(|path| path.steps.len()), Some(LENGTH + 1));
    let within = shortest_path_within(heap, &graph.dominators, first, last);
    assert_eq!(within.map(|path| path.len()), Some(LENGTH - 1));
}

#[test]
fn a_singly_linked_list_is_one_chain_of_dominators() {
    let (heap, nodes) = chain(|sketch, from, to| sketch.refer(from, "next", to));
    assert_one_chain_of_dominators(&heap, &nodes);
}

#[test]
fn a_doubly_linked_list_is_one_chain_of_dominators() {
    let (heap, nodes) = chain(|sketch, from, to| {
        sketch.refer(from, "next", to);
        sketch.refer(to, "previous", from);
    });
    assert_one_chain_of_dominators(&heap, &nodes);
}

#[test]
fn a_list_whose_every_node_knows_the_first_is_one_chain_of_dominators() {
    let mut first = None;
    let (heap, nodes) = chain(|sketch, from, to| {
        sketch.refer(from, "next", to);
        sketch.refer(to, "owner", *first.get_or_insert(from));
    });
    assert_one_chain_of_dominators(&heap, &nodes);
}

#[test]
fn a_list_entered_at_both_ends_is_owned_by_nobody() {
    let mut sketch = HeapSketch::new();
    let nodes: Vec<ObjectIdx> = (0..LENGTH).map(|_| sketch.old("Node")).collect();
    for pair in nodes.windows(2) {
        sketch.refer(pair[0], "next", pair[1]);
        sketch.refer(pair[1], "previous", pair[0]);
    }
    sketch.static_field("Front", "first", nodes[0]);
    sketch.static_field("Back", "last", nodes[LENGTH - 1]);
    let heap = sketch.build();
    let graph = ObjectGraph::new(&heap);
    assert!(nodes.iter().all(|&node| graph.dominators.immediate_dominator(node).is_none()));
    assert!(nodes.iter().all(|&node| graph.single_entry.is_head(node)));
}
