//! One JVM between the socket and the engine: feeds messages in, sends commands out, records both.

use crate::commands::turns::Turn;
use rootbound::growing::WindowRefusal;
use rootbound::ingest::clock::AgentClock;
use rootbound::ingest::live::{Link, LinkEnd, LinkEvent, LinkParcel};
use rootbound::ingest::recording::RecordingWriter;
use rootbound::report::{Report, Status};
use rootbound::session::{RequestOutcome, RequestRefusal, Session, Settings};
use rootbound_wire::frame::FrameError;
use rootbound_wire::message::{FromAgent, MarkDone, SnapshotRequest, ToAgent};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// A JVM from its Hello on.
pub(crate) struct WatchedJvm {
    session: Session,
    /// `None` once nothing more can come.
    link: Option<Link>,
    met: Instant,
    clock: AgentClock,
    recording: Option<RecordingWriter>,
    turn: Turn,
    /// Commands that wait, starting with a capture that does not have its turn yet.
    held: VecDeque<ToAgent>,
    was_lost: bool,
}

impl WatchedJvm {
    /// Begins with the first messages of the agent.
    pub(crate) fn new(link: Link, settings: Settings, recording: Option<RecordingWriter>, turn: Turn) -> Self {
        let met = Instant::now();
        let hello = link.hello().clone();
        let mut jvm = Self {
            session: Session::new(settings),
            link: Some(link),
            met,
            clock: AgentClock::starting(met),
            recording,
            turn,
            held: VecDeque::new(),
            was_lost: false,
        };
        jvm.receive(FromAgent::Hello(hello));
        jvm
    }

    /// The connection while it stands.
    pub(crate) fn link(&self) -> Option<&Link> {
        self.link.as_ref()
    }

    /// Time since the JVM said Hello.
    pub(crate) fn met_for(&self) -> Duration {
        self.met.elapsed()
    }

    /// Whether nothing more is to be waited for.
    pub(crate) fn is_done(&self) -> bool {
        self.session.is_done()
    }

    /// Whether the connection broke without a Goodbye: such a JVM may come again.
    pub(crate) fn was_lost(&self) -> bool {
        self.was_lost
    }

    /// The report at this moment.
    pub(crate) fn report(&self) -> Report {
        let mut report = self.session.report();
        if !self.held.is_empty() {
            report.status = Status::AwaitingTurn;
        }
        report
    }

    /// Adds a problem to the report, and prints it on standard error immediately.
    pub(crate) fn problem(&mut self, text: String) {
        tracing::warn!("{text}");
        self.session.problem(text);
    }

    /// Takes in one parcel of the link.
    pub(crate) fn take(&mut self, parcel: LinkParcel) {
        let Some(link) = &self.link else { return };
        match link.open(parcel) {
            LinkEvent::Message(message) => self.receive(*message),
            LinkEvent::Damaged(text) => self.problem(format!("a message of the agent cannot be read: {text}")),
            LinkEvent::End(end) => self.lose(&end),
        }
    }

    /// Records the end of the connection; the engine must know one without a Goodbye.
    pub(crate) fn lose(&mut self, end: &LinkEnd) {
        self.hang_up();
        if self.session.is_over() {
            return;
        }
        self.was_lost = true;
        if let LinkEnd::Broken(reason) = end {
            self.problem(format!("the connection to the JVM broke: {reason}"));
        }
        self.session.connection_lost();
    }

    fn receive(&mut self, message: FromAgent) {
        self.clock.observe(&message, Instant::now());
        let recorded = self.recording.as_mut().map_or(Ok(()), |recording| recording.append(&message));
        recorded.unwrap_or_else(|stopped| self.problem(stopped.to_string()));
        let commands = self.feed(message);
        self.send(commands);
        if self.session.is_over() {
            self.hang_up();
        }
    }

    /// Feeds one message. The one that ends a capture starts its analysis, whose duration is passed to the engine.
    fn feed(&mut self, message: FromAgent) -> Vec<ToAgent> {
        if !matches!(message, FromAgent::CaptureDone(_)) {
            if belongs_to_capture(&message) {
                self.turn.continues(Instant::now());
            }
            return self.session.receive(message);
        }
        let session = &mut self.session;
        let commands = self.turn.analyse(|| {
            let started = Instant::now();
            let commands = session.receive(message);
            session.note_analysis_time(started.elapsed().as_secs_f64() * 1000.0);
            commands
        });
        self.turn.give_back();
        commands
    }

