//! Tables that structures replace with what wraps them: the owner is what keeps, and members are what came.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use rootbound::graph::ObjectGraph;
use rootbound::heap::dsl::HeapSketch;
use rootbound::heap::{Heap, ObjectIdx};
use rootbound::ranking;
use rootbound::regions;
use std::collections::BTreeSet;

/// Owner, class of the change-proxies, and proxy-size of each region.
fn found(heap: &Heap) -> Vec<(ObjectIdx, String, u64)> {
    let graph = ObjectGraph::new(heap);
    let regions = regions::find(&graph, &ranking::rank(&graph));
    let class = |region: &regions::Region| heap.classes().get(region.change_class).name.clone();
    regions.iter().map(|region| (region.owner, class(region), region.proxy_size)).collect()
}

/// Nine entries in an array, the first `old` of them old.
fn nine_entries(heap: &mut HeapSketch, array: ObjectIdx, old: usize) {
    for at in 0..9 {
        let entry = if at < old { heap.old("Entry") } else { heap.fresh("Entry") };
        heap.element(array, entry);
    }
}

/// A segment with its table in a wrapper: what was there and what came, in an old table or in a new one.
fn segment(heap: &mut HeapSketch, segments: ObjectIdx, is_replaced: bool) -> ObjectIdx {
    let make = |heap: &mut HeapSketch, class: &str| if is_replaced { heap.fresh(class) } else { heap.old(class) };
    let (segment, wrapper) = (heap.old("Segment"), make(heap, "Wrapper"));
    let table = make(heap, "Entry[]");
    heap.element(segments, segment);
    heap.refer(segment, "table", wrapper);
    heap.refer(wrapper, "array", table);
    for at in 0..40 {
        let entry = if at < 15 { heap.old("Entry") } else { heap.fresh("Entry") };
        heap.element(table, entry);
    }
    segment
}

#[test]
fn segments_own_their_entries_whether_their_tables_were_replaced_or_not() {
    let mut heap = HeapSketch::new();
    let (cache, segments) = (heap.old("Cache"), heap.old("Segment[]"));
    heap.static_field("Shop", "prices", cache);
    heap.refer(cache, "segments", segments);
    let expected: BTreeSet<ObjectIdx> = (0..4).map(|at| segment(&mut heap, segments, at != 2)).collect();
    let heap = heap.build();
    let regions = found(&heap);
    let entries = || regions.iter().filter(|(_, class, _)| class == "Entry");
    assert_eq!(entries().map(|&(owner, ..)| owner).collect::<BTreeSet<_>>(), expected);
    assert!(entries().all(|&(_, _, size)| size == 25), "{regions:?}");
}

/// Four segments with wrapped tables, none of which was replaced yet. The wrapper's field is final; so is that of the
/// segment where the table is never replaced.
fn wrapped(is_fixed: bool) -> Heap {
    let mut heap = HeapSketch::new();
    heap.declare("Wrapper", "array", "[LEntry;");
    heap.make_final("Wrapper", "array");
    let segments = heap.old("Segment[]");
    heap.static_field("Shop", "prices", segments);
    for _ in 0..4 {
        segment(&mut heap, segments, false);
    }
    if is_fixed {
        heap.make_final("Segment", "table");
    }
    heap.build()
}

#[test]
fn segments_own_entries_in_wrapped_tables_that_they_will_replace() {
    for (is_fixed, owner) in [(false, "Segment"), (true, "Wrapper")] {
        let heap = wrapped(is_fixed);
        let class = |owner| heap.classes().get(heap.class_of(owner)).name.as_str();
        let owners: Vec<&str> = found(&heap).into_iter().map(|(object, ..)| class(object)).collect();
        assert_eq!(owners, [owner; 4]);
    }
}

#[test]
fn a_wrapped_table_is_a_capacity_only_where_it_is_never_replaced() {
    for is_fixed in [false, true] {
        let heap = wrapped(is_fixed);
        let graph = ObjectGraph::new(&heap);
        let regions = regions::find(&graph, &ranking::rank(&graph));
        let has_capacity = |region| regions::capacity(&graph, region).is_some();
        assert!(!regions.is_empty() && regions.iter().all(|region| has_capacity(region) == is_fixed), "{is_fixed}");
    }
}

/// A node of a hash trie with its array, below a field or an array.
fn trie_node(heap: &mut HeapSketch, held_by: impl FnOnce(&mut HeapSketch, ObjectIdx)) -> ObjectIdx {
    let (node, main, array) = (heap.fresh("Indirection"), heap.fresh("Branch"), heap.fresh("Basic[]"));
    held_by(heap, node);
    heap.refer(node, "main", main);
    heap.refer(main, "array", array);
    array
}

