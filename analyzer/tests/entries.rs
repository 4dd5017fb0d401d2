//! What a change-proxy counts for: one entry, or as many as a node of a search tree holds.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use rootbound::graph::ObjectGraph;
use rootbound::heap::dsl::HeapSketch;
use rootbound::heap::{Heap, ObjectIdx};
use rootbound::ranking;
use rootbound::regions::{self, Entries, entries};

/// Entries of the region whose change-proxies are of this class, and their type.
fn entries_of(heap: &Heap, change: &str) -> Option<(String, Entries)> {
    let graph = ObjectGraph::new(heap);
    let is_wanted = |region: &regions::Region| heap.classes().get(region.change_class).name == change;
    let region =
        regions::find(&graph, &ranking::rank(&graph)).into_iter().find(is_wanted).expect("the region is found");
    let found = entries(&graph, &region)?;
    Some((heap.classes().get(found.class).name.clone(), found))
}

/// A structure in a static field, with an old node.
fn rooted(heap: &mut HeapSketch) -> ObjectIdx {
    let (tree, root) = (heap.old("Tree"), heap.old("Node"));
    heap.static_field("Shop", "orders", tree);
    heap.refer(tree, "root", root);
    root
}

fn array(heap: &mut HeapSketch, node: ObjectIdx, field: &str) -> ObjectIdx {
    let array = heap.fresh("Object[]");
    heap.refer(node, field, array);
    array
}

fn fill(heap: &mut HeapSketch, array: ObjectIdx, class: &str, count: usize) {
    for _ in 0..count {
        let element = heap.fresh(class);
        heap.element(array, element);
    }
}

/// New nodes in an array of this one.
fn nodes_below(heap: &mut HeapSketch, node: ObjectIdx, field: &str, count: usize) -> Vec<ObjectIdx> {
    let kids = array(heap, node, field);
    let below: Vec<ObjectIdx> = (0..count).map(|_| heap.fresh("Node")).collect();
    below.iter().for_each(|&node| heap.element(kids, node));
    below
}

#[test]
fn leaves_that_hold_what_inner_nodes_do_not_make_a_search_tree() {
    let mut heap = HeapSketch::new();
    let root = rooted(&mut heap);
    for inner in nodes_below(&mut heap, root, "kids", 8) {
        for leaf in nodes_below(&mut heap, inner, "kids", 8) {
            let kids = array(&mut heap, leaf, "kids");
            fill(&mut heap, kids, "Order", 18);
        }
    }
    let (class, found) = entries_of(&heap.build(), "Node").expect("a search tree");
    // 64 leaves and 8 nodes above them.
    assert_eq!((class.as_str(), found.per_change, found.error), ("Order", 16.0, 0.0));
}

#[test]
fn inner_nodes_may_hold_entries_between_the_nodes_below_them() {
    let mut heap = HeapSketch::new();
    let root = rooted(&mut heap);
    for inner in nodes_below(&mut heap, root, "kids", 8) {
        let values = array(&mut heap, inner, "values");
        fill(&mut heap, values, "Order", 7);
        for leaf in nodes_below(&mut heap, inner, "kids", 8) {
            let values = array(&mut heap, leaf, "values");
            fill(&mut heap, values, "Order", 7);
        }
    }
    let held = entries_of(&heap.build(), "Node").map(|(_, found)| found.per_change);
    assert_eq!(held, Some(7.0));
}

#[test]
fn attributes_of_a_document_are_no_entries() {
    let mut heap = HeapSketch::new();
    let root = rooted(&mut heap);
    for inner in nodes_below(&mut heap, root, "children", 10) {
        let attributes = array(&mut heap, inner, "attributes");
        fill(&mut heap, attributes, "Attribute", 3);
        for leaf in nodes_below(&mut heap, inner, "children", 8) {
            let attributes = array(&mut heap, leaf, "attributes");
            fill(&mut heap, attributes, "Attribute", 5);
        }
    }
    assert_eq!(entries_of(&heap.build(), "Node"), None);
}

#[test]
fn a_row_in_a_map_is_one_entry_however_many_columns_it_has() {
    let mut heap = HeapSketch::new();
    let map = heap.old("Map");
    heap.static_field("Shop", "rows", map);
    let table = heap.old("Node[]");
    heap.refer(map, "table", table);
    for _ in 0..5 {
        let node = heap.old("Node");
        heap.element(table, node);
    }
    for _ in 0..40 {
        let (node, chained) = (heap.fresh("Node"), heap.fresh("Node"));
        heap.element(table, node);
        heap.refer(node, "next", chained);
        for node in [node, chained] {
            let row = array(&mut heap, node, "value");
            fill(&mut heap, row, "Column", 6);
        }
    }
    assert_eq!(entries_of(&heap.build(), "Node"), None);
}

#[test]
fn nodes_of_a_trie_are_entries_themselves() {
    let mut heap = HeapSketch::new();
    let root = rooted(&mut heap);
    for inner in nodes_below(&mut heap, root, "kids", 8) {
        nodes_below(&mut heap, inner, "kids", 8);
    }
    assert_eq!(entries_of(&heap.build(), "Node"), None);
}
