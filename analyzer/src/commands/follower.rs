//! One thread for each watched JVM: it alone feeds that JVM's engine, so that an analysis delays no other JVM. It
//! publishes its reports for the main loop, and accepts the stop request and requests for snapshots.

use crate::commands::control::{SnapshotOrder, answer_of, reply};
use crate::commands::watched_jvm::WatchedJvm;
use crossbeam_channel::{Receiver, Sender, bounded, never, select, tick};
use rootbound::ingest::control::Answer;
use rootbound::ingest::live::{Link, LinkEnd, LinkParcel};
use rootbound::report::{End, Report, Status};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Time between two checks of the clock.
const TICK: Duration = Duration::from_millis(250);

/// Time between two published reports: the engine sums up all its visits for each.
const REPORT_INTERVAL: Duration = Duration::from_millis(500);

/// Time that an agent gets for its remaining messages.
pub(crate) const LAST_WORDS: Duration = Duration::from_secs(2);

/// Reason why a JVM is watched no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JvmEnding {
    /// It was asked for the report.
    Dismissed,
    /// `--for` is over for it.
    TimeUp,
    /// All requested results are there.
    Done,
    /// It said Goodbye.
    Gone,
    /// Its connection broke; it may come again.
    Lost,
    /// The thread that followed it panicked.
    Failed,
}

/// The request to stop and return the report.
#[derive(Clone, Debug)]
pub(crate) struct StopRequest {
    /// Reason for the report; `None` keeps the status of the engine.
    pub(crate) status: Option<Status>,
    /// Whether the agent is asked to leave immediately, rather than when its remaining messages have not come in time.
    pub(crate) detach: bool,
}

/// The captures whose structures are to be compared; `None`: the first and the latest.
pub(crate) struct WindowOrder {
    pub(crate) window: Option<(usize, usize)>,
    pub(crate) answer: Sender<Answer>,
}

/// The latest report, and the end of the watching if it has ended.
#[derive(Clone, Debug)]
pub(crate) struct Published {
    pub(crate) report: Arc<Report>,
    pub(crate) ending: Option<(JvmEnding, Instant)>,
}

/// The main loop's end of a follower.
pub(crate) struct Follower {
    board: Arc<Mutex<Published>>,
    orders: Sender<StopRequest>,
    snapshots: Sender<SnapshotOrder>,
    windows: Sender<WindowOrder>,
}

impl Follower {
    /// Starts to follow, for `run_for` at most.
    ///
    /// # Errors
    /// When the system cannot create a thread; the connection is closed then.
    pub(crate) fn start(jvm: WatchedJvm, run_for: Option<Duration>) -> io::Result<Self> {
        let board = Arc::new(Mutex::new(Published { report: Arc::new(jvm.report()), ending: None }));
        let (orders, received) = bounded(1);
        let (snapshots, requests) = bounded(1);
        let (windows, choices) = bounded(1);
        let publisher = Publisher { board: Arc::clone(&board), last: Instant::now() };
        let following = Following { jvm, run_for, orders: received, requests, choices, awaited: None, publisher };
        thread::Builder::new().name("rootbound-jvm".to_owned()).spawn(move || following.follow())?;
        Ok(Self { board, orders, snapshots, windows })
    }

    /// The published state of the JVM.
    pub(crate) fn published(&self) -> Published {
        self.board.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Requests the end; a follower that has ended or was asked already needs no request.
    pub(crate) fn dismiss(&self, stop_request: StopRequest) {
        drop(self.orders.try_send(stop_request));
    }

    /// Requests another window; a follower that is busy or has ended keeps the one that it has.
    pub(crate) fn choose(&self, order: WindowOrder) {
        if let Err(error) = self.windows.try_send(order) {
            let answer = Answer::Refused("the JVM is being analysed; ask again when that is done".to_owned());
            reply(&error.into_inner().answer, answer);
        }
    }

    /// Requests a snapshot; its answer is sent in any case.
    pub(crate) fn request(&self, order: SnapshotOrder) {
        if let Err(error) = self.snapshots.try_send(order) {
            let answer = Answer::Refused("another request is being handled; ask again when it is done".to_owned());
            reply(&error.into_inner().answer, answer);
        }
    }
}

/// The thread's end.
struct Following {
    jvm: WatchedJvm,
    run_for: Option<Duration>,
    orders: Receiver<StopRequest>,
    requests: Receiver<SnapshotOrder>,
    choices: Receiver<WindowOrder>,
    /// Who waits for the snapshot under way.
    awaited: Option<Sender<Answer>>,
    publisher: Publisher,
}

impl Following {
    fn follow(mut self) {
        let ticks = tick(TICK);
        let (ending, stop_request) = loop {
            if let Some(ending) = self.ending() {
                break (ending, StopRequest { status: self.reason(ending), detach: true });
            }
            select! {
                recv(parcels(&self.jvm)) -> parcel => self.take(parcel.ok()),
                recv(self.orders) -> order => if let Ok(order) = order { break (JvmEnding::Dismissed, order) },
                recv(self.requests) -> order => if let Ok(order) = order { self.request(order) },
                recv(self.choices) -> order => if let Ok(order) = order { self.choose(&order) },
                recv(ticks) -> _ => self.jvm.advance(),
            }
            self.answer();
            self.publisher.publish_in_time(|| self.jvm.report());
        };
        self.drain_remaining(stop_request.detach);
        self.answer_at_the_end();
        self.jvm.finish_recording();
        let mut report = self.jvm.report();
        report.status = stop_request.status.unwrap_or(report.status);
        self.publisher.conclude(report, ending);
    }

