//! Whatever happens to the analyzer or within the agent, the program runs on and ends with its own exit code.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use e2e::java;
use e2e::process::{Ended, Running, Scratch, wait_for};
use e2e::report::Report;
use e2e::watching::{EARLY_SNAPSHOTS, GRACE, java_with_agent, rootbound, start_run};
use e2e::{jni_check, slots};
use rustix::process::Signal;
use std::os::unix::net::UnixListener;
use std::time::Duration;

const EXIT_CODE: i32 = 7;

fn lasting(seconds: u32) -> Vec<String> {
    vec![format!("-Drun.seconds={seconds}"), format!("-Dexit.code={EXIT_CODE}")]
}

fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

/// Asserts that the program ran to its own end as if nothing had been there.
fn is_unharmed(ended: &Ended) {
    assert_eq!(ended.code(), Some(EXIT_CODE), "{}\n{}\n{}", ended.status, ended.stdout, ended.stderr);
    assert!(ended.stdout.contains("second 0\n") && ended.stdout.ends_with("the last line\n"), "{}", ended.stdout);
    let complaints = jni_check::complaints(&format!("{}\n{}", ended.stdout, ended.stderr));
    assert!(complaints.is_empty(), "{complaints:?}");
}

fn socket(scratch: &Scratch) -> String {
    format!("unix:{}", scratch.file("analyzer.sock").display())
}

fn start_watch(scratch: &Scratch, name: &str) -> Running {
    let mut command = rootbound(["watch", "--listen"]);
    command.arg(socket(scratch)).args(EARLY_SNAPSHOTS).args(["--for", "60s"]);
    command.arg("--json").arg(scratch.file(&format!("{name}.json")));
    let watch = scratch.spawn(name, command);
    let listening = wait_for(seconds(10), || scratch.file("analyzer.sock").exists().then_some(()));
    assert!(listening.is_some(), "watch does not listen: {}", watch.stderr());
    watch
}

fn start_jvm(scratch: &Scratch, more_options: &str, lasts: u32) -> Running {
    let options = format!("connect={}{more_options}", socket(scratch));
    scratch.spawn("jvm", java_with_agent(&java::exits(), &options, &lasting(lasts), scratch))
}

#[test]
fn an_analyzer_killed_in_the_middle_leaves_the_program_alone() {
    let _slot = slots::take();
    for killed_after in [1, 3, 6] {
        let scratch = Scratch::new();
        let watch = start_watch(&scratch, "watch");
        let jvm = start_jvm(&scratch, "", 12);
        std::thread::sleep(seconds(killed_after));
        watch.signal(Signal::KILL);
        is_unharmed(&jvm.wait(seconds(12) + GRACE));
    }
}

#[test]
fn a_killed_run_leaves_its_program_alone() {
    let _slot = slots::take();
    let scratch = Scratch::new();
    let run = start_run(&scratch, &EARLY_SNAPSHOTS, &java::exits(), &lasting(12));
    scratch.wait_for_process("java", seconds(20));
    std::thread::sleep(seconds(3));
    run.signal(Signal::KILL);
    let finished = wait_for(seconds(12) + GRACE, || scratch.processes("java").is_empty().then_some(()));
    assert!(finished.is_some(), "the program never ended");
    assert!(run.stdout().contains("the last line\n"), "{}\n{}", run.stdout(), run.stderr());
}

#[test]
fn an_analyzer_that_comes_back_gets_the_program_again() {
    let _slot = slots::take();
    let scratch = Scratch::new();
    let first = start_watch(&scratch, "first");
    let jvm = start_jvm(&scratch, "", 40);
    std::thread::sleep(seconds(3));
    first.signal(Signal::KILL);
    first.wait(seconds(10));
    // A killed analyzer cannot remove its socket; the next one must cope with that.
    let second = scratch.spawn("second", {
        let mut command = rootbound(["watch", "--listen"]);
        command.arg(socket(&scratch)).args(EARLY_SNAPSHOTS).args(["--for", "20s"]);
        command.arg("--json").arg(scratch.file("second.json"));
        command
    });
    let ended = second.wait(seconds(40) + GRACE);
    assert_eq!(ended.code(), Some(0), "{}", ended.stderr);
    let report = Report::read(&scratch.file("second.json"));
    assert_eq!(report.jvm.and_then(|jvm| jvm.pid), u32::try_from(jvm.pid().as_raw_nonzero().get()).ok());
    assert!(report.snapshots.iter().any(|snapshot| snapshot.kind.as_deref() == Some("capture")), "{}", ended.stdout);
    is_unharmed(&jvm.wait(seconds(40) + GRACE));
}

