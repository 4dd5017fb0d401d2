//! One `rootbound watch` serves several JVMs at the same time: each has its own report and recording, whatever happens
//! to the others. And `rootbound run` distinguishes the JVM that matters from those that only started it.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use e2e::java::{self, Program};
use e2e::places;
use e2e::process::{Ended, Running, Scratch, wait_for};
use e2e::report::Report;
use e2e::slots::Slots;
use e2e::watching::{EARLY_SNAPSHOTS, GRACE, java_line, java_with_agent, rootbound};
use rustix::process::Signal;
use std::io::Write;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::Duration;

/// Each test here runs several JVMs: one test at a time.
static ONE: Slots = Slots::new(1);

fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

fn healthy() -> Program {
    let source = places::workspace().join("java-test-apps/healthy/churn/Main.java");
    Program::compiled("churn", &source, "churn.Main")
}

fn start_watch(scratch: &Scratch, options: &[&str]) -> Running {
    let mut command = rootbound(["watch", "--listen"]);
    command.arg(socket(scratch)).args(EARLY_SNAPSHOTS).args(options);
    let watch = scratch.spawn("watch", command);
    let listening = wait_for(seconds(10), || scratch.file("analyzer.sock").exists().then_some(()));
    assert!(listening.is_some(), "watch does not listen: {}", watch.stderr());
    watch
}

fn socket(scratch: &Scratch) -> String {
    format!("unix:{}", scratch.file("analyzer.sock").display())
}

fn start_jvm(scratch: &Scratch, name: &str, program: &Program, lasts: u32) -> Running {
    let arguments = [format!("-Drun.seconds={lasts}")];
    scratch.spawn(name, java_with_agent(program, &format!("connect={}", socket(scratch)), &arguments, scratch))
}

fn pid(jvm: &Running) -> u32 {
    u32::try_from(jvm.pid().as_raw_nonzero().get()).unwrap()
}

/// Waits until `watch` has printed a line about this JVM.
fn wait_until_watched(watch: &Running, jvm: &Running) {
    let title = format!("process {} ", pid(jvm));
    let known = wait_for(seconds(60), || watch.stderr().contains(&title).then_some(()));
    assert!(known.is_some(), "{title}was never shown: {}\n{}", watch.stdout(), watch.stderr());
}

/// All reports that a pattern with `{pid}` has led to, by process id.
fn report_of(scratch: &Scratch, jvm: u32) -> Report {
    Report::read(&scratch.file(&format!("{jvm}.json")))
}

fn replay(scratch: &Scratch, recording: &PathBuf) -> (Ended, Report) {
    let replayed = scratch.file("replayed.json");
    let mut command = rootbound(["replay"]);
    command.arg(recording).arg("--json").arg(&replayed);
    (scratch.spawn("replay", command).wait(seconds(60)), Report::read(&replayed))
}

#[test]
fn three_jvms_have_three_reports_though_one_dies_and_a_stranger_talks_nonsense() {
    let _alone = ONE.take();
    let scratch = Scratch::new();
    let (json, record) = (scratch.file("{pid}.json"), scratch.file("{pid}.rb"));
    let files = ["--json", json.to_str().unwrap(), "--record", record.to_str().unwrap()];
    let options: Vec<&str> = files.into_iter().chain(["--for", "40s", "--fail-on", "grower"]).collect();
    let watch = start_watch(&scratch, &options);
    let leaking = start_jvm(&scratch, "leaking", &java::exits(), 150);
    wait_until_watched(&watch, &leaking);
    let doomed = start_jvm(&scratch, "doomed", &healthy(), 150);
    let sound = start_jvm(&scratch, "sound", &healthy(), 150);
    wait_until_watched(&watch, &doomed);
    wait_until_watched(&watch, &sound);
    let mut stranger = UnixStream::connect(scratch.file("analyzer.sock")).unwrap();
    stranger.write_all(&b"GET / HTTP/1.1\r\nHost: nobody\r\n\r\n".repeat(500)).ok();
    std::thread::sleep(seconds(8));
    doomed.signal(Signal::KILL);
    let pids = [&leaking, &doomed, &sound].map(pid);
    let ended = watch.wait(seconds(40) + GRACE + GRACE);
    assert_eq!(ended.code(), Some(3), "a grower in any report counts: {}\n{}", ended.stdout, ended.stderr);

    let [leaks, dies, holds] = pids.map(|pid| report_of(&scratch, pid));
    for (report, pid) in [(&leaks, pids[0]), (&dies, pids[1]), (&holds, pids[2])] {
        assert_eq!(report.jvm.as_ref().and_then(|jvm| jvm.pid), Some(pid));
        assert!(ended.stdout.contains(&format!("━━ process {pid} ")), "a table without its JVM: {}", ended.stdout);
    }
    assert_eq!(leaks.verdict.as_ref().and_then(|verdict| verdict.leaking), Some(true), "{}", ended.stdout);
    assert!(leaks.regions.iter().any(|region| region.grows() && region.owner_proxy.path.is_some()));
    assert_eq!(holds.verdict.as_ref().and_then(|verdict| verdict.leaking), Some(false), "{}", ended.stdout);
    assert_ne!(dies.verdict.as_ref().and_then(|verdict| verdict.leaking), Some(true), "{}", ended.stdout);
    assert!(ended.stdout.contains("3 JVMs in all"), "{}", ended.stdout);

    // Each recording is that JVM's alone.
    let (replayed, report) = replay(&scratch, &scratch.file(&format!("{}.rb", pids[0])));
    assert_eq!(replayed.code(), Some(0), "{}", replayed.stderr);
    assert_eq!(report.jvm.and_then(|jvm| jvm.pid), Some(pids[0]));
    let rows = |report: &Report| report.regions.iter().map(e2e::report::Region::row).collect::<Vec<_>>();
    assert_eq!(rows(&report_of(&scratch, pids[0])), rows(&Report::read(&scratch.file("replayed.json"))));
}

