//! Trees of small heaps: the paper's Figures 9, 10 and 14.

use super::{Chain, Node, Side, Tree, Trees};
use crate::graph::{Dominance, Owned, RootPaths, SizedTree};
use crate::growing::nodes;
use crate::heap::dsl::HeapSketch;
use crate::heap::{Heap, ObjectIdx};
use crate::matching::{NamedPlaces, PlaceFinder};
use crate::report::tree::TreeNode;
use crate::structures::census::Detected;
use crate::structures::growth::Delta;
use crate::structures::language::parse;
use crate::structures::{Detection, Language, Layout, LayoutOptions, Structures};

const COLLECTIONS: &str = "namespace java.util {
    DS ArrayList { java.lang.Object[]; }
    DS HashMap { HashMap$Node[]; }
    HashMap$Node { HashMap$Node; (*); }
}";

fn list(sketch: &mut HeapSketch, elements: &[ObjectIdx]) -> ObjectIdx {
    let (list, array) = (sketch.old("java.util.ArrayList"), sketch.old("java.lang.Object[]"));
    sketch.refer(list, "elementData", array);
    elements.iter().for_each(|&element| sketch.element(array, element));
    list
}

fn all(sketch: &mut HeapSketch, class: &str, count: usize) -> Vec<ObjectIdx> {
    (0..count).map(|_| sketch.old(class)).collect()
}

/// The objects that are classified.
type Chosen = fn(&Detected<'_, SizedTree<'_>>) -> Vec<ObjectIdx>;

fn tops(of: &Detected<'_, SizedTree<'_>>) -> Vec<ObjectIdx> {
    let heads = of.structures.heads.iter().filter(|&(head, _)| of.structures.is_top_level(head));
    heads.map(|(_, object)| object).collect()
}

/// Detects the structures of both heaps and classifies the chosen objects.
fn trees(heaps: [&Heap; 2], chain: &str, chosen: Chosen, is_difference: bool) -> (Tree, Vec<TreeNode>) {
    let mut language = Language::new();
    language.add(parse("test.ds", COLLECTIONS).unwrap());
    let layouts = heaps.map(|heap| Layout::new(&language, heap, LayoutOptions::default()));
    let owned = heaps.map(Owned::new);
    let sized = [0, 1].map(|at| SizedTree::new(heaps[at], &owned[at].dominators));
    let structures = [0, 1].map(|at| Structures::new(&sized[at], &layouts[at], Detection::default()));
    let detected = [0, 1].map(|at| Detected {
        dominance: &sized[at],
        entries: &owned[at].entries,
        referrers: &owned[at].referrers,
        layout: &layouts[at],
        structures: &structures[at],
    });
    let paths = heaps.map(RootPaths::new);
    let [mut one, mut other] = [NamedPlaces::new(), NamedPlaces::new()];
    let before = Side::new(&detected[0], PlaceFinder::new(heaps[0], &paths[0], &mut one));
    let after = Side::new(&detected[1], PlaceFinder::new(heaps[1], &paths[1], &mut other));
    let chain: Chain = chain.parse().unwrap();
    let objects = [chosen(&detected[0]), chosen(&detected[1])];
    let tree = Trees::new(is_difference.then_some(before), after, 10).tree(&chain, &objects);
    let heap = Delta { objects: 15_000, bytes: 360_000 };
    let lines = nodes(&tree, is_difference.then_some(&detected[0]), &detected[1], heap);
    (tree, lines)
}

fn keys(nodes: &[Node]) -> Vec<(&str, usize)> {
    nodes.iter().map(|node| (node.key.as_str(), node.objects[1].len())).collect()
}

#[test]
fn figure_14_the_leaves_grew_from_5000_to_20000_of_type_flat_data() {
    let heap = |count| {
        let mut sketch = HeapSketch::new();
        let data = all(&mut sketch, "FlatData", count);
        let others = all(&mut sketch, "Label", 10);
        let list = list(&mut sketch, &[data, others].concat());
        sketch.static_field("Main", "list", list);
        sketch.build()
    };
    let (before, after) = (heap(5_000), heap(20_000));
    let (_, lines) = trees([&before, &after], "type, place, leaves(type)", tops, true);
    let [list] = &lines[..] else { panic!("{lines:?}") };
    let leaves = &list.parts[0].parts[0];
    assert_eq!((list.parts[0].key.as_str(), leaves.key.as_str()), ("static Main.list", "leaves"));
    let flat = &leaves.parts[0];
    assert_eq!((flat.key.as_str(), flat.count_before, flat.count), ("FlatData", Some(5_000), 20_000));
    let growth = flat.growth.unwrap().retained.unwrap();
    assert_eq!((growth.objects, growth.bytes), (15_000, 15_000 * 24));
    assert!((flat.hgp.unwrap().retained.unwrap().bytes - 100.0).abs() < 1e-9);
    assert_eq!(leaves.parts.len(), 1, "labels are as before");
}

