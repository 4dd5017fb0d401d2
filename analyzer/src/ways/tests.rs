//! Ways in small heaps whose answer is evident.

use super::*;
use crate::heap::dsl::HeapSketch;

fn nothing(heap: &Heap) -> BitSet {
    BitSet::new(heap.object_count())
}

fn avoided(heap: &Heap, objects: &[ObjectIdx]) -> BitSet {
    let mut set = nothing(heap);
    for object in objects {
        set.insert(object.at());
    }
    set
}

fn objects(way: &Way) -> Vec<ObjectIdx> {
    way.path.steps.iter().map(|&(object, _)| object).collect()
}

#[test]
fn every_static_that_holds_an_object_has_a_way_and_the_shortest_is_first() {
    let mut sketch = HeapSketch::new();
    let (order, list) = (sketch.old("Order"), sketch.old("List"));
    sketch.refer(list, "first", order);
    let far = sketch.static_field("Archive", "all", list);
    let near = sketch.static_field("Shop", "latest", order);
    let heap = sketch.build();
    let found = find(&heap, &[order], &nothing(&heap), 5);
    let ways: Vec<_> = found.ways.iter().map(objects).collect();
    assert_eq!(ways, [vec![near, order], vec![far, list, order]]);
    assert_eq!((found.way_count, found.reached_count), (2, 1));
    assert_eq!(find(&heap, &[order], &nothing(&heap), 1).ways.len(), 1);
}

#[test]
fn what_is_avoided_is_passed_by_and_may_leave_no_way() {
    let mut sketch = HeapSketch::new();
    let (order, list, cache) = (sketch.old("Order"), sketch.old("List"), sketch.old("Cache"));
    sketch.refer(list, "first", order);
    sketch.refer(cache, "last", order);
    let shop = sketch.static_field("Shop", "orders", list);
    sketch.static_field("Pool", "cache", cache);
    let heap = sketch.build();
    let past = avoided(&heap, &[cache]);
    assert_eq!(find(&heap, &[order], &past, 5).ways.iter().map(objects).collect::<Vec<_>>(), [[shop, list, order]]);
    let both = avoided(&heap, &[cache, list, order]);
    assert_eq!(find(&heap, &[order], &both, 5), Ways::default());
    assert_eq!(shortest(&heap, order, &both), None, "the end itself is never avoided");
    assert_eq!(shortest(&heap, order, &past).map(|path| path.steps.len()), Some(3));
}

#[test]
fn what_only_the_object_itself_or_garbage_holds_keeps_nothing() {
    let mut sketch = HeapSketch::new();
    let (order, line, garbage) = (sketch.old("Order"), sketch.old("Line"), sketch.old("Garbage"));
    sketch.refer(order, "line", line);
    sketch.refer(line, "order", order);
    sketch.refer(garbage, "order", order);
    let shop = sketch.static_field("Shop", "orders", order);
    let heap = sketch.build();
    let ways: Vec<_> = find(&heap, &[order], &nothing(&heap), 5).ways.iter().map(objects).collect();
    assert_eq!(ways, [[shop, order]]);
    assert_eq!(find(&heap, &[garbage], &nothing(&heap), 5).reached_count, 0);
}

#[test]
fn a_loader_is_not_held_by_the_classes_that_only_it_holds() {
    let mut sketch = HeapSketch::new();
    let (loader, worker) = (sketch.fresh("WebappClassLoader"), sketch.old("Worker"));
    sketch.thread(worker, "worker");
    sketch.refer(worker, "contextClassLoader", loader);
    sketch.loaded_by("Sessions", loader);
    let heap = sketch.build();
    let ways: Vec<_> = find(&heap, &[loader], &nothing(&heap), 5).ways.iter().map(objects).collect();
    assert_eq!(ways, [[worker, loader]]);
}

#[test]
fn the_objects_of_a_class_are_counted_by_the_shape_of_their_ways() {
    let mut sketch = HeapSketch::new();
    let (map, table) = (sketch.old("Map"), sketch.old("Node[]"));
    sketch.refer(map, "table", table);
    let mut orders = Vec::new();
    for _ in 0..20 {
        let (first, second) = (sketch.old("Node"), sketch.old("Node"));
        sketch.element(table, first);
        sketch.refer(first, "next", second);
        for node in [first, second] {
            let order = sketch.object("Order", 100, crate::heap::dsl::OLD);
            sketch.refer(node, "value", order);
            orders.push(order);
        }
    }
    sketch.static_field("Shop", "orders", map);
    let latest = sketch.old("Order");
    sketch.static_field("Shop", "latest", latest);
    let garbage = sketch.old("Order");
    orders.extend([latest, garbage]);
    let heap = sketch.build();
    let found = find(&heap, &orders, &nothing(&heap), 5);
    let counts: Vec<(u64, u64)> = found.ways.iter().map(|way| (way.object_count, way.bytes)).collect();
    assert_eq!(counts, [(40, 4000), (1, 24)]);
    assert_eq!((found.way_count, found.reached_count, found.reached_bytes), (2, 41, 4024));
}

