//! The live loop: waits for agents, keys, signals and time until there is a reason to end. The JVMs are followed
//! elsewhere, each on a thread of its own; this module decides which of them are accepted and when the run ends.

use crate::commands::control::Control;
use crate::commands::delivery::Delivery;
use crate::commands::display::{Display, KeyAction};
use crate::commands::fleet::Fleet;
use crate::commands::follower::{JvmEnding, LAST_WORDS, StopRequest};
use crate::commands::interrupt::Interrupt;
use crate::commands::program::Program;
use crate::commands::rotation::Files;
use crossbeam_channel::{Receiver, select, tick};
use rootbound::ingest::listener::{Knock, Listener};
use rootbound::report::{End, Report, Status};
use rootbound::view::several::Seen;
use std::process::ExitStatus;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// Time between two checks of the clock, and between two drawings.
const TICK: Duration = Duration::from_millis(250);

/// Time between two checks whether all reports have come.
const POLL: Duration = Duration::from_millis(20);

/// A JVM that loads the agent connects within a second; after this time a warning states that none did.
const EXPECT_JVM: Duration = Duration::from_secs(15);

/// Reason why the loop ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The user asked for the report.
    Interrupted,
    /// `--for` is over.
    TimeUp,
    /// All requested results are there.
    Done,
    /// `--for` is over, and no JVM has connected.
    NoJvm,
    /// The watched JVMs are gone.
    JvmsGone,
    /// The started program is gone.
    ProgramEnded(ExitStatus),
}

/// Result of the loop.
pub(crate) struct Outcome {
    pub(crate) ending: Ending,
    pub(crate) fleet: Fleet,
    /// The report of a run without a JVM.
    pub(crate) nobody: Option<Report>,
}

/// Everything that the loop needs.
pub(crate) struct Watching<'a, 'o> {
    pub(crate) listener: Listener,
    pub(crate) fleet: Fleet,
    pub(crate) control: Control,
    pub(crate) display: Display<'a>,
    pub(crate) interrupt: &'a Interrupt,
    /// The program that `run` started; `watch` has none.
    pub(crate) program: Option<&'a mut Program>,
    /// Reports of `watch` are delivered as JVMs end; those of `run` when it is known which of them matters most.
    pub(crate) delivery: Option<&'a mut Delivery<'o>>,
    pub(crate) run_for: Option<Duration>,
    /// Whether to wait for further JVMs when all have ended.
    pub(crate) keep_listening: bool,
    /// Option that connects a JVM to `watch`.
    pub(crate) agent_option: String,
    pub(crate) started: Instant,
    /// Whether the user was warned that no JVM has connected.
    pub(crate) missed: bool,
}

impl Watching<'_, '_> {
    /// Watches until there is a reason to end; then releases all JVMs, and restores the terminal.
    pub(crate) fn watch(mut self) -> Outcome {
        let ticks = tick(TICK);
        self.show();
        let ending = loop {
            self.fleet.refresh();
            self.deliver();
            if let Some(ending) = self.ending() {
                break ending;
            }
            self.wait(&ticks);
        };
        let status = self.finish(ending);
        let nobody = self.fleet.is_empty().then(|| self.nobody());
        let nobody = nobody.map(|report| Report { status: status.unwrap_or(report.status.clone()), ..report });
        Outcome { ending, fleet: self.fleet, nobody }
    }

    fn wait(&mut self, ticks: &Receiver<Instant>) {
        select! {
            recv(self.listener.knocks()) -> knock => self.answer(knock.ok()),
            recv(self.control.asks()) -> ask => if let Ok(ask) = ask { self.control.answer(ask, &self.fleet) },
            recv(self.display.events()) -> event => if let Ok(event) = event { self.key(&event) },
            recv(self.interrupt.wakes()) -> _ => {},
            recv(ticks) -> _ => self.tick(),
        }
    }

    fn answer(&mut self, knock: Option<Knock>) {
        match knock {
            Some(Ok(candidate)) => self.fleet.admit(candidate),
            Some(Err(error)) => self.fleet.rejected(&error),
            None => {}
        }
    }

    fn key(&mut self, event: &ratatui::crossterm::event::Event) {
        match self.display.handle(event, &self.seen(), self.fleet.tally()) {
            Ok(KeyAction::None) => {}
            Ok(KeyAction::Leave) => self.interrupt.raise(),
            Ok(KeyAction::Snapshot { number, kind }) => self.control.press(number, kind, &self.fleet),
            Ok(KeyAction::Window { number, window }) => self.control.choose(number, window, &self.fleet),
            Err(error) => self.lost_screen(&error),
        }
    }

    fn tick(&mut self) {
        self.miss_jvm();
        self.close_in_time();
        self.show();
    }

