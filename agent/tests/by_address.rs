//! Captures by address in a real JVM: the same graph by every method, proofs that hold, injected faults that are
//! detected, and nothing left behind.
#![allow(clippy::expect_used)]

use crate::jvm;

use jvm::heap::{order, order_within};
use jvm::{Analyzer, Scene};
use rootbound_wire::graph::Record;
use rootbound_wire::message::CaptureMethod::{Fork, InProcess, Tags};
use rootbound_wire::message::{CaptureFault, FromAgent, Survey, ToAgent};
use std::process::Child;
use std::time::Duration;

const COLLECTORS: [&str; 3] = ["-XX:+UseSerialGC", "-XX:+UseParallelGC", "-XX:+UseG1GC"];

fn started(scene: &Scene, options: &str, jvm: &[&str], program: &[&str]) -> (Child, Analyzer) {
    let listener = scene.listen();
    let program = scene.start_program_connected(options, jvm, program);
    let analyzer = Analyzer::accept(&listener);
    std::fs::remove_file(scene.path("socket")).expect("the next program's place");
    (program, analyzer)
}

fn ended(mut program: Child, analyzer: Analyzer) {
    drop(analyzer);
    assert_eq!(program.try_wait().expect("waits"), None, "it runs on");
    program.kill().expect("SIGKILL");
    program.wait().expect("is dead");
}

fn survey(analyzer: &mut Analyzer) -> Survey {
    analyzer.say(&ToAgent::Survey);
    analyzer.until(|message| if let FromAgent::Survey(survey) = message { Some(survey) } else { None })
}

#[test]
fn every_way_of_capturing_gives_the_same_graph() {
    let Some(scene) = Scene::new() else { return };
    for collector in COLLECTORS {
        let (program, mut analyzer) = started(&scene, "", &[collector, "-Xmx64m"], &["Still"]);
        let by_address = [order(&mut analyzer, 1, Fork), order(&mut analyzer, 2, InProcess)];
        let tags = order(&mut analyzer, 3, Tags).heap();
        let is_own = |name: &str| name.starts_with("Still");
        let kinds = tags.kinds(is_own);
        assert_eq!(
            kinds["Still$Node Field(2) Still$Node"] + kinds["Still$Node Field(2) Still$Special"],
            9000,
            "{kinds:?}"
        );
        let histogram = tags.histogram();
        for captured in by_address {
            assert_eq!(captured.prove(), Ok(()), "{collector}");
            let heap = captured.heap();
            assert_eq!(heap.kinds(is_own), kinds, "{collector}");
            let (mut same, mut all, mut others) = (0, 0, Vec::new());
            for (kind, &count) in &heap.histogram() {
                let other = histogram.get(kind).copied().unwrap_or_default();
                assert!(
                    !is_own(kind.0) && kind.0 != "int[]" || count == other,
                    "{collector} {kind:?}: {count}, {other}"
                );
                (same, all) = (same + count.min(other), all + count);
                others.extend((count != other).then_some((*kind, count, other)));
            }
            assert!(same * 100 > all * 99 && all > 10_000, "{collector}: {same} of {all}: {others:?}");
            assert_eq!(captured.done.references as usize, heap.references.len());
            // Mirrors of primitive types.
            let is_nameless = |record: &&Record| matches!(record, Record::Named { id: None, .. });
            assert!(captured.records.iter().filter(is_nameless).count() >= 8, "{collector}");
            assert!(captured.stack_methods().contains("Still.main"), "{collector}");
            assert!(captured.done.child.is_none_or(|child| child.lifetime_ms > 0.0 && child.private_bytes.is_some()));
        }
        ended(program, analyzer);
    }
}

#[test]
fn a_survey_reports_obstacles() {
    let Some(scene) = Scene::new() else { return };
    let (program, mut analyzer) = started(&scene, "", &["-XX:+UseZGC", "-Xmx256m"], &["Still"]);
    let answer = survey(&mut analyzer);
    assert!(answer.fork.obstacle.as_ref().is_some_and(|text| text.contains("ZGC")), "{answer:?}");
    assert_eq!(answer.in_process.obstacle, None);
    let refused = order(&mut analyzer, 1, Fork);
    assert!(refused.failure().contains("ZGC") && refused.chunks == 0, "{}", refused.failure());
    let captured = order(&mut analyzer, 2, InProcess);
    assert_eq!(captured.prove(), Ok(()));
    ended(program, analyzer);
    let (program, mut analyzer) = started(&scene, "", &["-Xmx64m"], &["Still"]);
    let answer = survey(&mut analyzer);
    assert_eq!((&answer.fork.obstacle, &answer.in_process.obstacle), (&None, &None));
    assert!(
        answer.used_bytes > 0
            && answer.used_bytes <= answer.committed_bytes
            && answer.committed_bytes <= answer.max_bytes
    );
    assert!(
        answer.resident_bytes > answer.page_table_bytes && answer.headroom_bytes > Some(answer.used_bytes),
        "{answer:?}"
    );
    ended(program, analyzer);
}

