//! `rootbound attach` and `rootbound ps` on real JVMs: the same finding as with the agent on the command line, again
//! and again, across users and namespaces; and a refusal with its reason before anything is touched.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use e2e::expect::Expectation;
use e2e::java::Program;
use e2e::jni_check::complaints;
use e2e::jvms::{self, Jvm};
use e2e::measure::machine::resident_bytes;
use e2e::process::{Ended, Running, Scratch, wait_for};
use e2e::report::Report;
use e2e::slots::{self, Slots};
use e2e::watching::{GRACE, rootbound, run_for, start_java};
use e2e::{java, places};
use rustix::process::Signal;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

const APP: &str = "leaking/hashleak";
const WATCHED_SECONDS: u64 = 25;
const SNAPSHOTS: [&str; 4] = ["--mark-after", "3s", "--capture-after", "5s"];
/// Rates mean nothing in a JVM that waits for a processor.
static SLOTS: Slots = Slots::new(3);
/// Age at which a JVM may be attached to.
const GROWN: Duration = Duration::from_secs(10);

fn leaking() -> Program {
    Expectation::of_app(APP).program(APP)
}

/// Starts a JVM without the agent; words before its command line come first.
fn start(scratch: &Scratch, before: &[&str], program: &Program, arguments: &[&str]) -> Running {
    let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
    start_java(scratch, before, program, &arguments)
}

/// The process id of the JVM itself, which other words may have started.
fn jvm_of(scratch: &Scratch) -> String {
    let pid = scratch.wait_for_process("java", Duration::from_secs(20));
    pid.as_raw_nonzero().get().to_string()
}

fn attach(scratch: &Scratch, name: &str, target: &str, options: &[&str]) -> Running {
    let mut command = rootbound(["attach", target, "--plain"]);
    command.args(SNAPSHOTS).args(options).arg("--json").arg(scratch.file(&format!("{name}.json")));
    scratch.spawn(name, command)
}

fn watched(scratch: &Scratch, name: &str, target: &str) -> (Ended, Report) {
    let limit = format!("{WATCHED_SECONDS}s");
    let limit_of_all = Duration::from_secs(WATCHED_SECONDS) + GROWN + GRACE;
    let ended = attach(scratch, name, target, &["--for", &limit]).wait(limit_of_all);
    let file = scratch.file(&format!("{name}.json"));
    assert!(file.is_file(), "no report: {}\n{}", ended.stdout, ended.stderr);
    (ended, Report::read(&file))
}

/// What the first line on standard error says when nothing is attached.
fn refusal(scratch: &Scratch, target: &str) -> String {
    let ended = attach(scratch, "refused", target, &[]).wait(Duration::from_secs(40));
    assert_eq!(ended.code(), Some(1), "{}\n{}", ended.stdout, ended.stderr);
    ended.stderr
}

fn first(report: &Report) -> (Option<String>, Option<String>, Option<bool>) {
    let first = report.regions.first().cloned().unwrap_or_default();
    let leaking = report.verdict.as_ref().and_then(|verdict| verdict.leaking);
    (first.owner_proxy.path, first.fingerprint, leaking)
}

fn left_behind() -> Vec<String> {
    let files = fs::read_dir("/tmp").unwrap().flatten().map(|file| file.file_name().to_string_lossy().into_owned());
    files.filter(|name| name.starts_with(".attach_pid")).collect()
}

fn threads(pid: &str) -> Vec<String> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).unwrap().flatten();
    let name = |task: fs::DirEntry| fs::read_to_string(task.path().join("comm")).unwrap_or_default();
    tasks.map(name).filter(|name| name.starts_with("rootbound")).collect()
}

fn finds_the_same_as_at_the_start(jvm: &Jvm) {
    let _slot = SLOTS.take();
    let program = leaking().in_jvm(jvm);
    let at_start = Scratch::new();
    let run = run_for(&at_start, WATCHED_SECONDS, &SNAPSHOTS, &program, &[]);
    let scratch = Scratch::new();
    let java = start(&scratch, &[], &program, &[]);
    let (ended, report) = watched(&scratch, "attached", &jvm_of(&scratch));
    assert_eq!(ended.code(), Some(0), "{}", ended.stderr);
    assert_eq!(first(&report), first(&run.report), "{}\n{}", ended.stdout, ended.stderr);
    assert_eq!(first(&report).2, Some(true));
    assert_eq!(Expectation::of_app(APP).mismatches(&report), Vec::<String>::new());
    assert_eq!(ended.stderr.contains("JEP 451"), jvm.version >= 21, "{}", ended.stderr);
    assert_eq!(report.tags_standing, Some(0));
    let complained = [java.stdout(), java.stderr()].iter().flat_map(|text| complaints(text)).collect::<Vec<_>>();
    assert_eq!(complained, Vec::<String>::new());
    java.signal(Signal::KILL);
}

