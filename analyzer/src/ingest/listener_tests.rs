//! Agents that behave, break off, have another version or stay silent; sockets that are stale, taken or no sockets.

use super::*;
use crate::ingest::fake_agent::{FakeAgent, hello, of_version};
use crate::ingest::live::{IntakeMemory, Link, LinkEnd, LinkEvent};
use crate::ingest::peer::PeerError;
use rootbound_wire::PROTOCOL_VERSION;
use rootbound_wire::frame;
use rootbound_wire::greeting;
use rootbound_wire::message::{FromAgent, GoodbyeReason, ToAgent};
use std::net::Shutdown;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use tempfile::TempDir;

const PATIENCE: Duration = Duration::from_secs(5);

struct Meeting {
    directory: TempDir,
    path: PathBuf,
}

impl Meeting {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("analyzer.sock");
        Self { directory, path }
    }

    fn endpoint(&self) -> Endpoint {
        Endpoint::Unix(self.path.clone())
    }

    fn open(&self) -> Listener {
        Listener::open(&self.endpoint(), None).unwrap()
    }
}

fn next_knock(listener: &Listener) -> Knock {
    listener.knocks().recv_timeout(PATIENCE).unwrap()
}

fn next_event(link: &Link) -> LinkEvent {
    link.open(link.parcels().recv_timeout(PATIENCE).unwrap())
}

fn goodbye() -> FromAgent {
    FromAgent::Goodbye { at_ms: 9, reason: GoodbyeReason::VmDeath }
}

#[test]
fn an_agent_is_welcomed_heard_and_commanded_until_it_leaves() {
    let meeting = Meeting::new();
    let listener = meeting.open();
    let mut agent = FakeAgent::greet(&meeting.path);
    let mut link = next_knock(&listener).unwrap().welcome(&IntakeMemory::default()).unwrap();
    assert_eq!(link.hello(), &hello());
    assert_eq!(agent.hear(), Some(ToAgent::Welcome));
    link.send(&ToAgent::Detach).unwrap();
    assert_eq!(agent.hear(), Some(ToAgent::Detach));
    agent.say(&goodbye());
    drop(agent);
    assert!(matches!(next_event(&link), LinkEvent::Message(message) if *message == goodbye()));
    assert!(matches!(next_event(&link), LinkEvent::End(LinkEnd::Closed)));
}

#[test]
fn an_agent_that_breaks_off_inside_a_message_ends_the_link_as_broken() {
    let meeting = Meeting::new();
    let listener = meeting.open();
    let mut agent = FakeAgent::greet(&meeting.path);
    let link = next_knock(&listener).unwrap().welcome(&IntakeMemory::default()).unwrap();
    let mut bytes = Vec::new();
    frame::append(&goodbye(), &mut bytes).unwrap();
    agent.send_bytes(&bytes[..bytes.len() - 1]);
    assert_eq!(agent.hear(), Some(ToAgent::Welcome));
    drop(agent);
    assert!(matches!(next_event(&link), LinkEvent::End(LinkEnd::Broken(_))));
}

#[test]
fn an_agent_of_another_version_is_refused_by_name_and_the_next_one_is_met() {
    let meeting = Meeting::new();
    let listener = meeting.open();
    let mut stranger = FakeAgent::connect(&meeting.path);
    let mut bytes = Vec::new();
    frame::append(&FromAgent::Hello(hello()), &mut bytes).unwrap();
    let theirs = PROTOCOL_VERSION + 1;
    stranger.send_bytes(&of_version(theirs, &bytes));
    let refusal = next_knock(&listener).err().unwrap().to_string();
    assert!(
        refusal.contains(&format!("version {theirs}")) && refusal.contains(&format!("version {PROTOCOL_VERSION}")),
        "{refusal}"
    );
    assert_eq!(stranger.hear(), Some(ToAgent::Refuse { reason: refusal }));
    let _agent = FakeAgent::greet(&meeting.path);
    assert!(next_knock(&listener).is_ok());
}

#[test]
fn a_peer_that_begins_with_something_else_is_sent_away() {
    let meeting = Meeting::new();
    let listener = meeting.open();
    let mut agent = FakeAgent::connect(&meeting.path);
    agent.say(&goodbye());
    assert!(matches!(next_knock(&listener), Err(HandshakeError::NoHello(_))));
    assert!(matches!(agent.hear(), Some(ToAgent::Refuse { .. })));
}

#[test]
fn a_foreign_peer_learns_why_it_is_sent_away() {
    let (ours, theirs) = UnixStream::pair().unwrap();
    let error = Candidate::turn_away(ours.into(), PeerError::Foreign { theirs: 7, allowed: 8 }).to_string();
    let frame = frame::FrameReader::new(theirs).next_frame().unwrap().unwrap();
    assert_eq!(frame.message().unwrap(), Some(ToAgent::Refuse { reason: error }));
}