#[test]
fn each_corruption_is_found_and_the_next_capture_is_whole() {
    let Some(scene) = Scene::new() else { return };
    for (kind, method, word) in [
        ("layout", InProcess, "layout"),
        ("layout", Fork, "layout"),
        ("child-dies", Fork, "ended before"),
        ("ring", InProcess, "ring overflow"),
        ("handle", InProcess, "handles"),
        ("handle", Fork, "handles"),
    ] {
        let options = format!("test-corrupt={kind}:1");
        let (program, mut analyzer) = started(&scene, &options, &["-Xmx64m"], &["Still"]);
        let failed = order(&mut analyzer, 1, method);
        assert!(failed.failure().contains(word), "{kind} {method:?}: {}", failed.failure());
        assert_eq!(order(&mut analyzer, 2, method).prove(), Ok(()), "{kind} {method:?}");
        ended(program, analyzer);
    }
    for (kind, method) in [("child-stops", Fork), ("address", Fork), ("address", InProcess)] {
        let options = format!("test-corrupt={kind}:1");
        let (program, mut analyzer) = started(&scene, &options, &["-Xmx64m"], &["Still"]);
        let failed = order(&mut analyzer, 1, method);
        assert_eq!(failed.done.failure, None, "only the data shows it");
        assert!(failed.prove().is_err(), "{kind} {method:?}");
        assert_eq!(order(&mut analyzer, 2, method).prove(), Ok(()), "{kind} {method:?}");
        ended(program, analyzer);
    }
}

#[test]
fn bounds_are_kept() {
    let Some(scene) = Scene::new() else { return };
    let (program, mut analyzer) = started(&scene, "", &["-Xmx64m"], &["Still"]);
    let late = order_within(&mut analyzer, 1, InProcess, 1, 0);
    assert!(late.failure().contains("longer than"), "{}", late.failure());
    let late = order_within(&mut analyzer, 2, Fork, 0, 1);
    assert!(late.failure().contains("had not finished"), "{}", late.failure());
    assert_eq!(order(&mut analyzer, 3, Fork).prove(), Ok(()));
    ended(program, analyzer);
}

/// Descriptors, mappings and children of a process.
fn traces(pid: u32) -> (usize, usize, usize) {
    let descriptors = std::fs::read_dir(format!("/proc/{pid}/fd")).expect("runs").count();
    let maps = std::fs::read_to_string(format!("/proc/{pid}/maps")).expect("runs");
    let shared = maps.lines().filter(|line| line.contains("rw-s")).count();
    let is_child = |entry: &std::fs::DirEntry| {
        let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.split(' ').nth(1) == Some(&pid.to_string()))
    };
    let children = std::fs::read_dir("/proc").expect("proc").flatten().filter(is_child).count();
    (descriptors, shared, children)
}

#[test]
fn twenty_captures_leave_nothing_behind() {
    let Some(scene) = Scene::new() else { return };
    let (program, mut analyzer) = started(&scene, "test-corrupt=child-dies:1", &["-Xmx64m"], &["Still"]);
    let before = traces(program.id());
    for snapshot in 1..=20 {
        let method = if snapshot % 4 == 0 { InProcess } else { Fork };
        let captured = order(&mut analyzer, snapshot, method);
        assert_eq!(captured.done.failure.is_some(), snapshot == 1, "{}", captured.failure());
        assert!(captured.done.agent_bytes < 64 << 20);
    }
    assert_eq!(traces(program.id()), before);
    ended(program, analyzer);
}

/// The child is a test: a cause that ended a child that was forked whole must not be tried in the program.
#[test]
fn a_child_that_died_vetoes_every_walk_in_the_program() {
    let Some(scene) = Scene::new() else { return };
    let (program, mut analyzer) = started(&scene, "test-corrupt=child-dies:2", &["-Xmx64m"], &["Still"]);
    for (snapshot, lacked_something) in [(1, true), (2, false)] {
        let died = order(&mut analyzer, snapshot, Fork);
        assert_eq!(died.done.fault, Some(CaptureFault::ChildDied), "{}", died.failure());
        assert_eq!(died.done.child.is_some_and(|child| child.left_out_bytes > 0), lacked_something);
    }
    for (snapshot, method) in [(3, InProcess), (4, Tags)] {
        let refused = order(&mut analyzer, snapshot, method);
        assert_eq!(refused.done.fault, Some(CaptureFault::Refused));
        assert!(refused.failure().contains("ended before it had finished"), "{}", refused.failure());
        assert_eq!(refused.done.pause_ms, 0.0);
    }
    assert_eq!(order(&mut analyzer, 5, Fork).prove(), Ok(()), "a fork may still be made");
    ended(program, analyzer);
}

