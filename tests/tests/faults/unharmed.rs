//! Checks at the end of every trial.

use e2e::faults::subject::EXIT_CODE;
use e2e::faults::trial::{RunningJvm, Trial};
use e2e::faults::{figures, leftovers, stops};
use e2e::process::{Ended, Running};
use e2e::report::Report;
use std::time::Duration;

/// Waits for the program's end, and asserts that it was not harmed.
pub fn ends_unharmed(trial: &Trial, jvm: RunningJvm) {
    is_unharmed(trial, &jvm.end());
}

fn is_unharmed(trial: &Trial, ended: &Ended) {
    let harm = trial.harm(ended);
    println!("{}: stops by the JVM's log {:.0?} ms; harm: {harm:?}", name_of_test(), trial.logged_stops_ms());
    assert!(harm.is_empty(), "{harm:?}\n{}\n{}", ended.stdout, ended.stderr);
    let too_long = trial.stops_too_long();
    assert!(too_long.is_empty(), "the program was paused, by the JVM's log: {too_long:?}");
}

/// Likewise, and reads the report of the analyzer that watched it to the end: no pause in it was too long.
pub fn ends_unharmed_under(trial: &Trial, jvm: RunningJvm, name: &str, analyzer: Running) -> Report {
    let ended = jvm.end();
    let report = trial.report_of(name, analyzer);
    println!("{}: {}", name_of_test(), figures::of(&report));
    is_unharmed(trial, &ended);
    let longest = stops::longest_ms(&report);
    assert!(longest <= stops::MOST_MS, "the program was paused for {longest} ms: {:?}", report.pauses);
    report
}

/// The program is captured again and again, four times or for half a minute, and ends unharmed. At least one
/// capture must be complete: on a machine with much else to do, a child may live for longer than that.
pub fn is_captured_unharmed(trial: &Trial) -> Report {
    let report = ends_unharmed_after(trial, || {
        trial.wait_for_captures(4, seconds(30));
        trial.wait_for_captures(2, seconds(120));
    });
    assert!(whole_captures(&report) > 0, "{}", reported(&report));
    report
}

/// Likewise, but captures may be refused, if the report states the reason.
pub fn is_unharmed_whatever_is_captured(trial: &Trial) -> Report {
    ends_unharmed_after(trial, || trial.wait_for_captures(4, seconds(30)))
}

fn ends_unharmed_after(trial: &Trial, captured: impl FnOnce()) -> Report {
    let jvm = trial.start();
    let analyzer = trial.analyzer("analyzer", &["--recapture-every", "500ms"]);
    captured();
    let report = ends_unharmed_under(trial, jvm, "analyzer", analyzer);
    assert!(whole_captures(&report) > 0 || !report.problems.is_empty(), "{}", reported(&report));
    report
}

/// Captures of a report that were complete.
pub fn whole_captures(report: &Report) -> usize {
    report.snapshots.iter().filter(|snapshot| snapshot.failure.is_none()).count()
}

/// Name of the test: the harness runs each test on a thread of its name.
fn name_of_test() -> String {
    std::thread::current().name().unwrap_or("?").to_owned()
}

/// Statements of the report on captures: for the text of a failed assertion.
pub fn reported(report: &Report) -> String {
    format!("{:#?}\n{:#?}\n{:#?}", report.snapshots, report.pauses, report.problems)
}

/// Ends the program immediately, and asserts that it leaves with its own status and nothing behind.
pub fn asked_to_leave(trial: &Trial, jvm: RunningJvm) {
    let ended = jvm.leave();
    assert_eq!(ended.code(), Some(EXIT_CODE), "{}\n{}\n{}", ended.status, ended.stdout, ended.stderr);
    assert!(ended.stdout.contains("left early"), "{}", ended.stdout);
    assert_eq!(leftovers::of(&trial.home()), [""; 0]);
}

pub fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}