fn finds_the_same_on(release: u32) {
    match jvms::of_version(release) {
        Some(jvm) => finds_the_same_as_at_the_start(&jvm),
        None => println!("skipped: no JVM of release {release}; scripts/jdks fetches one"),
    }
}

#[test]
fn a_late_agent_finds_on_11_what_an_early_one_does() {
    finds_the_same_on(11);
}

#[test]
fn a_late_agent_finds_on_17_what_an_early_one_does() {
    finds_the_same_on(17);
}

#[test]
fn a_late_agent_finds_on_21_what_an_early_one_does() {
    finds_the_same_on(21);
}

#[test]
fn a_late_agent_finds_on_25_what_an_early_one_does() {
    finds_the_same_on(25);
}

#[test]
fn a_jvm_is_attached_to_again_and_by_one_analyzer_at_a_time() {
    let _slot = slots::take();
    let scratch = Scratch::new();
    let java = start(&scratch, &[], &leaking(), &[]);
    let pid = jvm_of(&scratch);
    let first_one = attach(&scratch, "first", &pid, &[]);
    let watches = wait_for(GROWN + GRACE, || first_one.stderr().contains("TOO EARLY").then_some(()));
    assert!(watches.is_some(), "{}", first_one.stderr());
    let holder = first_one.pid().as_raw_nonzero().get();
    let refused = refusal(&scratch, &pid);
    assert!(refused.contains(&format!("an analyzer watches this JVM already: process {holder}")), "{refused}");
    first_one.signal(Signal::INT);
    assert_eq!(first_one.wait(GRACE).code(), Some(0));
    for round in 0..3 {
        let name = format!("round {round}");
        let ended = attach(&scratch, &name, &pid, &["--for", "4s"]).wait(GRACE);
        assert_eq!(ended.code(), Some(0), "{}", ended.stderr);
    }
    let gone = wait_for(Duration::from_secs(5), || threads(&pid).is_empty().then_some(()));
    assert!(gone.is_some(), "{:?}", threads(&pid));
    assert!(!left_behind().contains(&format!(".attach_pid{pid}")));
    let (_, report) = watched(&scratch, "last", &pid);
    assert_eq!(first(&report).2, Some(true));
    java.signal(Signal::KILL);
}

/// The folder that an attached analyzer has made, which it holds open.
fn folder_of(analyzer: &Running) -> PathBuf {
    let handles = fs::read_dir(format!("/proc/{}/fd", analyzer.pid().as_raw_nonzero())).unwrap().flatten();
    let links = handles.filter_map(|handle| fs::read_link(handle.path()).ok());
    let is_ours =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(".rootbound-"));
    links.filter(|path| path.is_dir()).find(is_ours).expect("an attached analyzer has a folder")
}

#[test]
#[ignore = "takes two minutes; prints the figures of docs/attaching.md"]
fn rounds_of_attaching_leave_no_memory_behind() {
    const COLLECTS: &str = "healthy/churn";
    const ROUNDS: usize = 12;
    const KNOWN_AFTER: usize = 4;
    const MOST_BYTES: u64 = 6 << 20;
    let _slot = slots::take();
    let scratch = Scratch::new();
    let heap = "JAVA_TOOL_OPTIONS=-Xms24m -Xmx24m -XX:+AlwaysPreTouch";
    // It collects garbage: the JVM frees the tables of an agent that has left with the next collection.
    let java = start(&scratch, &["env", heap], &Expectation::of_app(COLLECTS).program(COLLECTS), &[]);
    let pid = jvm_of(&scratch);
    let mut resident = Vec::new();
    for round in 0..ROUNDS {
        let ended = attach(&scratch, &format!("round {round}"), &pid, &["--for", "8s"]).wait(GROWN + GRACE);
        assert_eq!(ended.code(), Some(0), "{}", ended.stderr);
        let gone = wait_for(Duration::from_secs(5), || threads(&pid).is_empty().then_some(()));
        assert!(gone.is_some(), "{:?}", threads(&pid));
        resident.push(resident_bytes(pid.parse().unwrap()).unwrap());
        println!("round {round}: {} MB resident", resident[round] >> 20);
    }
    let (known, last) = (resident[KNOWN_AFTER], resident[ROUNDS - 1]);
    assert!(last <= known + MOST_BYTES, "{known} bytes after round {KNOWN_AFTER}, {last} in the end");
    java.signal(Signal::KILL);
}

