//! Heap dumps that a real JVM wrote, compared: `rootbound analyze A B C` names the structures that grew between them.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use e2e::expect::Expectation;
use e2e::process::{Scratch, wait_for};
use e2e::watching::{GRACE, java_line, rootbound};
use e2e::{places, slots};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const DUMPS: usize = 3;
/// One structure of the app is filled for 22 seconds and then keeps its size.
const BETWEEN: Duration = Duration::from_secs(12);

/// Dumps of the app, taken one after another by the JDK's own tool.
fn dumps(scratch: &Scratch, app: &str) -> Vec<PathBuf> {
    let program = Expectation::of_app(app).program(app);
    let line = java_line(&program, &[], scratch);
    let mut command = Command::new(&line[0]);
    command.args(&line[1..]);
    let running = scratch.spawn("app", command);
    let files: Vec<PathBuf> = (1..=DUMPS).map(|number| scratch.file(&format!("{number}.hprof"))).collect();
    for file in &files {
        std::thread::sleep(BETWEEN);
        let pid = running.pid().as_raw_nonzero().to_string();
        // A JVM that has just come up may not listen yet.
        let dumped = wait_for(GRACE, || dump(&pid, file));
        assert!(dumped.is_some(), "no dump was written: {}", running.stderr());
    }
    files
}

fn dump(pid: &str, file: &Path) -> Option<()> {
    let status = Command::new(places::jcmd()).args([pid, "GC.heap_dump"]).arg(file).output();
    (status.is_ok_and(|output| output.status.success()) && file.is_file()).then_some(())
}

#[test]
fn what_grows_from_dump_to_dump_is_named_with_its_rate() {
    let _slot = slots::take();
    let scratch = Scratch::new();
    let files = dumps(&scratch, "leaking/simpleleaker");
    let report = scratch.file("report.json");
    let mut command = rootbound(["analyze", "--fail-on", "grower", "--json"]);
    command.arg(&report).args(&files);
    let ended = scratch.spawn("analyze", command).wait(GRACE);
    assert_eq!(ended.code(), Some(3), "{}\n{}", ended.stdout, ended.stderr);
    let report: serde_json::Value = serde_json::from_slice(&std::fs::read(report).unwrap()).unwrap();
    let regions = report["regions"].as_array().unwrap();
    let rate = |path: &str| {
        let region = regions.iter().find(|region| region["owner_proxy"]["path"] == path).expect(path);
        assert_eq!(region["trend"], "grower", "{region}");
        assert_eq!(region["sizes"].as_array().unwrap().len(), DUMPS);
        region["rate_per_min"].as_f64().unwrap()
    };
    for (field, truth) in [("integers", 480.0), ("characters", 150.0)] {
        let rate = rate(&format!("static simpleleaker.Main.{field}"));
        assert!((rate / truth - 1.0).abs() < 0.1, "{field}: {rate}/min instead of {truth}");
    }
    assert_eq!(regions[0]["owner_proxy"]["path"], "static simpleleaker.Main.integers", "{}", ended.stdout);
    assert_eq!(report["snapshots"].as_array().unwrap().len(), DUMPS);
}

#[test]
fn what_is_no_dump_is_refused_by_name() {
    let scratch = Scratch::new();
    let (one, other) = (scratch.file("one.hprof"), scratch.file("other.hprof"));
    std::fs::write(&one, "JAVA PROFILE").unwrap();
    std::fs::write(&other, "nothing of the kind").unwrap();
    let mut command = rootbound(["analyze"]);
    command.args([&one, &other]);
    let ended = scratch.spawn("analyze", command).wait(GRACE);
    assert_eq!(ended.code(), Some(1), "{}", ended.stdout);
    assert!(ended.stderr.contains("one.hprof") && ended.stdout.is_empty(), "{}", ended.stderr);
}
