//! After any end of the program or of `run` there is a report, and nothing is left behind.

use super::exits::{lasting, seconds, start_jvm, start_watch};
use e2e::process::Scratch;
use e2e::report::Report;
use e2e::watching::{EARLY_SNAPSHOTS, GRACE, start_run};
use e2e::{java, slots};
use rustix::process::Signal;

#[test]
fn a_jvm_killed_under_watch_is_reported_and_watch_ends() {
    let _slot = slots::take_busy();
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
    let _slot = slots::take_busy();
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
    let _slot = slots::take_busy();
    let scratch = Scratch::new();
    let run = start_run(&scratch, &EARLY_SNAPSHOTS, &java::exits(), &lasting(90));
    scratch.wait_for_process("java", seconds(20));
    std::thread::sleep(seconds(10));
    run.signal(Signal::INT);
    let ended = run.wait(GRACE);
    assert_eq!(ended.code(), Some(0), "{}\n{}", ended.stdout, ended.stderr);
    assert!(ended.stdout.contains("structure"), "no table was printed: {}", ended.stdout);
    assert!(Report::read(&scratch.file("report.json")).jvm.is_some());
    assert!(scratch.processes("java").is_empty(), "the JVM was left running");
    assert_eq!(scratch.sockets(), Vec::<std::path::PathBuf>::new());
}
