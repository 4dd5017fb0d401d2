//! A little of everything on every JVM and collector at hand: files, threads, processes and garbage, an analyzer that
//! is killed in its capture, one that captures without rest, and an orderly end.

use super::unharmed::seconds;
use e2e::faults::subject::Subject;
use e2e::faults::trial::Trial;
use e2e::faults::{children, stops};
use e2e::jvms::{self, Collector, Jvm};
use e2e::process::Scratch;
use e2e::slots;

/// All faults in one cell.
fn cell(jvm: &Jvm, collector: &Collector) -> Vec<String> {
    let scratch = Scratch::new();
    let maps = scratch.file("home");
    let subject = Subject::new().keeping(0.3).with_workers(1, 50).with_spawners(1).with_threads(100);
    let subject = subject.with_mapped_files(10, &maps);
    let trial = Trial::within(scratch, subject).in_jvm(jvm).with_collector(collector);
    let running = trial.start();
    let mut killed = trial.analyzer("killed", &[]);
    let mut found = Vec::new();
    // With collectors whose heap cannot be copied, there is none.
    let child = running.next_child(&[], seconds(4));
    killed.kill();
    if child.is_some_and(|child| !children::ends(child, seconds(12))) {
        found.push("a child stays, though nobody takes its capture".to_owned());
    }
    let analyzer = trial.analyzer("analyzer", &["--recapture-every", "500ms"]);
    trial.wait_for_captures(trial.captures_begun() + 3, seconds(15));
    let ended = running.end();
    found.extend(trial.harm(&ended));
    let report = trial.report_of("analyzer", analyzer);
    // A heap that cannot be copied by a child may take longer to walk than the program may be paused.
    let may_be_refused = collector.name.starts_with("ZGC") && !report.problems.is_empty();
    if report.snapshots.iter().all(|snapshot| snapshot.failure.is_some()) && !may_be_refused {
        found.push(format!("nothing was captured: {:?}", report.problems));
    }
    found.extend(
        trial.stops_too_long().iter().map(|stop| format!("the program was paused, by the JVM's log: {stop:?}")),
    );
    let longest = stops::longest_ms(&report);
    if longest > stops::MOST_MS {
        found.push(format!("the program was paused for {longest} ms: {:?}", report.pauses));
    }
    found
}

fn unharmed_on(release: u32) {
    let Some(jvm) = jvms::of_version(release) else {
        return println!("skipped: no JVM of release {release}; scripts/jdks fetches one");
    };
    let wrong: Vec<String> = jvm
        .collectors()
        .iter()
        .filter_map(|collector| {
            let _slot = slots::take_busy();
            let found = cell(&jvm, collector);
            (!found.is_empty()).then(|| format!("{}: {found:?}", collector.name))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_collector_of_11_is_captured_unharmed() {
    unharmed_on(11);
}

#[test]
fn every_collector_of_17_is_captured_unharmed() {
    unharmed_on(17);
}

#[test]
fn every_collector_of_21_is_captured_unharmed() {
    unharmed_on(21);
}

#[test]
fn every_collector_of_25_is_captured_unharmed() {
    unharmed_on(25);
}