#[test]
fn captures_of_a_program_that_allocates_are_whole() {
    let Some(scene) = Scene::new() else { return };
    for collector in COLLECTORS {
        let (program, mut analyzer) = started(&scene, "", &[collector, "-Xmx128m"], &["Still", "3"]);
        for snapshot in 1..=6 {
            let method = if snapshot % 3 == 0 { InProcess } else { Fork };
            let captured = order(&mut analyzer, snapshot, method);
            assert_eq!((captured.failure(), captured.prove()), ("", Ok(())), "{collector}");
            let left_out = captured.done.child.map(|child| child.left_out_bytes);
            assert_eq!(left_out.is_some_and(|bytes| bytes > 0), method == Fork, "{collector}: {:?}", captured.done);
        }
        ended(program, analyzer);
    }
}

/// A fork waits for the end of a collection. Without its class, nothing that a class holds is in the graph.
#[test]
fn classes_that_come_while_a_fork_waits_are_known() {
    let Some(scene) = Scene::new() else { return };
    let jvm = ["-XX:+UseSerialGC", "-Xmx128m", "-Xmn24m"];
    let (program, mut analyzer) = started(&scene, "", &jvm, &["Loading"]);
    // Until the agent knows how often the program collects.
    std::thread::sleep(Duration::from_secs(3));
    let mut longest_wait_ms = 0.0f64;
    for snapshot in 1..=6 {
        let captured = order(&mut analyzer, snapshot, Fork);
        let heap = captured.heap();
        let histogram = heap.histogram();
        let count = |name: &str| histogram.iter().filter(|(kind, _)| kind.0 == name).map(|(_, count)| count).sum();
        let (loaders, pieces): (usize, usize) = (count("java.net.URLClassLoader"), count("Tenant$Piece"));
        // One may be loading, and a few may come between the list of classes and the fork.
        assert!(loaders > 20 && pieces >= 300 * (loaders - 5), "{pieces} pieces of {loaders} loaders");
        longest_wait_ms = captured.done.child.map_or(0.0, |child| child.waited_ms).max(longest_wait_ms);
    }
    assert!(longest_wait_ms > 200.0, "so that classes came: {longest_wait_ms} ms");
    ended(program, analyzer);
}

/// The JVM fills the rest of a region up with an object that begins where the array ends, and looks at all objects when
/// a walk is over, in the child, too.
#[test]
fn the_insides_of_large_arrays_are_left_out_and_what_follows_them_is_not() {
    let Some(scene) = Scene::new() else { return };
    for heap in ["-XX:G1HeapRegionSize=1m", "-XX:-UseCompressedClassPointers"] {
        let jvm = ["-XX:+UseG1GC", "-Xmx128m", heap];
        let (program, mut analyzer) = started(&scene, "", &jvm, &["Slabs"]);
        let captured = order(&mut analyzer, 1, Fork);
        assert_eq!((captured.failure(), captured.prove()), ("", Ok(())), "{heap}");
        let left_out = captured.done.child.map_or(0, |child| child.left_out_bytes);
        assert!(left_out > 6 << 20, "{heap}: {left_out}");
        ended(program, analyzer);
    }
}

/// A program that writes all over its heap would copy each page in a fault of its own.
#[test]
fn a_child_copies_ahead_for_a_program_that_writes_widely_and_for_no_other() {
    let Some(scene) = Scene::new() else { return };
    let copied = |program: &[&str], collector| {
        let (program, mut analyzer) = started(&scene, "", &[collector, "-Xmx256m"], program);
        let mut copied = Vec::new();
        for snapshot in 1..=3 {
            let captured = order(&mut analyzer, snapshot, Fork);
            assert_eq!((captured.failure(), captured.prove()), ("", Ok(())), "{collector}");
            copied.extend(captured.done.child.map(|child| child.copied_ahead_bytes));
        }
        ended(program, analyzer);
        copied
    };
    for collector in COLLECTORS {
        let widely = copied(&["Writing"], collector);
        // A million cells of 24 bytes; the first child may have ended before the program was examined.
        assert!(widely.iter().filter(|&&bytes| bytes > 20_000_000).count() >= 2, "{collector}: {widely:?}");
        assert_eq!(copied(&["Still"], collector), [0, 0, 0], "{collector}");
    }
}
