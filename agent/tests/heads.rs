//! Heads of data structures that the agent holds by weak handles: found again in any number of captures, wherever they
//! are, without a tag; and not kept alive. In every JVM at hand.
#![allow(clippy::expect_used)] // Helpers of tests may panic as tests do.

use crate::jvm;

use jvm::graph::{Graph, install};
use jvm::heap::{Captured, order};
use jvm::plans::Plan;
use jvm::{Analyzer, PATIENCE, Scene, ends_well};
use rootbound_wire::graph::Record;
use rootbound_wire::ids::SnapshotId;
use rootbound_wire::message::*;
use std::fs;
use std::time::{Duration, Instant};

const LIST: (&str, &str) = ("java.util.ArrayList", "Ljava/util/ArrayList;");
const MOVED: u32 = 5;
const DOOMED: u32 = 6;
const MISSED: u32 = 7;

fn hold(analyzer: &mut Analyzer, snapshot: u32, keep: &[u32], plan: MarkPlan) -> HeadsHeld {
    analyzer.say(&ToAgent::HoldHeads { snapshot: SnapshotId(snapshot), keep: keep.to_vec(), plan });
    analyzer.until(|message| match message {
        FromAgent::HeadsHeld(held) => Some(held),
        _ => None,
    })
}

/// The paths to the three static lists of the program, one of which is null.
fn plan(graph: &Graph) -> MarkPlan {
    let mut plan = Plan::new(graph);
    for (name, number) in [("first", MOVED), ("doomed", DOOMED), ("second", MISSED)] {
        plan.at_static_of("Heads", (name, LIST.1), LIST.0, number);
    }
    plan.plan
}

/// The index of the static field that holds the head with a number; `None` if no field of the program does.
fn static_of(captured: &Captured, number: u32) -> Option<ReferenceLabel> {
    let heap = captured.heap();
    let heads = captured.records.iter().filter_map(|record| match record {
        Record::Head { number, object } => Some((*number, object.0)),
        _ => None,
    });
    let heads: Vec<(u32, u64)> = heads.filter(|head| head.0 == number).collect();
    let [(_, address)] = heads[..] else { return None };
    let is_program = |mirror: u64| heap.names.get(&mirror).is_some_and(|name| name == "Heads");
    let to_head = heap.references.iter().filter(|reference| reference.2 == address && is_program(reference.0));
    to_head.map(|reference| reference.1).next()
}

fn read(captured: &Captured) -> (Vec<u32>, Vec<u32>) {
    let read = captured.heads.clone().expect("handles were read");
    (read.live, read.dead)
}

fn heads_are_found_again(scene: &Scene, method: CaptureMethod) {
    let (move_them, moved) = (scene.path("move"), scene.path("moved"));
    let listener = scene.listen();
    let paths = [&move_them, &moved].map(|path| path.display().to_string());
    let program = scene.start_program_connected("", &["-Xmx64m"], &["Heads", &paths[0], &paths[1]]);
    let mut analyzer = Analyzer::accept(&listener);
    let first = order(&mut analyzer, 1, method);
    assert_eq!((first.failure(), &first.heads), ("", &None), "nothing is held yet");
    let graph = Graph { classes: first.classes, ..Graph::default() };
    let held = hold(&mut analyzer, 1, &[], plan(&graph));
    assert_eq!((held.failure, held.held, held.missed), (None, 2, vec![MISSED]));
    let again = hold(&mut analyzer, 1, &[MOVED, DOOMED], plan(&graph));
    assert!(again.failure.expect("refused").contains("one order for each capture"));
    assert_eq!(again.held, 2);
    // No tag is left; the handles are.
    install(&mut analyzer, 1, Vec::new());
    assert_eq!(analyzer.tags_standing(), 0);

    let second = order(&mut analyzer, 2, method);
    assert_eq!(read(&second), (vec![MOVED, DOOMED], vec![]));
    let before = static_of(&second, MOVED).expect("held by the program");
    assert!(static_of(&second, DOOMED).is_some_and(|field| field != before));
    install(&mut analyzer, 2, Vec::new());
    fs::write(&move_them, "").expect("written");
    let begun = Instant::now();
    while !moved.exists() {
        assert!(begun.elapsed() < PATIENCE, "the program moves nothing");
        std::thread::sleep(Duration::from_millis(20));
    }

    let third = order(&mut analyzer, 3, method);
    assert_eq!(read(&third), (vec![MOVED], vec![DOOMED]), "a handle keeps nothing alive");
    let after = static_of(&third, MOVED).expect("held by the program");
    assert_ne!(after, before, "it is at another place");
    assert_eq!(static_of(&third, DOOMED), None);
    install(&mut analyzer, 3, Vec::new());
    let fourth = order(&mut analyzer, 4, method);
    assert_eq!((read(&fourth), static_of(&fourth, MOVED)), ((vec![MOVED], vec![]), Some(after)));
    assert_eq!(hold(&mut analyzer, 4, &[], MarkPlan::default()).held, 0);
    assert_eq!(order(&mut analyzer, 5, method).heads, None, "all were let go");
    drop(analyzer);
    assert_eq!(ends_well(program), [""; 0]);
    drop(listener);
    fs::remove_file(scene.path("socket")).expect("removed");
    [move_them, moved].into_iter().for_each(|file| fs::remove_file(file).expect("removed"));
}

#[test]
fn a_held_head_is_found_where_it_is_now_and_a_dead_one_is_dead() {
    for scene in Scene::of_all_versions() {
        for method in [CaptureMethod::InProcess, CaptureMethod::Fork] {
            println!("{}: {method:?}", scene.java().display());
            heads_are_found_again(&scene, method);
        }
    }
}

#[test]
fn no_more_heads_are_held_than_are_allowed() {
    let Some(scene) = Scene::new() else { return };
    let listener = scene.listen();
    let move_them = scene.path("move");
    let paths = [&move_them, &scene.path("moved")].map(|path| path.display().to_string());
    let program = scene.start_program_connected("", &["-Xmx64m"], &["Heads", &paths[0], &paths[1]]);
    let mut analyzer = Analyzer::accept(&listener);
    let captured = order(&mut analyzer, 1, CaptureMethod::InProcess);
    let graph = Graph { classes: captured.classes, ..Graph::default() };
    let mut plan = plan(&graph);
    let step = plan.steps[1];
    plan.steps.extend((0..MOST_HEADS as u32).map(|number| MarkStep { mark: 100 + number, ..step }));
    let held = hold(&mut analyzer, 1, &[], plan);
    assert!(held.failure.expect("refused").contains("at most 1024 heads"));
    assert_eq!(held.held, 0);
    drop(analyzer);
    fs::write(&move_them, "").expect("written");
    ends_well(program);
}