#[test]
fn a_trie_that_copies_what_it_changes_grows_by_its_entries() {
    let mut heap = HeapSketch::new();
    let trie = heap.old("Trie");
    heap.static_field("Shop", "orders", trie);
    let top = trie_node(&mut heap, |heap, node| heap.refer(trie, "root", node));
    for _ in 0..8 {
        let array = trie_node(&mut heap, |heap, node| heap.element(top, node));
        nine_entries(&mut heap, array, 4);
    }
    let heap = heap.build();
    assert_eq!(found(&heap), [(trie, "Entry".to_owned(), 40)]);
}

#[test]
fn nodes_behind_indirections_are_no_gain_of_a_trie_that_copies_them() {
    let mut heap = HeapSketch::new();
    let trie = heap.old("Trie");
    heap.static_field("Shop", "orders", trie);
    let top = trie_node(&mut heap, |heap, node| heap.refer(trie, "root", node));
    // One branch was not changed, four were copied, and two were split off.
    let (node, main, array) = (heap.old("Indirection"), heap.old("Branch"), heap.old("Basic[]"));
    heap.element(top, node);
    heap.refer(node, "main", main);
    heap.refer(main, "array", array);
    let mut arrays = vec![(array, 9)];
    arrays.extend((0..4).map(|_| (trie_node(&mut heap, |heap, node| heap.element(top, node)), 4)));
    arrays.extend((0..2).map(|_| (trie_node(&mut heap, |heap, node| heap.element(top, node)), 0)));
    for (array, old) in arrays {
        nine_entries(&mut heap, array, old);
    }
    let heap = heap.build();
    assert_eq!(found(&heap), [(trie, "Entry".to_owned(), 38)]);
}

#[test]
fn a_new_structure_of_old_members_behind_nodes_was_moved_there() {
    let mut heap = HeapSketch::new();
    let shop = heap.old("Register");
    heap.static_field("Shop", "register", shop);
    let (map, table) = (heap.fresh("Map"), heap.fresh("Node[]"));
    heap.refer(shop, "active", map);
    heap.refer(map, "table", table);
    for _ in 0..40 {
        let (node, session) = (heap.fresh("Node"), heap.old("Session"));
        heap.element(table, node);
        heap.refer(node, "value", session);
    }
    let heap = heap.build();
    let graph = ObjectGraph::new(&heap);
    assert!(graph.ages.is_new(map), "nodes are what maps grow by, whatever they hold");
}

#[test]
fn nodes_of_a_b_tree_that_were_split_are_what_it_grows_by() {
    let mut heap = HeapSketch::new();
    let tree = heap.old("Tree");
    heap.static_field("Shop", "index", tree);
    let (root, children) = (heap.fresh("Node"), heap.fresh("Object[]"));
    heap.refer(tree, "root", root);
    heap.refer(root, "kids", children);
    let split: Vec<ObjectIdx> = (0..12)
        .map(|at| {
            let leaf = if at < 6 { heap.old("Node") } else { heap.fresh("Node") };
            heap.element(children, leaf);
            let entries = heap.fresh("Object[]");
            heap.refer(leaf, "entries", entries);
            for entry in 0..16 {
                let order = if entry < 8 { heap.old("Order") } else { heap.fresh("Order") };
                heap.element(entries, order);
            }
            leaf
        })
        .skip(6)
        .collect();
    let heap = heap.build();
    let graph = ObjectGraph::new(&heap);
    assert!(!graph.ages.is_new(root), "it stands where another stood");
    assert!(split.iter().all(|&leaf| graph.ages.is_new(leaf)));
}

/// A trie of nodes of one class, each with an array: a root with sixteen nodes of nine entries, five of them new, and
/// nodes that were split off, of new entries alone. Nodes are copied with what changed below them, or changed in place.
fn trie_of_one_class(is_copied: bool, split: usize) -> (Heap, ObjectIdx) {
    let mut heap = HeapSketch::new();
    let map = heap.old("Map");
    heap.static_field("Shop", "orders", map);
    let node = |heap: &mut HeapSketch, is_new: bool| {
        let (node, slots) = match is_new {
            true => (heap.fresh("Node"), heap.fresh("Object[]")),
            false => (heap.old("Node"), heap.old("Object[]")),
        };
        heap.refer(node, "slots", slots);
        (node, slots)
    };
    let (root, below) = node(&mut heap, true);
    heap.refer(map, "root", root);
    for at in 0..16 {
        let has_new = at % 2 == 0;
        let (inner, slots) = node(&mut heap, has_new && (is_copied || at > 2));
        heap.element(below, inner);
        for entry in 0..9 {
            let order = if has_new && entry > 3 { heap.fresh("Order") } else { heap.old("Order") };
            heap.element(slots, order);
        }
    }
    for _ in 0..split {
        let (inner, slots) = node(&mut heap, true);
        heap.element(below, inner);
        for _ in 0..9 {
            let order = heap.fresh("Order");
            heap.element(slots, order);
        }
    }
    (heap.build(), map)
}