#[test]
fn the_nodes_of_a_long_list_have_one_shape() {
    let mut sketch = HeapSketch::new();
    let nodes: Vec<ObjectIdx> = (0..20_000).map(|_| sketch.old("Node")).collect();
    nodes.windows(2).for_each(|pair| sketch.refer(pair[0], "next", pair[1]));
    sketch.static_field("List", "first", nodes[0]);
    let heap = sketch.build();
    let found = find(&heap, &nodes, &nothing(&heap), 5);
    assert_eq!(found.ways.iter().map(|way| way.object_count).collect::<Vec<_>>(), [20_000]);
}

/// The least number of objects on a way, by the plainest search: distances are lowered until none changes.
fn least_length(heap: &Heap, to: ObjectIdx, avoided: &BitSet) -> Option<usize> {
    let mut distance = vec![usize::MAX; heap.object_count()];
    let may_pass = |object: ObjectIdx| object == to || !avoided.contains(object.at());
    heap.roots().iter().filter(|root| may_pass(root.object)).for_each(|root| distance[root.object.at()] = 1);
    loop {
        let mut changed = false;
        for object in heap.objects().filter(|&object| may_pass(object)) {
            let Some(next) = distance[object.at()].checked_add(1) else { continue };
            for &referee in heap.references().of(object) {
                if may_pass(referee) && distance[referee.at()] > next {
                    distance[referee.at()] = next;
                    changed = true;
                }
            }
        }
        if !changed {
            return Some(distance[to.at()]).filter(|&distance| distance != usize::MAX);
        }
    }
}

#[test]
fn random_ways_are_real_and_the_first_is_a_shortest() {
    let mut random = 11u64;
    let mut below = |bound: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % bound
    };
    for _ in 0..300 {
        let mut sketch = HeapSketch::new();
        let classes = ["A", "B", "C"];
        let all: Vec<ObjectIdx> = (0..2 + below(30)).map(|_| sketch.old(classes[below(3)])).collect();
        for at in 0..below(80) {
            sketch.refer(all[below(all.len())], &format!("field{}", at % 20), all[below(all.len())]);
        }
        for _ in 0..1 + below(3) {
            sketch.jni_global(all[below(all.len())]);
        }
        let (to, past) = (all[below(all.len())], all[below(all.len())]);
        let heap = sketch.build();
        let avoided = avoided(&heap, &[past]);
        let found = find(&heap, &[to], &avoided, 20);
        assert_eq!(found.ways.first().map(|way| way.path.steps.len()), least_length(&heap, to, &avoided));
        for way in &found.ways {
            let objects = objects(way);
            assert_eq!(heap.roots()[way.path.root].object, objects[0]);
            assert_eq!(objects.last(), Some(&to));
            assert!(objects.windows(2).all(|pair| heap.references().of(pair[0]).contains(&pair[1])));
            assert!(!objects.contains(&past) || past == to);
            let distinct: std::collections::HashSet<_> = objects.iter().collect();
            assert_eq!(distinct.len(), objects.len(), "no loop");
        }
        let several = find(&heap, &all, &avoided, 100);
        let reached = all.iter().filter(|&&object| least_length(&heap, object, &nothing(&heap)).is_some()).count();
        assert_eq!(several.reached_count, reached as u64, "ends are never avoided");
        assert_eq!(several.ways.iter().map(|way| way.object_count).sum::<u64>(), several.reached_count);
    }
}

#[test]
fn two_static_fields_of_one_class_are_two_ways() {
    let mut sketch = HeapSketch::new();
    let target = sketch.old("Target");
    for field in ["first", "second"] {
        let (outer, inner) = (sketch.old("Link"), sketch.old("Link"));
        sketch.static_field("Shop", field, outer);
        sketch.refer(outer, "next", inner);
        sketch.refer(inner, "next", target);
    }
    let heap = sketch.build();
    let found = find(&heap, &[target], &nothing(&heap), 3);
    assert_eq!((found.ways.len(), found.way_count), (2, 2));
    let lengths: Vec<usize> = found.ways.iter().map(|way| way.path.steps.len()).collect();
    assert_eq!(lengths, [4, 4]);
}
