//! A Java program under measurement, with the agent or without it.

use crate::watched::Watched;
use e2e::java::Program;
use e2e::jvms::{self, Collector, Jvm};
use e2e::places;
use e2e::process::{Running, Scratch, wait_for};
use rootbound::attach::load::load;
use rootbound::ingest::listener::Listener;
use rootbound::session::Settings;
use rootbound_wire::endpoint::Endpoint;
use rustix::process::{Pid, Signal};
use rustix::thread::{CpuSet, sched_setaffinity};
use std::process::Command;
use std::time::Duration;

/// The longest that a program may take to build its heap.
const PATIENCE: Duration = Duration::from_secs(600);

/// A program that is ready; killed on drop.
pub struct Guest {
    running: Running,
    // Last: its drop kills the remaining processes.
    scratch: Scratch,
}

/// Start of a program.
pub struct Start<'a> {
    pub jvm: &'a Jvm,
    pub collector: &'a Collector,
    pub heap_megabytes: u64,
    /// `Many`, `Busy` or `Sizes`.
    pub program: &'a str,
    pub arguments: Vec<String>,
}

impl Start<'_> {
    /// Starts it without the agent and waits until it is ready.
    pub fn alone(&self) -> Guest {
        let scratch = Scratch::new();
        let running = scratch.spawn("guest", self.command(&scratch, &[]));
        Guest { running, scratch }.once_ready()
    }

    /// Starts it with the agent, waits until it is ready, and goes on until its regions are tracked.
    pub fn tracked(&self, settings: Settings) -> (Guest, Watched) {
        let (guest, mut watched) = self.watched(settings);
        watched.until_tracking();
        (guest, watched)
    }

    /// Starts it with the agent and waits until it is ready. Nothing has been marked or captured yet.
    pub fn watched(&self, settings: Settings) -> (Guest, Watched) {
        let scratch = Scratch::new();
        let socket = scratch.file("socket");
        let listener =
            Listener::open(&Endpoint::Unix(socket.clone()), None).expect("the scratch folder takes a socket");
        let agent = format!("-agentpath:{}=connect=unix:{}", places::agent().display(), socket.display());
        let running = scratch.spawn("guest", self.command(&scratch, &[agent]));
        let guest = Guest { running, scratch };
        let watched = Watched::meet(&listener, settings);
        (guest.once_ready(), watched)
    }

    fn command(&self, scratch: &Scratch, more: &[String]) -> Command {
        let source = places::workspace().join("tests/benches/tracking/java").join(format!("{}.java", self.program));
        let name = format!("bench-{}", self.program);
        let program = Program::compiled(&name, &source, self.program).in_jvm(self.jvm);
        let mut command = Command::new(&program.launcher);
        command
            .arg(jvms::UNLOCK)
            .args(self.collector.switches)
            // A heap of constant size from the beginning: any growth is not the heap's.
            .arg(format!("-Xms{}m", self.heap_megabytes))
            .arg(format!("-Xmx{}m", self.heap_megabytes))
            .arg("-XX:+AlwaysPreTouch")
            .arg(format!("-Xlog:safepoint=info:file={}:uptimemillis", scratch.file("safepoint.log").display()))
            .arg(format!("-De2e.scratch={}", scratch.folder().display()))
            .args(more)
            .arg("-cp")
            .arg(&program.classes)
            .arg(&program.main)
            .args(&self.arguments);
        command
    }
}

impl Guest {
    fn once_ready(self) -> Self {
        let ready = wait_for(PATIENCE, || self.stdout().contains("READY\n").then_some(()));
        ready.unwrap_or_else(|| panic!("not ready: {}", self.running.stderr()));
        self
    }

    pub fn pid(&self) -> u32 {
        u32::try_from(self.running.pid().as_raw_nonzero().get()).expect("process ids are positive")
    }

    /// Loads the agent, which records the program by these options.
    pub fn record(&self, options: &str) {
        let file = self.scratch.file("recording");
        let jvm = rootbound::attach::jvm::Jvm::find(self.pid().cast_signed()).expect("the program runs");
        load(&jvm, &places::agent(), &format!("record={},{options}", file.display())).expect("the agent takes them");
    }

    /// Standard output of the program so far.
    pub fn stdout(&self) -> String {
        self.running.stdout()
    }

    /// The JVM's log of safepoints so far.
    pub fn safepoint_log(&self) -> String {
        std::fs::read_to_string(self.scratch.file("safepoint.log")).unwrap_or_default()
    }

    /// Keeps all present threads, and so those that they start, on one processor.
    pub fn keep_on(&self, processor: usize) {
        let mut only = CpuSet::new();
        only.set(processor);
        let threads = std::fs::read_dir(format!("/proc/{}/task", self.pid())).expect("the program runs");
        let ids = threads.filter_map(|thread| thread.ok()?.file_name().to_str()?.parse::<i32>().ok());
        for thread in ids.filter_map(Pid::from_raw) {
            // A thread may have ended meanwhile.
            let _ = sched_setaffinity(Some(thread), &only);
        }
    }

    /// Stops the program with its agent, or continues it.
    pub fn freeze(&self, frozen: bool) {
        self.running.signal(if frozen { Signal::STOP } else { Signal::CONT });
    }
}
