//! The plain program of the first fault tests, under `watch`: a line each second, and a known end.

use e2e::java;
use e2e::jni_check;
use e2e::process::{Ended, Running, Scratch, wait_for};
use e2e::watching::{EARLY_SNAPSHOTS, java_with_agent, rootbound};
use std::time::Duration;

/// Its exit status.
const EXIT_CODE: i32 = 7;

pub fn lasting(seconds: u32) -> Vec<String> {
    vec![format!("-Drun.seconds={seconds}"), format!("-Dexit.code={EXIT_CODE}")]
}

pub fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

/// Asserts that the program ran to its own end undisturbed.
pub fn is_unharmed(ended: &Ended) {
    assert_eq!(ended.code(), Some(EXIT_CODE), "{}\n{}\n{}", ended.status, ended.stdout, ended.stderr);
    assert!(ended.stdout.contains("second 0\n") && ended.stdout.ends_with("the last line\n"), "{}", ended.stdout);
    let complaints = jni_check::complaints(&format!("{}\n{}", ended.stdout, ended.stderr));
    assert!(complaints.is_empty(), "{complaints:?}");
}

pub fn socket(scratch: &Scratch) -> String {
    format!("unix:{}", scratch.file("analyzer.sock").display())
}

pub fn start_watch(scratch: &Scratch, name: &str) -> Running {
    let mut command = rootbound(["watch", "--listen"]);
    command.arg(socket(scratch)).args(EARLY_SNAPSHOTS).args(["--for", "60s"]);
    command.arg("--json").arg(scratch.file(&format!("{name}.json")));
    let watch = scratch.spawn(name, command);
    let listening = wait_for(seconds(10), || scratch.file("analyzer.sock").exists().then_some(()));
    assert!(listening.is_some(), "watch does not listen: {}", watch.stderr());
    watch
}

pub fn start_jvm(scratch: &Scratch, more_options: &str, lasts: u32) -> Running {
    let options = format!("connect={}{more_options}", socket(scratch));
    scratch.spawn("jvm", java_with_agent(&java::exits(), &options, &lasting(lasts), scratch))
}
