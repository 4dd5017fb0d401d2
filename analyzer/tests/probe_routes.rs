//! Probe routes of the structures that programs are made of: each is sketched, captured, and planned for; the route
//! must name exactly the references that a person would follow to count the members.
#![allow(clippy::expect_used)] // Helpers of tests may panic as tests do.

use rootbound::graph::ObjectGraph;
use rootbound::heap::dsl::HeapSketch;
use rootbound::heap::{Heap, ObjectIdx};
use rootbound::marking::OwnerPaths;
use rootbound::ranking;
use rootbound::regions;
use rootbound::regions::plan::{self, Effort, ProbePlan, SelfReferences};
use rootbound_wire::ids::ObjectId;
use rootbound_wire::message::{RoutePlace, RouteVia};

/// Members of each structure; the first half is old.
const MEMBERS: usize = 40;

/// The plan of the best region, one reference a line (`HashMap.table → Node[]`), sorted; counted classes in the end.
fn route(heap: &Heap) -> Vec<String> {
    let plan = planned(heap);
    assert_eq!(plan.size_at_capture, Some(MEMBERS as u64), "the route counts every member");
    written(heap, &plan)
}

fn planned(heap: &Heap) -> ProbePlan {
    let graph = ObjectGraph::new(heap);
    let regions = regions::find(&graph, &ranking::rank(&graph));
    plan::plan(&graph, &SelfReferences::new(heap), &OwnerPaths::new(true), &Effort::default(), &regions[0])
        .expect("the structure can be followed")
}

fn written(heap: &Heap, plan: &ProbePlan) -> Vec<String> {
    let mut lines: Vec<String> = plan.places.iter().flat_map(|place| steps(heap, plan, place)).collect();
    lines.sort();
    let counted = plan.places.iter().filter(|place| place.counts);
    lines.extend(counted.map(|place| format!("counts {}", class(heap, place.class))));
    lines
}

fn steps(heap: &Heap, plan: &ProbePlan, place: &RoutePlace) -> Vec<String> {
    let from = class(heap, place.class);
    let step = |via: &RouteVia, to: u16| {
        let to = class(heap, plan.places[usize::from(to)].class);
        match via {
            RouteVia::Field { name, .. } => format!("{from}.{name} → {to}"),
            RouteVia::StaticField { name, .. } => format!("static {from}.{name} → {to}"),
            RouteVia::ArrayElement => format!("{from}[*] → {to}"),
            RouteVia::Slot(slot) => format!("{from}[{slot}] → {to}"),
        }
    };
    place.steps.iter().flat_map(|each| each.to.iter().map(move |&to| step(&each.via, to))).collect()
}

fn class(heap: &Heap, mirror: ObjectId) -> String {
    let class = heap.class_of_mirror(ObjectIdx(mirror.0 as u32 - 1)).expect("places name classes");
    heap.classes().get(class).name.clone()
}

fn member(heap: &mut HeapSketch, class: &str, number: usize) -> ObjectIdx {
    if number < MEMBERS / 2 { heap.old(class) } else { heap.fresh(class) }
}

/// A structure's head under a static field of `Main`.
fn head(heap: &mut HeapSketch, class: &str) -> ObjectIdx {
    let head = heap.old(class);
    heap.static_field("Main", "structure", head);
    head
}

/// Entries of a hash map: two thirds in slots of the table, the others behind the entry made before.
fn hash_map(heap: &mut HeapSketch, map: ObjectIdx, entry_class: &str, chained: bool) -> Vec<ObjectIdx> {
    let table = heap.old(&format!("{entry_class}[]"));
    heap.refer(map, "table", table);
    let mut entries: Vec<ObjectIdx> = Vec::new();
    for number in 0..MEMBERS {
        let entry = member(heap, entry_class, number);
        let value = member(heap, "Value", number);
        heap.refer(entry, "value", value);
        match entries.last() {
            Some(&before) if chained && number % 3 == 2 => heap.refer(before, "next", entry),
            _ => heap.element(table, entry),
        }
        entries.push(entry);
    }
    entries
}

#[test]
fn a_hash_map_is_read_by_its_table_and_its_chains() {
    let mut heap = HeapSketch::new();
    let map = head(&mut heap, "HashMap");
    hash_map(&mut heap, map, "Node", true);
    assert_eq!(route(&heap.build()), ["HashMap.table → Node[]", "Node.next → Node", "Node[][*] → Node", "counts Node"]);
}

