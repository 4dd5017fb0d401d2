//! What every trial asks at its end.

use e2e::faults::subject::EXIT_CODE;
use e2e::faults::trial::{RunningJvm, Trial};
use e2e::faults::{leftovers, stops};
use e2e::process::Running;
use e2e::report::Report;
use std::time::Duration;

/// Waits for the program's end, and asserts that nothing was done to it.
pub fn ends_unharmed(trial: &Trial, jvm: RunningJvm) {
    let ended = jvm.end();
    let harm = trial.harm(&ended);
    assert!(harm.is_empty(), "{harm:?}\n{}\n{}", ended.stdout, ended.stderr);
    let logged = trial.logged_stops_ms();
    assert!(logged.iter().all(|&ms| ms <= stops::MOST_MS), "the program stood still, by the JVM's log: {logged:?} ms");
}

/// Likewise, and reads the report of the analyzer that watched it to the end: no stop in it was too long.
pub fn ends_unharmed_under(trial: &Trial, jvm: RunningJvm, name: &str, analyzer: Running) -> Report {
    ends_unharmed(trial, jvm);
    let report = trial.report_of(name, analyzer);
    let longest = stops::longest_ms(&report);
    assert!(longest <= stops::MOST_MS, "the program stood still for {longest} ms: {:?}", report.pauses);
    report
}

/// Captures of a report that were complete.
pub fn whole_captures(report: &Report) -> usize {
    report.snapshots.iter().filter(|snapshot| snapshot.failure.is_none()).count()
}

/// What the report says of captures: for the text of a failed assertion.
pub fn told(report: &Report) -> String {
    format!("{:#?}\n{:#?}\n{:#?}", report.snapshots, report.pauses, report.problems)
}

/// Tells the program to leave at once, and asserts that it leaves with its own status and nothing behind.
pub fn asked_to_leave(trial: &Trial, jvm: RunningJvm) {
    let ended = jvm.leave();
    assert_eq!(ended.code(), Some(EXIT_CODE), "{}\n{}\n{}", ended.status, ended.stdout, ended.stderr);
    assert!(ended.stdout.contains("left early"), "{}", ended.stdout);
    assert_eq!(leftovers::of(&trial.home()), [""; 0]);
}

pub fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}
