//! One JVM between the socket and the engine: feeds messages in, sends commands out, records both.

use rootbound::ingest::clock::AgentClock;
use rootbound::ingest::handshake::Candidate;
use rootbound::ingest::live::{Link, LinkEnd, LinkEvent, LinkParcel};
use rootbound::ingest::recording::RecordingWriter;
use rootbound::session::{Session, Settings};
use rootbound::view::report::Report;
use rootbound_wire::message::{FromAgent, Hello, ToAgent};
use std::time::{Duration, Instant};

/// The watched JVM; before one connects, the place for it.
pub(crate) struct WatchedJvm {
    settings: Settings,
    session: Session,
    link: Option<Link>,
    met: Option<(Instant, AgentClock)>,
    recording: Option<RecordingWriter>,
}

impl WatchedJvm {
    /// Nobody has connected yet.
    pub(crate) fn new(settings: Settings, recording: Option<RecordingWriter>) -> Self {
        let session = Session::new(settings.clone());
        Self { settings, session, link: None, met: None, recording }
    }

    /// The connection while it stands.
    pub(crate) fn link(&self) -> Option<&Link> {
        self.link.as_ref()
    }

    /// Time since the JVM said Hello.
    pub(crate) fn met_for(&self) -> Option<Duration> {
        self.met.map(|(at, _)| at.elapsed())
    }

    /// Whether there is nothing more to wait for.
    pub(crate) fn is_done(&self) -> bool {
        self.session.is_done()
    }

    /// What is known now.
    pub(crate) fn report(&self) -> Report {
        self.session.report()
    }

    /// Something for the report, and for standard error at once.
    pub(crate) fn problem(&mut self, text: String) {
        tracing::warn!("{text}");
        self.session.problem(text);
    }

    /// Welcomes an agent, or sends it away when the place is taken. Start scripts like to ask `java -version` first:
    /// where `successors` are allowed, a JVM that ended before it was captured gives way to the next.
    pub(crate) fn consider(&mut self, candidate: Candidate, successors: bool) {
        let pid = candidate.hello().pid;
        if let Some(reason) = self.objection(successors) {
            tracing::info!("process {pid} was sent away: {reason}");
            candidate.refuse(&reason);
            return;
        }
        match candidate.welcome() {
            Ok(link) => self.begin(link),
            Err(error) => self.problem(format!("process {pid} connected and was gone again: {error}")),
        }
    }

    fn objection(&self, successors: bool) -> Option<String> {
        if let Some(link) = &self.link {
            return Some(format!("this rootbound watches one JVM, process {}", link.hello().pid));
        }
        let captured = |report: Report| report.snapshots.iter().any(|s| s.kind == "capture" && s.failure.is_none());
        let keeps = self.met.is_some() && (!successors || captured(self.session.report()));
        keeps.then(|| "this rootbound has watched another JVM and is about to report".to_owned())
    }

    fn begin(&mut self, link: Link) {
        if self.met.is_some() {
            self.session = Session::new(self.settings.clone());
            let restarted = self.recording.as_mut().map_or(Ok(()), RecordingWriter::restart);
            restarted.unwrap_or_else(|text| self.problem(text));
        }
        let now = Instant::now();
        self.met = Some((now, AgentClock::starting(now)));
        // The token has done its work at the door; a recording must not give it away.
        let hello = Hello { token: String::new(), ..link.hello().clone() };
        self.link = Some(link);
        self.receive(FromAgent::Hello(hello));
    }

    /// Takes what the link gave.
    pub(crate) fn take(&mut self, parcel: LinkParcel) {
        let Some(link) = &self.link else { return };
        match link.open(parcel) {
            LinkEvent::Message(message) => self.receive(message),
            LinkEvent::Damaged(text) => self.problem(format!("a message of the agent cannot be read: {text}")),
            LinkEvent::End(end) => self.lose(&end),
        }
    }

    /// The connection is gone; without a Goodbye the engine has to know.
    pub(crate) fn lose(&mut self, end: &LinkEnd) {
        self.link = None;
        if self.session.is_over() {
            return;
        }
        if let LinkEnd::Broken(reason) = end {
            self.problem(format!("the connection to the JVM broke: {reason}"));
        }
        self.session.connection_lost();
    }

    fn receive(&mut self, message: FromAgent) {
        if let Some((_, clock)) = &mut self.met {
            clock.observe(&message, Instant::now());
        }
        let recorded = self.recording.as_mut().map_or(Ok(()), |recording| recording.append(&message));
        recorded.unwrap_or_else(|text| self.problem(text));
        let commands = receive_timed(&mut self.session, message);
        self.send(&commands);
        if self.session.is_over() {
            self.link = None;
        }
    }

    /// Lets the agent's time pass.
    pub(crate) fn advance(&mut self) {
        let Some((_, clock)) = &self.met else { return };
        if self.link.is_some() {
            let commands = self.session.advance(clock.now_ms(Instant::now()));
            self.send(&commands);
        }
    }

    /// Asks the agent to leave the JVM alone.
    pub(crate) fn detach(&mut self) {
        self.send(&[ToAgent::Detach]);
    }

    /// Hands the recording to the system.
    pub(crate) fn finish_recording(&mut self) {
        let flushed = self.recording.as_mut().map_or(Ok(()), RecordingWriter::flush);
        flushed.unwrap_or_else(|text| self.problem(format!("the end of the recording is lost: {text}")));
    }

    /// An agent that is gone shows at the reading end, behind what it still said: a failed send decides nothing.
    fn send(&mut self, commands: &[ToAgent]) {
        for command in commands {
            let Some(link) = &mut self.link else { return };
            if let Err(error) = link.send(command) {
                tracing::info!("a command did not reach the agent: {error}");
            }
            let recorded = self.recording.as_mut().map_or(Ok(()), |recording| recording.append(command));
            recorded.unwrap_or_else(|text| self.problem(text));
        }
    }
}

/// Feeds one message, and tells the engine how long the analysis took when it ended a capture.
pub(crate) fn receive_timed(session: &mut Session, message: FromAgent) -> Vec<ToAgent> {
    let ends_capture = matches!(message, FromAgent::CaptureDone(_));
    let started = Instant::now();
    let commands = session.receive(message);
    if ends_capture {
        session.note_analysis_time(started.elapsed().as_secs_f64() * 1000.0);
    }
    commands
}
