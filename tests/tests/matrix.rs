//! One leaking app through the whole loop on every JVM, collector and heap layout: each cell must have the same result,
//! and capture the heap by the method that is right for its collector.
//!
//! `cargo test -p e2e --release --test all -- matrix --nocapture` prints the cells as a table. JVMs that `scripts/jdks`
//! has not fetched are left out, with a message. With `ROOTBOUND_MATRIX=attach` in the environment each JVM starts without
//! the agent, and `rootbound attach` brings it there.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use e2e::expect::Expectation;
use e2e::java::Program;
use e2e::jvms::{self, COLLECTORS, Collector, Jvm};
use e2e::process::Scratch;
use e2e::report::{Report, Snapshot};
use e2e::slots::Slots;
use e2e::watching::{self, Run};

const APP: &str = "leaking/hashleak";
const WATCHED_SECONDS: u64 = 20;
const SNAPSHOTS: [&str; 4] = ["--mark-after", "3s", "--capture-after", "5s"];
/// Each cell is judged by its rate, which means nothing in a JVM that waits for a processor.
static SLOTS: Slots = Slots::new(6);

/// Layouts of the heap in which an address or a size could be misread, each with G1.
const LAYOUTS: [Collector; 3] = [
    Collector { name: "G1, class pointers not compressed", switches: &["-XX:-UseCompressedClassPointers"] },
    Collector { name: "G1, references not compressed", switches: &["-XX:-UseCompressedOops"] },
    Collector { name: "G1, compact headers", switches: &["-XX:+UseCompactObjectHeaders"] },
];

/// ZGC's heap is shared with a forked child, not copied; all others are captured in one.
fn method_of(cell: &Collector) -> &'static str {
    if cell.name.starts_with("ZGC") { "in-process" } else { "fork" }
}

fn is_by_attach() -> bool {
    std::env::var_os("ROOTBOUND_MATRIX").is_some_and(|how| how == "attach")
}

fn watch(jvm: &Jvm, cell: &Collector, app: &Expectation) -> (Run, Vec<String>) {
    let program: Program = app.program(APP).in_jvm(jvm);
    let arguments: Vec<String> = [jvms::UNLOCK].iter().chain(cell.switches).map(ToString::to_string).collect();
    let _slot = SLOTS.take();
    let scratch = Scratch::new();
    let watch = if is_by_attach() { watching::attach_for } else { watching::run_for };
    let run = watch(&scratch, WATCHED_SECONDS, &SNAPSHOTS, &program, &arguments);
    let mut faults = run.jni_complaints.clone();
    if run.ended.code() != Some(0) {
        faults.push(format!("rootbound ended with {}", run.ended.status));
    }
    if !scratch.processes("java").is_empty() {
        faults.push("a process of the JVM was left running".to_owned());
    }
    (run, faults)
}

/// All differences of a cell's report from that of all others.
fn differences(report: &Report, cell: &Collector, app: &Expectation) -> Vec<String> {
    let mut found = app.mismatches(report);
    let owner = report.regions.first().and_then(|first| first.owner_proxy.path.clone());
    if owner.as_deref() != Some("static hashleak.Main.sessions") {
        found.push(format!("the first region's owner is {owner:?}"));
    }
    let wrong = captures(report).filter(|capture| capture.method.as_deref() != Some(method_of(cell)));
    found.extend(wrong.map(|capture| format!("a capture should be made by {}: {capture:?}", method_of(cell))));
    if captures(report).next().is_none() {
        found.push("there is no capture".to_owned());
    }
    if report.tags_standing != Some(0) {
        found.push(format!("tags that stand at the end: {:?}", report.tags_standing));
    }
    found
}

fn captures(report: &Report) -> impl Iterator<Item = &Snapshot> {
    report.snapshots.iter().filter(|snapshot| snapshot.kind.as_deref() == Some("capture"))
}

/// One row of the table, on the last capture.
fn row(jvm: &Jvm, cell: &Collector, report: &Report) -> String {
    let capture = captures(report).last().cloned().unwrap_or_default();
    let ms = |ms: Option<f64>| ms.map_or_else(|| "–".to_owned(), |ms| format!("{ms:.1}"));
    let verdict = match report.verdict.as_ref().and_then(|verdict| verdict.leaking) {
        Some(true) => "leaking",
        Some(false) => "healthy",
        None => "none",
    };
    let method = capture.method.as_deref().unwrap_or("–");
    let (pause, child) = (ms(capture.pause_ms), ms(capture.child.and_then(|child| child.lifetime_ms)));
    format!("| {} | {} | {method} | {pause} | {child} | {verdict} |", jvm.version, cell.name)
}

fn the_same_story_on(version: u32, cells: &[Collector]) {
    let Some(jvm) = jvms::of_version(version) else {
        return println!("skipped: no JVM of release {version}; scripts/jdks fetches one");
    };
    let app = Expectation::of_app(APP);
    let mut table = vec!["| JDK | GC | method | pause ms | child ms | verdict |\n|---|---|---|---|---|---|".to_owned()];
    let mut faults = Vec::new();
    for cell in cells {
        if !jvm.accepts(cell.switches) {
            table.push(format!("| {version} | {} | not in this JVM | | | |", cell.name));
            continue;
        }
        let (run, mut wrong) = watch(&jvm, cell, &app);
        wrong.extend(differences(&run.report, cell, &app));
        table.push(row(&jvm, cell, &run.report));
        if !wrong.is_empty() {
            faults.push(format!("{version}, {}:\n  {}\n{}", cell.name, wrong.join("\n  "), run.ended.stderr));
        }
    }
    println!("{}", table.join("\n"));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_story_is_the_same_with_every_collector_of_11() {
    the_same_story_on(11, &COLLECTORS);
}

#[test]
fn the_story_is_the_same_in_every_layout_of_11() {
    the_same_story_on(11, &LAYOUTS);
}

#[test]
fn the_story_is_the_same_with_every_collector_of_17() {
    the_same_story_on(17, &COLLECTORS);
}

#[test]
fn the_story_is_the_same_in_every_layout_of_17() {
    the_same_story_on(17, &LAYOUTS);
}

#[test]
fn the_story_is_the_same_with_every_collector_of_21() {
    the_same_story_on(21, &COLLECTORS);
}

#[test]
fn the_story_is_the_same_in_every_layout_of_21() {
    the_same_story_on(21, &LAYOUTS);
}

#[test]
fn the_story_is_the_same_with_every_collector_of_25() {
    the_same_story_on(25, &COLLECTORS);
}

#[test]
fn the_story_is_the_same_in_every_layout_of_25() {
    the_same_story_on(25, &LAYOUTS);
}
