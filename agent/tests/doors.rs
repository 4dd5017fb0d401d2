//! Peers that the agent accepts, and commands that it accepts from them: unknown peers on its port, listeners in other
//! PID namespaces, full disks, and commands without end.
#![allow(clippy::expect_used)]

use crate::jvm;

use jvm::{Analyzer, PATIENCE, Scene, ends_well};
use rootbound_wire::frame::{self, FrameReader};
use rootbound_wire::greeting;
use rootbound_wire::ids::SnapshotId;
use rootbound_wire::message::{FromAgent, ToAgent};
use rootbound_wire::secret::{Greeting, TOKEN_VARIABLE, Token};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const SECRET: &str = "s3cret-of-production";

/// A program whose agent connects to this port, with a secret or without.
fn program(scene: &Scene, listener: &TcpListener, secret: Option<&str>, seconds: &str) -> Child {
    let mut starter = Command::new(scene.java());
    match secret {
        Some(secret) => starter.env(TOKEN_VARIABLE, secret),
        None => starter.env_remove(TOKEN_VARIABLE),
    };
    let address = listener.local_addr().expect("bound");
    scene.start_by(&mut starter, &format!("connect=tcp:{address}"), seconds)
}

fn accepted(listener: &TcpListener) -> (TcpStream, FrameReader<TcpStream>) {
    assert!(jvm::calls(listener, PATIENCE), "the agent does not connect");
    let (stream, _) = listener.accept().expect("it waits");
    stream.set_read_timeout(Some(PATIENCE)).expect("timeout");
    let frames = FrameReader::new(stream.try_clone().expect("clone"));
    (stream, frames)
}

#[test]
fn a_stranger_on_the_port_gets_a_nonce_and_the_holder_of_the_secret_the_rest() {
    let Some(scene) = Scene::new() else { return };
    let listener = TcpListener::bind("127.0.0.1:0").expect("binds");
    let program = program(&scene, &listener, Some(SECRET), "8");
    let (mut stranger, mut frames) = accepted(&listener);
    let first = frames.next_frame().expect("frames").expect("not the end");
    assert!(matches!(first.message().expect("sound"), Some(Greeting::Challenge(_))));
    assert!(!first.payload.windows(SECRET.len()).any(|bytes| bytes == SECRET.as_bytes()));
    frame::write(&Greeting::Answer([7; 32], [8; 32]), &mut stranger).expect("the agent listens");
    assert!(frames.next_frame().expect("frames").is_none(), "nothing follows");
    let turned_away = Instant::now();
    let (mut stream, mut frames) = accepted(&listener);
    assert!(turned_away.elapsed() > Duration::from_secs(3), "a stranger is asked more rarely than nobody");
    greeting::as_analyzer(&mut frames, &mut stream, &Token::new(SECRET).expect("long")).expect("one secret");
    let hello = frames.next_frame().expect("frames").expect("not the end").message().expect("sound");
    assert!(matches!(hello, Some(FromAgent::Hello(_))), "{hello:?}");
    frame::write(&ToAgent::Detach, &mut stream).expect("the agent listens");
    let said = ends_well(program);
    assert!(said.len() == 1 && said[0].contains("does not know the secret"), "{said:?}");
    assert!(!said[0].contains(SECRET), "{said:?}");
}

#[test]
fn without_a_secret_there_is_no_tcp() {
    let Some(scene) = Scene::new() else { return };
    let listener = TcpListener::bind("127.0.0.1:0").expect("binds");
    for secret in [None, Some("hunter2")] {
        let said = ends_well(program(&scene, &listener, secret, "1.5"));
        assert!(said.len() == 1 && said[0].contains(TOKEN_VARIABLE), "{said:?}");
        assert!(!jvm::calls(&listener, Duration::ZERO), "nobody has connected");
    }
}

/// The kernel gives 0 as the process id of a peer there. Needs the right to make such a namespace.
#[test]
fn the_agent_speaks_to_a_listener_in_another_pid_namespace() {
    let Some(scene) = Scene::new() else { return };
    let unshare = || {
        let mut command = Command::new("unshare");
        command.args(["--pid", "--fork", "--kill-child"]);
        command
    };
    if !unshare().arg("true").stderr(Stdio::null()).status().is_ok_and(|status| status.success()) {
        return println!("skipped: no PID namespaces");
    }
    let listener = scene.listen();
    let options = format!("connect=unix:{}", scene.path("socket").display());
    let program = scene.start_by(unshare().arg(scene.java()), &options, "4");
    let mut analyzer = Analyzer::accept(&listener);
    analyzer.say(&ToAgent::Detach);
    assert_eq!(ends_well(program), [""; 0]);
}

#[test]
fn a_recording_on_a_full_disk_is_reported_once_and_nothing_is_captured() {
    let Some(scene) = Scene::new() else { return };
    let said = ends_well(scene.start("record=/dev/full,mark-after=300ms,capture-after=300ms,log=info", "2"));
    assert!(said.len() == 1 && said[0].contains("No space left"), "{said:?}");
}

#[test]
fn orders_that_stop_the_program_are_refused_when_there_are_many_over_a_new_connection_too() {
    let Some(scene) = Scene::new() else { return };
    let listener = scene.listen();
    let program = scene.start_connected_until_closed("");
    let mark = |analyzer: &mut Analyzer, number: u32| {
        analyzer.say(&ToAgent::Mark { snapshot: SnapshotId(number), budget: Some(1), abort_after_ms: 0 });
        analyzer.until(|message| match message {
            FromAgent::MarkDone(done) => Some(done.failure),
            _ => None,
        })
    };
    let mut analyzer = Analyzer::accept(&listener);
    for number in 1..=240 {
        assert_eq!(mark(&mut analyzer, number), None);
    }
    assert!(mark(&mut analyzer, 241).is_some_and(|reason| reason.contains("240 orders")));
    drop(analyzer);
    let mut analyzer = Analyzer::accept(&listener);
    analyzer.say(&ToAgent::capture_by_tags(SnapshotId(14)));
    let failure = analyzer.until(|message| match message {
        FromAgent::CaptureDone(done) => Some(done.failure),
        _ => None,
    });
    assert!(failure.is_some_and(|reason| reason.contains("240 orders")));
    drop(analyzer);
    assert_eq!(ends_well(program), [""; 0]);
}
