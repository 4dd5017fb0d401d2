//! What a plan has beside the route: candidate counters, found by the types of fields alone; and the structures whose
//! members stand on several ways, or behind objects that look like members and are none.
#![allow(clippy::expect_used)] // Helpers of tests may panic as tests do.

use rootbound::graph::{ObjectGraph, RootPaths};
use rootbound::heap::dsl::{HeapSketch, OLD};
use rootbound::heap::{Heap, ObjectIdx};
use rootbound::marking::OwnerPaths;
use rootbound::ranking;
use rootbound::regions::plan::{self, Effort, PlanFailure, ProbePlan, SelfReferences};
use rootbound::regions::{self, BufferLengths};
use rootbound::relations::Standing;
use rootbound::structures::language::parse;
use rootbound::structures::{Language, Layout, LayoutOptions, Members, Reach};
use rootbound_wire::message::{ProbeShape, RouteVia};

/// Members of each structure; the first half is old.
const MEMBERS: usize = 60;

fn planned(heap: &Heap) -> ProbePlan {
    let graph = ObjectGraph::new(heap);
    let regions = regions::find(&graph, &ranking::rank(&graph));
    plan::plan(&graph, &SelfReferences::new(heap), &OwnerPaths::new(true), &Effort::default(), &regions[0])
        .expect("the structure can be followed")
}

fn counters(heap: &Heap) -> Vec<String> {
    planned(heap).counters.into_iter().map(|counter| counter.name).collect()
}

fn member(heap: &mut HeapSketch, class: &str, number: usize) -> ObjectIdx {
    if number < MEMBERS / 2 { heap.old(class) } else { heap.fresh(class) }
}

/// A table of entries under a static field of `Main`; gives its head.
fn table(heap: &mut HeapSketch, class: &str) -> ObjectIdx {
    let map = heap.old(class);
    heap.static_field("Main", "structure", map);
    let table = heap.old("Entry[]");
    heap.refer(map, "table", table);
    for number in 0..MEMBERS {
        let entry = member(heap, "Entry", number);
        let value = member(heap, "Value", number);
        heap.refer(entry, "value", value);
        heap.element(table, entry);
    }
    map
}

/// Sessions share documents. A route that enters each document for every session would count its histories as often.
#[test]
fn members_behind_an_object_that_several_share_are_counted_once() {
    const DOCUMENTS: usize = 60;
    let mut heap = HeapSketch::new();
    let (server, view) = (heap.old("Server"), heap.old("Session[]"));
    heap.static_field("Main", "server", server);
    heap.refer(server, "view", view);
    let documents: Vec<ObjectIdx> = (0..DOCUMENTS).map(|_| heap.old("Document")).collect();
    for &document in &documents {
        let table = heap.old("Entry[]");
        heap.refer(document, "undo", table);
        for number in [0, MEMBERS] {
            let entry = member(&mut heap, "Entry", number);
            heap.element(table, entry);
        }
    }
    for number in 0..3 * DOCUMENTS {
        let session = heap.old("Session");
        heap.element(view, session);
        heap.refer(session, "document", documents[number % DOCUMENTS]);
    }
    let plan = planned(&heap.build());
    assert_eq!((plan.shape, plan.size_at_capture), (ProbeShape::Tangled, Some(2 * DOCUMENTS as u64)));
}

#[test]
fn the_sizes_of_many_maps_are_a_sum() {
    let mut heap = HeapSketch::new();
    heap.declare("Map", "size", "I");
    heap.declare("Entry", "hash", "I");
    let shards = heap.old("Map[]");
    heap.static_field("Main", "shards", shards);
    for _ in 0..20 {
        let (map, table) = (heap.old("Map"), heap.old("Entry[]"));
        heap.element(shards, map);
        heap.refer(map, "table", table);
        for number in 0..10 {
            let entry = if number < 5 { heap.old("Entry") } else { heap.fresh("Entry") };
            let value = if number < 5 { heap.old("Value") } else { heap.fresh("Value") };
            heap.refer(entry, "value", value);
            heap.element(table, entry);
        }
    }
    let heap = heap.build();
    let plan = planned(&heap);
    let [sum] = &plan.counters[..] else { panic!("{:?}", counters(&heap)) };
    let place = usize::from(sum.spec.summed_at.expect("a sum"));
    assert_eq!((sum.name.as_str(), plan.places[place].counts), ("sum of Map.size", false));
}

