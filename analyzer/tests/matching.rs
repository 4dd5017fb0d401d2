//! Structures of one heap found in another, and ages that are inferred from that.

use rootbound::graph::{DominatorTree, Entries, Referrers};
use rootbound::heap::dsl::HeapSketch;
use rootbound::heap::{Heap, ObjectIdx};
use rootbound::matching::{InferredAges, PlaceIdx, Placed, Places};

fn placed(heap: &Heap, places: &mut Places) -> Placed {
    Placed::new(heap, &DominatorTree::new(heap, &Referrers::new(heap), &Entries::new(heap)), places)
}

fn inferred(earlier: &Heap, later: &Heap) -> InferredAges {
    let mut places = Places::new();
    let census = placed(earlier, &mut places).census();
    InferredAges::new(&placed(later, &mut places), &census)
}

/// New objects by class.
fn news(heap: &Heap, ages: &InferredAges) -> Vec<(String, usize)> {
    let mut news: Vec<(String, usize)> = Vec::new();
    for object in heap.objects().filter(|object| ages.generation[object.at()] == 1) {
        let name = &heap.classes().get(heap.class_of(object)).name;
        match news.iter_mut().find(|entry| entry.0 == *name) {
            Some(entry) => entry.1 += 1,
            None => news.push((name.clone(), 1)),
        }
    }
    news.sort();
    news
}

fn named(pairs: &[(&str, usize)]) -> Vec<(String, usize)> {
    pairs.iter().map(|&(name, count)| (name.to_owned(), count)).collect()
}

/// `static Shop.orders`: an array of orders, each with items; and a list of visitors. `noise` objects
/// come first, so that no index means the same in two heaps.
fn shop(noise: usize, items: &[usize], visitors: usize) -> Heap {
    let mut sketch = HeapSketch::new();
    sketch.class("Noise");
    for _ in 0..noise {
        sketch.old("Noise");
    }
    let array = sketch.old("Order[]");
    for &items in items {
        let (order, list) = (sketch.old("Order"), sketch.old("Item[]"));
        sketch.element(array, order);
        sketch.refer(order, "items", list);
        for _ in 0..items {
            let item = sketch.old("Item");
            sketch.element(list, item);
        }
    }
    sketch.static_field("Shop", "orders", array);
    let nodes: Vec<ObjectIdx> = (0..visitors).map(|_| sketch.old("Visitor")).collect();
    nodes.windows(2).for_each(|pair| sketch.refer(pair[0], "next", pair[1]));
    if let Some(&first) = nodes.first() {
        sketch.static_field("Shop", "visitors", first);
    }
    sketch.build()
}

#[test]
fn equal_heaps_have_nothing_new_wherever_their_objects_are() {
    let (earlier, later) = (shop(0, &[1, 2, 3], 50), shop(17, &[3, 1, 2], 50));
    let ages = inferred(&earlier, &later);
    assert_eq!(news(&later, &ages), named(&[("Noise", 17)]));
    assert_eq!((ages.matched_count, ages.gone_count), (ages.reachable_count, 0));
}

#[test]
fn a_chain_grows_at_its_end() {
    let (earlier, later) = (shop(5, &[], 1000), shop(0, &[], 1200));
    let ages = inferred(&earlier, &later);
    assert_eq!(news(&later, &ages), named(&[("Visitor", 200)]));
    let mut visitors = later.objects().filter(|&object| later.classes().get(later.class_of(object)).name == "Visitor");
    assert!(visitors.by_ref().take(1000).all(|object| ages.generation[object.at()] == 0));
}

#[test]
fn of_many_containers_the_one_that_grew_has_what_is_new() {
    let (earlier, later) = (shop(0, &[5; 40], 1), shop(3, &[&[5; 20][..], &[105], &[5; 19]].concat(), 1));
    let ages = inferred(&earlier, &later);
    assert_eq!(news(&later, &ages), named(&[("Item", 100), ("Noise", 3)]));
    let grown = later.objects().max_by_key(|&object| {
        later.references().of(object).len() * usize::from(later.classes().get(later.class_of(object)).name == "Item[]")
    });
    let items = later.references().of(grown.unwrap());
    assert_eq!(items.iter().filter(|item| ages.generation[item.at()] == 1).count(), 100);
}

