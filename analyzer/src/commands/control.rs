//! Snapshots on request within a run: from a key or a socket to the follower of a JVM, and the answer back.

use crate::commands::fleet::Fleet;
use crate::commands::follower::WindowOrder;
use crossbeam_channel::{Receiver, Sender, bounded, never};
use rootbound::ingest::control::{self, Answer, Ask, ControlServer, Request};
use rootbound::report::SnapshotKind;
use rootbound::session::RequestOutcome;
use rootbound::units;
use rootbound_wire::message::SnapshotRequest;

/// A snapshot that a follower is asked for.
pub(crate) struct SnapshotOrder {
    pub(crate) kind: SnapshotRequest,
    pub(crate) answer: Sender<Answer>,
}

/// The requests of one run.
pub(crate) struct Control {
    /// `None` where the socket could not be opened; keys work all the same.
    server: Option<ControlServer>,
    /// Process id by which the user knows the only JVM, where that differs from the JVM's own.
    outer_pid: Option<u32>,
    /// The answer to the latest key, with the number of its JVM.
    key: Option<(u32, Receiver<Answer>)>,
}

impl Control {
    /// Opens the control socket of this process. `outer_pid` also names the JVM, whatever id it has for itself.
    pub(crate) fn open(outer_pid: Option<u32>) -> Self {
        let server = ControlServer::open(&control::folder());
        let server =
            server.map_err(|error| tracing::warn!("rootbound mark and capture cannot reach this run: {error}"));
        Self { server: server.ok(), outer_pid, key: None }
    }

    /// Requests over the socket.
    pub(crate) fn asks(&self) -> Receiver<Ask> {
        self.server.as_ref().map_or_else(never, |server| server.asks().clone())
    }

    /// Answers a request, or passes it to the JVM's follower.
    pub(crate) fn answer(&self, ask: Ask, fleet: &Fleet) {
        match ask.request {
            Request::Jvms => reply(&ask.answer, Answer::Jvms(self.pids(fleet))),
            Request::Snapshot { kind, pid } => {
                let is_alias = self.outer_pid == Some(pid);
                let jvm = fleet.members().iter().find(|jvm| jvm.is_live() && (jvm.pid == pid || is_alias));
                match jvm {
                    Some(jvm) => jvm.follower.request(SnapshotOrder { kind, answer: ask.answer }),
                    None => reply(&ask.answer, Answer::Refused(format!("process {pid} is not watched any more"))),
                }
            }
        }
    }

    fn pids(&self, fleet: &Fleet) -> Vec<u32> {
        let live = fleet.members().iter().filter(|jvm| jvm.is_live());
        live.map(|jvm| self.outer_pid.unwrap_or(jvm.pid)).collect()
    }

    /// Asks for a snapshot of the JVM that the screen shows.
    pub(crate) fn press(&mut self, number: u32, kind: SnapshotRequest, fleet: &Fleet) {
        let (answer, answers) = bounded(1);
        match fleet.members().iter().find(|jvm| jvm.number == number && jvm.is_live()) {
            Some(jvm) => jvm.follower.request(SnapshotOrder { kind, answer }),
            None => reply(&answer, Answer::Refused("no JVM is watched here".to_owned())),
        }
        self.key = Some((number, answers));
    }

    /// Compares the structures of the JVM that the screen shows between other captures.
    pub(crate) fn choose(&mut self, number: u32, window: Option<(usize, usize)>, fleet: &Fleet) {
        let (answer, answers) = bounded(1);
        if let Some(jvm) = fleet.members().iter().find(|jvm| jvm.number == number && jvm.is_live()) {
            jvm.follower.choose(WindowOrder { window, answer });
            self.key = Some((number, answers));
        }
    }

    /// The text for the screen once the snapshot of the latest key is made or refused, with the number of its JVM.
    pub(crate) fn key_answer(&mut self) -> Option<(u32, String)> {
        let (number, answers) = self.key.as_ref()?;
        let (number, answer) = (*number, answers.try_recv().ok()?);
        self.key = None;
        let text = match answer {
            Answer::Done(text) | Answer::Failed(text) => text,
            Answer::Refused(reason) => format!("refused: {reason}"),
            Answer::Jvms(_) => return None,
        };
        Some((number, text))
    }
}

/// Sends an answer; a peer that has gone needs none.
pub(crate) fn reply(to: &Sender<Answer>, answer: Answer) {
    drop(to.try_send(answer));
}

/// The answer for the end of a snapshot: `marked 8,000 of 120,000 objects at 12 s; the program was paused for 6.2 ms`.
pub(crate) fn answer_of(outcome: RequestOutcome) -> Answer {
    let snapshot = match outcome {
        RequestOutcome::Made(snapshot) => snapshot,
        RequestOutcome::Failed(reason) => return Answer::Failed(format!("the snapshot failed: {reason}")),
    };
    let objects = units::count(snapshot.objects.unwrap_or(0));
    let made = match (snapshot.kind, snapshot.marked) {
        (SnapshotKind::Mark, Some(marked)) => format!("marked {} of {objects} objects", units::count(marked)),
        _ => format!("captured {objects} objects"),
    };
    let pause = match snapshot.pause_ms {
        0.0 => "the program was not paused".to_owned(),
        ms => format!("the program was paused for {}", units::milliseconds(ms)),
    };
    Answer::Done(format!("{made} at {}; {pause}", units::duration_s(snapshot.at_s)))
}
