//! Runs `rootbound` over a Java program like a user.

use crate::java::Program;
use crate::process::{Ended, Running, Scratch};
use crate::report::Report;
use crate::{jni_check, places};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// Time that anything may take beyond its given time, on a busy machine.
pub const GRACE: Duration = Duration::from_secs(45);

/// Times at which the tests mark and capture: structures are judged by their course from 25 s on.
pub const SNAPSHOT_TIMES: [&str; 4] = ["--mark-after", "10s", "--capture-after", "15s"];

/// The same for tests of long tracking: nearly a minute of 70 seconds is left for that.
pub const LONG_TRACKING: [&str; 4] = ["--mark-after", "8s", "--capture-after", "7s"];

/// The same for tests that only need one complete cycle.
pub const EARLY_SNAPSHOTS: [&str; 4] = ["--mark-after", "2s", "--capture-after", "2s"];

/// One `rootbound run` that has ended.
pub struct Run {
    /// Its exit status, and its output.
    pub ended: Ended,
    /// Its report.
    pub report: Report,
    /// Its recording.
    pub recording: PathBuf,
    /// Complaints of the JVM about the agent's JNI calls.
    pub jni_complaints: Vec<String>,
}

/// A `rootbound` command with `arguments`; on a build server it annotates nothing by itself.
pub fn rootbound<A: Into<OsString>>(arguments: impl IntoIterator<Item = A>) -> Command {
    let mut command = Command::new(places::rootbound());
    command.args(arguments.into_iter().map(Into::into)).env_remove("GITHUB_ACTIONS");
    command
}

/// The command line of `program`'s JVM, checked and with a small heap; it names the scratch folder, see [`Scratch`].
pub fn java_line(program: &Program, jvm_arguments: &[String], scratch: &Scratch) -> Vec<OsString> {
    let mut line: Vec<OsString> = vec![program.launcher.clone().into(), "-Xcheck:jni".into(), "-Xmx256m".into()];
    line.push(format!("-De2e.scratch={}", scratch.folder().display()).into());
    line.extend(jvm_arguments.iter().map(OsString::from));
    line.extend(["-cp".into(), program.classes.clone().into_os_string(), program.main.clone().into()]);
    line
}

/// A JVM with the agent on its command line; `options` are the agent's.
pub fn java_with_agent(program: &Program, options: &str, jvm_arguments: &[String], scratch: &Scratch) -> Command {
    let mut arguments = jvm_arguments.to_vec();
    arguments.push(format!("-agentpath:{}={options}", places::agent_for(options).display()));
    let line = java_line(program, &arguments, scratch);
    let mut command = Command::new(&line[0]);
    command.args(&line[1..]);
    command
}

/// Starts `rootbound run OPTIONS --json … --record … -- java …`.
pub fn start_run(scratch: &Scratch, options: &[&str], program: &Program, jvm_arguments: &[String]) -> Running {
    let mut command = rootbound(["run"]);
    command.args(options).arg("--json").arg(scratch.file("report.json"));
    command.arg("--record").arg(scratch.file("recording.rb")).arg("--");
    command.args(java_line(program, jvm_arguments, scratch));
    scratch.spawn("run", command)
}

/// Runs `program` under `rootbound run` for `seconds`, with these options, and reads the result.
pub fn run_for(scratch: &Scratch, seconds: u64, options: &[&str], program: &Program, jvm_arguments: &[String]) -> Run {
    let limit = format!("{seconds}s");
    let options: Vec<&str> = ["--for", &limit].into_iter().chain(options.iter().copied()).collect();
    let ended = start_run(scratch, &options, program, jvm_arguments).wait(Duration::from_secs(seconds) + GRACE);
    let report_file = scratch.file("report.json");
    assert!(report_file.is_file(), "no report was written\n{}\n{}", ended.stdout, ended.stderr);
    let jni_complaints =
        [&ended.stdout, &ended.stderr].into_iter().flat_map(|text| jni_check::complaints(text)).collect();
    Run { report: Report::read(&report_file), recording: scratch.file("recording.rb"), jni_complaints, ended }
}

/// Starts a JVM without the agent; words before its command line come first.
pub fn start_java(scratch: &Scratch, before: &[&str], program: &Program, jvm_arguments: &[String]) -> Running {
    let line: Vec<OsString> =
        before.iter().map(OsString::from).chain(java_line(program, jvm_arguments, scratch)).collect();
    let mut command = Command::new(&line[0]);
    command.args(&line[1..]);
    scratch.spawn("java", command)
}

/// The same as [`run_for`] with `rootbound attach`, on a JVM that has run for four seconds. It is ended afterwards.
pub fn attach_for(
    scratch: &Scratch,
    seconds: u64,
    options: &[&str],
    program: &Program,
    jvm_arguments: &[String],
) -> Run {
    let mut java = start_java(scratch, &[], program, jvm_arguments);
    std::thread::sleep(Duration::from_secs(4));
    let report_file = scratch.file("report.json");
    let mut command = rootbound(["attach", &java.pid().as_raw_nonzero().to_string(), "--plain"]);
    command.args(["--for", &format!("{seconds}s")]).args(options).arg("--json").arg(&report_file);
    let ended = scratch.spawn("attach", command).wait(Duration::from_secs(seconds) + GRACE);
    assert!(report_file.is_file(), "no report was written\n{}\n{}", ended.stdout, ended.stderr);
    assert!(scratch.processes("java").contains(&java.pid()), "the JVM ended: {}\n{}", java.stdout(), java.stderr());
    java.kill();
    let jni_complaints = [java.stdout(), java.stderr()].iter().flat_map(|text| jni_check::complaints(text)).collect();
    Run { report: Report::read(&report_file), recording: scratch.file("recording.rb"), jni_complaints, ended }
}
