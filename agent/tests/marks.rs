//! Marks in a real JVM: along paths, and by an iteration with a budget.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use crate::jvm;

use jvm::graph::{Graph, capture};
use jvm::plans::{Plan, mark_done, mark_paths};
use jvm::{Analyzer, Scene, ends_well};
use rootbound_wire::ids::{ObjectId, SnapshotId};
use rootbound_wire::message::*;
use std::collections::{BTreeMap, HashMap, HashSet};

const MEMBER: &str = "Marked$Member";

/// Objects by the number of their planned mark, set by `snapshot`.
fn planned(graph: &Graph, snapshot: u32) -> BTreeMap<u32, ObjectId> {
    let marks = graph.objects.values().filter_map(|object| match object.mark {
        Some(Mark::Planned(number)) => {
            assert_eq!(object.first_seen, SnapshotId(snapshot));
            Some((number, object.id))
        }
        _ => None,
    });
    marks.collect()
}

fn classes(graph: &Graph) -> HashMap<ObjectId, &str> {
    let names: HashMap<ObjectId, &str> = graph.classes.iter().map(|class| (class.object, &*class.name)).collect();
    let edges = graph.references.iter().filter(|edge| edge.label == ReferenceLabel::Class);
    let classified = graph.objects.values().filter_map(|object| Some((object.id, object.class?)));
    // Mirrors report no reference to their class.
    let classes = classified.chain(edges.map(|edge| (edge.referrer, edge.referee)));
    classes.filter_map(|(object, class)| Some((object, *names.get(&class)?))).collect()
}

#[test]
fn marks_stand_on_the_objects_of_the_paths_and_nowhere_else() {
    let Some(scene) = Scene::new() else { return };
    let listener = scene.listen();
    let program = scene.start_program_connected("", &["-Xmx64m"], &["Marked", "2000"]);
    let mut analyzer = Analyzer::accept(&listener);
    let before = capture(&mut analyzer, 1);
    let mut plan = Plan::new(&before);
    let array = plan.list_array(1000);
    for index in 0..100 {
        plan.element(array, index, MEMBER, index + 1);
    }
    let table = plan.map_table(2000);
    let first = plan.first_node(3000);
    for number in 3001..3010 {
        plan.links(first, number - 3000, number);
    }
    let far = plan.links(first, 1500, 3500);
    plan.links(far, 1, 3501);
    let thread = plan.at_thread(before.instance("Marked$Keeper"), "Marked$Keeper", 4000);
    let kept = plan.by(thread, ("Marked$Keeper", "kept", "LMarked$Holder;"), 1, "Marked$Holder", 4001);
    let members = plan.by(kept, ("Marked$Holder", "members", "[LMarked$Member;"), 1, "Marked$Member[]", 0);
    plan.element(members, 0, MEMBER, 4002);
    plan.element(members, 1, "Marked$Special", 4003);
    let reached = plan.plan.steps.iter().filter(|step| step.mark != 0).count();
    // Paths that are missed: another class, null, a subclass instead of the class, an end, and all below.
    let other = plan.links(table, 1, 9000);
    plan.links(other, 1, 9001);
    plan.element(members, 2, MEMBER, 9002);
    plan.element(members, 1, MEMBER, 9003);
    plan.element(array, 1_000_000, MEMBER, 9004);
    plan.links(first, 5000, 9005);
    plan.at_static("nobody", "LMarked$Member;", MEMBER, 9006);
    // A second path to an object that has a number.
    plan.by(kept, ("Marked$Holder", "itself", "LMarked$Holder;"), 7, "Marked$Holder", 9007);

    let done = mark_paths(&mut analyzer, 1, &plan.plan);
    assert_eq!((done.snapshot, done.failure, done.pause_ms), (SnapshotId(1), None, 0.0));
    assert_eq!((done.missed, done.marked), ((9000..9008).collect(), reached as u64));
    assert!((1000..20_000).contains(&done.objects), "{}", done.objects);
    assert_eq!(analyzer.tags_standing(), done.marked, "what stood before is gone");

    let after = capture(&mut analyzer, 2);
    let marked = planned(&after, 1);
    assert_eq!((marked.len(), after.first_seen_by(1)), (reached, reached));
    let edges: HashSet<(ObjectId, ObjectId)> =
        after.references.iter().map(|edge| (edge.referrer, edge.referee)).collect();
    let elements = after.references.iter().filter(|edge| edge.referrer == marked[&1000]);
    let elements: HashMap<ReferenceLabel, ObjectId> = elements.map(|edge| (edge.label, edge.referee)).collect();
    for index in 0..100 {
        assert_eq!(elements[&ReferenceLabel::ArrayElement(index)], marked[&(index + 1)]);
    }
    for (from, to) in (3000..3009).map(|node| (node, node + 1)).chain([(3500, 3501), (4000, 4001)]) {
        assert!(edges.contains(&(marked[&from], marked[&to])), "{from} refers to {to}");
    }
    let class = classes(&after);
    for (number, name) in
        [(2000, "java.util.HashMap$Node[]"), (3500, "java.util.LinkedList$Node"), (4003, "Marked$Special")]
    {
        assert_eq!(class[&marked[&number]], name);
    }
    drop(analyzer);
    assert_eq!(ends_well(program), [""; 0]);
}