#[test]
fn an_agent_whose_analyzer_was_killed_takes_the_next_one_which_removes_the_folder_left_behind() {
    let _slot = slots::take();
    let scratch = Scratch::new();
    let java = start(&scratch, &[], &leaking(), &[]);
    let pid = jvm_of(&scratch);
    let doomed = attach(&scratch, "doomed", &pid, &[]);
    let watches = wait_for(GROWN + GRACE, || doomed.stderr().contains("TOO EARLY").then_some(()));
    assert!(watches.is_some(), "{}", doomed.stderr());
    let folder = folder_of(&doomed);
    let listed = || scratch.spawn("ps", rootbound(["ps"])).wait(GRACE);
    assert!(listed().code() == Some(0) && folder.is_dir(), "a folder in use stays");
    doomed.signal(Signal::KILL);
    doomed.wait(GRACE);
    assert!(folder.is_dir(), "who is killed cleans up nothing");
    let (ended, report) = watched(&scratch, "next", &pid);
    assert!(!folder.exists(), "{}", folder.display());
    assert_eq!((ended.code(), first(&report).2), (Some(0), Some(true)), "{}", ended.stderr);
    java.signal(Signal::KILL);
}

#[test]
fn a_jvm_that_would_end_by_the_signal_is_left_alone() {
    let _slot = slots::take();
    let scratch = Scratch::new();
    let java = start(&scratch, &[], &java::exits(), &["-Xrs", "-Drun.seconds=60"]);
    let pid = jvm_of(&scratch);
    let said = refusal(&scratch, &pid);
    assert!(said.contains("does not catch SIGQUIT") && said.contains("-agentpath"), "{said}");
    assert!(Path::new(&format!("/proc/{pid}")).exists());
    java.signal(Signal::KILL);
}

#[test]
fn flags_that_forbid_it_are_named() {
    let _slot = slots::take();
    for flag in ["-XX:+DisableAttachMechanism", "-XX:-EnableDynamicAgentLoading"] {
        let scratch = Scratch::new();
        let java = start(&scratch, &[], &java::exits(), &[flag, "-Drun.seconds=60"]);
        let said = refusal(&scratch, &jvm_of(&scratch));
        assert!(said.contains(flag) && said.contains("-agentpath"), "{said}");
        java.signal(Signal::KILL);
    }
}

#[test]
fn a_stopped_jvm_is_named_as_such() {
    let _slot = slots::take();
    let scratch = Scratch::new();
    let java = start(&scratch, &[], &java::exits(), &["-Drun.seconds=60"]);
    let pid = jvm_of(&scratch);
    std::thread::sleep(Duration::from_secs(2));
    java.signal(Signal::STOP);
    let said = refusal(&scratch, &pid);
    assert!(said.contains("is stopped") && said.contains("kill -CONT"), "{said}");
    java.signal(Signal::KILL);
}

#[test]
fn what_is_no_jvm_is_refused() {
    let scratch = Scratch::new();
    let own = std::process::id().to_string();
    assert!(refusal(&scratch, &own).contains("is no JVM"));
    assert!(refusal(&scratch, "4194304").contains("there is no process"));
    assert!(refusal(&scratch, "no.such.Main").contains("no JVM has the main class"));
}