#[test]
fn numbers_of_the_container_are_candidates_in_the_order_of_their_declaration() {
    let mut heap = HeapSketch::new();
    heap.declare("Map", "size", "I");
    heap.declare("Map", "changes", "I");
    heap.declare("Map", "load", "F");
    heap.declare("Map", "total", "J");
    heap.declare("Unrelated", "size", "I");
    table(&mut heap, "Map");
    assert_eq!(counters(&heap.build()), ["Map.size", "Map.changes", "Map.total"]);
}

#[test]
fn inherited_numbers_are_named_by_the_class_that_declares_them() {
    let mut heap = HeapSketch::new();
    heap.subclass("Map", "Counted");
    heap.declare("Counted", "count", "J");
    table(&mut heap, "Map");
    assert_eq!(counters(&heap.build()), ["Counted.count"]);
}

#[test]
fn the_number_of_a_member_is_none_of_the_structure() {
    let mut heap = HeapSketch::new();
    heap.declare("Hub", "steps", "I");
    heap.declare("Undo", "id", "J");
    let hub = heap.old("Hub");
    heap.static_field("Main", "structure", hub);
    let mut before = None;
    for number in 0..MEMBERS {
        let undo = member(&mut heap, "Undo", number);
        if let Some(before) = before {
            heap.refer(undo, "before", before);
        }
        before = Some(undo);
    }
    heap.refer(hub, "undo", before.expect("members"));
    assert_eq!(counters(&heap.build()), ["Hub.steps"]);
}

#[test]
fn a_number_one_reference_away_is_a_candidate() {
    let mut heap = HeapSketch::new();
    heap.declare("Atomic", "value", "I");
    let map = table(&mut heap, "Queue");
    let count = heap.old("Atomic");
    heap.refer(map, "count", count);
    let heap = heap.build();
    let plan = planned(&heap);
    assert_eq!(plan.counters.len(), 1);
    let [RouteVia::Field { name, .. }] = &plan.counters[0].spec.way[..] else { panic!("{:?}", plan.counters) };
    assert_eq!((name.as_str(), plan.counters[0].name.as_str()), ("count", "Atomic.value"));
}

#[test]
fn a_long_beside_an_array_of_objects_of_one_long_or_of_a_class_without_objects_is_striped() {
    let mut heap = HeapSketch::new();
    heap.declare("Map", "base", "J");
    heap.declare("Map", "cells", "[LCell;");
    heap.declare("Map", "others", "[LPair;");
    heap.declare("Map", "unseen", "[LUnseen;");
    heap.declare("Cell", "value", "J");
    heap.declare("Pair", "one", "J");
    heap.declare("Pair", "other", "J");
    table(&mut heap, "Map");
    let heap = heap.build();
    assert_eq!(counters(&heap), ["Map.base + the cells of .cells", "Map.base + the cells of .unseen", "Map.base"]);
    let cells = planned(&heap).counters[0].spec.cells.clone().expect("cells");
    assert!(matches!(cells.array, RouteVia::Field { name, .. } if name == "cells"));
}

#[test]
fn of_maps_within_a_map_only_the_outer_nodes_are_counted_while_those_grow_alone() {
    let plan_of = |old_ones_grow: bool| {
        let mut heap = HeapSketch::new();
        let sessions = heap.old("Map");
        heap.static_field("Main", "structure", sessions);
        let nodes = heap.old("Node[]");
        heap.refer(sessions, "table", nodes);
        for number in 0..40 {
            let node = member(&mut heap, "Node", number);
            heap.element(nodes, node);
            let attributes = member(&mut heap, "Map", number);
            heap.refer(node, "value", attributes);
            let table = member(&mut heap, "Node[]", number);
            heap.refer(attributes, "table", table);
            for at in 0..3 {
                let attribute =
                    if old_ones_grow && at > 0 { heap.fresh("Node") } else { member(&mut heap, "Node", number) };
                heap.element(table, attribute);
            }
        }
        planned(&heap.build()).size_at_capture
    };
    assert_eq!(plan_of(false), Some(40));
    assert_eq!(plan_of(true), Some(160));
}

