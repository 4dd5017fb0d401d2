//! Several fake agents at one socket: acceptance, mutual delays, and the choice of the one that matters most.

use super::*;
use rootbound::ingest::listener::Listener;
use rootbound::report::{End, Status};
use rootbound_wire::endpoint::Endpoint;
use rootbound_wire::frame::{self, FrameReader};
use rootbound_wire::message::{
    CaptureDone, CaptureMethod, FromAgent, GcFinished, GoodbyeReason, Hello, Survey, ToAgent,
};
use std::io::Write;
use std::os::unix::net::UnixStream;
use std::thread;
use tempfile::TempDir;

const PATIENCE: Duration = Duration::from_secs(10);

/// A fleet behind a socket.
struct Port {
    fleet: Fleet,
    listener: Listener,
    folder: TempDir,
}

/// An agent of a JVM.
struct Agent {
    stream: UnixStream,
    answers: FrameReader<UnixStream>,
}

fn plan(max_jvms: usize, of_one_program: bool) -> Plan {
    let settings = Settings { mark_after: Some(Duration::ZERO), ..Settings::default() };
    Plan { settings, run_for: None, max_jvms, of_one_program }
}

impl Port {
    fn open(plan: Plan) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let listener = Listener::open(&Endpoint::Unix(folder.path().join("fleet.sock")), None).unwrap();
        Self { fleet: Fleet::new(plan, Some(Naming::of(&folder.path().join("r.json"))), None), listener, folder }
    }

    /// A JVM connects and is considered.
    fn meet(&mut self, pid: u32, main: &str) -> Agent {
        let stream = UnixStream::connect(self.folder.path().join("fleet.sock")).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let answers = FrameReader::new(stream.try_clone().unwrap());
        let mut agent = Agent { stream, answers };
        agent.say(&FromAgent::Hello(Hello {
            pid,
            vm: "OpenJDK 64-Bit Server VM 17.0.15".to_owned(),
            gc: "G1".to_owned(),
            main: main.to_owned(),
            agent_version: "0.1.0".to_owned(),
            incapable: None,
            loaded_unix_ms: 0,
        }));
        self.fleet.admit(self.listener.knocks().recv_timeout(PATIENCE).unwrap().unwrap());
        agent
    }

    fn member(&self, pid: u32) -> &Member {
        self.fleet.members().iter().find(|member| member.pid == pid).unwrap()
    }

    fn pids(&self) -> Vec<u32> {
        self.fleet.members().iter().map(|member| member.pid).collect()
    }

    /// Names of the JSON reports.
    fn names(&self) -> Vec<Option<&str>> {
        self.fleet.members().iter().map(|member| member.json.as_ref()?.file_name()?.to_str()).collect()
    }

    /// Waits until the fleet is as it should be.
    fn until(&mut self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            self.fleet.refresh();
            if is_so(self) {
                return;
            }
            assert!(Instant::now() < deadline, "never came: {what}");
            thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Agent {
    fn say(&mut self, message: &FromAgent) {
        frame::write(message, &mut self.stream).unwrap();
    }

    fn hear(&mut self) -> Option<ToAgent> {
        self.answers.next_frame().ok().flatten()?.message().unwrap()
    }

    /// Receives until the wanted command comes.
    fn hear_until(&mut self, is_wanted: impl Fn(&ToAgent) -> bool) -> ToAgent {
        loop {
            let heard = self.hear().expect("the connection stands");
            if is_wanted(&heard) {
                return heard;
            }
        }
    }

    /// Whether no further command comes within the time that a pending one would take.
    fn hears_nothing_more(&mut self) -> bool {
        self.stream.set_read_timeout(Some(Duration::from_millis(800))).unwrap();
        let heard = self.answers.next_frame();
        self.stream.set_read_timeout(Some(PATIENCE)).unwrap();
        heard.is_err()
    }

    /// Goes on until the analyzer wants a capture.
    fn is_surveyed(&mut self) {
        self.hear_until(|heard| *heard == ToAgent::Survey);
        self.say(&FromAgent::Survey(Survey { at_ms: 10, ..Survey::default() }));
    }

    fn is_asked_for_capture(&mut self) -> CaptureDone {
        let ToAgent::Capture { snapshot, .. } = self.hear_until(|heard| matches!(heard, ToAgent::Capture { .. }))
        else {
            unreachable!("it was looked for")
        };
        self.say(&FromAgent::CaptureStarted { snapshot, at_ms: 20, method: CaptureMethod::Fork });
        CaptureDone { snapshot, at_ms: 30, failure: Some("a test ends it".to_owned()), ..CaptureDone::default() }
    }

    fn uses(&mut self, used_bytes: u64) {
        self.say(&FromAgent::GcFinished(GcFinished {
            at_ms: 50,
            collections: 1,
            used_bytes,
            committed_bytes: 1000,
            max_bytes: 1000,
        }));
    }

    fn leave(mut self) {
        self.say(&FromAgent::Goodbye { at_ms: 99, reason: GoodbyeReason::VmDeath });
    }
}

#[test]
fn a_jvm_beyond_the_limit_learns_why_and_one_that_comes_after_an_end_is_let_in() {
    let mut port = Port::open(plan(2, false));
    let (mut first, mut second) = (port.meet(1, "a"), port.meet(2, "b"));
    assert_eq!(first.hear(), Some(ToAgent::Welcome));
    assert_eq!(second.hear(), Some(ToAgent::Welcome));
    let Some(ToAgent::Refuse { reason }) = port.meet(3, "c").hear() else { panic!("it was let in") };
    assert!(reason.contains("2 JVMs") && reason.contains("--max-jvms"), "{reason}");
    assert_eq!(port.fleet.tally(), Tally { watched: 2, ended: 0, refused: 1 });
    first.leave();
    port.until("the first has ended", |port| port.fleet.live() == 1);
    assert_eq!(port.meet(4, "d").hear(), Some(ToAgent::Welcome));
    assert_eq!(port.fleet.tally(), Tally { watched: 2, ended: 1, refused: 1 });
    assert_eq!(port.pids(), [1, 2, 4]);
}

#[test]
fn garbage_on_one_connection_ends_that_jvm_s_watching_alone() {
    let mut port = Port::open(plan(8, false));
    let (mut broken, mut sound) = (port.meet(1, "a"), port.meet(2, "b"));
    broken.stream.write_all(&b"no frame at all, but long enough for a header of one. ".repeat(200)).unwrap();
    drop(broken);
    port.until("the broken one has ended", |port| !port.member(1).is_live());
    let problems = &port.member(1).published.report.problems;
    assert!(problems.iter().any(|problem| problem.contains("connection")), "{problems:?}");
    sound.uses(500);
    port.until("the sound one goes on", |port| port.member(2).published.report.heap.live_bytes == Some(500));
    assert!(port.member(2).is_live());
    assert_eq!(port.member(2).published.report.problems, Vec::<String>::new());
}

#[test]
fn captures_take_turns_and_the_waiting_one_says_so() {
    let mut port = Port::open(plan(8, false));
    let (mut first, mut second) = (port.meet(1, "a"), port.meet(2, "b"));
    first.is_surveyed();
    first.is_asked_for_capture();
    second.is_surveyed();
    assert!(second.hears_nothing_more(), "two captures run at once");
    port.until("the second waits", |port| port.member(2).published.report.status == Status::AwaitingTurn);
    first.leave();
    second.is_asked_for_capture();
}

#[test]
fn an_analysis_holds_up_no_other_jvm() {
    let mut port = Port::open(plan(8, false));
    let (mut analysed, mut other) = (port.meet(1, "a"), port.meet(2, "b"));
    analysed.is_surveyed();
    let done = analysed.is_asked_for_capture();
    let elsewhere = Turn::of(99, &port.fleet.turns);
    elsewhere.analyse(|| {
        // The first now waits for the analysis that runs here, as if its own took as long.
        analysed.say(&FromAgent::CaptureDone(done));
        analysed.uses(700);
        other.uses(300);
        port.until("the other goes on", |port| port.member(2).published.report.heap.live_bytes == Some(300));
        assert_eq!(port.member(1).published.report.heap.live_bytes, None);
    });
    port.until("the first goes on, too", |port| port.member(1).published.report.heap.live_bytes == Some(700));
}

#[test]
fn a_jvm_whose_connection_broke_comes_again_in_its_own_place() {
    let mut port = Port::open(plan(8, false));
    drop(port.meet(1, "a"));
    port.until("it is lost", |port| !port.member(1).is_live());
    assert!(port.fleet.expects_return());
    let _again = port.meet(1, "a");
    assert_eq!(port.pids(), [1]);
    assert_eq!(port.fleet.tally(), Tally { watched: 1, ended: 0, refused: 0 });
    assert_eq!(port.names(), [Some("r.json")]);
    let _other = port.meet(1, "another program of this number");
    assert_eq!(port.pids(), [1, 1]);
    assert_eq!(port.names(), [Some("r.json"), Some("r.1.json")]);
}

#[test]
fn a_wrapper_that_ended_of_one_program_under_run_and_stays_under_watch() {
    for (of_one_program, left) in [(true, vec![2]), (false, vec![1, 2])] {
        let mut port = Port::open(plan(8, of_one_program));
        port.meet(1, "wrapper").leave();
        port.until("the wrapper has ended", |port| port.fleet.live() == 0);
        let _program = port.meet(2, "program");
        assert_eq!(port.pids(), left);
    }
}

#[test]
fn the_jvm_with_the_larger_heap_matters_more_than_the_one_that_came_first() {
    let mut port = Port::open(plan(8, true));
    let (mut tool, mut program) = (port.meet(1, "build tool"), port.meet(2, "program"));
    tool.uses(100);
    program.uses(900_000);
    port.until("both are known", |port| {
        port.fleet.members().iter().all(|member| member.published.report.heap.live_bytes.is_some())
    });
    assert_eq!(port.names(), [None, None], "who is first is known at the end");
    port.fleet.rank();
    assert_eq!(port.pids(), [2, 1]);
    assert_eq!(port.names(), [Some("r.json"), Some("r.1.json")]);
}

#[test]
fn reports_are_named_in_the_order_of_connection_whoever_ends_first() {
    let mut port = Port::open(plan(8, false));
    let (_first, second) = (port.meet(1, "a"), port.meet(2, "b"));
    second.leave();
    port.until("the second has ended", |port| port.fleet.live() == 1);
    let _third = port.meet(3, "c");
    assert_eq!(port.names(), [Some("r.json"), Some("r.2.json"), Some("r.3.json")]);
}

#[test]
fn everybody_is_asked_to_leave_and_gives_a_last_report() {
    let mut port = Port::open(plan(8, false));
    let agents = [port.meet(1, "a"), port.meet(2, "b")];
    let stop_request = StopRequest { status: Some(Status::Ended(End::Interrupted)), detach: true };
    port.fleet.dismiss(&stop_request);
    for mut agent in agents {
        agent.hear_until(|heard| *heard == ToAgent::Detach);
        agent.say(&FromAgent::Goodbye { at_ms: 99, reason: GoodbyeReason::Detached });
    }
    port.until("all have ended", |port| port.fleet.live() == 0);
    assert!(
        port.fleet.members().iter().all(|member| member.published.report.status == Status::Ended(End::Interrupted))
    );
    assert_eq!(port.fleet.undelivered().count(), 2);
}

#[test]
fn time_is_counted_for_each_jvm_from_its_connection() {
    let run_for = Duration::from_millis(600);
    let mut port = Port::open(Plan { run_for: Some(run_for), ..plan(8, false) });
    let mut first = port.meet(1, "a");
    first.hear_until(|heard| *heard == ToAgent::Detach);
    let _second = port.meet(2, "b");
    first.say(&FromAgent::Goodbye { at_ms: 600, reason: GoodbyeReason::Detached });
    for pid in [1, 2] {
        port.until("it has had its time", |port| port.member(pid).ended_by(JvmEnding::TimeUp));
        let (member, ended) = (port.member(pid), port.member(pid).published.ending.unwrap().1);
        // It is recorded as met a moment after the clock was started.
        assert!(ended - member.met >= run_for / 2, "process {pid} was let go too early");
    }
}
