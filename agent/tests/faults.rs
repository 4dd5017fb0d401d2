//! Whatever goes wrong in the agent or at the other end of its socket, the program runs on and ends as it would alone.
#![allow(clippy::expect_used)]

use crate::jvm;

use jvm::graph::{capture, install, mark};
use jvm::{Analyzer, Scene, ends_well};
use rootbound_wire::PROTOCOL_VERSION;
use rootbound_wire::frame::{self, HEADER_BYTES};
use rootbound_wire::ids::SnapshotId;
use rootbound_wire::message::{FromAgent, GoodbyeReason, ToAgent};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

const LISTENER_SOCKET: &str = "ROOTBOUND_TEST_SOCKET";

/// Whether a peer connects within this time. It is turned away.
fn connects(listener: &UnixListener, within: Duration) -> bool {
    jvm::calls(listener, within) && listener.accept().is_ok()
}

#[test]
fn the_library_for_people_holds_no_fault() {
    let plants = |library: PathBuf| {
        let bytes = std::fs::read(library).expect("is built");
        let holds = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
        ["planted panic", "test-panic", "test-corrupt", "test-dry"].map(holds)
    };
    assert_eq!(plants(jvm::library()), [false; 4]);
    assert_eq!(plants(jvm::faulty::library(&jvm::target())), [true; 4], "so the texts are those to look for");
}

#[test]
fn planted_panics_leave_the_program_alone_and_one_line_behind() {
    let Some(scene) = Scene::new() else { return };
    let record = format!("record={},mark-after=200ms,capture-after=200ms", scene.path("r").display());
    for place in ["vm-init", "capture", "gc"] {
        let said = ends_well(scene.start(&format!("{record},test-panic={place}"), "1.5"));
        let [line] = &said[..] else { panic!("{place}: {said:?}") };
        assert!(line.contains("dormant") && line.contains(&format!("planted panic: {place}")), "{line}");
    }
    assert_eq!(ends_well(scene.start(&format!("{record},test-panic=capture,log=off"), "1")), [""; 0]);
}

#[test]
fn a_panic_in_a_mark_is_reported_to_both_sides() {
    let Some(scene) = Scene::new() else { return };
    let listener = scene.listen();
    let program = scene.start_connected("test-panic=mark", "3");
    let mut analyzer = Analyzer::accept(&listener);
    analyzer.say(&ToAgent::Mark { snapshot: SnapshotId(1), budget: Some(1), abort_after_ms: 0 });
    let reason = analyzer.until(|message| match message {
        FromAgent::Problem { text, .. } => Some(text),
        _ => None,
    });
    assert_eq!(ends_well(program), [format!("rootbound: {reason}")]);
    assert!(reason.contains("planted panic: mark at "), "{reason}");
}

#[test]
fn a_panic_in_a_visit_is_reported_to_both_sides() {
    let Some(scene) = Scene::new() else { return };
    let listener = scene.listen();
    let program = scene.start_connected("test-panic=probe", "3");
    let mut analyzer = Analyzer::accept(&listener);
    let graph = capture(&mut analyzer, 1);
    install(&mut analyzer, 1, vec![graph.list_probe()]);
    let reason = analyzer.until(|message| match message {
        FromAgent::Problem { text, .. } => Some(text),
        _ => None,
    });
    let said = ends_well(program);
    assert_eq!(said, [format!("rootbound: {reason}")]);
    assert!(reason.contains("planted panic: probe at "), "{reason}");
}

#[test]
fn wrong_options_are_explained_once() {
    let Some(scene) = Scene::new() else { return };
    assert_eq!(ends_well(scene.start("colour=red", "0.2")).len(), 1);
}

/// The other process of the next test; alone it does nothing.
#[test]
fn listener_to_be_killed() {
    let Some(socket) = std::env::var_os(LISTENER_SOCKET) else { return };
    let mut analyzer = Analyzer::accept(&UnixListener::bind(socket).expect("listens"));
    println!("marked {}", mark(&mut analyzer, 1));
    std::thread::sleep(Duration::from_secs(30));
}