#[test]
fn the_number_of_candidates_is_bounded() {
    let mut heap = HeapSketch::new();
    for field in 0..20 {
        heap.declare("Map", &format!("number{field}"), "I");
        heap.declare("Beside", &format!("number{field}"), "J");
    }
    let map = table(&mut heap, "Map");
    for at in 0..20 {
        let beside = heap.old("Beside");
        heap.refer(map, &format!("beside{at}"), beside);
    }
    assert_eq!(counters(&heap.build()).len(), 24);
}

#[test]
fn of_a_skip_lists_nodes_only_the_lowest_level_is_read() {
    let mut heap = HeapSketch::new();
    let list = heap.old("SkipList");
    heap.static_field("Main", "structure", list);
    let nodes: Vec<ObjectIdx> = (0..MEMBERS).map(|number| member(&mut heap, "Node", number)).collect();
    heap.refer(list, "head", nodes[0]);
    for at in 0..MEMBERS {
        let levels = member(&mut heap, "Node[]", at);
        heap.refer(nodes[at], "forward", levels);
        // Every second node is on the second level, every fourth on the third.
        for step in [1, 2, 4].into_iter().filter(|step| at % step == 0 && at + step < MEMBERS) {
            heap.element(levels, nodes[at + step]);
        }
    }
    let heap = heap.build();
    let plan = planned(&heap);
    assert_eq!(plan.size_at_capture, Some(MEMBERS as u64));
    let slots = plan.places.iter().flat_map(|place| &place.steps).filter(|step| step.via == RouteVia::Slot(0));
    assert_eq!(slots.count(), 1, "{:?}", plan.words);
}

/// Towers above a chain of nodes, below a static field; gives the uppermost index.
fn towers(heap: &mut HeapSketch, index_of: impl Fn(&mut HeapSketch, usize) -> ObjectIdx) -> ObjectIdx {
    let list = heap.old("SkipMap");
    heap.static_field("Main", "structure", list);
    let nodes: Vec<ObjectIdx> = (0..MEMBERS).map(|number| member(heap, "Node", number)).collect();
    for pair in nodes.windows(2) {
        heap.refer(pair[0], "next", pair[1]);
    }
    let mut below: Vec<(usize, ObjectIdx)> = Vec::new();
    for step in [2, 4, 8] {
        let level: Vec<(usize, ObjectIdx)> = (0..MEMBERS).step_by(step).map(|at| (at, index_of(heap, at))).collect();
        for pair in level.windows(2) {
            heap.refer(pair[0].1, "right", pair[1].1);
        }
        for &(at, index) in &level {
            heap.refer(index, "node", nodes[at]);
            if let Some(&(_, lower)) = below.iter().find(|&&(other, _)| other == at) {
                heap.refer(index, "down", lower);
            }
        }
        below = level;
    }
    heap.refer(list, "head", below[0].1);
    below[0].1
}

#[test]
fn a_skip_list_of_towers_is_read_along_its_base() {
    let mut heap = HeapSketch::new();
    towers(&mut heap, |heap, at| member(heap, "Index", at));
    let heap = heap.build();
    let plan = planned(&heap);
    assert_eq!(plan.size_at_capture, Some(MEMBERS as u64), "{:?}", plan.words);
    assert!(plan.words.iter().all(|line| !line.contains(".right")), "{:?}", plan.words);
}

/// An index that is added above the uppermost takes its place, and the old one may go.
#[test]
fn an_owner_that_is_a_node_is_followed_from_what_holds_it() {
    let mut heap = HeapSketch::new();
    let uppermost = towers(&mut heap, |heap, at| member(heap, "Index", at));
    let heap = heap.build();
    let graph = ObjectGraph::new(&heap);
    let regions = regions::find(&graph, &ranking::rank(&graph));
    let of_node = regions::Region { owner: uppermost, ..regions[0].clone() };
    let plan = plan::plan(&graph, &SelfReferences::new(&heap), &OwnerPaths::new(true), &Effort::default(), &of_node)
        .expect("a plan");
    assert_eq!(plan.words[0], "SkipMap.head → Index", "{:?}", plan.words);
}