/// A change that makes a valid plan invalid.
type Spoil = fn(&mut MarkPlan);

#[test]
fn nonsense_in_a_plan_is_reported_or_missed() {
    let Some(scene) = Scene::new() else { return };
    let listener = scene.listen();
    let program = scene.start_program_connected("", &["-Xmx64m"], &["Marked", "100"]);
    let mut analyzer = Analyzer::accept(&listener);
    let graph = capture(&mut analyzer, 1);
    let sound = |plan: &mut Plan<'_>| plan.list_array(1);

    let broken: [(&str, Spoil); 5] = [
        ("does not stand before", |plan| plan.steps[1].parent = 2),
        ("arrives at a class", |plan| plan.steps[1].class = 99),
        ("reads a field", |plan| plan.steps[1].via = PathVia::Field { field: 77, times: 1 }),
        ("declared by no class", |plan| plan.fields[0].declaring = u32::MAX),
        ("stands twice", |plan| plan.steps[1].mark = 1),
    ];
    for (reason, spoil) in broken {
        let mut plan = Plan::new(&graph);
        sound(&mut plan);
        spoil(&mut plan.plan);
        let done = mark_paths(&mut analyzer, 1, &plan.plan);
        let failure = done.failure.unwrap_or_default();
        assert!(failure.contains(reason) && done.marked == 0, "{failure}");
    }
    let done = mark_paths(&mut analyzer, 7, &MarkPlan::default());
    assert!(done.failure.is_some_and(|failure| failure.contains("stand no more")), "an unknown snapshot");

    // Valid in form, but not in content: nothing of it may be read.
    let mut plan = Plan::new(&graph);
    let array = sound(&mut plan);
    plan.at_static("wide", "J", MEMBER, 10);
    plan.at_static("wide", "LMarked$Member;", MEMBER, 11);
    plan.at_static("numbers", "[I", "int[]", 2);
    let numbers = plan.at_static("numbers", "[I", "int[]", 0);
    plan.element(numbers, 1, MEMBER, 12);
    let root = plan.at_class("Marked");
    plan.element(root, 0, MEMBER, 13);
    // A static field of another class; an instance field of a class; a static field as one of an object.
    let other = plan.at_class("java.lang.Object");
    let list = plan.field("Marked", "list", "Ljava/util/ArrayList;", true);
    let next = plan.field("java.util.LinkedList$Node", "next", "Ljava/util/LinkedList$Node;", false);
    let list_class = plan.class("java.util.ArrayList");
    for (parent, field, mark) in [(other, list, 14), (root, next, 15), (array, next, 16), (array, list, 17)] {
        let via = PathVia::Field { field, times: 1 };
        plan.plan.steps.push(MarkStep { parent, via, class: list_class, mark });
    }
    // A class and a thread that are none, and a thread that is a class.
    plan.plan.classes.push(ObjectId(1 << 35));
    let stranger = plan.plan.classes.len() as u32 - 1;
    let thread = plan.plan.classes[0];
    for (via, class, mark) in [
        (PathVia::Class(stranger), 0, 18),
        (PathVia::Thread(ObjectId(1 << 35)), 0, 19),
        (PathVia::Thread(thread), stranger, 20),
        (PathVia::Class(0), stranger, 21),
    ] {
        plan.plan.steps.push(MarkStep { parent: 0, via, class, mark });
    }
    // More reads than are allowed, around a ring.
    let keeper = plan.at_thread(graph.instance("Marked$Keeper"), "Marked$Keeper", 0);
    let kept = plan.by(keeper, ("Marked$Keeper", "kept", "LMarked$Holder;"), 1, "Marked$Holder", 0);
    plan.by(kept, ("Marked$Holder", "itself", "LMarked$Holder;"), u32::MAX, "Marked$Holder", 22);
    // A path of few reads comes before it, and is the first of two that lead to one array.
    plan.list_array(23);
    let done = mark_paths(&mut analyzer, 1, &plan.plan);
    assert_eq!((done.failure, done.missed, done.marked), (None, [1].into_iter().chain(10..=22).collect(), 2));
    drop(analyzer);
    assert_eq!(ends_well(program), [""; 0]);
}

