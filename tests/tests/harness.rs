//! The harness itself, without rootbound: a program is compiled and runs to its exit code, and no process outlives a
//! test.

use e2e::java;
use e2e::process::{Scratch, wait_for};
use e2e::watching::java_line;
use std::process::Command;
use std::time::Duration;

fn plain_jvm(scratch: &Scratch, seconds: u32) -> Command {
    let line = java_line(&java::exits(), &[format!("-Drun.seconds={seconds}")], scratch);
    let mut command = Command::new(&line[0]);
    command.args(&line[1..]);
    command
}

#[test]
fn the_program_of_the_fault_tests_ends_as_they_expect() {
    let scratch = Scratch::new();
    let ended = scratch.spawn("jvm", plain_jvm(&scratch, 2)).wait(Duration::from_secs(20));
    assert_eq!(ended.code(), Some(7), "{}", ended.stderr);
    assert!(ended.stdout.starts_with("second 0\n") && ended.stdout.ends_with("the last line\n"), "{}", ended.stdout);
    assert!(scratch.processes("java").is_empty());
}

#[test]
fn a_jvm_whose_parent_is_gone_is_found_and_ended() {
    let scratch = Scratch::new();
    let line = java_line(&java::exits(), &["-Drun.seconds=60".to_owned()], &scratch);
    let quoted: Vec<String> = line.iter().map(|word| format!("'{}'", word.to_string_lossy())).collect();
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{} & exit 0", quoted.join(" "))]);
    scratch.spawn("shell", shell).wait(Duration::from_secs(20));
    let orphan = scratch.wait_for_process("java", Duration::from_secs(20));
    drop(scratch);
    // Its new parent may take its time to reap it; it must not run any more.
    let stat = format!("/proc/{}/stat", orphan.as_raw_nonzero());
    let ended = wait_for(Duration::from_secs(10), || match std::fs::read_to_string(&stat) {
        Ok(text) => text.rsplit(") ").next().is_some_and(|rest| rest.starts_with('Z')).then_some(()),
        Err(_) => Some(()),
    });
    assert!(ended.is_some(), "the orphan still runs");
}
