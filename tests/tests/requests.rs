//! Snapshots on request: `rootbound mark` and `rootbound capture` around an operation, and the same two calls from
//! Java.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use e2e::java::Program;
use e2e::jni_check::complaints;
use e2e::jvms::{self, Jvm};
use e2e::places;
use e2e::process::{Ended, Scratch, wait_for};
use e2e::terminal::Terminal;
use e2e::watching::{GRACE, java_line, java_with_agent, rootbound};
use rustix::process::Signal;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;
use std::time::Duration;

/// Later than anything in these tests: no snapshot comes by itself.
const NEVER: [&str; 4] = ["--mark-after", "1h", "--capture-after", "1h"];

/// The program that makes the two calls. It is compiled once: no test reads classes that another one writes.
fn operation() -> Program {
    static COMPILED: LazyLock<Program> = LazyLock::new(compile_operation);
    COMPILED.clone()
}

/// The sources of the two calls and of the program that makes them, in one folder.
fn compile_operation() -> Program {
    let sources = places::target().join("e2e").join("operation-sources");
    let package = sources.join("rootbound/junit");
    fs::create_dir_all(&package).unwrap();
    let workspace = places::workspace();
    for class in ["Snapshots.java", "Home.java"] {
        fs::copy(workspace.join("junit/src/main/java/rootbound/junit").join(class), package.join(class)).unwrap();
    }
    let classes = places::target().join("e2e").join("operation-classes");
    let compiled = Command::new(places::javac())
        .args(["--release", "11", "-sourcepath"])
        .arg(&sources)
        .arg("-d")
        .arg(&classes)
        .arg(workspace.join("tests/java/Operation.java"))
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    Program { launcher: places::java(), classes, main: "Operation".to_owned() }
}

/// A user of their own for each test: the sockets of others are not seen.
fn private(mut command: Command, scratch: &Scratch) -> Command {
    command.env("XDG_RUNTIME_DIR", scratch.folder());
    command
}

fn ask(scratch: &Scratch, name: &str, arguments: &[&str]) -> Ended {
    scratch.spawn(name, private(rootbound(arguments.iter().copied()), scratch)).wait(Duration::from_secs(120))
}

fn snapshots(report: &Path) -> Vec<(String, bool)> {
    let report: Value = serde_json::from_str(&fs::read_to_string(report).unwrap()).unwrap();
    let of = |made: &Value| (made["kind"].as_str().unwrap().to_owned(), made["on_request"].as_bool().unwrap_or(false));
    report["snapshots"].as_array().unwrap().iter().filter(|made| made["failure"].is_null()).map(of).collect()
}

