//! A region has the same name in every release of the JDK, and its trace reads the same.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use e2e::expect::Expectation;
use e2e::jvms::{self, Jvm};
use e2e::process::Scratch;
use e2e::slots;
use e2e::watching;
use std::collections::BTreeSet;

const WATCHED_SECONDS: u64 = 24;
/// Late enough that a busy machine has started the program.
const SNAPSHOTS: [&str; 4] = ["--mark-after", "8s", "--capture-after", "8s"];
const RELEASES: [u32; 4] = [11, 17, 21, 25];

/// Fingerprint and trace of the region in the structure that `path` names.
fn name_on(jvm: &Jvm, folder: &str, path: &str) -> (String, Vec<String>) {
    let app = Expectation::of_app(folder);
    let program = app.program(folder).in_jvm(jvm);
    let _slot = slots::take();
    let scratch = Scratch::new();
    let run = watching::run_for(&scratch, WATCHED_SECONDS, &SNAPSHOTS, &program, &app.jvm_args);
    let is_there = |owner: &Option<String>| owner.as_ref().is_some_and(|owner| owner.contains(path));
    let found = run.report.regions.iter().find(|region| is_there(&region.owner_proxy.path));
    let found =
        found.unwrap_or_else(|| panic!("{folder} on {}: no region in {path}\n{}", jvm.version, run.ended.stdout));
    println!("{folder} on {}: {:?}\n{}", jvm.version, found.fingerprint, found.trace.join("\n"));
    (found.fingerprint.clone().unwrap(), found.trace.clone())
}

fn is_called_the_same(folder: &str, path: &str) {
    let jvms: Vec<Jvm> = RELEASES.into_iter().filter_map(jvms::of_version).collect();
    if jvms.len() < 2 {
        return println!("skipped: scripts/jdks fetches JVMs of other releases");
    }
    let names: BTreeSet<(String, Vec<String>)> = jvms.iter().map(|jvm| name_on(jvm, folder, path)).collect();
    assert_eq!(names.len(), 1, "{names:#?}");
    let (_, trace) = names.first().unwrap();
    assert!(trace.iter().any(|line| line.trim_start().starts_with('^')), "nothing is underlined: {trace:?}");
}

#[test]
fn a_static_map_is_called_the_same_on_every_release() {
    is_called_the_same("leaking/hashleak", "sessions");
}

#[test]
fn what_only_a_stack_frame_holds_is_called_the_same_on_every_release() {
    is_called_the_same("leaking/threadheld", "measurements");
}
