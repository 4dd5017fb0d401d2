//! A Java program under measurement: its JVM, the agent in it, and the link to that.

use crate::capture::{self, Captured};
use crate::link::Link;
use e2e::java::Program;
use e2e::jvms::{self, Jvm};
use e2e::places;
use e2e::process::{Running, Scratch, wait_for};
use rootbound_wire::ids::SnapshotId;
use rootbound_wire::message::{CaptureMethod, ClassRecord, FromAgent, HeadsHeld, MarkDone, MarkPlan, ToAgent};
use std::os::unix::net::UnixListener;
use std::process::Command;
use std::time::Duration;

/// The longest that a program may take to build its heap.
const PATIENCE: Duration = Duration::from_secs(600);

/// File to which a JVM that crashes writes the reason.
const CRASH: &str = "crash.log";

/// Start of a program.
pub struct Start<'a> {
    pub jvm: &'a Jvm,
    /// Switches of the JVM.
    pub switches: Vec<String>,
    /// `Heap`, `Load` or `Resident`.
    pub program: &'a str,
    pub arguments: Vec<String>,
    /// Options of the agent in addition to the address.
    pub agent_options: &'a str,
}

/// A program that is ready; killed on drop.
pub struct Guest {
    pub link: Link,
    running: Running,
    snapshots: u32,
    // Last: its drop kills the remaining processes.
    scratch: Scratch,
}

/// One of the programs of this bench.
pub fn program(name: &str) -> Program {
    let source = places::workspace().join("tests/benches/captures/java").join(format!("{name}.java"));
    Program::compiled(&format!("bench-{name}"), &source, name)
}

impl Start<'_> {
    /// Starts it and waits until it is ready.
    pub fn ready(self) -> Guest {
        let scratch = Scratch::new();
        let (socket, log, crash) = (scratch.file("socket"), scratch.file("gc.log"), scratch.file(CRASH));
        let listener = UnixListener::bind(&socket).expect("the scratch folder takes a socket");
        let program = program(self.program).in_jvm(self.jvm);
        let mut command = Command::new(&program.launcher);
        command
            .arg(jvms::UNLOCK)
            .args(&self.switches)
            .arg(format!("-Xlog:gc:file={}:uptimemillis", log.display()))
            .arg(format!("-XX:ErrorFile={}", crash.display()))
            .arg(format!("-De2e.scratch={}", scratch.folder().display()))
            .arg(format!(
                "-agentpath:{}=connect=unix:{},{}",
                places::agent_for(self.agent_options).display(),
                socket.display(),
                self.agent_options
            ))
            .arg("-cp")
            .arg(&program.classes)
            .arg(&program.main)
            .args(&self.arguments);
        let running = scratch.spawn("guest", command);
        let (link, _) = Link::accept(&listener);
        let guest = Guest { link, running, snapshots: 0, scratch };
        let ready = wait_for(PATIENCE, || guest.stdout().contains("READY\n").then_some(()));
        ready.unwrap_or_else(|| panic!("not ready: {}", guest.running.stderr()));
        guest
    }
}

impl Guest {
    pub fn pid(&self) -> u32 {
        u32::try_from(self.running.pid().as_raw_nonzero().get()).expect("process ids are positive")
    }

    /// Standard output of the program so far.
    pub fn stdout(&self) -> String {
        self.running.stdout()
    }

    /// Standard error of its JVM and agent so far.
    pub fn stderr(&self) -> String {
        self.running.stderr()
    }

    /// The beginning of the JVM's crash report, if it crashed.
    pub fn crash(&self) -> String {
        let reported = std::fs::read_to_string(self.scratch.file(CRASH)).unwrap_or_default();
        let native = reported.lines().skip_while(|line| !line.starts_with("Native frames")).take(8);
        reported
            .lines()
            .filter(|line| line.starts_with("#  SIG") || line.starts_with("# V"))
            .chain(native)
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// The JVM's log of collections so far.
    pub fn gc_log(&self) -> String {
        std::fs::read_to_string(self.scratch.file("gc.log")).unwrap_or_default()
    }

    /// One capture, from the request to its end.
    pub fn capture(&mut self, method: CaptureMethod) -> Captured {
        capture::ask(&mut self.link, next(&mut self.snapshots), method, true)
    }

    /// One capture by a fork that leaves nothing out and waits for no collection.
    pub fn capture_by_whole_fork(&mut self) -> Captured {
        capture::ask(&mut self.link, next(&mut self.snapshots), CaptureMethod::Fork, false)
    }

    /// Marks by an iteration.
    pub fn mark(&mut self, budget: Option<u32>) -> MarkDone {
        self.link.say(&ToAgent::Mark { snapshot: next(&mut self.snapshots), budget, abort_after_ms: 0 });
        self.link.until(|message| match message {
            FromAgent::MarkDone(done) => Some(done),
            _ => None,
        })
    }

    /// Captures, lets the agent hold the heads of a plan and no others, and clears all tags.
    pub fn hold_heads(&mut self, plan: impl Fn(&[ClassRecord]) -> MarkPlan) -> HeadsHeld {
        let captured = self.capture_by_whole_fork();
        assert_eq!(captured.failure(), None);
        let (snapshot, plan) = (SnapshotId(self.snapshots), plan(&captured.classes));
        self.link.say(&ToAgent::HoldHeads { snapshot, keep: Vec::new(), plan });
        let held = self.link.until(|message| match message {
            FromAgent::HeadsHeld(held) => Some(held),
            _ => None,
        });
        assert_eq!(held.failure, None);
        self.clear();
        held
    }

    /// Lets the agent clear all its tags.
    pub fn clear(&mut self) {
        let snapshot = SnapshotId(self.snapshots.max(1));
        self.link.say(&ToAgent::InstallProbes {
            snapshot,
            tick_ms: 1000,
            probes: Vec::new(),
            keep: Vec::new(),
            keep_tags: false,
            most_stop_ms: 0,
        });
        self.link.until(|message| matches!(message, FromAgent::ProbesInstalled { .. }).then_some(()));
    }
}

fn next(snapshots: &mut u32) -> SnapshotId {
    *snapshots += 1;
    SnapshotId(*snapshots)
}

/// Switches for a collector and a heap of this many megabytes.
pub fn switches(collector: &[&str], heap_megabytes: u64) -> Vec<String> {
    let heap = format!("-Xmx{heap_megabytes}m");
    collector.iter().map(ToString::to_string).chain([heap]).collect()
}

/// Switches by which the JVM touches all of a heap of this many megabytes when it starts.
pub fn touched(heap_megabytes: u64) -> Vec<String> {
    vec![format!("-Xms{heap_megabytes}m"), "-XX:+AlwaysPreTouch".to_owned()]
}
