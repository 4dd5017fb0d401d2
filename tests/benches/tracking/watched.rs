//! The analyzer's side of one JVM: the engine itself, fed as `rootbound` feeds it, whose tracking the bench lets rest.

use rootbound::ingest::clock::AgentClock;
use rootbound::ingest::listener::Listener;
use rootbound::ingest::live::{IntakeMemory, Link, LinkEvent};
use rootbound::session::{Session, Settings};
use rootbound_wire::ids::{ProbeId, SnapshotId};
use rootbound_wire::message::{FromAgent, Heartbeat, ProbeReport, ToAgent};
use std::time::{Duration, Instant};

/// Longer than mark, capture and analysis of the largest heap.
const PATIENCE: Duration = Duration::from_secs(600);
/// Time between two checks of the clock.
const LOOK: Duration = Duration::from_millis(100);
/// A tick that never comes.
const NEVER_MS: u32 = u32::MAX / 2;

/// The watching of one JVM.
pub struct Watched {
    link: Link,
    session: Session,
    clock: AgentClock,
    /// The snapshot, tick and probes of the last installation.
    asked: Option<(SnapshotId, u32, Vec<ProbeId>)>,
    /// Whether the requested probes are installed: from then on the engine's time is stopped, so that it captures
    /// nothing more.
    tracks: bool,
    beats: Vec<Heartbeat>,
    /// Every visit since tracking began.
    pub visits: Vec<ProbeReport>,
}

/// Settings for the benches: mark and capture as soon as a structure has grown.
pub fn settings(tick: Duration, capture_after: Duration) -> Settings {
    Settings {
        mark_after: Some(Duration::from_secs(3)),
        capture_after: Some(capture_after),
        tick: Some(tick),
        ..Settings::default()
    }
}

impl Watched {
    /// Waits for the agent and welcomes it.
    pub fn meet(listener: &Listener, settings: Settings) -> Self {
        let knock = listener.knocks().recv_timeout(PATIENCE).expect("the agent connects");
        let candidate = knock.unwrap_or_else(|error| panic!("not an agent: {error}"));
        let memory = IntakeMemory::default();
        let link = candidate.welcome(&memory).unwrap_or_else(|error| panic!("the agent is gone: {error}"));
        let hello = FromAgent::Hello(link.hello().clone());
        let clock = AgentClock::starting(Instant::now());
        let session = Session::new(settings);
        let mut met = Self { link, session, clock, asked: None, tracks: false, beats: Vec::new(), visits: Vec::new() };
        met.receive(hello);
        met
    }

    /// Marks, captures, analyses, and gives the probes to the agent.
    pub fn until_tracking(&mut self) {
        let end = Instant::now() + PATIENCE;
        while !self.tracks {
            assert!(Instant::now() < end, "no region is tracked: {:#?}", self.session.report().snapshots);
            let commands = self.session.advance(self.clock.now_ms(Instant::now()));
            self.send(commands);
            self.pump(LOOK);
        }
    }

    /// Number of installed probes.
    pub fn followed(&self) -> usize {
        self.asked.as_ref().map_or(0, |(.., probes)| probes.len())
    }

    /// Lets the agent go on for a while and takes in its messages.
    pub fn listen(&mut self, long: Duration) {
        let end = Instant::now() + long;
        while let Some(left) = end.checked_duration_since(Instant::now()) {
            self.pump(left.min(LOOK));
        }
    }

    /// Lets the probes be visited again, as at the beginning, or rest; returns the agent's state.
    pub fn work(&mut self, works: bool) -> Heartbeat {
        let tick_ms = self.asked.as_ref().map_or(NEVER_MS, |&(_, tick_ms, _)| tick_ms);
        self.with_tick(if works { tick_ms } else { NEVER_MS })
    }

    /// Visits the probes at another tick from now on; returns the agent's state, which it sends then.
    pub fn with_tick(&mut self, tick_ms: u32) -> Heartbeat {
        let (snapshot, _, keep) = self.asked.clone().expect("probes are installed");
        let before = self.beats.len();
        self.emit(&ToAgent::InstallProbes {
            snapshot,
            tick_ms,
            probes: Vec::new(),
            keep,
            keep_tags: false,
            most_stop_ms: 0,
        });
        self.tracks = false;
        let end = Instant::now() + PATIENCE;
        // A periodic heartbeat may come first; the one that was caused follows the answer.
        while !self.tracks || self.beats.len() == before {
            assert!(Instant::now() < end, "the agent is silent");
            if self.pump(LOOK) && !self.tracks {
                self.beats.truncate(before);
            }
        }
        self.beats[self.beats.len() - 1]
    }

    /// Asks the agent to leave, and waits until it has.
    pub fn detach(&mut self) {
        self.emit(&ToAgent::Detach);
        let end = Instant::now() + PATIENCE;
        while !self.session.is_over() {
            assert!(Instant::now() < end, "the agent does not leave");
            self.pump(LOOK);
        }
    }

    /// The agent's state by its last heartbeat.
    pub fn last_beat(&self) -> Option<Heartbeat> {
        self.beats.last().copied()
    }

    /// Takes in one message, if one comes in time.
    fn pump(&mut self, long: Duration) -> bool {
        let Ok(parcel) = self.link.parcels().recv_timeout(long) else { return false };
        match self.link.open(parcel) {
            LinkEvent::Message(message) => self.receive(*message),
            LinkEvent::Damaged(text) => panic!("a message cannot be read: {text}"),
            LinkEvent::End(end) => {
                assert!(self.session.is_over(), "the JVM is gone: {end:?}");
                return false;
            }
        }
        true
    }

    fn receive(&mut self, message: FromAgent) {
        self.clock.observe(&message, Instant::now());
        match &message {
            FromAgent::ProbesInstalled { results, .. } => {
                for (probe, failure) in results.iter().filter_map(|each| Some((each.probe, each.failure.as_ref()?))) {
                    eprintln!("a probe cannot be installed: {failure}");
                    self.asked.iter_mut().for_each(|(.., probes)| probes.retain(|kept| *kept != probe));
                }
                self.tracks = self.asked.is_some();
            }
            FromAgent::Heartbeat(beat) => self.beats.push(*beat),
            FromAgent::ProbeReport(report) => self.visits.push(report.clone()),
            FromAgent::Problem { text, .. } => eprintln!("the agent says: {text}"),
            _ => {}
        }
        let commands = self.session.receive(message);
        self.send(commands);
    }

    fn send(&mut self, commands: Vec<ToAgent>) {
        for command in commands {
            if let ToAgent::InstallProbes { snapshot, tick_ms, probes, .. } = &command
                && !probes.is_empty()
            {
                self.asked = Some((*snapshot, *tick_ms, probes.iter().map(|spec| spec.probe).collect()));
            }
            self.emit(&command);
        }
    }

    fn emit(&mut self, command: &ToAgent) {
        self.link.send(command).expect("the agent listens");
    }
}
