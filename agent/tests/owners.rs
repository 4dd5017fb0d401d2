//! Owners of probes in a real JVM, found by their ids, their marks and their paths.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use crate::jvm;

use jvm::graph::{Graph, capture};
use jvm::heap::{Captured, order};
use jvm::plans::{Plan, mark_paths};
use jvm::{Analyzer, Scene, ends_well};
use rootbound_wire::graph::{Record, StreamMark};
use rootbound_wire::ids::{ProbeId, SnapshotId};
use rootbound_wire::message::*;
use std::collections::HashSet;

const MEMBER: &str = "Marked$Member";

/// A probe from the owner, a list or the class `Marked`, to its members.
fn list_probe(graph: &Graph, id: u32, owner: OwnerRef, from_class: bool) -> ProbeSpec {
    let place = |class: &str, counts, steps| RoutePlace { class: graph.class(class), counts, steps };
    let step = |via, to| vec![RouteStep { via, to: vec![to] }];
    let field = |name: &str, descriptor: &str| (name.to_owned(), descriptor.to_owned());
    let (name, descriptor) = field("list", "Ljava/util/ArrayList;");
    let first = u16::from(from_class);
    let mut places = vec![place("Marked", false, step(RouteVia::StaticField { name, descriptor }, 1))];
    let (name, descriptor) = field("elementData", "[Ljava/lang/Object;");
    let array = RouteVia::Field { declaring: graph.class("java.util.ArrayList"), name, descriptor };
    places.extend([
        place("java.util.ArrayList", false, step(array, 1 + first)),
        place("java.lang.Object[]", false, step(RouteVia::ArrayElement, 2 + first)),
        place(MEMBER, true, vec![]),
    ]);
    let places = if from_class { places } else { places.split_off(1) };
    ProbeSpec {
        probe: ProbeId(id),
        owner,
        places,
        budget: 65_536,
        bias: 1.0,
        counters: Vec::new(),
        shape: ProbeShape::Plain,
    }
}

fn install(analyzer: &mut Analyzer, snapshot: u32, probes: Vec<ProbeSpec>, keep_tags: bool) -> Vec<Option<String>> {
    analyzer.say(&ToAgent::InstallProbes {
        snapshot: SnapshotId(snapshot),
        tick_ms: 50,
        probes,
        keep: Vec::new(),
        keep_tags,
        most_stop_ms: 0,
    });
    analyzer.until(|message| match message {
        FromAgent::ProbesInstalled { results, .. } => Some(results.into_iter().map(|result| result.failure).collect()),
        _ => None,
    })
}

/// Every probe but these counts this number of members.
fn all_count(analyzer: &mut Analyzer, probes: &[u32], members: f64) {
    let mut unseen: HashSet<ProbeId> = probes.iter().map(|&probe| ProbeId(probe)).collect();
    while !unseen.is_empty() {
        let report = analyzer.report();
        assert!(probes.contains(&report.probe.0), "{report:?}");
        assert!(matches!(&report.outcome, VisitOutcome::Seen(seen) if seen.size == members), "{report:?}");
        unseen.remove(&report.probe);
    }
}

#[test]
fn the_object_of_one_local_variable_is_found_among_others_of_its_class() {
    let Some(scene) = Scene::new() else { return };
    let listener = scene.listen();
    let program = scene.start_program_connected("", &["-Xmx64m"], &["Marked", "300"]);
    let mut analyzer = Analyzer::accept(&listener);
    let has_begun = |graph: &Graph| graph.classes.iter().any(|class| class.name == "Marked$Keeper");
    let mut captures = (1..20).map(|snapshot| (snapshot, capture(&mut analyzer, snapshot)));
    let (snapshot, graph) = captures.find(|(_, graph)| has_begun(graph)).expect("the program begins");
    let local = |class: &str, of: u32| {
        let mut plan = Plan::new(&graph);
        plan.at_local(class, of);
        OwnerRef::Path(plan.plan)
    };
    // There is one list on the stacks, and no map.
    let probes = [("java.util.ArrayList", 1, 1), ("java.util.ArrayList", 2, 2), ("java.util.HashMap", 1, 3)]
        .map(|(class, of, id)| list_probe(&graph, id, local(class, of), false));
    analyzer.say(&ToAgent::InstallProbes {
        snapshot: SnapshotId(snapshot),
        tick_ms: 50,
        probes: probes.into(),
        keep: Vec::new(),
        keep_tags: false,
        most_stop_ms: 0,
    });
    let (results, pause_ms) = analyzer.until(|message| match message {
        FromAgent::ProbesInstalled { results, pause_ms, .. } => Some((results, pause_ms)),
        _ => None,
    });
    let failures: Vec<_> = results.iter().map(|result| result.failure.as_deref()).collect();
    let elsewhere = Some("step 1 of the owner's path leads elsewhere now");
    assert_eq!(failures, [None, elsewhere, elsewhere]);
    assert!(pause_ms > 0.0);
    all_count(&mut analyzer, &[1], 7.0);
    ends_well(program);
}

