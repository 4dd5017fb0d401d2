//! Slow leaks in large structures with few marks: what a structure gains is far less than the error of its marks.

use crate::programs::twin::Twin;
use rootbound::graph::ObjectGraph;
use rootbound::heap::{Heap, ObjectIdx};
use rootbound::marking::{self, Limits};
use rootbound::{ranking, regions};
use rootbound_wire::ids::SnapshotId;

/// The program now, with a mark on one in a hundred of the objects that it had. What was replaced is taken for replaced
/// before its mark was set, as most of it is in a program under load.
fn marked(twin: Twin) -> Heap {
    marked_and(twin, true)
}

/// The same; what was replaced was replaced after its mark was set unless it was `missed`.
fn marked_and(twin: Twin, are_missed: bool) -> Heap {
    let (before, is_now) = twin.before();
    let limits = Limits { budget: before.object_count() / 100, seed: 7, may_iterate: true };
    let selection = marking::select(&before, SnapshotId(1), limits);
    let (mut marks, mut missed) = (Vec::new(), Vec::new());
    for (object, number) in selection.objects.iter().zip(1..) {
        match is_now.get(object) {
            Some(&now) => marks.push((now, number)),
            None if are_missed => missed.push(number),
            None => {}
        }
    }
    twin.now.build_marked(selection.table(&missed), &marks)
}

/// Owner, class and proxy-size of each region below an object.
fn below(heap: &Heap, head: ObjectIdx) -> Vec<(ObjectIdx, String, u64)> {
    let graph = ObjectGraph::new(heap);
    let found = regions::find(&graph, &ranking::rank(&graph));
    let class = |region: &regions::Region| heap.classes().get(region.change_class).name.clone();
    let below = found.iter().filter(|region| graph.dominators.dominates(head, region.owner));
    below.map(|region| (region.owner, class(region), region.proxy_size)).collect()
}

/// A map of `old` entries with an order each, and of `fresh` further ones.
fn map(twin: &mut Twin, field: &str, old: usize, fresh: usize) -> ObjectIdx {
    let (map, table) = (twin.old("Map"), twin.old("Entry[]"));
    twin.static_field("Shop", field, map);
    twin.refer(map, "table", table);
    for at in 0..old + fresh {
        let made = |twin: &mut Twin, class| if at < old { twin.old(class) } else { twin.fresh(class) };
        let (entry, order, items) = (made(twin, "Entry"), made(twin, "Order"), made(twin, "Items"));
        twin.element(table, entry);
        twin.refer(entry, "value", order);
        twin.refer(order, "items", items);
        let item = made(twin, "Item");
        twin.refer(items, "first", item);
    }
    map
}

#[test]
fn a_gain_of_a_third_of_a_percent_is_found_among_many_structures_that_gain_nothing() {
    let mut twin = Twin::default();
    let large = map(&mut twin, "orders", 20_000, 60);
    let still: Vec<ObjectIdx> = (0..100).map(|at| map(&mut twin, &format!("cache{at}"), 200, 0)).collect();
    let heap = marked(twin);
    assert_eq!(below(&heap, large), [(large, "Entry".to_owned(), 60)]);
    assert!(still.into_iter().all(|map| below(&heap, map).is_empty()));
}

/// A tree that is copied on change from its root to the page that gained: `pages` pages of fifty records each, and a
/// new one of them. Returns what holds the root.
fn copied_tree(twin: &mut Twin, pages: usize) -> ObjectIdx {
    let (store, reference) = (twin.old("Store"), twin.old("Reference"));
    twin.static_field("Database", "store", store);
    twin.refer(store, "root", reference);
    twin.replaces = true;
    let (root, page, children) = (twin.fresh("Root"), twin.fresh("Page"), twin.fresh("Child[]"));
    twin.refer(reference, "value", root);
    twin.refer(root, "page", page);
    twin.now.make_final("Root", "page");
    twin.refer(page, "children", children);
    for at in 0..pages {
        twin.replaces = at + 1 < pages;
        let (child, leaf, values) = if at + 2 < pages {
            (twin.old("Child"), twin.old("Leaf"), twin.old("Record[]"))
        } else {
            (twin.fresh("Child"), twin.fresh("Leaf"), twin.fresh("Record[]"))
        };
        twin.element(children, child);
        twin.refer(child, "leaf", leaf);
        twin.refer(leaf, "values", values);
        for _ in 0..50 {
            let record = if at + 1 < pages { twin.old("Record") } else { twin.fresh("Record") };
            twin.element(values, record);
            let value = if at + 1 < pages { twin.old("Value") } else { twin.fresh("Value") };
            twin.refer(record, "value", value);
        }
    }
    reference
}

#[test]
fn the_owner_of_a_tree_that_is_copied_on_change_is_what_holds_its_root() {
    let mut twin = Twin::default();
    let reference = copied_tree(&mut twin, 200);
    map(&mut twin, "orders", 2_000, 0);
    let heap = marked(twin);
    let regions = below(&heap, reference);
    assert!(!regions.is_empty() && regions.iter().all(|region| region.0 == reference), "{regions:?}");
}

