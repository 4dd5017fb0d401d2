//! Hundreds of captures and some connections in one small JVM: nothing of the agent grows with their number.
#![allow(clippy::expect_used)] // Helpers of tests may panic as tests do.

use crate::jvm;

use jvm::graph::{Graph, install};
use jvm::heap::{Captured, order};
use jvm::{Analyzer, Scene};
use rootbound_wire::message::*;
use std::fs;
use std::os::unix::net::UnixListener;

const METHODS: [CaptureMethod; 3] = [CaptureMethod::Fork, CaptureMethod::InProcess, CaptureMethod::Tags];
/// Captures of one connection.
const A_CONNECTION: u32 = 30;
/// Numbers of captures that were ordered once more.
const AGAIN: u32 = 1_000;
/// Connections after which the JVM and the allocator hold what they keep permanently.
const WARM: u32 = 3;
const FURTHER: u32 = 6;

/// The resources that the process holds.
#[derive(Debug)]
struct Holds {
    anonymous_kb: u64,
    mappings: usize,
    threads: usize,
    descriptors: usize,
}

impl Holds {
    fn of(process: u32) -> Self {
        let read = |name: &str| fs::read_to_string(format!("/proc/{process}/{name}")).expect("readable");
        let count = |name: &str| fs::read_dir(format!("/proc/{process}/{name}")).expect("readable").count();
        let status = read("status");
        let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).expect("reported");
        let anonymous_kb = line.split_whitespace().next().and_then(|kb| kb.parse().ok()).expect("a number");
        Self { anonymous_kb, mappings: read("maps").lines().count(), threads: count("task"), descriptors: count("fd") }
    }
}

/// One connection, with captures by every method, and probes that hold references after each third.
fn connection(listener: &UnixListener) {
    let mut analyzer = Analyzer::accept(listener);
    for snapshot in 1..=A_CONNECTION {
        let method = METHODS[snapshot as usize % METHODS.len()];
        let mut captured: Captured = order(&mut analyzer, snapshot, method);
        // A child that met a lock of the program's ends at once, and the agent learns from it: so once a connection.
        if captured.failure().contains("the next fork") {
            captured = order(&mut analyzer, AGAIN + snapshot, method);
        }
        assert_eq!(captured.failure(), "", "capture {snapshot}");
        if snapshot.is_multiple_of(3) {
            let snapshot = captured.done.snapshot.0;
            let graph = Graph { classes: captured.classes, ..Graph::default() };
            install(&mut analyzer, snapshot, vec![graph.map_probe(), graph.list_probe()]);
        }
    }
}

#[test]
fn nothing_grows_with_the_number_of_captures() {
    let Some(scene) = Scene::new() else { return };
    let listener = scene.listen();
    let heap = ["-Xms32m", "-Xmx32m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC"];
    let mut program = scene.start_program_connected("", &heap, &["Growing", "600"]);
    (0..WARM).for_each(|_| connection(&listener));
    let before = Holds::of(program.id());
    (0..FURTHER).for_each(|_| connection(&listener));
    let after = Holds::of(program.id());
    program.kill().expect("killed");
    program.wait().expect("ends");
    println!("before {before:?}\nafter  {after:?}");
    assert!(after.anonymous_kb < before.anonymous_kb * 5 / 4, "{before:?} {after:?}");
    assert!(after.mappings < before.mappings + 20, "{before:?} {after:?}");
    assert!(after.threads <= before.threads + 3 && after.descriptors <= before.descriptors + 3, "{before:?} {after:?}");
}