    /// Begins a snapshot that somebody asks for, or refuses it.
    fn request(&mut self, order: SnapshotOrder) {
        match self.jvm.request(order.kind) {
            Ok(()) => self.awaited = Some(order.answer),
            Err(refusal) => reply(&order.answer, Answer::Refused(refusal.to_string())),
        }
    }

    /// Compares other captures, and publishes the result immediately.
    fn choose(&mut self, order: &WindowOrder) {
        match self.jvm.choose_window(order.window) {
            Ok(()) => {
                self.publisher.publish(self.jvm.report());
                reply(&order.answer, Answer::Done(window_text(order.window)));
            }
            Err(refusal) => reply(&order.answer, Answer::Refused(refusal.to_string())),
        }
    }

    /// Reports the end of the snapshot to the peer that asked for it.
    fn answer(&mut self) {
        if let Some(outcome) = self.jvm.take_outcome()
            && let Some(to) = self.awaited.take()
        {
            reply(&to, answer_of(outcome));
        }
    }

    fn answer_at_the_end(&mut self) {
        self.answer();
        let left = self.requests.try_iter().map(|order| order.answer);
        for to in self.awaited.take().into_iter().chain(left) {
            reply(&to, Answer::Failed("the JVM is not watched any more".to_owned()));
        }
    }

    fn take(&mut self, parcel: Option<LinkParcel>) {
        match parcel {
            Some(parcel) => self.jvm.take(parcel),
            None => self.jvm.lose(&LinkEnd::Broken("its reader is gone".to_owned())),
        }
    }

    fn ending(&self) -> Option<JvmEnding> {
        let is_time_up = || self.run_for.is_some_and(|limit| self.jvm.met_for() >= limit);
        match self.jvm.link() {
            _ if self.jvm.is_done() => Some(JvmEnding::Done),
            _ if is_time_up() => Some(JvmEnding::TimeUp),
            None if self.jvm.was_lost() => Some(JvmEnding::Lost),
            None => Some(JvmEnding::Gone),
            Some(_) => None,
        }
    }

    /// Status that the end gives the report. The engine itself has described a JVM that is gone.
    fn reason(&self, ending: JvmEnding) -> Option<Status> {
        let asked_s = self.run_for.unwrap_or_default().as_secs_f64();
        match ending {
            JvmEnding::TimeUp => Some(Status::Ended(End::TimeUp { asked_s })),
            JvmEnding::Done => Some(Status::DryRun),
            _ => None,
        }
    }

    /// Drains the remaining messages of the agent: its Goodbye, and those in memory.
    fn drain_remaining(&mut self, detach: bool) {
        if detach {
            self.jvm.detach();
        }
        let deadline = Instant::now() + LAST_WORDS;
        while self.jvm.link().is_some() && Instant::now() < deadline {
            select! {
                recv(parcels(&self.jvm)) -> parcel => self.take(parcel.ok()),
                default(Duration::from_millis(50)) => {}
            }
        }
        if !detach {
            self.jvm.detach();
        }
    }
}

fn window_text(window: Option<(usize, usize)>) -> String {
    match window {
        Some((from, to)) => format!("captures {} and {} are compared", from + 1, to + 1),
        None => "the first capture and the latest are compared".to_owned(),
    }
}

fn parcels(jvm: &WatchedJvm) -> Receiver<LinkParcel> {
    jvm.link().map(Link::parcels).cloned().unwrap_or_else(never)
}

/// Publishes reports. A thread that panics publishes that when it ends.
struct Publisher {
    board: Arc<Mutex<Published>>,
    last: Instant,
}

impl Publisher {
    fn publish_in_time(&mut self, report: impl FnOnce() -> Report) {
        if self.last.elapsed() >= REPORT_INTERVAL {
            self.publish(report());
        }
    }

    fn publish(&mut self, report: Report) {
        let report = Arc::new(report);
        self.set(|published| published.report = report);
        self.last = Instant::now();
    }

    fn conclude(&self, report: Report, ending: JvmEnding) {
        let report = Arc::new(report);
        self.set(|published| *published = Published { report, ending: Some((ending, Instant::now())) });
    }

    fn set(&self, change: impl FnOnce(&mut Published)) {
        change(&mut self.board.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Drop for Publisher {
    fn drop(&mut self) {
        self.set(|published| {
            if published.ending.is_none() {
                let mut report = Report::clone(&published.report);
                report.status = Status::Ended(End::Failed);
                report
                    .problems
                    .push("an internal error ended the watching; the report is what was known then".to_owned());
                *published = Published { report: Arc::new(report), ending: Some((JvmEnding::Failed, Instant::now())) };
            }
        });
    }
}