#[test]
fn an_agent_that_does_not_trust_the_analyzer_is_heard() {
    let meeting = Meeting::new();
    let listener = meeting.open();
    let mut agent = FakeAgent::connect(&meeting.path);
    agent.say(&FromAgent::Problem { at_ms: 0, text: "user 0 listens there".to_owned() });
    assert!(matches!(next_knock(&listener), Err(HandshakeError::Declined(text)) if text.contains("user 0")));
}

#[test]
fn a_peer_that_stays_silent_is_given_up() {
    let (ours, _theirs) = UnixStream::pair().unwrap();
    let met = Candidate::meet(ours.into(), None, Duration::from_millis(50));
    assert!(matches!(met, Err(HandshakeError::NoHello(reason)) if reason.contains("silent")));
}

const SECRET: &str = "a secret of some length";

fn secret(text: &str) -> Token {
    Token::new(text).unwrap()
}

#[test]
fn over_tcp_an_agent_proves_that_it_knows_the_secret_before_it_says_who_it_is() {
    let anywhere = Endpoint::Tcp { host: "127.0.0.1".to_owned(), port: 0 };
    let listener = Listener::open(&anywhere, Some(secret(SECRET))).unwrap();
    let Endpoint::Tcp { host, port } = listener.endpoint() else { panic!("{}", listener.endpoint()) };
    for (text, is_known) in [(SECRET, true), ("another one, as long", false)] {
        let mut stream = TcpStream::connect((host.as_str(), *port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut frames = frame::FrameReader::new(stream.try_clone().unwrap());
        let greeted = greeting::as_agent(&mut frames, &mut stream, &secret(text));
        assert_eq!(greeted.is_ok(), is_known);
        if is_known {
            frame::write(&FromAgent::Hello(hello()), &mut stream).unwrap();
        }
        stream.shutdown(Shutdown::Write).unwrap();
        assert_eq!(next_knock(&listener).is_ok(), is_known);
    }
}

#[test]
fn over_tcp_a_hello_without_a_proof_is_not_answered() {
    let (ours, theirs) = UnixStream::pair().unwrap();
    frame::write(&FromAgent::Hello(hello()), &mut &theirs).unwrap();
    let met = Candidate::meet(ours.into(), Some(&secret(SECRET)), PATIENCE);
    assert!(matches!(met, Err(HandshakeError::Secret(_))));
    assert!(frame::FrameReader::new(theirs).next_frame().unwrap().is_none());
}

#[test]
fn the_socket_is_private_and_goes_with_the_listener() {
    let meeting = Meeting::new();
    let path = meeting.directory.path().join("new").join("analyzer.sock");
    let listener = Listener::open(&Endpoint::Unix(path.clone()), None).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().mode() & 0o777;
    assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
    drop(listener);
    assert!(!path.exists());
}

#[test]
fn the_socket_of_a_killed_analyzer_is_replaced() {
    let meeting = Meeting::new();
    drop(UnixListener::bind(&meeting.path).unwrap());
    assert!(meeting.path.exists());
    let listener = meeting.open();
    let _agent = FakeAgent::greet(&meeting.path);
    assert!(next_knock(&listener).is_ok());
}

#[test]
fn a_socket_in_use_and_a_file_that_is_none_are_left_alone() {
    let meeting = Meeting::new();
    let first = meeting.open();
    assert!(matches!(Listener::open(&meeting.endpoint(), None), Err(ListenError::Taken(_))));
    drop(first);
    fs::write(&meeting.path, "precious").unwrap();
    assert!(matches!(Listener::open(&meeting.endpoint(), None), Err(ListenError::NoSocket(_))));
    assert_eq!(fs::read_to_string(&meeting.path).unwrap(), "precious");
}

#[test]
fn no_port_is_opened_without_a_secret() {
    for host in ["0.0.0.0", "127.0.0.1"] {
        let endpoint = Endpoint::Tcp { host: host.to_owned(), port: 0 };
        assert!(matches!(Listener::open(&endpoint, None), Err(ListenError::NoSecret(_))));
        assert!(Listener::open(&endpoint, Some(secret(SECRET))).is_ok());
    }
}

#[test]
fn peers_that_stay_silent_are_met_a_few_at_a_time() {
    let meeting = Meeting::new();
    let listener = meeting.open();
    let mut silent: Vec<FakeAgent> = (0..MOST_MEETINGS).map(|_| FakeAgent::connect(&meeting.path)).collect();
    let _agent = FakeAgent::greet(&meeting.path);
    let early = listener.knocks().recv_timeout(Duration::from_millis(400));
    assert!(early.is_err(), "all places were taken");
    silent.pop();
    assert!(next_knock(&listener).is_err(), "one has gone");
    assert!(next_knock(&listener).is_ok(), "and the agent takes its place");
}

#[test]
fn a_host_that_vanishes_is_missed() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    stay_in_touch(&stream).unwrap();
    assert!(sockopt::socket_keepalive(&stream).unwrap());
    assert_eq!(sockopt::tcp_keepidle(&stream).unwrap(), Duration::from_secs(30));
}
