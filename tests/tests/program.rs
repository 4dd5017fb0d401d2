//! `rootbound run` does not change the program that it starts: output, exit code and start scripts stay the same.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use e2e::java;
use e2e::process::{Ended, Scratch};
use e2e::report::Report;
use e2e::slots;
use e2e::watching::{EARLY_SNAPSHOTS, GRACE, java_line, rootbound, start_run};
use std::time::Duration;

fn run(scratch: &Scratch, options: &[&str], jvm_arguments: &[&str]) -> Ended {
    let arguments: Vec<String> = jvm_arguments.iter().map(ToString::to_string).collect();
    start_run(scratch, options, &java::exits(), &arguments).wait(Duration::from_secs(60) + GRACE)
}

#[test]
fn output_and_exit_code_pass_through() {
    let _slot = slots::take();
    let ended = run(&Scratch::new(), &[], &["-Drun.seconds=3", "-Dexit.code=7"]);
    assert_eq!(ended.code(), Some(7), "{}", ended.stderr);
    // On a busy machine the third second may pass before its line.
    for line in ["second 0\n", "second 1\n", "the last line\n"] {
        assert!(ended.stdout.contains(line), "{line:?} is not in {}", ended.stdout);
    }
}

#[test]
fn a_program_that_succeeds_makes_run_succeed() {
    let _slot = slots::take();
    let ended = run(&Scratch::new(), &[], &["-Drun.seconds=2", "-Dexit.code=0"]);
    assert_eq!(ended.code(), Some(0), "{}", ended.stderr);
}

#[test]
fn a_grower_fails_a_run_that_was_asked_to_fail_on_growers() {
    let _slot = slots::take();
    let options: Vec<&str> = EARLY_SNAPSHOTS.into_iter().chain(["--for", "30s", "--fail-on", "grower"]).collect();
    let ended = run(&Scratch::new(), &options, &["-Drun.seconds=90"]);
    assert_eq!(ended.code(), Some(3), "{}\n{}", ended.stdout, ended.stderr);
}

#[test]
fn when_its_time_is_up_run_ends_the_program_and_succeeds() {
    let _slot = slots::take();
    let scratch = Scratch::new();
    let ended = run(&scratch, &["--for", "5s"], &["-Drun.seconds=90"]);
    assert_eq!(ended.code(), Some(0), "{}", ended.stderr);
    assert!(scratch.processes("java").is_empty(), "the JVM was left running");
    assert!(scratch.sockets().is_empty(), "left behind: {:?}", scratch.sockets());
}

#[test]
fn a_program_may_be_left_running() {
    let _slot = slots::take();
    let scratch = Scratch::new();
    let ended = run(&scratch, &["--for", "5s", "--leave-running"], &["-Drun.seconds=60"]);
    assert_eq!(ended.code(), Some(0), "{}", ended.stderr);
    assert_eq!(scratch.processes("java").len(), 1, "the JVM should have been left running");
}

#[test]
fn a_start_script_gets_the_agent_through_the_environment() {
    let _slot = slots::take();
    let scratch = Scratch::new();
    let line = java_line(&java::exits(), &["-Drun.seconds=6".to_owned()], &scratch);
    let quoted: Vec<String> = line.iter().map(|word| format!("'{}'", word.to_str().unwrap())).collect();
    // A second command keeps the shell from replacing itself by the JVM.
    let script = format!("{}; exit $?", quoted.join(" "));
    let mut command = rootbound(["run", "--json"]);
    command.arg(scratch.file("report.json")).args(["--", "sh", "-c", &script]);
    let ended = scratch.spawn("run", command).wait(Duration::from_secs(6) + GRACE);
    assert_eq!(ended.code(), Some(7), "{}\n{}", ended.stdout, ended.stderr);
    let jvm = Report::read(&scratch.file("report.json")).jvm.expect("the agent must have come up in the JVM");
    assert!(jvm.vm.is_some_and(|vm| vm.contains("VM")), "{}", ended.stderr);
}
