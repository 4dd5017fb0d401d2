//! One program under watch: its JVM, with the words before it and the agents next to ours, and a series of analyzers.

use super::stops::{self, Logged};
use super::subject::Subject;
use super::{children, harm, leftovers};
use crate::java::Program;
use crate::jvms::{self, Collector, Jvm};
use crate::places;
use crate::process::{Ended, Running, Scratch, wait_for};
use crate::report::Report;
use crate::watching::{GRACE, rootbound};
use rustix::process::Pid;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// Time that a program may take to build its heap.
const BUILDING: Duration = Duration::from_secs(90);
/// The files by which the program is ended in good order, or immediately.
const END: &str = "end";
const LEAVE: &str = "leave";
/// Captures as early as the loop allows, and then one after the other.
const CAPTURES: [&str; 4] = ["--mark-after", "1s", "--capture-after", "1s"];

/// A program, and the folder for everything that it needs and leaves.
pub struct Trial {
    subject: Subject,
    program: Program,
    entrance: Vec<OsString>,
    switches: Vec<String>,
    agent_options: Option<String>,
    analyzer_options: Vec<String>,
    scratch: Scratch,
}

/// The JVM of a trial that is ready; killed on drop.
pub struct RunningJvm {
    running: Running,
    end: PathBuf,
    leave: PathBuf,
}

impl Trial {
    /// A trial of that program, in the default JVM.
    pub fn of(subject: Subject) -> Self {
        Self::within(Scratch::new(), subject)
    }

    /// A trial of a program that needs to know the folder.
    pub fn within(scratch: Scratch, subject: Subject) -> Self {
        std::fs::create_dir_all(scratch.file("home")).expect("the scratch folder can be written");
        let (entrance, switches, analyzer_options) = (Vec::new(), Vec::new(), Vec::new());
        Self {
            subject,
            program: Subject::program(),
            entrance,
            switches,
            agent_options: None,
            analyzer_options,
            scratch,
        }
    }

    /// The same in another JVM.
    #[must_use]
    pub fn in_jvm(mut self, jvm: &Jvm) -> Self {
        self.program = self.program.in_jvm(jvm);
        self
    }

    /// The same with a collector.
    #[must_use]
    pub fn with_collector(self, collector: &Collector) -> Self {
        self.with(&[jvms::UNLOCK]).with(collector.switches)
    }

    /// The same with switches of the JVM.
    #[must_use]
    pub fn with<S: Into<String> + Clone>(mut self, switches: &[S]) -> Self {
        self.switches.extend(switches.iter().cloned().map(Into::into));
        self
    }

    /// The same with words before the JVM's command line.
    #[must_use]
    pub fn entering(mut self, entrance: Vec<OsString>) -> Self {
        self.entrance = entrance;
        self
    }

    /// The same with options of the agent instead of a connection.
    #[must_use]
    pub fn with_agent(mut self, options: &str) -> Self {
        self.agent_options = Some(options.to_owned());
        self
    }

    /// The same with options of every analyzer.
    #[must_use]
    pub fn with_analyzer(mut self, options: &[&str]) -> Self {
        self.analyzer_options.extend(options.iter().map(ToString::to_string));
        self
    }

    /// The folder in which the JVM works.
    pub fn home(&self) -> PathBuf {
        self.scratch.file("home")
    }