#[test]
fn after_its_listener_was_killed_the_agent_says_hello_to_the_next() {
    let Some(scene) = Scene::new() else { return };
    let socket = scene.path("socket");
    let mut first = Command::new(std::env::current_exe().expect("own path"))
        .args(["--exact", "faults::listener_to_be_killed", "--nocapture"])
        .env(LISTENER_SOCKET, &socket)
        .stdout(Stdio::piped())
        .spawn()
        .expect("starts");
    let program = scene.start_connected("", "6");
    let mut said = BufReader::new(first.stdout.take().expect("piped")).lines().map_while(Result::ok);
    assert!(said.any(|line| line.contains("marked ")), "the first listener marks");
    first.kill().expect("SIGKILL");
    first.wait().expect("is dead");
    std::fs::remove_file(&socket).expect("the socket stays behind");
    let listener = scene.listen();
    let mut analyzer = Analyzer::accept(&listener);
    assert_eq!(analyzer.tags_standing(), 0, "the marks went with the connection");
    assert!(mark(&mut analyzer, 1) > 1000);
    let graph = capture(&mut analyzer, 2);
    assert!(graph.first_seen_by(1) * 10 > graph.objects.len() * 9, "and were set anew");
    drop(analyzer);
    assert_eq!(ends_well(program), [""; 0]);
}

#[test]
fn a_listener_that_never_reads_is_given_up() {
    let Some(scene) = Scene::new() else { return };
    let listener = scene.listen();
    let program = scene.start_connected("", "10");
    let mut analyzer = Analyzer::accept(&listener);
    analyzer.say(&ToAgent::capture_by_tags(SnapshotId(1)));
    // The test reads nothing of it. The write runs into its timeout, and the agent tries again.
    assert!(connects(&listener, Duration::from_secs(9)));
    assert_eq!(ends_well(program), [""; 0]);
}

#[test]
fn a_detached_agent_takes_everything_back_and_stays_away() {
    let Some(scene) = Scene::new() else { return };
    let listener = scene.listen();
    let program = scene.start_connected("", "5");
    let mut analyzer = Analyzer::accept(&listener);
    mark(&mut analyzer, 1);
    let graph = capture(&mut analyzer, 2);
    install(&mut analyzer, 2, vec![graph.list_probe()]);
    analyzer.report();
    analyzer.say(&ToAgent::Detach);
    let reason = analyzer.until(|message| match message {
        FromAgent::Goodbye { reason, .. } => Some(reason),
        _ => None,
    });
    assert_eq!(reason, GoodbyeReason::Detached);
    drop(analyzer);
    assert!(!connects(&listener, Duration::from_secs(2)));
    // The tag environments belong to the work thread, and end with it.
    let tasks = std::fs::read_dir(format!("/proc/{}/task", program.id())).expect("runs").flatten();
    let names = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("comm")).ok());
    let own: Vec<String> = names.filter(|name| name.starts_with("rootbound-")).collect();
    assert_eq!(own, [""; 0]);
    assert_eq!(ends_well(program), [""; 0]);
}

#[test]
fn a_listener_of_another_version_is_named_once_and_left_alone() {
    let Some(scene) = Scene::new() else { return };
    let listener = scene.listen();
    let program = scene.start_connected("", "5");
    let mut stream = jvm::connection(&listener);
    let mut bytes = Vec::new();
    frame::append(&ToAgent::Welcome, &mut bytes).expect("short");
    bytes[4..6].copy_from_slice(&(PROTOCOL_VERSION + 1).to_le_bytes());
    let (header, payload) = bytes.split_at_mut(HEADER_BYTES);
    let mut checksum = crc32fast::Hasher::new();
    checksum.update(&header[4..12]);
    checksum.update(payload);
    header[12..].copy_from_slice(&checksum.finalize().to_le_bytes());
    stream.write_all(&bytes).expect("the agent listens");
    assert!(!connects(&listener, Duration::from_secs(3)));
    let said = ends_well(program);
    assert!(said.len() == 1 && said[0].contains("version"), "{said:?}");
}