#[test]
fn owners_are_found_by_their_paths() {
    let Some(scene) = Scene::new() else { return };
    let listener = scene.listen();
    let program = scene.start_program_connected("", &["-Xmx64m"], &["Marked", "300"]);
    let mut analyzer = Analyzer::accept(&listener);
    let graph = capture(&mut analyzer, 1);
    let path = |build: &dyn Fn(&mut Plan<'_>)| {
        let mut plan = Plan::new(&graph);
        build(&mut plan);
        OwnerRef::Path(plan.plan)
    };
    let list = "Ljava/util/ArrayList;";
    let to_list = path(&|plan| _ = plan.at_static("list", list, "java.util.ArrayList", 0));
    let to_class = path(&|plan| _ = plan.at_class("Marked"));
    let to_null = path(&|plan| _ = plan.at_static("nobody", "LMarked$Member;", MEMBER, 0));
    let to_map = path(&|plan| _ = plan.at_static("map", "Ljava/util/HashMap;", "java.util.HashMap", 0));
    let marked = OwnerRef::Marked { first_seen: SnapshotId(1), number: 5 };
    let probes = vec![
        list_probe(&graph, 1, to_list, false),
        list_probe(&graph, 2, to_class.clone(), true),
        list_probe(&graph, 3, OwnerRef::Id(graph.class("Marked")), true),
        list_probe(&graph, 4, to_null, false),
        list_probe(&graph, 5, to_map, false),
        list_probe(&graph, 6, OwnerRef::Path(MarkPlan::default()), false),
        list_probe(&graph, 7, marked, false),
        // A static field of a class that is not the owner, and is not read as if it were.
        list_probe(&graph, 8, path(&|plan| _ = plan.at_class("java.util.HashMap")), true),
    ];
    let failures = install(&mut analyzer, 1, probes, true);
    assert_eq!(failures[..3], [None, None, None]);
    for (failure, reason) in failures[3..].iter().zip([
        "step 2 of the owner's path leads elsewhere now",
        "the owner is no instance of the class of place 0",
        "the owner's path has no step",
        "the owner has been collected",
        "a step does not fit objects of LMarked;",
    ]) {
        assert_eq!(failure.as_deref(), Some(reason));
    }
    all_count(&mut analyzer, &[1, 2, 3], 300.0);
    assert!(analyzer.tags_standing() > 5000, "the ids of the capture live on");

    // The plan that follows finds the ids; the probes run on next to the marks and through the next capture.
    let mut plan = Plan::new(&graph);
    plan.list_array(1);
    assert_eq!(mark_paths(&mut analyzer, 1, &plan.plan).marked, 1);
    assert!(mark_paths(&mut analyzer, 1, &plan.plan).failure.is_some(), "the ids are gone now");
    all_count(&mut analyzer, &[1, 2, 3], 300.0);
    let standing = analyzer.tags_standing();
    assert!((1..=1 + 3 * 64).contains(&standing), "one mark and the probes' members: {standing}");

    let graph = capture(&mut analyzer, 2);
    let probes = vec![list_probe(&graph, 9, OwnerRef::Id(graph.class("Marked")), true)];
    assert_eq!(install(&mut analyzer, 2, probes, false), [None]);
    all_count(&mut analyzer, &[9], 300.0);
    let standing = analyzer.tags_standing();
    assert!((1..=64).contains(&standing), "the probe's members only: {standing}");
    assert_eq!(install(&mut analyzer, 2, vec![], false), [None; 0]);
    assert_eq!(analyzer.tags_standing(), 0);
    drop(analyzer);
    assert_eq!(ends_well(program), [""; 0]);
}