#[test]
fn heads_of_buckets_that_are_no_members_do_not_count() {
    let mut heap = HeapSketch::new();
    heap.subclass("TreeBin", "Entry");
    heap.subclass("TreeEntry", "Entry");
    heap.declare("Entry", "value", "Ljava/lang/Object;");
    heap.declare("Entry", "next", "LEntry;");
    heap.declare("TreeBin", "first", "LTreeEntry;");
    let map = heap.old("Map");
    heap.static_field("Main", "structure", map);
    let table = heap.old("Entry[]");
    heap.refer(map, "table", table);
    let mut last = None;
    for number in 0..MEMBERS {
        // Three buckets of trees, of nine members each.
        let class = if number % 20 < 9 { "TreeEntry" } else { "Entry" };
        let entry = member(&mut heap, class, number);
        let value = member(&mut heap, "Value", number);
        heap.inherited(entry, "Entry", "value", value);
        match (class, last) {
            ("TreeEntry", Some(last)) if number % 20 > 0 => heap.inherited(last, "Entry", "next", entry),
            ("TreeEntry", _) => {
                let bin = member(&mut heap, "TreeBin", number);
                heap.element(table, bin);
                heap.refer(bin, "first", entry);
            }
            _ => heap.element(table, entry),
        }
        last = Some(entry);
    }
    let heap = heap.build();
    let plan = planned(&heap);
    assert_eq!(plan.size_at_capture, Some(MEMBERS as u64), "{:?}", plan.words);
    assert!(plan.words.contains(&"Entry[][*] → TreeBin".to_owned()), "{:?}", plan.words);
}

/// Plugins in a list, each of a class of its own, next to this number of objects of other classes.
fn plugins(others: usize) -> Heap {
    let mut heap = HeapSketch::new();
    heap.subclass("Other", "Object");
    let list = heap.old("Registry");
    heap.static_field("Main", "structure", list);
    let array = heap.old("Object[]");
    heap.refer(list, "elements", array);
    for number in 0..MEMBERS {
        heap.load_again("Plugin");
        heap.subclass("Plugin", "Object");
        let plugin = member(&mut heap, "Plugin", number);
        let value = member(&mut heap, "Value", number);
        heap.refer(plugin, "value", value);
        heap.element(array, plugin);
    }
    for _ in 0..others {
        let other = heap.old("Other");
        heap.element(array, other);
    }
    heap.build()
}

#[test]
fn members_with_a_class_each_are_known_by_what_they_have_in_common() {
    let heap = plugins(2);
    let plan = planned(&heap);
    assert_eq!(plan.size_at_capture, Some(MEMBERS as u64), "{:?}", plan.words);
    let counted = plan.places.iter().find(|place| place.counts).expect("a place counts");
    let class = heap.class_of_mirror(ObjectIdx(counted.class.0 as u32 - 1)).expect("places name classes");
    assert_eq!(heap.classes().get(class).name, "Object");
}

#[test]
fn members_with_a_class_each_among_many_others_are_not_distinguished_from_them() {
    let heap = plugins(MEMBERS);
    let graph = ObjectGraph::new(&heap);
    let regions = regions::find(&graph, &ranking::rank(&graph));
    let failure =
        plan::plan(&graph, &SelfReferences::new(&heap), &OwnerPaths::new(true), &Effort::default(), &regions[0]);
    assert!(failure.is_err_and(|failure| failure == PlanFailure::Strangers));
}

/// Puts the nodes between `from` and `to` below one another by halving; a child that is missing is a thread. Gives the
/// uppermost.
fn threaded(heap: &mut HeapSketch, nodes: &[ObjectIdx], from: usize, to: usize) -> ObjectIdx {
    let middle = from.midpoint(to);
    let left = if from < middle { Some(threaded(heap, nodes, from, middle)) } else { None };
    let right = if middle + 1 < to { Some(threaded(heap, nodes, middle + 1, to)) } else { None };
    let before = left.or_else(|| middle.checked_sub(1).map(|before| nodes[before]));
    let behind = right.or_else(|| nodes.get(middle + 1).copied());
    for (field, other) in [("left", before), ("right", behind)] {
        if let Some(other) = other {
            heap.refer(nodes[middle], field, other);
        }
    }
    nodes[middle]
}