    /// A file in the trial's folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.scratch.file(name)
    }

    /// Starts an analyzer that runs until the end of the program, and waits until it listens.
    pub fn analyzer(&self, name: &str, options: &[&str]) -> Running {
        let socket = self.scratch.file("analyzer.sock");
        // An analyzer that was killed cannot remove its own socket.
        let _ = std::fs::remove_file(&socket);
        let mut command = rootbound(["watch", "--listen"]);
        command.arg(format!("unix:{}", socket.display())).args(["--for", "10m"]).args(CAPTURES).args(options);
        command.args(&self.analyzer_options);
        command.arg("--json").arg(self.scratch.file(&format!("{name}.json")));
        let analyzer = self.scratch.spawn(name, command);
        let listens = wait_for(Duration::from_secs(20), || socket.exists().then_some(()));
        assert!(listens.is_some(), "watch does not listen: {}", analyzer.stderr());
        analyzer
    }

    /// Starts the program and waits until it has built its heap.
    pub fn start(&self) -> RunningJvm {
        let running = self.scratch.spawn("jvm", self.command());
        let ready = wait_for(BUILDING, || running.stdout().contains("READY\n").then_some(()));
        assert!(ready.is_some(), "not ready: {}{}", running.stdout(), running.stderr());
        RunningJvm { running, end: self.scratch.file(END), leave: self.scratch.file(LEAVE) }
    }

    fn command(&self) -> Command {
        let mut words = self.entrance.clone();
        words.push(self.program.launcher.clone().into());
        words.extend(["-Xcheck:jni", "-Xmx256m"].map(Into::into));
        words.push(format!("-De2e.scratch={}", self.scratch.folder().display()).into());
        words.push(format!("-Xlog:safepoint:file={}", self.scratch.file("safepoints.log").display()).into());
        words.push(format!("-Dend.file={}", self.scratch.file(END).display()).into());
        words.push(format!("-Dleave.file={}", self.scratch.file(LEAVE).display()).into());
        words.extend(self.switches.iter().chain(self.subject.properties()).map(Into::into));
        words.push(format!("-agentpath:{}={}", places::agent().display(), self.agent_options()).into());
        words.extend(["-cp".into(), self.program.classes.clone().into_os_string(), self.program.main.clone().into()]);
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).current_dir(self.home());
        command
    }

    fn agent_options(&self) -> String {
        let connection = || format!("connect=unix:{},log=error", self.scratch.file("analyzer.sock").display());
        self.agent_options.clone().unwrap_or_else(connection)
    }

    /// The report of an analyzer that has ended.
    pub fn report(&self, name: &str) -> Report {
        Report::read(&self.scratch.file(&format!("{name}.json")))
    }

    /// Waits for the end of an analyzer whose program has ended, and reads its report. Its socket must be gone then.
    pub fn report_of(&self, name: &str, analyzer: Running) -> Report {
        let ended = analyzer.wait(GRACE);
        assert_eq!(ended.code(), Some(0), "{}\n{}", ended.stdout, ended.stderr);
        assert_eq!(self.scratch.sockets(), Vec::<PathBuf>::new());
        self.report(name)
    }

    /// Pauses for captures and iterations by the JVM's own log.
    pub fn logged_stops(&self) -> Vec<Logged> {
        stops::logged(&std::fs::read_to_string(self.scratch.file("safepoints.log")).unwrap_or_default())
    }

    /// Those of these pauses that are longer than allowed.
    pub fn stops_too_long(&self) -> Vec<Logged> {
        self.logged_stops().into_iter().filter(|stop| stop.ms > stops::MOST_MS).collect()
    }

    /// Durations of these pauses, in milliseconds.
    pub fn logged_stops_ms(&self) -> Vec<f64> {
        self.logged_stops().iter().map(|stop| stop.ms).collect()
    }

    /// Number of captures that were begun by that log.
    pub fn captures_begun(&self) -> usize {
        self.logged_stops().iter().filter(|stop| stop.is_capture).count()
    }

    /// Waits until `count` captures have begun, at most `limit`: all but the last were taken in by then.
    pub fn wait_for_captures(&self, count: usize, limit: Duration) {
        let _ = wait_for(limit, || (self.captures_begun() >= count).then_some(()));
    }

    /// All harm to the program, which has ended, and all things left behind.
    pub fn harm(&self, ended: &Ended) -> Vec<String> {
        let mut found = harm::done_to(ended);
        found.extend(leftovers::of(&self.home()));
        found
    }
}

impl RunningJvm {
    /// Its process id.
    pub fn pid(&self) -> Pid {
        self.running.pid()
    }

    /// The process.
    pub fn process(&self) -> &Running {
        &self.running
    }

    /// Waits for a child that is none of `known`.
    pub fn next_child(&self, known: &[Pid], limit: Duration) -> Option<Pid> {
        children::next_of(self.pid(), known, limit)
    }

    /// Ends it in good order, and waits for that.
    pub fn end(self) -> Ended {
        std::fs::write(&self.end, "").expect("the scratch folder can be written");
        self.running.wait(GRACE)
    }

    /// Ends it immediately (`System.exit`), and waits for that.
    pub fn leave(self) -> Ended {
        std::fs::write(&self.leave, "").expect("the scratch folder can be written");
        self.running.wait(GRACE)
    }
}
