//! Children that die, that are not drained, or that run when something else stops or ends.

use super::unharmed::{asked_to_leave, ends_unharmed, ends_unharmed_under, reported, seconds, whole_captures};
use e2e::faults::limits::leave_address_space;
use e2e::faults::subject::Subject;
use e2e::faults::trial::{RunningJvm, Trial};
use e2e::faults::{children, leftovers, stops};
use e2e::process::wait_for;
use e2e::slots;
use rustix::process::{Pid, Signal};
use std::time::Duration;

/// Time for which a child may run on when its capture is not read any more.
const SOON: Duration = Duration::from_secs(12);

/// A heap for which a child needs a good part of a second.
fn large() -> Subject {
    Subject::new().keeping(2.0).with_workers(1, 50)
}

/// The next child that is none of `known`.
fn next_child(jvm: &RunningJvm, known: &[Pid]) -> Pid {
    jvm.next_child(known, seconds(40)).expect("a child is forked")
}

#[test]
fn when_the_analyzer_is_killed_during_a_capture_its_child_goes() {
    let _slot = slots::take_busy();
    let trial = Trial::of(large());
    let jvm = trial.start();
    let analyzer = trial.analyzer("analyzer", &[]);
    let child = next_child(&jvm, &[]);
    analyzer.signal(Signal::KILL);
    assert!(children::ends(child, SOON), "the child stays, though nobody takes its capture");
    ends_unharmed(&trial, jvm);
}

#[test]
fn when_the_analyzer_hangs_during_a_capture_its_child_goes() {
    let _slot = slots::take_busy();
    let trial = Trial::of(large());
    let jvm = trial.start();
    let analyzer = trial.analyzer("analyzer", &[]);
    let child = next_child(&jvm, &[]);
    analyzer.signal(Signal::STOP);
    assert!(children::ends(child, 2 * SOON), "the child stays, though nobody takes its capture");
    analyzer.signal(Signal::CONT);
    ends_unharmed_under(&trial, jvm, "analyzer", analyzer);
}

/// Ten moments of a capture, from the fork to the analysis behind it.
fn moments() -> impl Iterator<Item = Duration> {
    (0..10).map(|moment| Duration::from_millis(moment * moment * 12))
}

#[test]
fn an_analyzer_killed_at_any_moment_of_a_capture_leaves_no_child() {
    let _slot = slots::take_busy();
    let trial = Trial::of(large());
    let jvm = trial.start();
    let first = trial.analyzer("first", &[]);
    let mut analyzer = Some(first);
    for moment in moments() {
        let killed = analyzer.take().unwrap_or_else(|| trial.analyzer("next", &[]));
        let child = next_child(&jvm, &[]);
        std::thread::sleep(moment);
        killed.signal(Signal::KILL);
        assert!(children::ends(child, SOON), "killed after {moment:?}: the child stays");
    }
    ends_unharmed(&trial, jvm);
}

#[test]
fn an_analyzer_stopped_at_any_moment_of_a_capture_goes_on_with_it() {
    let _slot = slots::take_busy();
    let trial = Trial::of(large());
    let jvm = trial.start();
    let analyzer = trial.analyzer("analyzer", &["--recapture-every", "500ms"]);
    let mut known = Vec::new();
    for moment in moments() {
        known.push(next_child(&jvm, &known));
        std::thread::sleep(moment);
        analyzer.signal(Signal::STOP);
        std::thread::sleep(Duration::from_millis(700));
        analyzer.signal(Signal::CONT);
    }
    let report = ends_unharmed_under(&trial, jvm, "analyzer", analyzer);
    assert!(whole_captures(&report) >= 5, "{}", reported(&report));
    assert_eq!(stops::walks(&report), [""; 0], "{}", reported(&report));
}

/// A cause that kills a child would kill the program: after a child that died, nothing walks the heap in the program.
fn no_walk_after_children_that_die(dies: impl Fn(Pid)) {
    let _slot = slots::take_busy();
    let trial = Trial::of(large());
    let jvm = trial.start();
    let analyzer = trial.analyzer("analyzer", &[]);
    let mut killed = Vec::new();
    // Further children are permitted; but they must not come forever.
    while let Some(child) = jvm.next_child(&killed, if killed.is_empty() { seconds(40) } else { seconds(9) })
        && killed.len() < 12
    {
        dies(child);
        killed.push(child);
    }
    assert!(!killed.is_empty() && killed.len() < 12, "{} children were forked", killed.len());
    let report = ends_unharmed_under(&trial, jvm, "analyzer", analyzer);
    assert_eq!(stops::walks(&report), [""; 0], "after {} dead children\n{}", killed.len(), reported(&report));
}