    /// Advances the agent's time.
    pub(crate) fn advance(&mut self) {
        if self.link.is_some() {
            let commands = self.session.advance(self.clock.now_ms(Instant::now()));
            self.send(commands);
        }
    }

    /// Begins a snapshot that somebody asks for.
    pub(crate) fn request(&mut self, request: SnapshotRequest) -> Result<(), RequestRefusal> {
        if self.link.is_none() {
            return Err(RequestRefusal::NotConnected);
        }
        let commands = self.session.request(request, self.clock.now_ms(Instant::now()))?;
        self.send(commands);
        Ok(())
    }

    /// Compares the structures of these two captures; `None`: the first and the latest.
    pub(crate) fn choose_window(&mut self, window: Option<(usize, usize)>) -> Result<(), WindowRefusal> {
        self.session.choose_window(window)
    }

    /// The end of the latest snapshot on request, once.
    pub(crate) fn take_outcome(&mut self) -> Option<RequestOutcome> {
        self.session.take_outcome()
    }

    /// Asks the agent to leave the JVM alone.
    pub(crate) fn detach(&mut self) {
        self.held.clear();
        self.send(vec![ToAgent::Detach]);
    }

    /// Hands the recording to the system.
    pub(crate) fn finish_recording(&mut self) {
        let flushed = self.recording.as_mut().map_or(Ok(()), RecordingWriter::flush);
        flushed.unwrap_or_else(|error| self.problem(format!("the end of the recording is lost: {error}")));
    }

    fn hang_up(&mut self) {
        self.link = None;
        self.held.clear();
        self.turn.give_back();
    }

    /// Sends in order, up to a capture that has to wait for its turn.
    fn send(&mut self, commands: Vec<ToAgent>) {
        self.held.extend(commands);
        while let Some(next) = self.held.front() {
            if matches!(next, ToAgent::Capture { .. }) && !self.turn.take(Instant::now()) {
                return;
            }
            let Some(next) = self.held.pop_front() else { return };
            self.transmit(&next);
        }
    }

    /// Sends one command. The end of an agent is noticed by the reader, after its remaining messages: a failed send
    /// decides nothing.
    fn transmit(&mut self, command: &ToAgent) {
        let Some(link) = &mut self.link else { return };
        let is_for_recordings = matches!(command, ToAgent::Requested(_));
        match if is_for_recordings { Ok(()) } else { link.send(command) } {
            Err(error @ (FrameError::TooLong(_) | FrameError::Codec(_))) => return self.unsent(command, &error),
            Err(error) => tracing::info!("a command did not reach the agent: {error}"),
            Ok(()) => {}
        }
        let recorded = self.recording.as_mut().map_or(Ok(()), |recording| recording.append(command));
        recorded.unwrap_or_else(|stopped| self.problem(stopped.to_string()));
    }

    /// Answers a command that is no message: nobody else will, and the engine would wait for it.
    fn unsent(&mut self, command: &ToAgent, error: &FrameError) {
        self.problem(format!("a command was not sent, which is a defect of rootbound: {error}"));
        if let ToAgent::MarkPaths { snapshot, .. } = command {
            let (snapshot, at_ms) = (*snapshot, self.clock.now_ms(Instant::now()));
            let failure = Some(error.to_string());
            self.receive(FromAgent::MarkDone(MarkDone { snapshot, at_ms, failure, ..MarkDone::default() }));
        }
    }
}

/// Whether a message shows progress of a capture under way.
fn belongs_to_capture(message: &FromAgent) -> bool {
    matches!(
        message,
        FromAgent::CaptureStarted { .. }
            | FromAgent::Graph(_)
            | FromAgent::Objects(_)
            | FromAgent::References(_)
            | FromAgent::Roots(_)
            | FromAgent::Classes(_)
            | FromAgent::Threads(_)
            | FromAgent::Methods(_)
    )
}
