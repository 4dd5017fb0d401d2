//! Regions that do not speak for themselves: what a snapshot caught of an operation in progress (Observation 4).

use rootbound::graph::ObjectGraph;
use rootbound::heap::dsl::HeapSketch;
use rootbound::heap::{Heap, ObjectIdx};
use rootbound::ranking;
use rootbound::regions::path::class_name;
use rootbound::regions::{self, Region, Standing};

fn regions_of(heap: &Heap) -> Vec<Region> {
    let graph = ObjectGraph::new(heap);
    regions::find(&graph, &ranking::rank(&graph))
}

/// A static map of topics, ten old and forty new, each with a set over a map of its own.
fn topics() -> (HeapSketch, ObjectIdx) {
    let mut heap = HeapSketch::new();
    let map = heap.old("Map");
    heap.static_field("Topics", "subscribers", map);
    let table = heap.old("Node[]");
    heap.refer(map, "table", table);
    for number in 0..50 {
        let make = |heap: &mut HeapSketch, class: &str| if number < 10 { heap.old(class) } else { heap.fresh(class) };
        let (node, set, inner) = (make(&mut heap, "Node"), make(&mut heap, "Set"), make(&mut heap, "Map"));
        heap.element(table, node);
        heap.refer(node, "value", set);
        heap.refer(set, "map", inner);
    }
    (heap, table)
}

#[test]
fn a_member_that_the_mark_fell_into_is_no_region_of_its_own() {
    let (mut heap, table) = topics();
    // The set was there at the mark, its map and its node in the topics came right after.
    let (node, set, inner) = (heap.fresh("Node"), heap.old("Set"), heap.fresh("Map"));
    heap.element(table, node);
    heap.refer(node, "value", set);
    heap.refer(set, "map", inner);
    let heap = heap.build();
    let regions = regions_of(&heap);
    let standing = |change: &str| {
        let found = regions.iter().find(|region| heap.classes().get(region.change_class).name == change);
        found.map(|region| region.standing)
    };
    assert_eq!(standing("Node"), Some(Standing::Alone));
    assert_eq!(standing("Map"), Some(Standing::InsideMember));
}

#[test]
fn a_thousand_customers_with_a_few_new_lines_each_are_a_population() {
    let mut heap = HeapSketch::new();
    let shop = heap.old("Shop");
    heap.static_field("Main", "shop", shop);
    let customers = heap.old("Customer[]");
    heap.refer(shop, "customers", customers);
    for _ in 0..1000 {
        let (customer, history) = (heap.old("Customer"), heap.old("Line[]"));
        heap.element(customers, customer);
        heap.refer(customer, "history", history);
        for number in 0..6 {
            let line = if number < 3 { heap.old("Line") } else { heap.fresh("Line") };
            heap.element(history, line);
        }
    }
    let heap = heap.build();
    let regions = regions_of(&heap);
    assert_eq!(regions.len(), 1000);
    assert!(regions.iter().all(|region| region.standing == Standing::OneOf(1000)));
}

#[test]
fn a_dozen_large_caches_of_one_kind_stand_alone() {
    let mut heap = HeapSketch::new();
    let hub = heap.old("Hub");
    heap.static_field("Main", "hub", hub);
    let caches = heap.old("Cache[]");
    heap.refer(hub, "caches", caches);
    for _ in 0..12 {
        let (cache, entries) = (heap.old("Cache"), heap.old("Entry[]"));
        heap.element(caches, cache);
        heap.refer(cache, "entries", entries);
        for number in 0..200 {
            let entry = if number < 100 { heap.old("Entry") } else { heap.fresh("Entry") };
            heap.element(entries, entry);
        }
    }
    let heap = heap.build();
    let regions = regions_of(&heap);
    let alone = regions.iter().filter(|region| region.standing == Standing::Alone);
    assert_eq!(alone.map(|region| class_name(&heap, region.owner)).collect::<Vec<_>>(), vec!["Cache"; 12]);
}