#[test]
fn a_program_that_changes_everything_meanwhile_is_marked_in_part() {
    let Some(scene) = Scene::new() else { return };
    let listener = scene.listen();
    let program = scene.start_program_connected("", &["-Xmx64m"], &["Marked", "5000", "churn"]);
    let mut analyzer = Analyzer::accept(&listener);
    for snapshot in [1, 3, 5] {
        let graph = capture(&mut analyzer, snapshot);
        let mut plan = Plan::new(&graph);
        let (array, table, first) = (plan.list_array(1), plan.map_table(2), plan.first_node(3));
        for number in 0..1000 {
            plan.element(array, number, MEMBER, 1000 + number);
            plan.element(table, number, "java.util.HashMap$Node", 3000 + number);
            plan.links(first, number + 1, 5000 + number);
        }
        let planned_marks = plan.plan.steps.iter().filter(|step| step.mark != 0).count() as u64;
        let done = mark_paths(&mut analyzer, snapshot, &plan.plan);
        assert_eq!(done.failure, None);
        assert_eq!(done.marked + done.missed.len() as u64, planned_marks);
        let after = capture(&mut analyzer, snapshot + 1);
        let (marked, class) = (planned(&after, snapshot), classes(&after));
        assert!(marked.len() as u64 <= done.marked && !marked.is_empty());
        for (number, object) in marked {
            assert!(done.missed.binary_search(&number).is_err());
            let name = match number {
                1 => "java.lang.Object[]",
                2 => "java.util.HashMap$Node[]",
                1000..2000 => MEMBER,
                3000..4000 => "java.util.HashMap$Node",
                _ => "java.util.LinkedList$Node",
            };
            assert_eq!(class[&object], name);
        }
    }
    drop(analyzer);
    assert_eq!(ends_well(program), [""; 0]);
}