#[test]
fn a_jvm_beyond_the_limit_is_refused_on_both_sides_and_runs_on() {
    let _alone = ONE.take();
    let scratch = Scratch::new();
    let watch = start_watch(&scratch, &["--max-jvms", "1"]);
    let first = start_jvm(&scratch, "first", &java::exits(), 20);
    wait_until_watched(&watch, &first);
    let second = start_jvm(&scratch, "second", &java::exits(), 6);
    let refused = second.wait(seconds(6) + GRACE);
    assert_eq!(refused.code(), Some(7), "{}", refused.stderr);
    assert!(refused.stderr.contains("--max-jvms"), "the refused side is not informed: {}", refused.stderr);
    let ended = watch.wait(seconds(20) + GRACE);
    assert_eq!(ended.code(), Some(0), "{}", ended.stderr);
    assert!(ended.stderr.contains("sent away") && ended.stderr.contains("--max-jvms"), "{}", ended.stderr);
    drop(first);
}

#[test]
fn ctrl_c_gives_the_reports_of_all_jvms() {
    let _alone = ONE.take();
    let scratch = Scratch::new();
    let json = scratch.file("report.json");
    let watch = start_watch(&scratch, &["--json", json.to_str().unwrap()]);
    let first = start_jvm(&scratch, "first", &java::exits(), 90);
    wait_until_watched(&watch, &first);
    let second = start_jvm(&scratch, "second", &java::exits(), 90);
    wait_until_watched(&watch, &second);
    watch.signal(Signal::INT);
    let ended = watch.wait(GRACE);
    assert_eq!(ended.code(), Some(0), "{}\n{}", ended.stdout, ended.stderr);
    let of = |file: &str| Report::read(&scratch.file(file)).jvm.and_then(|jvm| jvm.pid);
    assert_eq!(of("report.json"), Some(pid(&first)), "the first JVM gets the file as it was asked for");
    assert_eq!(of(&format!("report.{}.json", pid(&second))), Some(pid(&second)));
}

#[test]
fn a_restarted_jvm_is_watched_again_where_watch_keeps_listening() {
    let _alone = ONE.take();
    let scratch = Scratch::new();
    let watch = start_watch(&scratch, &["--keep-listening"]);
    for name in ["first", "second"] {
        let jvm = start_jvm(&scratch, name, &java::exits(), 4);
        wait_until_watched(&watch, &jvm);
        assert_eq!(jvm.wait(seconds(4) + GRACE).code(), Some(7));
    }
    watch.signal(Signal::INT);
    let ended = watch.wait(GRACE);
    assert_eq!(ended.code(), Some(0), "{}", ended.stderr);
    assert!(ended.stdout.contains("2 JVMs in all"), "{}", ended.stdout);
}

/// A build tool: a JVM that runs as long as the program that it starts, and that calls `java -version` before.
#[test]
fn a_jvm_that_only_starts_the_program_does_not_stand_in_its_light() {
    let _alone = ONE.take();
    let scratch = Scratch::new();
    let line = java_line(&java::exits(), &["-Drun.seconds=30".to_owned()], &scratch);
    let quoted: Vec<String> = line.iter().map(|word| format!("'{}'", word.to_str().unwrap())).collect();
    let tool = java_line(&healthy(), &["-Drun.seconds=3".to_owned()], &scratch);
    let tool: Vec<String> = tool.iter().map(|word| format!("'{}'", word.to_str().unwrap())).collect();
    let script = format!("{} & {}; wait", tool.join(" "), quoted.join(" "));
    let mut command = rootbound(["run", "--json"]);
    command.arg(scratch.file("report.json")).arg("--record").arg(scratch.file("run.rb"));
    command.args(EARLY_SNAPSHOTS).args(["--", "sh", "-c", &script]);
    let ended = scratch.spawn("run", command).wait(seconds(30) + GRACE);
    let report = Report::read(&scratch.file("report.json"));
    let main = report.jvm.clone().and_then(|jvm| jvm.main);
    assert_eq!(main.as_deref(), Some("Exits"), "{}\n{}", ended.stdout, ended.stderr);
    assert!(report.regions.iter().any(e2e::report::Region::grows), "{}", ended.stdout);
    let (_, replayed) = replay(&scratch, &scratch.file("run.rb"));
    assert_eq!(replayed.jvm.and_then(|jvm| jvm.main).as_deref(), Some("Exits"));
}