#[test]
fn a_part_that_one_state_lacks_counts_from_nothing() {
    let heap = |class, count| {
        let mut sketch = HeapSketch::new();
        let data = all(&mut sketch, class, count);
        let list = list(&mut sketch, &data);
        sketch.static_field("Main", "list", list);
        sketch.build()
    };
    let (before, after) = (heap("Gone", 2), heap("New", 3));
    let (_, lines) = trees([&before, &after], "leaves(type)", tops, true);
    let mut found: Vec<_> =
        lines[0].parts.iter().map(|part| (part.key.as_str(), part.count_before, part.count)).collect();
    found.sort_unstable();
    assert_eq!(found, [("Gone", Some(2), 0), ("New", Some(0), 3)]);
}

/// A list of two lists of orders; one order is also in an array that is no structure, another one only there.
fn nested() -> Heap {
    let mut sketch = HeapSketch::new();
    let orders = all(&mut sketch, "Order", 5);
    let inner = [list(&mut sketch, &orders[..2]), list(&mut sketch, &orders[2..4])];
    let outer = list(&mut sketch, &inner);
    sketch.static_field("Main", "orders", outer);
    let array = sketch.old("Order[]");
    sketch.element(array, orders[3]);
    sketch.element(array, orders[4]);
    sketch.static_field("Main", "loose", array);
    sketch.build()
}

fn orders(of: &Detected<'_, SizedTree<'_>>) -> Vec<ObjectIdx> {
    let heap = of.dominance.heap();
    heap.objects().filter(|&object| heap.classes().get(heap.class_of(object)).name == "Order").collect()
}

#[test]
fn bottom_up_objects_lead_to_the_structures_that_contain_them() {
    let heap = nested();
    let (tree, _) = trees([&heap, &heap], "type, containing(type, place)", orders, false);
    assert_eq!(keys(&tree.nodes), [("Order", 5)]);
    let mut parts = keys(&tree.nodes[0].parts);
    parts.sort_unstable();
    assert_eq!(parts, [("in no structure", 1), ("in structures", 1)], "the inner lists are the outer list's");
    let (tree, _) = trees([&heap, &heap], "containing(direct; type)", orders, false);
    let inner = tree.nodes.iter().find(|node| node.key == "in structures").unwrap();
    assert_eq!(keys(&inner.parts), [("java.util.ArrayList", 2)]);
}

#[test]
fn objects_behind_a_leaf_are_owned_by_the_structure_of_the_leaf() {
    let mut sketch = HeapSketch::new();
    let lines = all(&mut sketch, "Line", 4);
    let (order, draft) = (sketch.old("Order"), sketch.old("Draft"));
    let page = sketch.old("Page");
    sketch.refer(order, "page", page);
    sketch.refer(page, "line", lines[0]);
    sketch.refer(order, "line", lines[1]);
    sketch.refer(draft, "line", lines[2]);
    let orders = list(&mut sketch, &[order, lines[3]]);
    sketch.static_field("Main", "orders", orders);
    sketch.static_field("Main", "draft", draft);
    let heap = sketch.build();
    let lines: Chosen = |of| {
        let heap = of.dominance.heap();
        heap.objects().filter(|&object| heap.classes().get(heap.class_of(object)).name == "Line").collect()
    };
    let parts = |chain| {
        let (tree, _) = trees([&heap, &heap], chain, lines, false);
        let mut parts: Vec<(String, usize)> =
            keys(&tree.nodes).into_iter().map(|(key, count)| (key.to_owned(), count)).collect();
        parts.sort_unstable();
        parts
    };
    let found = |others| vec![("in no structure".to_owned(), others), ("in structures".to_owned(), 1)];
    assert_eq!(parts("containing(type)"), found(3), "only one line is a member");
    assert_eq!(parts("containing(owned; type)"), found(1), "the draft is in no structure");
    assert_eq!(parts("containing(owned, direct; type)"), found(1));
}

#[test]
fn top_down_own_leaves_are_the_structures_within_and_deep_ones_their_elements() {
    let heap = nested();
    let parts = |chain| {
        let (tree, _) = trees([&heap, &heap], chain, tops, false);
        keys(&tree.nodes[0].parts).into_iter().map(|(key, count)| (key.to_owned(), count)).collect::<Vec<_>>()
    };
    assert_eq!(parts("leaves(own; type)"), [("java.util.ArrayList".to_owned(), 2)]);
    assert_eq!(parts("leaves(type)"), [("Order".to_owned(), 4)]);
    assert_eq!(parts("contained(type)"), [("java.util.ArrayList".to_owned(), 2)]);
    assert_eq!(parts("type, loader"), [("boot loader".to_owned(), 1)]);
}

#[test]
fn smaller_parts_are_counted_and_left_out() {
    let mut sketch = HeapSketch::new();
    let data: Vec<ObjectIdx> = (0..13).map(|number| sketch.old(&format!("Data{number}"))).collect();
    let list = list(&mut sketch, &data);
    sketch.static_field("Main", "list", list);
    let heap = sketch.build();
    let (tree, _) = trees([&heap, &heap], "leaves(type)", tops, false);
    assert_eq!((tree.nodes[0].parts.len(), tree.nodes[0].omitted, tree.is_cut), (10, 3, false));
}
