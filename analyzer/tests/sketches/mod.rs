//! Parts of sketched heaps, and the regions found in them.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use rootbound::graph::ObjectGraph;
use rootbound::heap::ObjectIdx;
use rootbound::heap::dsl::HeapSketch;
use rootbound::ranking;
use rootbound::regions::{self, Region};

/// The best region whose change-proxies are of this class.
pub fn region_of(graph: &ObjectGraph<'_>, change: &str) -> Region {
    let is_wanted = |region: &Region| graph.heap.classes().get(region.change_class).name == change;
    regions::find(graph, &ranking::rank(graph)).into_iter().find(is_wanted).expect("the region is found")
}

/// A map in a static field of `Shop`, with five old nodes in its table, which is given.
pub fn static_map(heap: &mut HeapSketch, field: &str) -> ObjectIdx {
    static_structure(heap, field, ("Map", "table", "Node[]", "Node"))
}

/// A structure in a static field of `Shop`, by its class, the field of its array, and the classes of the array and of
/// five old members in it. Gives the array.
pub fn static_structure(
    heap: &mut HeapSketch,
    field: &str,
    (owner, array_field, array, member): (&str, &str, &str, &str),
) -> ObjectIdx {
    let (owner, array) = (heap.old(owner), heap.old(array));
    heap.static_field("Shop", field, owner);
    heap.refer(owner, array_field, array);
    for _ in 0..5 {
        let member = heap.old(member);
        heap.element(array, member);
    }
    array
}