#[test]
fn after_a_child_that_was_killed_the_program_is_not_walked() {
    no_walk_after_children_that_die(|child| children::signal(child, Signal::KILL));
}

#[test]
fn after_a_child_that_crashed_the_program_is_not_walked() {
    no_walk_after_children_that_die(|child| assert!(children::crash(child), "the child's code cannot be written"));
}

#[test]
fn a_child_that_runs_out_of_memory_writes_no_crash_report_and_runs_no_command() {
    let _slot = slots::take_busy();
    let trial = Trial::of(Subject::new().keeping(1.0).with_wide_arrays(3_000_000));
    let reported_to_operators = trial.home().join("operators-were-told");
    let on_error = format!("-XX:OnError=touch {}", reported_to_operators.display());
    let trial = trial.with(&["-Xmx400m", &on_error]);
    let jvm = trial.start();
    let analyzer = trial.analyzer("analyzer", &[]);
    let mut bounded = vec![next_child(&jvm, &[])];
    starve(bounded[0]);
    // A child that had walked most of the heap already would be no evidence.
    while bounded.len() < 3
        && let Some(another) = jvm.next_child(&bounded, seconds(6))
    {
        starve(another);
        bounded.push(another);
    }
    let report = ends_unharmed_under(&trial, jvm, "analyzer", analyzer);
    assert_eq!(leftovers::reports_of_crashes(&trial.home()), [""; 0]);
    assert!(!reported_to_operators.exists(), "the OnError command was run");
    assert_eq!(stops::walks(&report), [""; 0], "{}", reported(&report));
}

/// Leaves that child no address space beyond what it has, as if `ulimit -v` had been reached, and waits for its end.
fn starve(child: Pid) {
    children::signal(child, Signal::STOP);
    let is_starved = leave_address_space(child, 0);
    children::signal(child, Signal::CONT);
    assert!(is_starved, "the child's address space cannot be bounded");
    assert!(children::ends(child, seconds(60)), "the child stays");
}

#[test]
fn a_program_stopped_in_its_childs_life_goes_on_when_it_is_continued() {
    let _slot = slots::take_busy();
    let trial = Trial::of(large());
    let jvm = trial.start();
    let analyzer = trial.analyzer("analyzer", &[]);
    let child = next_child(&jvm, &[]);
    // The fork itself is over by then: a pause that includes this delay would count as the agent's.
    std::thread::sleep(Duration::from_millis(200));
    jvm.process().signal(Signal::STOP);
    std::thread::sleep(seconds(5));
    jvm.process().signal(Signal::CONT);
    assert!(children::ends(child, seconds(60)), "the child stays");
    let report = ends_unharmed_under(&trial, jvm, "analyzer", analyzer);
    assert_eq!(stops::walks(&report), [""; 0], "{}", reported(&report));
}

#[test]
fn a_program_that_leaves_in_its_childs_life_leaves_at_once_and_takes_it_along() {
    let _slot = slots::take_busy();
    let trial = Trial::of(large());
    let jvm = trial.start();
    let analyzer = trial.analyzer("analyzer", &[]);
    let child = next_child(&jvm, &[]);
    asked_to_leave(&trial, jvm);
    assert!(children::ends(child, SOON), "the child outlives the program");
    trial.report_of("analyzer", analyzer);
}

#[test]
fn a_program_killed_in_its_childs_life_takes_it_along() {
    let _slot = slots::take_busy();
    let trial = Trial::of(large());
    let jvm = trial.start();
    let analyzer = trial.analyzer("analyzer", &[]);
    let child = next_child(&jvm, &[]);
    jvm.process().signal(Signal::KILL);
    assert!(children::ends(child, SOON), "the child outlives the program");
    let gone = wait_for(SOON, || children::working_in(&trial.home()).is_empty().then_some(()));
    assert!(gone.is_some(), "a child outlives the program");
    trial.report_of("analyzer", analyzer);
}