/// A map that was made anew with its nodes, of `old` old keys and `fresh` further ones, in a field of `holder`.
fn copied_map(twin: &mut Twin, holder: ObjectIdx, old: usize, fresh: usize) -> ObjectIdx {
    twin.replaces = old > 0;
    let (map, table) = (twin.fresh("Map"), twin.fresh("Node[]"));
    twin.refer(holder, "map", map);
    twin.refer(map, "table", table);
    for at in 0..old + fresh {
        twin.replaces = at < old;
        let node = twin.fresh("Node");
        let made = |twin: &mut Twin, class| if at < old { twin.old(class) } else { twin.fresh(class) };
        let (key, value) = (made(twin, "Key"), made(twin, "Value"));
        twin.element(table, node);
        twin.refer(node, "key", key);
        twin.refer(node, "value", value);
        let detail = made(twin, "Detail");
        twin.refer(value, "detail", detail);
    }
    twin.replaces = false;
    map
}

#[test]
fn a_map_that_is_made_anew_gains_what_it_has_more_than_before() {
    for are_missed in [true, false] {
        let mut twin = Twin::default();
        let (growing, still) = (twin.old("Registry"), twin.old("Settings"));
        for (holder, field) in [(growing, "registry"), (still, "settings")] {
            twin.static_field("Shop", field, holder);
        }
        copied_map(&mut twin, growing, 5_000, 40);
        copied_map(&mut twin, still, 3_000, 0);
        map(&mut twin, "orders", 2_000, 0);
        let heap = marked_and(twin, are_missed);
        let regions = below(&heap, growing);
        assert!(regions.iter().any(|region| region.0 == growing && region.2 == 40), "{regions:?}");
        assert!(regions.iter().all(|region| region.2 == 40), "{regions:?}");
        assert_eq!(below(&heap, still), [], "missed: {are_missed}");
    }
}

#[test]
fn a_map_that_is_much_smaller_than_the_one_before_is_no_copy_of_it() {
    let mut twin = Twin::default();
    let holder = twin.old("Buffer");
    twin.static_field("Shop", "buffer", holder);
    let before = twin.gone("Map");
    twin.referred(holder, "map", before);
    for at in 0..4_000 {
        let (node, key) = (twin.gone("Node"), twin.gone("Key"));
        twin.referred(before, &format!("node{at}"), node);
        twin.referred(node, "key", key);
    }
    let after = copied_map(&mut twin, holder, 0, 400);
    map(&mut twin, "orders", 2_000, 0);
    let heap = marked_and(twin, false);
    assert_eq!(ObjectGraph::new(&heap).ages.newness(after), 1.0);
}

/// A node of a hash trie with its array; one in the place of another, or the other itself.
fn trie_node(twin: &mut Twin, class: &str, is_replaced: bool) -> (ObjectIdx, ObjectIdx) {
    twin.replaces = true;
    let made = |twin: &mut Twin, class| if is_replaced { twin.fresh(class) } else { twin.old(class) };
    let (node, array) = (made(twin, class), made(twin, "Object[]"));
    twin.refer(node, "nodes", array);
    (node, array)
}

/// A leaf of a hash trie: old, in the place of another, or new.
fn leaf(twin: &mut Twin, array: ObjectIdx, is_old: bool, replaces: bool) {
    twin.replaces = replaces;
    let leaf = if is_old { twin.old("Leaf") } else { twin.fresh("Leaf") };
    twin.element(array, leaf);
    let booking = if is_old { twin.old("Booking") } else { twin.fresh("Booking") };
    twin.refer(leaf, "value", booking);
}

/// A persistent map behind a reference, made anew with each change: a trie of two levels of wide nodes, all replaced
/// since the mark, and one of narrow nodes, of which `replaced` in ten were; each of these has a changed leaf. It gained
/// sixty leaves. One narrow node in eight holds another.
fn persistent_map(twin: &mut Twin, replaced: usize) -> ObjectIdx {
    let reference = twin.old("Reference");
    twin.static_field("Fleet", "bookings", reference);
    twin.replaces = true;
    let map = twin.fresh("HashMap");
    twin.refer(reference, "value", map);
    let (root, top) = trie_node(twin, "Wide", true);
    twin.refer(map, "trie", root);
    let mut gains = 60;
    for _ in 0..32 {
        let (wide, narrow_nodes) = trie_node(twin, "Wide", true);
        twin.element(top, wide);
        for at in 0..32 {
            let is_replaced = at % 10 < replaced;
            let (narrow, mut leaves) = trie_node(twin, "Narrow", is_replaced);
            twin.element(narrow_nodes, narrow);
            if at % 8 == 0 {
                let (inner, below) = trie_node(twin, "Narrow", is_replaced);
                twin.element(leaves, inner);
                leaves = below;
            }
            (0..7).for_each(|_| leaf(twin, leaves, true, false));
            leaf(twin, leaves, !is_replaced, true);
            if is_replaced && gains > 0 {
                leaf(twin, leaves, false, false);
                gains -= 1;
            }
        }
    }
    twin.replaces = false;
    reference
}

#[test]
fn the_owner_of_a_persistent_map_is_what_holds_it_and_its_gain_are_leaves() {
    for (replaced, are_missed) in [(4, true), (4, false), (9, true), (9, false), (10, false)] {
        let mut twin = Twin::default();
        let reference = persistent_map(&mut twin, replaced);
        map(&mut twin, "orders", 2_000, 0);
        let heap = marked_and(twin, are_missed);
        let regions = below(&heap, reference);
        let are_leaves = regions.iter().all(|(owner, class, _)| (*owner, class.as_str()) == (reference, "Leaf"));
        assert!(regions.len() == 1 && are_leaves, "{replaced} in ten replaced, missed: {are_missed}: {regions:?}");
    }
}
