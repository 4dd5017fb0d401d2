//! Data structures that grow in a real JVM: between two heap dumps, between the captures of a run, and in its
//! recording. `rootbound growth A B` and `--growth` say which, and in which way.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use e2e::expect::{Expectation, ExpectedStructure};
use e2e::process::{Scratch, wait_for};
use e2e::watching::{GRACE, java_line, rootbound};
use e2e::{places, slots};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The JVM itself has grown up before the first dump.
const BETWEEN: Duration = Duration::from_secs(8);
/// Duration of a run with `--growth`.
const LIVE: Duration = Duration::from_secs(45);
/// Tolerance of a portion in points.
const TOLERANCE: f64 = 5.0;

fn dumps(scratch: &Scratch, app: &str, count: usize) -> Vec<PathBuf> {
    let program = Expectation::of_app(app).program(app);
    let line = java_line(&program, &[], scratch);
    let mut command = Command::new(&line[0]);
    command.args(&line[1..]);
    let running = scratch.spawn("app", command);
    let files: Vec<PathBuf> = (1..=count).map(|number| scratch.file(&format!("{number}.hprof"))).collect();
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

/// The JSON report and the exit status of `rootbound growth`.
fn growth(scratch: &Scratch, app: &str, files: &[PathBuf], options: &[&str]) -> (Value, Option<i32>) {
    let report = scratch.file("growth.json");
    let mut command = rootbound(["growth", "--json"]);
    command.arg(&report).args(options);
    if let Some(dsl) = Expectation::of_app(app).dsl {
        command.arg("--dsl").arg(places::workspace().join("java-test-apps").join(app).join(dsl));
    }
    let ended = scratch
        .spawn("growth", {
            command.args(files);
            command
        })
        .wait(GRACE);
    let text = std::fs::read(&report).unwrap_or_else(|error| panic!("{error}: {}", ended.stderr));
    (serde_json::from_slice(&text).unwrap(), ended.code())
}

fn grows_as_expected(app: &str) {
    let _slot = slots::take();
    let scratch = Scratch::new();
    let files = dumps(&scratch, app, 2);
    let (report, status) = growth(&scratch, app, &files, &[]);
    assert_eq!(status, Some(0));
    let expectation = Expectation::of_app(app);
    assert!(!expectation.structures.is_empty());
    for expected in &expectation.structures {
        let items = report["items"].as_array().unwrap();
        let item = items.iter().find(|item| item["place"] == expected.place.as_str());
        fits(expected, item.unwrap_or_else(|| panic!("{} is not listed: {report:#}", expected.place)));
    }
}

/// Watches the app with `--growth`, by one capture near the beginning and one near the end, and records it. Returns the
/// growth in the live report, and that which `rootbound growth` finds in the recording.
fn live_growth(app: &str) -> (Value, Value) {
    let _slot = slots::take();
    let scratch = Scratch::new();
    let expectation = Expectation::of_app(app);
    let (json, recording) = (scratch.file("live.json"), scratch.file("live.rootbound"));
    let mut command = rootbound(["run", "--for", &format!("{}s", LIVE.as_secs()), "--growth", "--json"]);
    command.arg(&json).arg("--record").arg(&recording);
    if let Some(dsl) = &expectation.dsl {
        command.arg("--dsl").arg(places::workspace().join("java-test-apps").join(app).join(dsl));
    }
    command.arg("--").args(java_line(&expectation.program(app), &[], &scratch));
    let ended = scratch.spawn("live", command).wait(LIVE + GRACE);
    let text = std::fs::read(&json).unwrap_or_else(|error| panic!("{error}: {}", ended.stderr));
    let report: Value = serde_json::from_slice(&text).unwrap();
    let (of_recording, status) = growth(&scratch, app, &[recording], &["--by", "type, place, leaves(type)"]);
    assert_eq!(status, Some(0));
    (report, of_recording)
}

fn grows_live(app: &str) -> Value {
    let (report, of_recording) = live_growth(app);
    for expected in &Expectation::of_app(app).structures {
        for growth in [&report["structures"], &of_recording] {
            let items = growth["items"].as_array().unwrap_or_else(|| panic!("{:#}", report["problems"]));
            let item = items.iter().find(|item| item["place"] == expected.place.as_str());
            fits(expected, item.unwrap_or_else(|| panic!("{} is not listed: {growth:#}", expected.place)));
        }
        // A region whose owner is the structure names it.
        let regions = report["regions"].as_array().unwrap();
        let named = |region: &&Value| {
            let at = region["structure"].as_u64().unwrap_or(u64::MAX) as usize;
            report["structures"]["items"][at]["place"] == expected.place.as_str()
        };
        assert!(regions.iter().any(|region| named(&region)), "{}: {regions:#?}", expected.place);
    }
    assert!(!of_recording["tree"].as_array().unwrap().is_empty());
    report
}

#[test]
fn a_cache_whose_keys_have_no_equals_is_the_same_live_and_in_its_recording() {
    let report = grows_live("growing/easytravel");
    let structures = &report["structures"];
    assert!(structures["counts"]["by_identity"]["handle"].as_u64() > Some(10), "{:#}", structures["counts"]);
    assert_eq!(structures["items"][0]["identity"], "handle", "{:#}", report["problems"]);
}

#[test]
fn statistics_are_the_same_live_and_in_their_recording() {
    let _report = grows_live("growing/statistics");
}

#[test]
fn two_indexes_share_their_growth_live() {
    let _report = grows_live("growing/sharedindex");
}

#[test]
fn a_healthy_program_has_no_growing_structure_live() {
    let (report, _) = live_growth("healthy/boundedcache");
    let structures = &report["structures"];
    assert!(has_no_growth(structures), "{structures:#}");
}

fn fits(expected: &ExpectedStructure, item: &Value) {
    assert_eq!(item["class"], expected.class.as_str(), "{item:#}");
    assert_eq!(item["pattern"], expected.pattern.as_str(), "{item:#}");
    let retained = item["hgp"]["retained"]["bytes"].as_f64().unwrap();
    assert!((retained - expected.retained_hgp).abs() <= TOLERANCE, "{retained} %: {item:#}");
    for class in &expected.leaf_types {
        let leaves = item["leaves"].as_array().unwrap();
        let comes = |leaf: &Value| leaf["class"] == class.as_str() && leaf["growth"].as_i64().unwrap() > 0;
        assert!(leaves.iter().any(comes), "{class}: {item:#}");
    }
    if let Some(place) = &expected.also_contained_in {
        assert!(item["also_contained_in"].as_array().unwrap().contains(&Value::from(place.as_str())), "{item:#}");
    }
}

#[test]
fn a_cache_whose_keys_have_no_equals_is_single_ownership_container_growth() {
    grows_as_expected("growing/easytravel");
}

#[test]
fn statistics_that_their_program_describes_are_one_structure() {
    grows_as_expected("growing/statistics");
}

#[test]
fn two_indexes_of_the_same_orders_share_their_growth() {
    grows_as_expected("growing/sharedindex");
}

#[test]
fn elements_that_become_larger_are_data_growth() {
    grows_as_expected("growing/fattening");
}

#[test]
fn three_dumps_say_that_the_growth_went_on() {
    let _slot = slots::take();
    let scratch = Scratch::new();
    let app = "growing/easytravel";
    let files = dumps(&scratch, app, 3);
    let (report, status) = growth(&scratch, app, &files, &["--fail-on", "grower"]);
    assert_eq!(status, Some(3));
    assert_eq!(report["states"].as_array().unwrap().len(), 3);
    assert_eq!(report["items"][0]["grew_steadily"], true);
    let (_, of_two) = growth(&scratch, app, &files[..2], &["--fail-on", "grower"]);
    assert_eq!(of_two, Some(4));
}

#[test]
fn a_healthy_program_has_no_growing_structure() {
    let _slot = slots::take();
    let scratch = Scratch::new();
    let app = "healthy/boundedcache";
    let (report, _) = growth(&scratch, app, &dumps(&scratch, app, 2), &[]);
    assert!(has_no_growth(&report), "{report:#}");
}

/// Whether no structure has more than 5 % of the growth, or the heap grew too little to say.
fn has_no_growth(growth: &Value) -> bool {
    let portion = |item: &Value| item["hgp"]["retained"]["bytes"].as_f64().unwrap_or(0.0);
    let largest = growth["items"].as_array().unwrap().iter().map(portion).fold(0.0, f64::max);
    growth["window"]["is_long_enough"] == false || largest <= 5.0
}