fn threaded_tree(members: usize) -> Heap {
    let mut heap = HeapSketch::new();
    heap.declare("Tree", "count", "I");
    heap.declare("Knot", "value", "Ljava/lang/Object;");
    let tree = heap.old("Tree");
    heap.static_field("Main", "structure", tree);
    // Every second one is new.
    let nodes: Vec<ObjectIdx> =
        (0..members).map(|number| if number % 2 == 0 { heap.old("Knot") } else { heap.fresh("Knot") }).collect();
    let top = threaded(&mut heap, &nodes, 0, members);
    heap.refer(tree, "top", top);
    heap.refer(tree, "first", nodes[0]);
    heap.build()
}

#[test]
fn a_threaded_trees_members_are_counted_by_marks() {
    let plan = planned(&threaded_tree(MEMBERS));
    assert_eq!(plan.shape, ProbeShape::Tangled, "{:?}", plan.words);
    assert_eq!(plan.size_at_capture, Some(MEMBERS as u64), "{:?}", plan.words);
    assert!(plan.words.iter().any(|line| line.contains("by a mark")), "{:?}", plan.words);
    assert_eq!(plan.counters.iter().map(|counter| counter.name.as_str()).collect::<Vec<_>>(), ["Tree.count"]);
}

/// From a branch threads lead into the whole tree.
#[test]
fn a_branch_of_a_threaded_tree_gets_no_plan_of_its_own() {
    let heap = threaded_tree(MEMBERS);
    let graph = ObjectGraph::new(&heap);
    let regions = regions::find(&graph, &ranking::rank(&graph));
    let is_branch = |&node: &ObjectIdx| graph.dominators.subtree(node).len() > 1;
    let knots: Vec<ObjectIdx> =
        heap.objects().filter(|&object| heap.classes().get(heap.class_of(object)).name == "Knot").collect();
    let plans = knots.into_iter().filter(is_branch).map(|owner| {
        let changes = graph.dominators.subtree(owner)[1..].to_vec();
        let of_branch = regions::Region { owner, changes, ..regions[0].clone() };
        plan::plan(&graph, &SelfReferences::new(&heap), &OwnerPaths::new(true), &Effort::default(), &of_branch)
    });
    let plans: Vec<Result<ProbePlan, PlanFailure>> = plans.collect();
    // A small one may have a plain way of its own.
    assert!(plans.iter().flatten().all(|plan| plan.shape == ProbeShape::Plain), "{plans:?}");
    assert!(
        plans.iter().any(|plan| plan.as_ref().is_err_and(|failure| *failure == PlanFailure::LeadsElsewhere)),
        "{plans:?}"
    );
}

/// A table with each object as a key and as its value: shutdown hooks. Some of them are known to a running thread, too.
#[test]
fn members_in_two_slots_each_are_counted_whoever_else_holds_them() {
    let mut heap = HeapSketch::new();
    let (hooks, table) = (heap.old("Hooks"), heap.old("Object[]"));
    heap.static_field("Main", "hooks", hooks);
    heap.refer(hooks, "table", table);
    for number in 0..MEMBERS {
        let hook = if number % 2 == 0 { heap.old("Hook") } else { heap.fresh("Hook") };
        heap.element(table, hook);
        heap.element(table, hook);
        if number % 3 == 0 {
            heap.static_field("Cluster", &format!("hook{number}"), hook);
        }
    }
    let plan = planned(&heap.build());
    assert_eq!((plan.shape, plan.size_at_capture), (ProbeShape::Tangled, Some(MEMBERS as u64)), "{:?}", plan.words);
}