#[test]
fn chains_seen_elsewhere_in_the_heap_complete_a_table_without_collisions() {
    let mut heap = HeapSketch::new();
    let map = head(&mut heap, "HashMap");
    hash_map(&mut heap, map, "Node", false);
    let (first, second) = (heap.old("Node"), heap.old("Node"));
    heap.refer(first, "next", second);
    heap.jni_global(first);
    assert_eq!(route(&heap.build()), ["HashMap.table → Node[]", "Node.next → Node", "Node[][*] → Node", "counts Node"]);
}

#[test]
fn a_table_without_collisions_anywhere_is_read_without_chains() {
    let mut heap = HeapSketch::new();
    let map = head(&mut heap, "HashMap");
    hash_map(&mut heap, map, "Node", false);
    assert_eq!(route(&heap.build()), ["HashMap.table → Node[]", "Node[][*] → Node", "counts Node"]);
}

#[test]
fn of_a_linked_hash_map_the_table_stays_and_the_list_goes() {
    let mut heap = HeapSketch::new();
    let map = head(&mut heap, "LinkedHashMap");
    let entries = hash_map(&mut heap, map, "Entry", true);
    for pair in entries.windows(2) {
        heap.refer(pair[0], "after", pair[1]);
        heap.refer(pair[1], "before", pair[0]);
    }
    heap.refer(map, "head", entries[0]);
    heap.refer(map, "tail", entries[MEMBERS - 1]);
    assert_eq!(
        route(&heap.build()),
        ["Entry.next → Entry", "Entry[][*] → Entry", "LinkedHashMap.table → Entry[]", "counts Entry"]
    );
}

/// The entry is appended to the list before it is put into the table.
#[test]
fn an_insertion_in_progress_does_not_keep_a_map_from_being_followed() {
    let mut heap = HeapSketch::new();
    let map = head(&mut heap, "LinkedHashMap");
    let mut entries = hash_map(&mut heap, map, "Entry", true);
    entries.push(heap.fresh("Entry"));
    for pair in entries.windows(2) {
        heap.refer(pair[0], "after", pair[1]);
        heap.refer(pair[1], "before", pair[0]);
    }
    heap.refer(map, "head", entries[0]);
    heap.refer(map, "tail", entries[MEMBERS]);
    let heap = heap.build();
    let counted = planned(&heap).size_at_capture.expect("the structure is small");
    assert!((MEMBERS as u64..=MEMBERS as u64 + 1).contains(&counted), "{counted} counted");
}

#[test]
fn a_singly_linked_list_is_read_from_its_first_node() {
    let mut heap = HeapSketch::new();
    let list = head(&mut heap, "List");
    let mut last = list;
    for number in 0..MEMBERS {
        let node = member(&mut heap, "Node", number);
        heap.refer(last, if last == list { "first" } else { "next" }, node);
        last = node;
    }
    assert_eq!(route(&heap.build()), ["List.first → Node", "Node.next → Node", "counts Node"]);
}

#[test]
fn of_a_doubly_linked_list_only_one_direction_is_read() {
    let mut heap = HeapSketch::new();
    let list = head(&mut heap, "LinkedList");
    let nodes: Vec<ObjectIdx> = (0..MEMBERS).map(|number| member(&mut heap, "Node", number)).collect();
    for pair in nodes.windows(2) {
        heap.refer(pair[0], "next", pair[1]);
        heap.refer(pair[1], "prev", pair[0]);
    }
    heap.refer(list, "first", nodes[0]);
    heap.refer(list, "last", nodes[MEMBERS - 1]);
    // Appended nodes are nearer to the end, so that the way back wins here; either reaches every node.
    assert_eq!(route(&heap.build()), ["LinkedList.last → Node", "Node.prev → Node", "counts Node"]);
}

