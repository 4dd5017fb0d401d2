//! Shortest ways from GC roots, and inside what an object dominates.

use super::brute_force::{Domination, distances, root_objects};
use super::random_heap::{dominators_of, for_each};
use rootbound::graph::{RootPaths, shortest_path_within, usual_path_within};
use rootbound::heap::dsl::HeapSketch;
use rootbound::heap::{Heap, Label, ObjectIdx};

fn refers(heap: &Heap, from: ObjectIdx, label: Label, to: ObjectIdx) -> bool {
    heap.references().labelled(from).any(|reference| reference == (to, label))
}

#[test]
fn a_root_path_is_a_shortest_way_from_a_lasting_root_or_else_from_any() {
    for_each(|heap| {
        let paths = RootPaths::new(heap);
        let is_lasting = |object: &ObjectIdx| heap.roots().iter().any(|r| r.object == *object && !r.kind.is_passing());
        let all = root_objects(heap, None);
        let lasting: Vec<ObjectIdx> = all.iter().copied().filter(is_lasting).collect();
        let from_lasting = distances(heap, &lasting, |_| true);
        let from_passing = distances(heap, &all, |object| from_lasting[object.at()].is_none());
        let expected: Vec<Option<usize>> =
            heap.objects().map(|object| from_lasting[object.at()].or(from_passing[object.at()])).collect();
        for object in heap.objects() {
            let path = paths.path_to(heap, object);
            assert_eq!(path.as_ref().map(|path| path.steps.len() - 1), expected[object.at()], "length to {object:?}");
            let Some(path) = path else { continue };
            assert_eq!(path.steps[0], (heap.roots()[path.root].object, None));
            assert_eq!(path.steps.last().map(|step| step.0), Some(object));
            for pair in path.steps.windows(2) {
                assert!(pair[1].1.is_some_and(|label| refers(heap, pair[0].0, label, pair[1].0)), "{path:?}");
            }
        }
    });
}

#[test]
fn a_path_within_is_a_shortest_way_through_what_its_start_dominates() {
    for_each(|heap| {
        let (tree, truth) = (dominators_of(heap), Domination::new(heap));
        for from in heap.objects().filter(|object| truth.reachable[object.at()]) {
            let expected = distances(heap, &[from], |object| truth.dominates(from, object));
            for to in heap.objects() {
                let path = shortest_path_within(heap, &tree, from, to);
                assert_eq!(path.as_ref().map(Vec::len), expected[to.at()], "{from:?} to {to:?}");
                let mut at = from;
                for (label, next) in path.into_iter().flatten() {
                    assert!(refers(heap, at, label, next));
                    at = next;
                }
                assert!(expected[to.at()].is_none() || at == to);
            }
        }
    });
}

#[test]
fn a_search_for_some_objects_finds_the_same_ways_as_one_for_all() {
    for_each(|heap| {
        let all = RootPaths::new(heap);
        for wanted in heap.objects() {
            assert_eq!(RootPaths::to(heap, &[wanted]).path_to(heap, wanted), all.path_to(heap, wanted), "{wanted:?}");
        }
    });
}

#[test]
fn the_usual_way_to_one_object_is_as_long_as_a_shortest_one() {
    for_each(|heap| {
        let tree = dominators_of(heap);
        for from in heap.objects() {
            for to in heap.objects() {
                let (usual, shortest) = (
                    usual_path_within(heap, &tree, from, &[to], &|_| false),
                    shortest_path_within(heap, &tree, from, to),
                );
                assert_eq!(usual.map(|way| way.len()), shortest.map(|way| way.len()));
            }
        }
    });
}

/// A pool keeps all connections in a map, and those that rest in a deque, too.
#[test]
fn the_usual_way_is_that_of_most_not_of_the_nearest() {
    let mut sketch = HeapSketch::new();
    let [pool, all, table, idle] = ["Pool", "Map", "Node[]", "Object[]"].map(|class| sketch.old(class));
    sketch.static_field("Main", "pool", pool);
    sketch.refer(pool, "all", all);
    sketch.refer(all, "table", table);
    sketch.refer(pool, "idle", idle);
    let connections: Vec<ObjectIdx> = (0..9)
        .map(|at| {
            let [node, connection] = ["Node", "Connection"].map(|class| sketch.old(class));
            sketch.element(table, node);
            sketch.refer(node, "value", connection);
            if at < 3 {
                sketch.element(idle, connection);
            }
            connection
        })
        .collect();
    let heap = sketch.build();
    let tree = dominators_of(&heap);
    let class_after = |way: Option<Vec<(Label, ObjectIdx)>>| way.map(|way| heap.class_of(way[0].1));
    let usual = class_after(usual_path_within(&heap, &tree, pool, &connections, &|_| false));
    let nearest = class_after(usual_path_within(&heap, &tree, pool, &connections[..3], &|_| false));
    assert_eq!((usual, nearest), (Some(heap.class_of(all)), Some(heap.class_of(idle))));
}