/// A header that is a node itself: what is behind it is behind its first node, too.
#[test]
fn the_first_node_behind_a_header_is_no_owner_of_its_own() {
    let mut heap = HeapSketch::new();
    heap.declare("Knot", "value", "Ljava/lang/Object;");
    let (tree, header) = (heap.old("Tree"), heap.old("Knot"));
    heap.static_field("Main", "structure", tree);
    heap.refer(tree, "header", header);
    let nodes: Vec<ObjectIdx> = (0..MEMBERS).map(|number| member(&mut heap, "Knot", number)).collect();
    let top = threaded(&mut heap, &nodes, 0, MEMBERS);
    heap.refer(header, "left", top);
    heap.refer(nodes[0], "left", header);
    heap.refer(nodes[MEMBERS - 1], "right", header);
    let heap = heap.build();
    let graph = ObjectGraph::new(&heap);
    let found = regions::find(&graph, &ranking::rank(&graph));
    let plan_of = |owner: ObjectIdx| {
        let region = regions::Region { owner, changes: nodes.clone(), ..found[0].clone() };
        plan::plan(&graph, &SelfReferences::new(&heap), &OwnerPaths::new(true), &Effort::default(), &region)
    };
    let whole = plan_of(tree).expect("a plan");
    assert_eq!(
        (whole.shape, whole.size_at_capture),
        (ProbeShape::Tangled, Some(MEMBERS as u64 + 1)),
        "{:?}",
        whole.words
    );
    assert!(plan_of(top).is_err_and(|failure| failure == PlanFailure::IsPart));
}

#[test]
fn what_no_visit_can_count_by_marks_gets_no_plan() {
    let heap = threaded_tree(20_000);
    let graph = ObjectGraph::new(&heap);
    let regions = regions::find(&graph, &ranking::rank(&graph));
    let failure =
        plan::plan(&graph, &SelfReferences::new(&heap), &OwnerPaths::new(true), &Effort::default(), &regions[0]);
    assert!(failure.as_ref().is_err_and(|failure| *failure == PlanFailure::TooTangled), "{failure:?}");
}

#[test]
fn an_array_of_more_members_than_a_walk_visits_is_no_tangle() {
    let mut heap = HeapSketch::new();
    let list = heap.old("List");
    heap.static_field("Main", "structure", list);
    let array = heap.old("Object[]");
    heap.refer(list, "elements", array);
    for number in 0..1_200_000 {
        let value = if number < 1_000_000 { heap.old("Value") } else { heap.fresh("Value") };
        heap.element(array, value);
    }
    let plan = planned(&heap.build());
    assert_eq!((plan.shape, plan.size_at_capture), (ProbeShape::Plain, None), "{:?}", plan.words);
}

#[test]
fn what_is_reached_on_one_way_needs_no_marks() {
    let mut tables = HeapSketch::new();
    table(&mut tables, "Map");
    let mut skip_list = HeapSketch::new();
    towers(&mut skip_list, |heap, at| member(heap, "Index", at));
    for heap in [tables.build(), skip_list.build(), plugins(2)] {
        assert_eq!(planned(&heap).shape, ProbeShape::Plain);
    }
}

/// Twelve flows in an array; the entries of each are linked both ways, and the first leads back to the last, as the
/// children of an element of the JDK's DOM do. `closed`: the last leads on to the first, too.
fn flows(closed: bool) -> Heap {
    let mut heap = HeapSketch::new();
    let (engine, flows) = (heap.old("Engine"), heap.old("Flow[]"));
    heap.static_field("Main", "engine", engine);
    heap.refer(engine, "flows", flows);
    for _ in 0..12 {
        let flow = heap.old("Flow");
        heap.element(flows, flow);
        let make = |number| if number < 5 { heap.old("Entry") } else { heap.fresh("Entry") };
        let entries: Vec<ObjectIdx> = (0..10).map(make).collect();
        heap.refer(flow, "first", entries[0]);
        for pair in entries.windows(2) {
            heap.refer(pair[0], "next", pair[1]);
            heap.refer(pair[1], "previous", pair[0]);
        }
        heap.refer(entries[0], "previous", entries[9]);
        if closed {
            heap.refer(entries[9], "next", entries[0]);
        }
    }
    heap.build()
}

#[test]
fn no_route_that_remembers_nothing_goes_round_in_rings() {
    let plan_of_all = |heap: &Heap| {
        let graph = ObjectGraph::new(heap);
        let regions = regions::find(&graph, &ranking::rank(&graph));
        let all =
            regions.iter().find(|region| matches!(region.standing, Standing::Together(12))).expect("a population");
        plan::plan(&graph, &SelfReferences::new(heap), &OwnerPaths::new(true), &Effort::default(), all).expect("a plan")
    };
    let open = plan_of_all(&flows(false));
    assert_eq!(open.shape, ProbeShape::Plain);
    assert_eq!(open.size_at_capture, Some(120));
    let reads = |word: &str| open.words.iter().any(|words| words.contains(word));
    assert!(reads("Entry.next") && !reads("Entry.previous"), "{:?}", open.words);
    assert_eq!(plan_of_all(&flows(true)).shape, ProbeShape::Tangled);
}