#[test]
fn all_jvms_are_listed_and_a_missing_name_is_answered_with_them() {
    let _slot = slots::take();
    let scratch = Scratch::new();
    let java = start(&scratch, &[], &java::exits(), &["-Xrs", "-Drun.seconds=60"]);
    let pid = jvm_of(&scratch);
    // It must have mapped its machine.
    std::thread::sleep(Duration::from_secs(2));
    let listed = scratch.spawn("ps", rootbound(["ps", "--json"])).wait(Duration::from_secs(20));
    let jvms: serde_json::Value = serde_json::from_str(&listed.stdout).unwrap();
    let ours = jvms
        .as_array()
        .unwrap()
        .iter()
        .find(|jvm| jvm["pid"].as_u64().is_some_and(|found| found.to_string() == pid))
        .unwrap();
    assert_eq!(ours["main"], "Exits");
    assert!(ours["obstacle"].as_str().unwrap().contains("SIGQUIT"), "{ours}");
    let unnamed = scratch.spawn("unnamed", rootbound(["attach"])).wait(Duration::from_secs(20));
    assert!(unnamed.stderr.contains("name a JVM") && unnamed.stderr.contains("Exits"), "{}", unnamed.stderr);
    java.signal(Signal::KILL);
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Whether words before a command work here: namespaces and other users need rights that a container may lack.
fn works(before: &[&str]) -> bool {
    let run = Command::new(before[0]).args(&before[1..]).arg("true").output();
    is_root() && run.is_ok_and(|output| output.status.success())
}

#[test]
fn root_watches_another_users_jvm_and_that_user_does_not_watch_roots() {
    const NOBODY: [&str; 5] = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"];
    if !works(&NOBODY) {
        return println!("skipped: only root can become another user");
    }
    let _slot = slots::take();
    let scratch = Scratch::new();
    let java = start(&scratch, &[], &java::exits(), &["-Drun.seconds=90"]);
    let mut command = Command::new(NOBODY[0]);
    command.args(&NOBODY[1..]).arg(places::rootbound()).args(["attach", &jvm_of(&scratch)]);
    let refused = scratch.spawn("nobody", command).wait(Duration::from_secs(20));
    // A path that nobody may pass through says so itself.
    if !refused.stderr.contains("setpriv") {
        assert!(refused.stderr.contains("belongs to user root"), "{}", refused.stderr);
    }
    java.signal(Signal::KILL);
    drop(java);
    let scratch = Scratch::new();
    let folder = world_readable();
    let classes = folder.path().to_owned();
    let java = start(&scratch, &NOBODY, &Program { classes, ..leaking() }, &[]);
    let (ended, report) = watched(&scratch, "foreign", &jvm_of(&scratch));
    assert_eq!((ended.code(), first(&report).2), (Some(0), Some(true)), "{}", ended.stderr);
    java.signal(Signal::KILL);
}

/// The classes of the leaking app where everybody can read them. A scratch folder is readable by its owner alone.
fn world_readable() -> TempDir {
    let folder = tempfile::tempdir_in("/tmp").expect("everybody can write there");
    let copied = Command::new("cp").arg("-r").arg(leaking().classes.join(".")).arg(folder.path()).status();
    assert!(copied.is_ok_and(|status| status.success()), "{}", folder.path().display());
    let opened = Command::new("chmod").args(["-R", "a+rX"]).arg(folder.path()).status();
    assert!(opened.is_ok_and(|status| status.success()));
    folder
}

fn is_watched_behind(mount: &str, options: &[&str]) {
    // As a container: its own processes are all that it sees.
    let script = format!("mount -t proc proc /proc; {mount}; exec \"$@\"");
    let before = ["unshare", "--pid", "--mount", "--net", "--fork", "sh", "-c", &script, "sh"];
    if !works(&before) {
        return println!("skipped: no namespaces can be made here");
    }
    let _slot = slots::take();
    let scratch = Scratch::new();
    let java = start(&scratch, &before, &leaking(), &[]);
    let pid = jvm_of(&scratch);
    let limit = format!("{WATCHED_SECONDS}s");
    let options: Vec<&str> = ["--for", &limit].into_iter().chain(options.iter().copied()).collect();
    let ended = attach(&scratch, "inside", &pid, &options).wait(Duration::from_secs(WATCHED_SECONDS) + GROWN + GRACE);
    assert_eq!(ended.code(), Some(0), "{}", ended.stderr);
    assert_eq!(first(&Report::read(&scratch.file("inside.json"))).2, Some(true), "{}", ended.stderr);
    java.signal(Signal::KILL);
    // The process that the namespace belongs to takes all others along.
    Command::new("kill").args(["-KILL", &pid]).status().ok();
}

#[test]
fn a_jvm_in_namespaces_of_its_own_is_watched() {
    is_watched_behind("mount -t tmpfs tmpfs /tmp", &[]);
}

#[test]
fn where_nothing_may_be_executed_in_tmp_another_folder_takes_the_agent() {
    is_watched_behind("mount -t tmpfs -o noexec tmpfs /tmp", &[]);
}
