//! What a change-proxy counts for: one entry, or as many as a node of a search tree holds.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use crate::sketches;

use rootbound::graph::ObjectGraph;
use rootbound::heap::dsl::HeapSketch;
use rootbound::heap::{Heap, ObjectIdx};
use rootbound::regions::{Entries, entries};
use sketches::{region_of, static_map};

/// Entries of the region whose change-proxies are of this class, and their type.
fn entries_of(heap: &Heap, change: &str) -> Option<(String, Entries)> {
    let graph = ObjectGraph::new(heap);
    let found = entries(&graph, &region_of(&graph, change))?;
    Some((heap.classes().get(found.class).name.clone(), found))
}

/// A structure in a static field, with an old node.
fn rooted(heap: &mut HeapSketch) -> ObjectIdx {
    let (tree, root) = (heap.old("Tree"), heap.old("Node"));
    heap.static_field("Shop", "orders", tree);
    heap.refer(tree, "root", root);
    root
}

/// An array of its own for a field of the node, with this number of objects of a class.
fn fill(heap: &mut HeapSketch, node: ObjectIdx, field: &str, class: &str, count: usize) -> Vec<ObjectIdx> {
    let array = heap.fresh("Object[]");
    heap.refer(node, field, array);
    let elements: Vec<ObjectIdx> = (0..count).map(|_| heap.fresh(class)).collect();
    elements.iter().for_each(|&element| heap.element(array, element));
    elements
}

/// A tree of new nodes below an old one: those with nodes below them, and the leaves, eight to each.
fn tree(heap: &mut HeapSketch, inner: usize) -> (Vec<ObjectIdx>, Vec<ObjectIdx>) {
    let root = rooted(heap);
    let inner = fill(heap, root, "kids", "Node", inner);
    let leaves = inner.iter().flat_map(|&node| fill(heap, node, "kids", "Node", 8)).collect();
    (inner, leaves)
}

#[test]
fn leaves_that_hold_what_inner_nodes_do_not_make_a_search_tree() {
    let mut heap = HeapSketch::new();
    let (_, leaves) = tree(&mut heap, 8);
    for leaf in leaves {
        fill(&mut heap, leaf, "kids", "Order", 18);
    }
    let (class, found) = entries_of(&heap.build(), "Node").expect("a search tree");
    // 64 leaves and 8 nodes above them.
    assert_eq!((class.as_str(), found.per_change, found.error), ("Order", 16.0, 0.0));
}

#[test]
fn inner_nodes_may_hold_entries_between_the_nodes_below_them() {
    let mut heap = HeapSketch::new();
    let (inner, leaves) = tree(&mut heap, 8);
    for node in inner.into_iter().chain(leaves) {
        fill(&mut heap, node, "values", "Order", 7);
    }
    let held = entries_of(&heap.build(), "Node").map(|(_, found)| found.per_change);
    assert_eq!(held, Some(7.0));
}

#[test]
fn attributes_of_a_document_are_no_entries() {
    let mut heap = HeapSketch::new();
    let (inner, leaves) = tree(&mut heap, 10);
    for (nodes, count) in [(inner, 3), (leaves, 5)] {
        for node in nodes {
            fill(&mut heap, node, "attributes", "Attribute", count);
        }
    }
    assert_eq!(entries_of(&heap.build(), "Node"), None);
}

#[test]
fn a_row_in_a_map_is_one_entry_however_many_columns_it_has() {
    let mut heap = HeapSketch::new();
    let table = static_map(&mut heap, "rows");
    for _ in 0..40 {
        let (node, chained) = (heap.fresh("Node"), heap.fresh("Node"));
        heap.element(table, node);
        heap.refer(node, "next", chained);
        for node in [node, chained] {
            fill(&mut heap, node, "value", "Column", 6);
        }
    }
    assert_eq!(entries_of(&heap.build(), "Node"), None);
}

#[test]
fn nodes_of_a_trie_are_entries_themselves() {
    let mut heap = HeapSketch::new();
    tree(&mut heap, 8);
    assert_eq!(entries_of(&heap.build(), "Node"), None);
}

/// New chunks behind an old one, each with seven entries in its array and the next chunk in the last slot of `by`.
fn chunks(heap: &mut HeapSketch, by: &str) {
    let mut last = rooted(heap);
    for number in 0..20 {
        let chunk = heap.fresh("Node");
        let array = heap.fresh("Object[]");
        heap.refer(last, by, array);
        heap.element(array, chunk);
        if by == "slots" {
            let class = if number == 0 { "Opening" } else { "Order" };
            for _ in 0..7 {
                let entry = heap.fresh(class);
                heap.element(array, entry);
            }
        } else {
            fill(heap, chunk, "slots", "Order", 7);
        }
        last = chunk;
    }
    fill(heap, last, "slots", "Order", 7);
}

#[test]
fn chunks_that_lead_to_the_next_among_their_entries_count_for_what_they_hold() {
    let mut heap = HeapSketch::new();
    chunks(&mut heap, "slots");
    let (class, found) = entries_of(&heap.build(), "Node").expect("a queue of chunks");
    assert_eq!((class.as_str(), found.per_change), ("Order", 7.0));
}

#[test]
fn what_is_chained_by_an_array_of_its_own_is_an_entry_itself() {
    let mut heap = HeapSketch::new();
    chunks(&mut heap, "links");
    assert_eq!(entries_of(&heap.build(), "Node"), None);
}