/// A service with a log in a string builder, and numbers here and there.
fn service_with_a_log() -> Heap {
    let mut sketch = HeapSketch::new();
    for (class, number, descriptor) in
        [("Builder", "count", "I"), ("Service", "requests", "J"), ("Other", "size", "I"), ("Meter", "total", "J")]
    {
        sketch.declare(class, number, descriptor);
    }
    let (service, builder, text) = (sketch.old("Service"), sketch.old("Builder"), sketch.object("byte[]", 9_000, OLD));
    let (other, meter) = (sketch.old("Other"), sketch.old("Meter"));
    sketch.refer(service, "log", builder);
    sketch.refer(service, "other", other);
    sketch.refer(builder, "value", text);
    sketch.refer(builder, "meter", meter);
    sketch.static_field("Main", "service", service);
    sketch.build()
}

#[test]
fn a_buffer_is_followed_from_the_outermost_that_leads_to_it_by_fields_and_filled_by_a_number_of_its_holder() {
    let heap = service_with_a_log();
    let graph = ObjectGraph::new(&heap);
    let (buffers, _) = regions::buffers(&graph, &RootPaths::new(&heap), &BufferLengths::default());
    let [buffer] = &buffers[..] else { panic!("{buffers:?}") };
    let plan = plan::plan_buffer(&graph, &OwnerPaths::new(true), buffer).unwrap();
    assert_eq!(plan.shape, ProbeShape::Buffer { length_before: None });
    assert_eq!(
        plan.words,
        ["static Main.service → Service", "Service.log → Builder", "Builder.value → byte[], counted"]
    );
    let names: Vec<&str> = plan.counters.iter().map(|counter| counter.name.as_str()).collect();
    assert_eq!(names, ["Builder.count", "Meter.total"]);
    assert!(plan.places.iter().all(|place| place.counts == place.steps.is_empty()), "{:?}", plan.places);
}

#[test]
fn what_a_class_holds_by_other_statics_shows_nothing_of_one() {
    let mut sketch = HeapSketch::new();
    sketch.declare("Other", "size", "I");
    let (numbers, other) = (sketch.object("long[]", 9_000, OLD), sketch.old("Other"));
    sketch.static_field("Main", "numbers", numbers);
    sketch.static_field("Main", "other", other);
    let heap = sketch.build();
    let graph = ObjectGraph::new(&heap);
    let (buffers, _) = regions::buffers(&graph, &RootPaths::new(&heap), &BufferLengths::default());
    let plan = plan::plan_buffer(&graph, &OwnerPaths::new(true), &buffers[0]).unwrap();
    assert_eq!((plan.words.len(), plan.counters.len()), (1, 0), "{plan:?}");
}

#[test]
fn the_shape_of_a_followed_structure_is_a_description_of_it() {
    let mut heap = HeapSketch::new();
    table(&mut heap, "Index");
    let heap = heap.build();
    let description = planned(&heap).description;
    assert_eq!(description, ["DS Index { Entry[]; }", "Entry { (*); }"]);
    let mut language = Language::new();
    language.add(parse("inferred.ds", &description.join("\n")).expect("it is a file of descriptions"));
    let layout = Layout::new(&language, &heap, LayoutOptions::default());
    assert!(layout.unfit().is_empty() && layout.unmatched().is_empty());
    let index = heap.objects().find(|&object| heap.classes().get(heap.class_of(object)).name == "Index").expect("it");
    let leaves = Members::new(&heap, &layout).leaves(&[index], Reach::Deep);
    let values = leaves.iter().filter(|&&leaf| heap.classes().get(heap.class_of(leaf)).name == "Value").count();
    assert_eq!((leaves.len(), values), (MEMBERS, MEMBERS), "used as a file, it finds what the plan counts");
}