#[test]
fn of_a_doubly_linked_list_that_grows_at_its_beginning_the_way_from_there_is_read() {
    let mut heap = HeapSketch::new();
    let list = head(&mut heap, "LinkedList");
    let nodes: Vec<ObjectIdx> = (0..MEMBERS).map(|number| member(&mut heap, "Node", number)).collect();
    for pair in nodes.windows(2) {
        heap.refer(pair[1], "next", pair[0]);
        heap.refer(pair[0], "prev", pair[1]);
    }
    heap.refer(list, "first", nodes[MEMBERS - 1]);
    heap.refer(list, "last", nodes[0]);
    assert_eq!(route(&heap.build()), ["LinkedList.first → Node", "Node.next → Node", "counts Node"]);
}

/// A line that remembers its two ends and its middle. While few are new, all of them are nearest to the middle, from
/// where both directions are needed; a walk that does not remember where it was would never end there.
#[test]
fn a_chain_that_grows_in_its_middle_is_read_from_one_end() {
    let mut heap = HeapSketch::new();
    let line = head(&mut heap, "Line");
    let is_new = |at: usize| (3 * MEMBERS / 8..5 * MEMBERS / 8).contains(&at);
    let stop = |at: usize, heap: &mut HeapSketch| if is_new(at) { heap.fresh("Stop") } else { heap.old("Stop") };
    let stops: Vec<ObjectIdx> = (0..MEMBERS).map(|at| stop(at, &mut heap)).collect();
    heap.refer(line, "first", stops[0]);
    heap.refer(line, "last", stops[MEMBERS - 1]);
    heap.refer(line, "halfWay", stops[MEMBERS / 2]);
    for pair in stops.windows(2) {
        heap.refer(pair[1], "before", pair[0]);
        heap.refer(pair[0], "behind", pair[1]);
    }
    assert_eq!(route(&heap.build()), ["Line.first → Stop", "Stop.behind → Stop", "counts Stop"]);
}

#[test]
fn a_binary_tree_is_read_by_both_children() {
    let mut heap = HeapSketch::new();
    let tree = head(&mut heap, "TreeMap");
    let nodes: Vec<ObjectIdx> = (0..MEMBERS).map(|number| member(&mut heap, "Node", number)).collect();
    heap.refer(tree, "root", nodes[0]);
    for at in 1..MEMBERS {
        let above = nodes[(at - 1) / 2];
        heap.refer(above, if at % 2 == 1 { "left" } else { "right" }, nodes[at]);
        heap.refer(nodes[at], "parent", above);
    }
    assert_eq!(route(&heap.build()), ["Node.left → Node", "Node.right → Node", "TreeMap.root → Node", "counts Node"]);
}

#[test]
fn a_b_tree_is_read_through_the_arrays_of_its_nodes() {
    let mut heap = HeapSketch::new();
    let tree = head(&mut heap, "BTree");
    let nodes: Vec<ObjectIdx> = (0..MEMBERS).map(|number| member(&mut heap, "Node", number)).collect();
    heap.refer(tree, "root", nodes[0]);
    for above in 0..MEMBERS.div_ceil(4) {
        let kids = member(&mut heap, "Node[]", above);
        heap.refer(nodes[above], "kids", kids);
        for &kid in nodes.iter().skip(4 * above + 1).take(4) {
            heap.element(kids, kid);
        }
    }
    assert_eq!(route(&heap.build()), ["BTree.root → Node", "Node.kids → Node[]", "Node[][*] → Node", "counts Node"]);
}

#[test]
fn an_array_list_is_read_by_its_backing_array() {
    let mut heap = HeapSketch::new();
    let list = head(&mut heap, "ArrayList");
    let array = heap.old("java.lang.Object[]");
    heap.refer(list, "elementData", array);
    for number in 0..MEMBERS {
        let item = member(&mut heap, "Item", number);
        heap.element(array, item);
    }
    assert_eq!(
        route(&heap.build()),
        ["ArrayList.elementData → java.lang.Object[]", "java.lang.Object[][*] → Item", "counts Item"]
    );
}

#[test]
fn a_structure_without_a_head_is_read_from_the_static_field() {
    let mut heap = HeapSketch::new();
    let nodes: Vec<ObjectIdx> = (0..MEMBERS).map(|number| member(&mut heap, "Node", number)).collect();
    heap.static_field("Registry", "newest", nodes[0]);
    for pair in nodes.windows(2) {
        heap.refer(pair[0], "next", pair[1]);
    }
    assert_eq!(route(&heap.build()), ["Node.next → Node", "static Registry.newest → Node", "counts Node"]);
}
