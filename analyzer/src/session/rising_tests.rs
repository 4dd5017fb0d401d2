//! Which of the regions that may grow are followed beside others.

use super::super::counts::Counts;
use super::*;
use crate::graph::Owned;
use crate::heap::dsl::HeapSketch;
use crate::heap::{Heap, ObjectIdx};
use crate::ranking;

/// Seven classes with a map of 200 nodes each, and a key in each node; `new` more in each of them, with the new mark
/// or without.
fn maps(new: usize, is_marked: bool) -> Heap {
    let mut heap = HeapSketch::new();
    for name in ["A", "B", "C", "D", "E", "F", "G"] {
        let (map, table) = (heap.old("Map"), heap.old("Node[]"));
        heap.static_field(name, "map", map);
        heap.refer(map, "table", table);
        for number in 0..200 + new {
            let is_new = is_marked && number >= 200;
            let [node, key] = ["Node", "Key"].map(|class| if is_new { heap.fresh(class) } else { heap.old(class) });
            heap.element(table, node);
            heap.refer(node, "key", key);
        }
    }
    heap.build()
}

/// What may grow in the latest of two captures, between which each map gains `new` nodes.
fn rising(latest: &Heap) -> RisingPlaces {
    let mut counts = Counts::default();
    let earlier = maps(0, false);
    counts.begin(10.0);
    counts.take(&earlier, &Owned::new(&earlier), &[], true);
    counts.begin(25.0);
    counts.take(latest, &Owned::new(latest), &[], true).rising.expect("each map may grow")
}

/// The classes and owners of regions.
fn named(heap: &Heap, regions: &[Region]) -> Vec<(String, ObjectIdx)> {
    let class = |region: &Region| heap.classes().get(region.change_class).name.clone();
    regions.iter().map(|region| (class(region), region.owner)).collect()
}

#[test]
fn a_few_structures_join_each_once_by_its_outermost_members() {
    let heap = maps(80, false);
    let graph = ObjectGraph::new(&heap);
    let mut regions = Vec::new();
    rising(&heap).find(&graph).join(&mut regions);
    let found = named(&heap, &regions);
    assert_eq!(found.len(), MOST_FOLLOWED);
    assert!(found.iter().all(|(class, _)| class == "Node"), "keys come with nodes: {found:?}");
    assert!(regions.is_sorted_by(|one, other| one.rank >= other.rank));
}

#[test]
fn what_is_followed_by_its_marks_or_lies_in_its_members_does_not_join() {
    let heap = maps(80, true);
    let graph = ObjectGraph::new(&heap);
    let followed = regions::find(&graph, &ranking::rank(&graph));
    let owners: FxHashSet<ObjectIdx> = followed.iter().map(|region| region.owner).collect();
    assert_eq!(owners.len(), 7, "the marks show each map");
    let mut regions = followed.clone();
    rising(&heap).find(&graph).join(&mut regions);
    assert_eq!(named(&heap, &regions), named(&heap, &followed));
}