#[test]
fn a_budget_is_kept_rare_classes_are_whole_and_the_others_estimated() {
    let Some(scene) = Scene::new() else { return };
    let listener = scene.listen();
    let program = scene.start_program_connected("", &["-Xmx64m"], &["Marked", "20000"]);
    let mut analyzer = Analyzer::accept(&listener);
    analyzer.say(&ToAgent::Mark { snapshot: SnapshotId(1), budget: Some(8000), abort_after_ms: 0 });
    let done = mark_done(&mut analyzer);
    assert_eq!(done.failure, None);
    assert!((2000..=8000).contains(&done.marked) && done.objects > 50_000, "{done:?}");
    // Mirrors of filler classes keep a tag that is no mark.
    let standing = analyzer.tags_standing();
    assert!((done.marked..=done.marked + 4).contains(&standing), "{standing} for {}", done.marked);

    let graph = capture(&mut analyzer, 2);
    let class = classes(&graph);
    let mut sums: HashMap<&str, (u32, u32)> = HashMap::new();
    for object in graph.objects.values() {
        let stands_for = match (object.first_seen, object.mark) {
            (SnapshotId(1), Some(Mark::StandsFor(objects))) => objects,
            (SnapshotId(2), None) => 0,
            other => panic!("{other:?}"),
        };
        let sum = sums.entry(class.get(&object.id).copied().unwrap_or("java.lang.Class")).or_default();
        *sum = (sum.0 + 1, sum.1 + stands_for);
    }
    assert_eq!((sums["Marked$Rare"], sums["Marked$Keeper"], sums["Marked$Holder"]), ((3, 3), (1, 1), (1, 1)));
    // 45,001 members, 20,000 nodes of the map; one mirror for each class.
    for name in [MEMBER, "java.util.HashMap$Node", "java.lang.Class"] {
        let (objects, estimate) = sums[name];
        let ratio = f64::from(estimate) / f64::from(objects);
        assert!((0.5..2.0).contains(&ratio), "{estimate} for {objects} of {name}");
    }
    drop(analyzer);
    assert_eq!(ends_well(program), [""; 0]);
}

#[test]
fn a_budget_beyond_the_heap_marks_every_object() {
    let Some(scene) = Scene::new() else { return };
    let listener = scene.listen();
    let program = scene.start_program_connected("", &["-Xmx64m"], &["Marked", "1000"]);
    let mut analyzer = Analyzer::accept(&listener);
    analyzer.say(&ToAgent::Mark { snapshot: SnapshotId(1), budget: Some(u32::MAX), abort_after_ms: 0 });
    let done = mark_done(&mut analyzer);
    assert_eq!(done.marked, done.objects);
    let graph = capture(&mut analyzer, 2);
    let old = graph.objects.values().filter(|object| object.first_seen == SnapshotId(1));
    assert!(old.clone().count() * 10 > graph.objects.len() * 9);
    assert!(old.into_iter().all(|object| object.mark == Some(Mark::StandsFor(1))));
    drop(analyzer);
    assert_eq!(ends_well(program), [""; 0]);
}

/// Not a test: prints the costs of marks along paths. `cargo test --release --test all -- --ignored marks --nocapture`.
#[test]
#[ignore = "a measurement"]
fn cost_of_marks_along_paths() {
    let Some(scene) = Scene::new() else { return };
    let listener = scene.listen();
    let program =
        scene.start_program_connected("log=info", &["-XX:-CheckJNICalls", "-Xmx1500m"], &["Marked", "1000000", "late"]);
    let mut analyzer = Analyzer::accept(&listener);
    // Only the names of classes and fields are needed from the capture: it may be of the empty heap.
    let graph = capture(&mut analyzer, 1);
    std::thread::sleep(std::time::Duration::from_secs(14));
    let mut plan = Plan::new(&graph);
    let (array, table, first) = (plan.list_array(0), plan.map_table(0), plan.first_node(0));
    for number in 0..20_000 {
        match number % 4 {
            0 => plan.element(array, number * 40, MEMBER, number + 1),
            1..3 => plan.element(table, number * 50, "java.util.HashMap$Node", number + 1),
            _ => plan.links(first, number % 200 + 1, number + 1),
        };
    }
    let begun = std::time::Instant::now();
    let done = mark_paths(&mut analyzer, 1, &plan.plan);
    let marked = (done.marked, done.missed.len(), done.objects);
    println!("marked, missed, read {marked:?} in {:?} with the message", begun.elapsed());
    drop(analyzer);
    println!("{:#?}", ends_well(program));
}