#[test]
fn a_trie_of_nodes_of_one_class_that_are_copied_grows_by_its_entries() {
    for (split, orders) in [(0, 40), (3, 67)] {
        let (heap, map) = trie_of_one_class(true, split);
        assert_eq!(found(&heap), [(map, "Order".to_owned(), orders)]);
    }
}

#[test]
fn a_tree_that_changes_one_old_node_in_place_grows_by_its_nodes() {
    let (heap, _) = trie_of_one_class(false, 0);
    let graph = ObjectGraph::new(&heap);
    let new_nodes = heap.objects().filter(|&object| heap.classes().get(heap.class_of(object)).name == "Node");
    assert_eq!(new_nodes.filter(|&node| graph.ages.is_new(node)).count(), 6);
}

#[test]
fn a_tree_that_appends_to_its_last_nodes_and_splits_its_root_grows_by_its_nodes() {
    let mut heap = HeapSketch::new();
    let index = heap.old("Index");
    heap.static_field("Shop", "orders", index);
    let node = |heap: &mut HeapSketch, is_new: bool| {
        let node = if is_new { heap.fresh("Node") } else { heap.old("Node") };
        let below = if is_new { heap.fresh("Object[]") } else { heap.old("Object[]") };
        heap.refer(node, "below", below);
        (node, below)
    };
    let (root, top) = node(&mut heap, true);
    heap.refer(index, "root", root);
    // The root before is full of full nodes; beside it there is a new one with new nodes. One old leaf gained an order.
    for is_new in [false, true] {
        let (inner, middle) = node(&mut heap, is_new);
        heap.element(top, inner);
        for at in 0..8 {
            let (leaf, orders) = node(&mut heap, is_new);
            heap.element(middle, leaf);
            for order in 0..8 {
                let is_new = is_new || (at, order) == (7, 7);
                let order = if is_new { heap.fresh("Order") } else { heap.old("Order") };
                heap.element(orders, order);
            }
        }
    }
    let heap = heap.build();
    let graph = ObjectGraph::new(&heap);
    let is_node = |object: ObjectIdx| heap.classes().get(heap.class_of(object)).name == "Node";
    assert!(heap.objects().filter(|&object| is_node(object)).all(|node| !graph.ages.is_copied_node(&heap, node)));
    assert!(found(&heap).iter().any(|(owner, class, _)| (*owner, class.as_str()) == (index, "Node")));
}

/// A map of beans with 3,000 old nodes and forty new ones; and a view of other maps, a map of maps, that was replaced.
#[test]
fn maps_of_maps_in_a_wrapper_that_was_replaced_do_not_make_the_nodes_of_all_maps_copies() {
    let mut heap = HeapSketch::new();
    let beans = heap.old("Map");
    heap.static_field("Server", "beans", beans);
    let table = heap.old("Node[]");
    heap.refer(beans, "table", table);
    for at in 0..3_040 {
        let (node, bean) = match at < 3_000 {
            true => (heap.old("Node"), heap.old("Bean")),
            false => (heap.fresh("Node"), heap.fresh("Bean")),
        };
        heap.element(table, node);
        heap.refer(node, "value", bean);
    }
    let (registry, view) = (heap.old("Registry"), heap.fresh("View"));
    heap.static_field("Server", "registry", registry);
    heap.refer(registry, "view", view);
    let new_map = |heap: &mut HeapSketch, holder, field| {
        let (map, table) = (heap.fresh("Map"), heap.fresh("Node[]"));
        heap.refer(holder, field, map);
        heap.refer(map, "table", table);
        table
    };
    let outer = new_map(&mut heap, view, "all");
    for _ in 0..9 {
        let node = heap.fresh("Node");
        heap.element(outer, node);
        let inner = new_map(&mut heap, node, "value");
        for _ in 0..9 {
            let node = heap.old("Node");
            heap.element(inner, node);
        }
    }
    let gained: Vec<_> = found(&heap.build()).into_iter().map(|(_, class, size)| (class, size)).collect();
    assert_eq!(gained, [("Node".to_owned(), 40)]);
}