#[test]
fn a_listener_that_never_reads_does_not_hold_the_program_up() {
    let _slot = slots::take();
    let scratch = Scratch::new();
    let listener = UnixListener::bind(scratch.file("analyzer.sock")).unwrap();
    let jvm = start_jvm(&scratch, "", 8);
    // The connections stay open, unread, until the program has ended.
    listener.set_nonblocking(true).unwrap();
    let connection = wait_for(seconds(20), || listener.accept().ok());
    assert!(connection.is_some(), "the agent never connected: {}", jvm.stderr());
    is_unharmed(&jvm.wait(seconds(8 + 15)));
}

#[test]
fn a_program_without_any_analyzer_runs_as_ever() {
    let _slot = slots::take();
    let scratch = Scratch::new();
    is_unharmed(&start_jvm(&scratch, "", 5).wait(seconds(5 + 15)));
}

#[test]
fn an_option_that_makes_no_sense_is_named_and_the_program_runs() {
    let _slot = slots::take();
    let scratch = Scratch::new();
    let ended = start_jvm(&scratch, ",colour=blue", 3).wait(seconds(3) + GRACE);
    assert!(ended.stderr.contains("colour"), "{}", ended.stderr);
    is_unharmed(&ended);
}

fn survives_a_panic_in(place: &str) {
    let _slot = slots::take();
    let scratch = Scratch::new();
    let _watch = start_watch(&scratch, "watch");
    is_unharmed(&start_jvm(&scratch, &format!(",test-panic={place}"), 14).wait(seconds(14) + GRACE));
}

#[test]
fn a_panic_while_marking_stays_within_the_agent() {
    survives_a_panic_in("mark");
}

#[test]
fn a_panic_while_capturing_stays_within_the_agent() {
    survives_a_panic_in("capture");
}

#[test]
fn a_panic_while_probing_stays_within_the_agent() {
    survives_a_panic_in("probe");
}

#[test]
fn a_panic_after_a_collection_stays_within_the_agent() {
    survives_a_panic_in("gc");
}

#[test]
fn a_jvm_killed_under_watch_is_reported_and_watch_ends() {
    let _slot = slots::take();
    let scratch = Scratch::new();
    let watch = start_watch(&scratch, "watch");
    let jvm = start_jvm(&scratch, "", 60);
    std::thread::sleep(seconds(8));
    jvm.signal(Signal::KILL);
    let ended = watch.wait(GRACE);
    assert_eq!(ended.code(), Some(0), "{}", ended.stderr);
    assert!(Report::read(&scratch.file("watch.json")).jvm.is_some(), "{}", ended.stdout);
    assert_eq!(jvm.wait(seconds(10)).signal(), Some(Signal::KILL.as_raw()));
}

#[test]
fn a_jvm_killed_under_run_is_reported_and_run_ends() {
    let _slot = slots::take();
    let scratch = Scratch::new();
    let run = start_run(&scratch, &EARLY_SNAPSHOTS, &java::exits(), &lasting(60));
    let jvm = scratch.wait_for_process("java", seconds(20));
    std::thread::sleep(seconds(8));
    rustix::process::kill_process(jvm, Signal::KILL).unwrap();
    let ended = run.wait(GRACE);
    assert_ne!(ended.code(), Some(0), "a program that was killed did not succeed");
    assert!(Report::read(&scratch.file("report.json")).jvm.is_some(), "{}", ended.stdout);
    assert_eq!(scratch.sockets(), Vec::<std::path::PathBuf>::new());
}

#[test]
fn ctrl_c_once_prints_the_report_and_leaves_nothing_behind() {
    let _slot = slots::take();
    let scratch = Scratch::new();
    let run = start_run(&scratch, &EARLY_SNAPSHOTS, &java::exits(), &lasting(90));
    scratch.wait_for_process("java", seconds(20));
    std::thread::sleep(seconds(10));
    run.signal(Signal::INT);
    let ended = run.wait(GRACE);
    assert_eq!(ended.code(), Some(0), "{}\n{}", ended.stdout, ended.stderr);
    assert!(ended.stdout.contains("owner"), "no table was printed: {}", ended.stdout);
    assert!(Report::read(&scratch.file("report.json")).jvm.is_some());
    assert!(scratch.processes("java").is_empty(), "the JVM was left running");
    assert_eq!(scratch.sockets(), Vec::<std::path::PathBuf>::new());
}
