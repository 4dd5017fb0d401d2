//! Bytes that go with one change-proxy: what it owns, without the rest of the chain that hangs from it.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use crate::random;
use crate::sketches;

use random::Random;
use rootbound::graph::ObjectGraph;
use rootbound::heap::dsl::{HeapSketch, NEW, OLD};
use rootbound::heap::{Heap, ObjectIdx};
use rootbound::marking::OwnerPaths;
use rootbound::regions::plan::{self, Effort, SelfReferences};
use rootbound::regions::{Footprint, MAX_MEASURED, Region, footprint};
use rootbound_wire::ids::SnapshotId;
use sketches::{region_of, static_map, static_structure};

/// The footprint of the region whose change-proxies are of this class.
fn footprint_of(heap: &Heap, change: &str) -> (Region, Footprint) {
    let graph = ObjectGraph::new(heap);
    let region = region_of(&graph, change);
    let plan = plan::plan(&graph, &SelfReferences::new(heap), &OwnerPaths::new(true), &Effort::default(), &region);
    let weighed = footprint(&graph, &region, &plan.map_or_else(|_| Vec::new(), |plan| plan.hops));
    (region, weighed)
}

/// A static list over an array, with some old members.
fn list(heap: &mut HeapSketch) -> ObjectIdx {
    static_structure(heap, "orders", ("List", "elements", "Object[]", "Order"))
}

#[test]
fn an_order_is_weighed_with_its_lines() {
    let mut heap = HeapSketch::new();
    let array = list(&mut heap);
    for _ in 0..40 {
        let order = heap.object("Order", 24, NEW);
        heap.element(array, order);
        let line = heap.object("Line", 100, NEW);
        heap.refer(order, "line", line);
    }
    let (_, weighed) = footprint_of(&heap.build(), "Order");
    assert_eq!(weighed, Footprint { bytes: 124.0, error: 0.0 });
}

#[test]
fn a_page_of_a_tree_is_weighed_without_the_pages_below_it() {
    let mut heap = HeapSketch::new();
    let tree = heap.old("Tree");
    heap.static_field("Shop", "audit", tree);
    let page = |heap: &mut HeapSketch, above: ObjectIdx, age: SnapshotId| {
        let reference = heap.object("Reference", 32, age);
        heap.element(above, reference);
        let (page, children) = (heap.object("Page", 40, age), heap.object("Reference[]", 80, age));
        heap.refer(reference, "page", page);
        heap.refer(page, "children", children);
        children
    };
    let root = heap.old("Reference[]");
    heap.refer(tree, "root", root);
    // Half of the inner pages were there before, so that the way to the pages below leads by pages.
    for age in [OLD, NEW].repeat(6) {
        let inner = page(&mut heap, root, age);
        for _ in 0..30 {
            page(&mut heap, inner, NEW);
        }
    }
    let (_, weighed) = footprint_of(&heap.build(), "Reference");
    assert_eq!(weighed.bytes, 152.0);
}

#[test]
fn what_orders_share_belongs_to_none_of_them() {
    let mut heap = HeapSketch::new();
    let array = list(&mut heap);
    let shared = heap.object("Currency", 5_000, NEW);
    for _ in 0..40 {
        let order = heap.object("Order", 24, NEW);
        heap.element(array, order);
        heap.refer(order, "currency", shared);
    }
    let (_, weighed) = footprint_of(&heap.build(), "Order");
    assert_eq!(weighed.bytes, 24.0);
}

#[test]
fn a_node_of_a_list_is_weighed_without_the_nodes_behind_it() {
    let mut heap = HeapSketch::new();
    let list = heap.old("LinkedList");
    heap.static_field("Shop", "orders", list);
    let mut last = heap.old("Node");
    heap.refer(list, "first", last);
    for _ in 0..40 {
        let (node, order) = (heap.object("Node", 24, NEW), heap.object("Order", 40, NEW));
        heap.refer(last, "next", node);
        heap.refer(node, "item", order);
        last = node;
    }
    let (region, weighed) = footprint_of(&heap.build(), "Node");
    assert_eq!((region.proxy_size, weighed.bytes), (40, 64.0));
}

#[test]
fn a_node_of_a_map_is_weighed_with_the_map_within_it() {
    let mut heap = HeapSketch::new();
    let table = static_map(&mut heap, "subscribers");
    for _ in 0..40 {
        let (node, inner) = (heap.object("Node", 32, NEW), heap.object("Map", 48, NEW));
        heap.element(table, node);
        heap.refer(node, "value", inner);
        let inner_table = heap.object("Node[]", 80, NEW);
        heap.refer(inner, "table", inner_table);
        for _ in 0..3 {
            let inner_node = heap.object("Node", 32, NEW);
            heap.element(inner_table, inner_node);
        }
    }
    let (region, weighed) = footprint_of(&heap.build(), "Node");
    assert_eq!((region.proxy_size, weighed.bytes), (40, 256.0));
}

#[test]
fn of_many_a_sample_is_weighed_and_the_mean_lies_within_its_error() {
    let mut random = Random::new(11);
    let mut heap = HeapSketch::new();
    let array = list(&mut heap);
    let mut sum = 0;
    for _ in 0..3_000 {
        let bytes = 16 + 8 * random.below(200) as u64;
        sum += bytes;
        let order = heap.object("Order", bytes, NEW);
        heap.element(array, order);
    }
    let (region, weighed) = footprint_of(&heap.build(), "Order");
    assert_eq!((region.proxy_size, region.measured.len()), (3_000, MAX_MEASURED));
    let mean = f64::from(sum as u32) / 3_000.0;
    // The standard deviation of one order is 462 bytes, that of the mean of 256 is 29.
    assert!((20.0..40.0).contains(&weighed.error), "{weighed:?}");
    assert!((weighed.bytes - mean).abs() < 3.0 * weighed.error, "{weighed:?}, truly {mean}");
}