fn owners(report: &Path) -> Vec<(String, String)> {
    let report: Value = serde_json::from_str(&fs::read_to_string(report).unwrap()).unwrap();
    let regions = report["regions"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    regions.map(|region| (text(&region["owner_proxy"]["path"]), text(&region["fingerprint"]))).collect()
}

fn both_on_request() -> Vec<(String, bool)> {
    vec![("mark".to_owned(), true), ("capture".to_owned(), true)]
}

/// One JVM of each release that the library works on, as far as they are here.
fn jvms() -> Vec<Jvm> {
    let found: Vec<Jvm> = [11, 17, 21, 25].into_iter().filter_map(jvms::of_version).collect();
    assert!(!found.is_empty(), "`scripts/setup` installs a JDK");
    found
}

#[test]
fn a_mark_and_a_capture_around_an_operation_find_what_it_leaves_and_replay_alike() {
    let program = operation();
    jvms().iter().for_each(|jvm| marks_and_captures(&program.clone().in_jvm(jvm)));
}

fn marks_and_captures(program: &Program) {
    let scratch = Scratch::new();
    let nobody = ask(&scratch, "nobody", &["mark"]);
    assert_eq!(nobody.code(), Some(1));
    assert!(nobody.stderr.contains("no JVM is watched"), "{}", nobody.stderr);
    let (json, recording) = (scratch.file("report.json"), scratch.file("run.rootbound"));
    let mut watch = rootbound(["watch", "--plain", "--for", "2m"]);
    watch.args(NEVER).arg("--json").arg(&json).arg("--record").arg(&recording);
    let watch = scratch.spawn("watch", private(watch, &scratch));
    let java = scratch.spawn("java", private(java_with_agent(program, "", &[], &scratch), &scratch));
    let is_watched = || ask(&scratch, "early", &["capture"]).stderr.contains("mark first");
    assert!(
        wait_for(Duration::from_secs(40), || is_watched().then_some(())).is_some(),
        "a capture without a mark is refused"
    );
    let marked = ask(&scratch, "mark", &["mark"]);
    assert!(marked.code() == Some(0) && marked.stdout.starts_with("marked "), "{}{}", marked.stdout, marked.stderr);
    let unknown = ask(&scratch, "unknown", &["capture", "1"]);
    assert!(unknown.code() == Some(1) && unknown.stderr.contains("process 1 is not watched"), "{}", unknown.stderr);
    // Several additions, one each 50 ms.
    std::thread::sleep(Duration::from_secs(3));
    let captured = ask(&scratch, "capture", &["capture"]);
    assert!(captured.stdout.starts_with("captured ") && captured.stdout.contains("paused"), "{}", captured.stderr);
    std::thread::sleep(Duration::from_secs(3));
    watch.signal(Signal::INT);
    let ended = watch.wait(GRACE);
    assert_eq!(ended.code(), Some(0), "{}", ended.stderr);
    assert_eq!(snapshots(&json), both_on_request(), "{}", ended.stderr);
    let found = owners(&json);
    assert!(found.iter().any(|(owner, _)| owner.contains("Operation.listeners")), "{found:?}\n{}", ended.stdout);
    assert!(fs::read_dir(scratch.folder().join("rootbound-control")).unwrap().next().is_none(), "no socket is left");
    let replayed = scratch.file("replayed.json");
    let name = |path: &Path| path.display().to_string();
    let replay = ask(&scratch, "replay", &["replay", &name(&recording), "--json", &name(&replayed)]);
    assert_eq!(replay.code(), Some(0), "{}", replay.stderr);
    assert!(!replay.stderr.contains("recording hold no message"), "{}", replay.stderr);
    assert_eq!((snapshots(&replayed), owners(&replayed)), (both_on_request(), found));
    assert_eq!([java.stdout(), java.stderr()].iter().flat_map(|text| complaints(text)).count(), 0);
    java.signal(Signal::KILL);
}

#[test]
fn a_program_marks_and_captures_itself_around_an_operation() {
    let program = operation();
    jvms().iter().for_each(|jvm| marks_and_captures_itself(&program.clone().in_jvm(jvm)));
}

fn marks_and_captures_itself(program: &Program) {
    let scratch = Scratch::new();
    let json = scratch.file("report.json");
    let mut run = rootbound(["run", "--plain", "--for", "30s"]);
    run.args(NEVER).arg("--json").arg(&json).arg("--");
    let home = format!("-Drootbound.home={}", places::rootbound().parent().unwrap().display());
    run.args(java_line(program, &[home], &scratch)).arg("itself");
    let ended = scratch.spawn("run", private(run, &scratch)).wait(Duration::from_secs(30) + GRACE);
    assert_eq!(snapshots(&json), both_on_request(), "{}\n{}", ended.stdout, ended.stderr);
    let said: Vec<&str> = ended.stdout.lines().take(3).collect();
    assert!(said[0].contains("no mark is set"), "{said:?}");
    assert!(said[1].starts_with("marked ") && said[2].starts_with("captured "), "{said:?}");
    let found = owners(&json);
    assert!(found.first().is_some_and(|(owner, _)| owner.contains("Operation.listeners")), "{found:?}");
    assert_eq!(complaints(&(ended.stdout + &ended.stderr)).len(), 0);
}

#[test]
fn keys_of_the_live_table_mark_and_capture() {
    let program = operation();
    jvms().iter().for_each(|jvm| keys_mark_and_capture(&program.clone().in_jvm(jvm)));
}

fn keys_mark_and_capture(program: &Program) {
    let (scratch, terminal) = (Scratch::new(), Terminal::open());
    let json = scratch.file("report.json");
    let mut run = rootbound(["run", "--for", "2m"]);
    run.args(NEVER).arg("--json").arg(&json).arg("--").args(java_line(program, &[], &scratch));
    run.env("TMPDIR", scratch.folder());
    let mut run = terminal.start(&private(run, &scratch));
    let drawn = terminal.watch();
    let is_watched = || ask(&scratch, "early", &["capture"]).stderr.contains("mark first");
    assert!(wait_for(Duration::from_secs(40), || is_watched().then_some(())).is_some(), "it is watched");
    for key in ["m", "c"] {
        terminal.press(key);
        // The table shows the end of a snapshot in cells, which nobody can wait for.
        std::thread::sleep(Duration::from_secs(7));
    }
    terminal.press("q");
    let ended = wait_for(GRACE, || run.try_wait().unwrap());
    if ended.is_none() {
        run.kill().unwrap();
    }
    drop(terminal);
    let drawn = drawn.join().unwrap();
    assert_eq!(ended.and_then(|status| status.code()), Some(0), "{drawn}");
    assert_eq!(snapshots(&json), both_on_request(), "{drawn}");
    let found = owners(&json);
    assert!(found.first().is_some_and(|(owner, _)| owner.contains("Operation.listeners")), "{found:?}");
    assert_eq!(complaints(&drawn).len(), 0, "{drawn}");
}

#[test]
fn a_program_that_nobody_watches_gets_the_reason() {
    let scratch = Scratch::new();
    let home = format!("-Drootbound.home={}", places::rootbound().parent().unwrap().display());
    let line = java_line(&operation(), &[home], &scratch);
    let mut command = Command::new(&line[0]);
    command.args(&line[1..]).arg("itself");
    let java = scratch.spawn("java", private(command, &scratch));
    let says = || java.stdout().contains("no capture: ");
    assert!(wait_for(Duration::from_secs(90), || says().then_some(())).is_some(), "{}{}", java.stdout(), java.stderr());
    assert!(java.stdout().contains("no JVM is watched by this user"), "{}", java.stdout());
    java.signal(Signal::KILL);
}