/// The graph and objects that plans and probes need of a capture by address.
fn names(captured: &Captured) -> Graph {
    assert_eq!(captured.failure(), "");
    Graph { classes: captured.classes.clone(), ..Graph::default() }
}

/// Numbers of the planned marks that a capture by address met, each with the snapshot that set it.
fn marks(captured: &Captured) -> HashSet<(u32, u32)> {
    let marks = captured.records.iter().filter_map(|record| match record {
        Record::Marked { mark, .. } | Record::Named { mark: Some(mark), .. } => Some(*mark),
        _ => None,
    });
    let number = |mark: StreamMark| match mark.mark {
        Mark::Planned(number) => Some((mark.first_seen, number)),
        Mark::StandsFor(_) => None,
    };
    marks.filter_map(number).collect()
}

#[test]
fn owners_are_found_by_their_marks_after_captures_by_address() {
    let Some(scene) = Scene::new() else { return };
    let listener = scene.listen();
    let program = scene.start_program_connected("", &["-Xmx64m"], &["Marked", "300"]);
    let mut analyzer = Analyzer::accept(&listener);
    let first = order(&mut analyzer, 1, CaptureMethod::InProcess);
    let graph = names(&first);
    let mut plan = Plan::new(&graph);
    plan.at_static("list", "Ljava/util/ArrayList;", "java.util.ArrayList", 5);
    // Objects that each capture names anew: a class and a thread.
    let class = plan.at_class("Marked");
    plan.plan.steps[class as usize].mark = 6;
    let keeper = first.threads.iter().find(|thread| thread.name == "keeper").unwrap();
    plan.at_thread(keeper.object, "Marked$Keeper", 7);
    let done = mark_paths(&mut analyzer, 1, &plan.plan);
    assert_eq!((done.failure, done.missed, done.marked), (None, vec![], 3));
    assert_eq!(analyzer.tags_standing(), 3);

    for snapshot in [2, 3] {
        let next = order(&mut analyzer, snapshot, CaptureMethod::InProcess);
        assert_eq!(marks(&next), HashSet::from([(1, 5), (1, 6), (1, 7)]));
        let graph = names(&next);
        let by_mark = |number| OwnerRef::Marked { first_seen: SnapshotId(1), number };
        let probes = vec![
            list_probe(&graph, 10 * snapshot, by_mark(5), false),
            list_probe(&graph, 10 * snapshot + 1, by_mark(6), true),
            list_probe(&graph, 10 * snapshot + 2, by_mark(7), false),
            list_probe(&graph, 10 * snapshot + 3, by_mark(8), false),
        ];
        let failures = install(&mut analyzer, snapshot, probes, true);
        assert_eq!(failures[..2], [None, None]);
        assert_eq!(failures[2].as_deref(), Some("the owner is no instance of the class of place 0"));
        assert_eq!(failures[3].as_deref(), Some("the owner has been collected"));
        all_count(&mut analyzer, &[10 * snapshot, 10 * snapshot + 1], 300.0);
    }
    let next = order(&mut analyzer, 4, CaptureMethod::InProcess);
    all_count(&mut analyzer, &[30, 31], 300.0);
    // The last capture's ids lead to the next marks, and clear the earlier.
    let graph = names(&next);
    let mut plan = Plan::new(&graph);
    plan.list_array(1);
    assert_eq!(mark_paths(&mut analyzer, 4, &plan.plan).marked, 1);
    let last = order(&mut analyzer, 5, CaptureMethod::InProcess);
    assert_eq!(marks(&last), HashSet::from([(4, 1)]));
    all_count(&mut analyzer, &[30, 31], 300.0);
    assert_eq!(install(&mut analyzer, 5, vec![], false), [None; 0]);
    assert_eq!(analyzer.tags_standing(), 0);
    drop(analyzer);
    assert_eq!(ends_well(program), [""; 0]);
}