    /// Warns that the program runs and no JVM has connected.
    fn miss_jvm(&mut self) {
        let expected = self.program.is_some() && self.fleet.is_empty() && self.started.elapsed() > EXPECT_JVM;
        if expected && !self.missed {
            self.missed = true;
            self.fleet.note(no_jvm_of_program());
        }
    }

    /// Closes a run whose program starts JVM after JVM and would never end: when the time of the first is over, no
    /// other begins.
    fn close_in_time(&mut self) {
        if self.program.is_some() && self.fleet.members().iter().any(|member| self.is_time_up(member.met.elapsed())) {
            self.fleet.close("this rootbound is about to report");
        }
    }

    fn show(&mut self) {
        if let Some((number, text)) = self.control.key_answer() {
            self.display.notify(number, text);
        }
        let (seen, tally) = (self.seen(), self.fleet.tally());
        if let Err(error) = self.display.show(&seen, tally) {
            self.lost_screen(&error);
        }
    }

    /// Ends the run with the report: without a screen the user cannot ask for it.
    fn lost_screen(&self, error: &std::io::Error) {
        tracing::warn!("the terminal is gone: {error}");
        self.interrupt.raise();
    }

    /// Delivers the reports of JVMs that have ended immediately; the tables wait while the screen is in use.
    fn deliver(&mut self) {
        let Some(delivery) = self.delivery.as_mut() else { return };
        let (is_several, is_live) = (self.fleet.tally().is_several(), self.display.is_live());
        let mut delivered = Vec::new();
        for member in self.fleet.undelivered() {
            member.is_delivered = true;
            if !is_live {
                delivery.print(&member.published.report, is_several);
            }
            delivery.write(member.json.as_deref(), &member.published.report);
            delivered.push(Files { report: member.json.clone(), recording: member.recording.clone() });
        }
        self.fleet.rotate(delivered);
    }

    fn is_time_up(&self, since: Duration) -> bool {
        self.run_for.is_some_and(|limit| since >= limit)
    }

    fn ending(&mut self) -> Option<Ending> {
        if self.interrupt.is_raised() {
            return Some(Ending::Interrupted);
        }
        if let Some(status) = self.program.as_mut().and_then(|program| program.poll()) {
            return Some(Ending::ProgramEnded(status));
        }
        if self.fleet.is_empty() {
            return (self.is_time_up(self.started.elapsed()) && !self.keep_listening).then_some(Ending::NoJvm);
        }
        if self.fleet.live() > 0 || self.keep_listening || self.fleet.expects_return() {
            return None;
        }
        let ended = |wanted| self.fleet.members().iter().any(|member| member.ended_by(wanted));
        if ended(JvmEnding::Done) {
            return Some(Ending::Done);
        }
        let had_its_time = self.fleet.members().iter().any(|member| self.is_time_up(member.met.elapsed()));
        if ended(JvmEnding::TimeUp) || (self.program.is_some() && had_its_time) {
            return Some(Ending::TimeUp);
        }
        self.program.is_none().then_some(Ending::JvmsGone)
    }

    /// Asks all JVMs for their reports and waits until they have come, or until the user does not want to wait. Returns
    /// the status of the end.
    fn finish(&mut self, ending: Ending) -> Option<Status> {
        let (status, detach) = match ending {
            Ending::Interrupted => (Some(Status::Ended(End::Interrupted)), true),
            Ending::ProgramEnded(status) => (Some(Status::Ended(End::ProgramEnded(status.to_string()))), false),
            _ => (None, true),
        };
        let stop_request = StopRequest { status, detach };
        self.fleet.dismiss(&stop_request);
        self.fleet.refresh();
        while self.fleet.live() > 0 && !self.interrupt.is_urgent() {
            thread::sleep(POLL);
            self.fleet.refresh();
        }
        self.fleet.conclude(&stop_request, LAST_WORDS);
        stop_request.status
    }

    /// The JVMs to show; before any has connected, an empty report with its status.
    fn seen(&self) -> Vec<Seen> {
        if !self.fleet.is_empty() {
            return self.fleet.seen();
        }
        vec![Seen { number: 0, is_over: false, report: Arc::new(self.nobody()) }]
    }

    fn nobody(&self) -> Report {
        let status = match self.program {
            Some(_) => Status::AwaitingProgram,
            None => Status::AwaitingAgent {
                endpoint: self.listener.endpoint().to_string(),
                option: self.agent_option.clone(),
            },
        };
        Report { duration_s: self.started.elapsed().as_secs_f64(), status, ..self.fleet.empty_report() }
    }
}

/// Message when a program was started and no JVM connected.
pub(crate) fn no_jvm_of_program() -> String {
    "no JVM of the started program has connected: either it starts none, or its JVM could not load the agent \
     (see what the program printed)"
        .to_owned()
}
