//! The live loop: waits for everything at once (messages, agents, keys, signals, time) until there is a reason to end.

use crate::commands::display::Display;
use crate::commands::interrupt::Interrupt;
use crate::commands::program::Program;
use crate::commands::watched_jvm::WatchedJvm;
use crossbeam_channel::{Receiver, never, select, tick};
use rootbound::ingest::listener::{Knock, Listener};
use rootbound::ingest::live::{Link, LinkEnd, LinkParcel};
use rootbound::view::report::Report;
use rootbound::view::units;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// Between two looks at the clock, and two drawings.
const TICK: Duration = Duration::from_millis(250);

/// What an agent gets for its last words.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// A JVM that loads the agent connects within a second; after this long the user must know that none did.
const EXPECT_JVM: Duration = Duration::from_secs(15);

/// Why the loop ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The user asked for the report.
    Interrupted,
    /// `--for` is over.
    TimeUp,
    /// All that was asked for is known.
    Done,
    /// `--for` is over, and nobody has connected.
    NoJvm,
    /// The watched JVM is gone.
    JvmGone,
    /// The started program is gone.
    ProgramEnded(ExitStatus),
}

/// All that the loop waits for.
pub(crate) struct Watching<'a> {
    pub(crate) listener: Listener,
    pub(crate) jvm: WatchedJvm,
    pub(crate) display: Display<'a>,
    pub(crate) interrupt: &'a Interrupt,
    /// The program that `run` started; `watch` has none.
    pub(crate) program: Option<&'a mut Program>,
    pub(crate) run_for: Option<Duration>,
    pub(crate) started: Instant,
    /// Whether the user was told that no JVM has come.
    pub(crate) missed: bool,
}

impl Watching<'_> {
    /// Watches until there is a reason to end; then gives the agent time for its last words, the terminal back, and the
    /// report out.
    pub(crate) fn watch(mut self) -> (Ending, Report) {
        let ticks = tick(TICK);
        self.show();
        let ending = loop {
            if let Some(ending) = self.ending() {
                break ending;
            }
            self.wait(&ticks);
        };
        self.finish(ending);
        let mut report = self.report();
        self.describe(ending, &mut report);
        (ending, report)
    }

    fn wait(&mut self, ticks: &Receiver<Instant>) {
        select! {
            recv(parcels(&self.jvm)) -> parcel => self.take(parcel.ok()),
            recv(self.listener.knocks()) -> knock => self.answer(knock.ok()),
            recv(self.display.events()) -> event => if let Ok(event) = event { self.key(&event) },
            recv(self.interrupt.wakes()) -> _ => {},
            recv(ticks) -> _ => self.tick(),
        }
    }

    fn take(&mut self, parcel: Option<LinkParcel>) {
        match parcel {
            Some(parcel) => self.jvm.take(parcel),
            None => self.jvm.lose(&LinkEnd::Broken("its reader is gone".to_owned())),
        }
    }

    fn answer(&mut self, knock: Option<Knock>) {
        match knock {
            Some(Ok(candidate)) => self.jvm.consider(candidate, self.program.is_some()),
            Some(Err(error)) => self.jvm.problem(error.to_string()),
            None => {}
        }
    }

    fn key(&mut self, event: &ratatui::crossterm::event::Event) {
        let report = self.report();
        match self.display.handle(event, &report) {
            Ok(false) => {}
            Ok(true) => self.interrupt.raise(),
            Err(error) => self.lost_screen(&error),
        }
    }

    fn tick(&mut self) {
        self.jvm.advance();
        self.miss_jvm();
        self.show();
    }

    /// Says plainly that the program runs and no JVM has connected.
    fn miss_jvm(&mut self) {
        let expected = self.program.is_some() && self.jvm.met_for().is_none() && self.started.elapsed() > EXPECT_JVM;
        if expected && !self.missed {
            self.missed = true;
            self.jvm.problem(no_jvm_of_program());
        }
    }

    fn show(&mut self) {
        let report = self.report();
        if let Err(error) = self.display.show(&report) {
            self.lost_screen(&error);
        }
    }

    /// Without a screen nobody can ask for the report, so it comes now.
    fn lost_screen(&self, error: &std::io::Error) {
        tracing::warn!("the terminal is gone: {error}");
        self.interrupt.raise();
    }

    fn ending(&mut self) -> Option<Ending> {
        if self.interrupt.is_raised() {
            return Some(Ending::Interrupted);
        }
        if let Some(status) = self.program.as_mut().and_then(|program| program.poll()) {
            return Some(Ending::ProgramEnded(status));
        }
        let met_for = self.jvm.met_for();
        let time_up = |since: Duration| self.run_for.is_some_and(|limit| since >= limit);
        match met_for {
            Some(_) if self.jvm.is_done() => Some(Ending::Done),
            Some(since) if time_up(since) => Some(Ending::TimeUp),
            None if time_up(self.started.elapsed()) => Some(Ending::NoJvm),
            Some(_) if self.jvm.link().is_none() && self.program.is_none() => Some(Ending::JvmGone),
            _ => None,
        }
    }

    /// Reads what the agent still says: its Goodbye, and what lies in memory.
    fn finish(&mut self, ending: Ending) {
        if !matches!(ending, Ending::ProgramEnded(_)) {
            self.jvm.detach();
        }
        let deadline = Instant::now() + LAST_WORDS;
        while self.jvm.link().is_some() && Instant::now() < deadline && !self.interrupt.is_urgent() {
            select! {
                recv(parcels(&self.jvm)) -> parcel => self.take(parcel.ok()),
                default(Duration::from_millis(50)) => {}
            }
        }
        self.jvm.finish_recording();
    }

    /// Why the report comes now. A JVM that is gone the engine has described itself.
    fn describe(&self, ending: Ending, report: &mut Report) {
        let asked = self.run_for.unwrap_or_default().as_secs_f64();
        match ending {
            Ending::Interrupted => report.status = "interrupted".to_owned(),
            Ending::TimeUp => report.status = format!("watched for {}, as asked", units::duration_s(asked)),
            Ending::ProgramEnded(status) => report.status = format!("the program ended ({status})"),
            Ending::Done => report.status = "dry run: nothing was captured".to_owned(),
            Ending::NoJvm | Ending::JvmGone => {}
        }
    }

    /// The engine's report; before there is a JVM, what is being waited for.
    fn report(&self) -> Report {
        let mut report = self.jvm.report();
        if self.jvm.met_for().is_none() {
            report.duration_s = self.started.elapsed().as_secs_f64();
            report.status = match self.program {
                Some(_) => "waiting for a JVM of the started program to connect".to_owned(),
                None => format!("waiting for a JVM with the agent on {}", self.listener.endpoint()),
            };
        }
        report
    }
}

/// What to say when a program was started and no JVM came.
pub(crate) fn no_jvm_of_program() -> String {
    "no JVM of the started program has connected: either it starts none, or its JVM could not load the agent \
     (see what the program printed)"
        .to_owned()
}

fn parcels(jvm: &WatchedJvm) -> Receiver<LinkParcel> {
    jvm.link().map(Link::parcels).cloned().unwrap_or_else(never)
}