#[test]
fn what_a_new_container_holds_is_new() {
    let (earlier, later) = (shop(0, &[4; 10], 1), shop(0, &[4; 13], 1));
    let ages = inferred(&earlier, &later);
    assert_eq!(news(&later, &ages), named(&[("Item", 12), ("Item[]", 3), ("Order", 3)]));
}

#[test]
fn what_is_gone_is_counted() {
    let ages = inferred(&shop(0, &[4; 13], 9), &shop(0, &[4; 10], 9));
    assert_eq!(ages.gone_count, 3 + 3 + 12);
    assert_eq!(ages.matched_count, ages.reachable_count);
}

#[test]
fn places_stay_few_however_deep_a_structure_is() {
    let mut places = Places::new();
    placed(&shop(0, &[2; 100], 10_000), &mut places);
    assert!(places.len() < 20, "{}", places.len());
}

/// The places of the entries in maps within maps, from the outermost on. Between two of them is a session, or none.
fn places_of_entries(has_sessions: bool) -> Vec<PlaceIdx> {
    let mut sketch = HeapSketch::new();
    let mut map = sketch.old("Map");
    sketch.static_field("Shop", "sessions", map);
    let mut entries = Vec::new();
    for _ in 0..4 {
        let (table, value) = (sketch.old("Node[]"), sketch.old("Map"));
        sketch.refer(map, "table", table);
        let [first, last] = ["Node"; 2].map(|class| sketch.old(class));
        sketch.element(table, first);
        sketch.element(table, last);
        if has_sessions {
            let session = sketch.old("Session");
            sketch.refer(last, "value", session);
            sketch.refer(session, "attributes", value);
        } else {
            sketch.refer(last, "value", value);
        }
        entries.push(first);
        map = value;
    }
    let placed = placed(&sketch.build(), &mut Places::new());
    entries.into_iter().map(|entry| placed.place_of(entry)).collect()
}

#[test]
fn entries_within_entries_have_a_place_of_their_own_and_deeper_ones_share_it() {
    for has_sessions in [true, false] {
        let places = places_of_entries(has_sessions);
        assert_ne!(places[0], places[1]);
        assert_eq!([places[2], places[3]], [places[1]; 2]);
    }
}

#[test]
fn the_children_in_a_list_of_each_node_are_at_one_place_at_any_depth() {
    let mut sketch = HeapSketch::new();
    let mut node = sketch.old("Node");
    sketch.static_field("Shop", "root", node);
    let mut children = Vec::new();
    for _ in 0..4 {
        let (list, array, child) = (sketch.old("List"), sketch.old("Object[]"), sketch.old("Node"));
        sketch.refer(node, "children", list);
        sketch.refer(list, "elements", array);
        sketch.element(array, child);
        children.push(child);
        node = child;
    }
    let placed = placed(&sketch.build(), &mut Places::new());
    let places: Vec<PlaceIdx> = children.iter().map(|&child| placed.place_of(child)).collect();
    assert_eq!(places, [places[0]; 4]);
}

#[test]
fn the_elements_of_a_tree_are_at_one_place_at_any_depth() {
    let place_at = |depth: usize, places: &mut Places| {
        let mut sketch = HeapSketch::new();
        let (mut node, order) = (sketch.old("Node"), sketch.old("Order"));
        sketch.static_field("Shop", "root", node);
        for level in 0..=depth {
            let kids = sketch.old("Object[]");
            sketch.refer(node, "kids", kids);
            node = if level == depth { order } else { sketch.old("Node") };
            sketch.element(kids, node);
        }
        placed(&sketch.build(), places).place_of(order)
    };
    let mut places = Places::new();
    let first = place_at(0, &mut places);
    assert_eq!([1, 2, 5].map(|depth| place_at(depth, &mut places)), [first; 3]);
}
