//! Structures that were empty when the marks were set: no candidates by LeakBot's T1 and T4, and yet worth watching.

use rootbound::graph::ObjectGraph;
use rootbound::heap::ObjectIdx;
use rootbound::heap::dsl::HeapSketch;
use rootbound::regions::path::class_name;
use rootbound::{ranking, regions};

/// Puts the map into a static field of `Shop`, with this number of new nodes in a new table.
fn late_map(heap: &mut HeapSketch, map: ObjectIdx, nodes: usize) {
    heap.static_field("Shop", "audits", map);
    let table = heap.fresh("Node[]");
    heap.refer(map, "table", table);
    for _ in 0..nodes {
        let node = heap.fresh("Node");
        heap.element(table, node);
    }
}

/// Owner, change-proxy and size of the regions that have begun.
fn begun(nodes: usize) -> Vec<(String, String, u64)> {
    let mut heap = HeapSketch::new();
    let map = heap.old("Map");
    late_map(&mut heap, map, nodes);
    let heap = heap.build();
    let graph = ObjectGraph::new(&heap);
    let ranking = ranking::rank(&graph);
    assert!(ranking.candidates.is_empty(), "nothing of the kind was there before");
    let mut found = regions::find_begun(&graph, &ranking);
    regions::leave_out(&mut found, &regions::find(&graph, &ranking));
    let class = |region: &regions::Region| heap.classes().get(region.change_class).name.clone();
    found.iter().map(|region| (class_name(&heap, region.owner).to_owned(), class(region), region.proxy_size)).collect()
}

#[test]
fn a_map_that_was_empty_before_is_watched_from_sixteen_entries_on() {
    assert_eq!(begun(16), [("Map".to_owned(), "Node".to_owned(), 16)]);
    assert_eq!(begun(15), []);
}

#[test]
fn regions_that_a_candidate_has_are_not_found_again() {
    let mut heap = HeapSketch::new();
    let map = heap.old("Map");
    late_map(&mut heap, map, 20);
    let heap = heap.build();
    let graph = ObjectGraph::new(&heap);
    let ranking = ranking::rank(&graph);
    let mut found = regions::find_begun(&graph, &ranking);
    assert_eq!(found.len(), 1);
    let known = found.clone();
    regions::leave_out(&mut found, &known);
    assert!(found.is_empty());
}
