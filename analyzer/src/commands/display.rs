//! Display while JVMs are watched: the live table on a terminal; otherwise one line on standard error for each change,
//! so that the program's own output stays readable.

use crate::commands::diagnostics::{Diagnostics, Held};
use crate::commands::output::Output;
use anyhow::Context;
use crossbeam_channel::{Receiver, never};
use ratatui::crossterm::event::Event;
use rootbound::view::interim::{self, News};
use rootbound::view::log;
use rootbound::view::several::{Seen, Tally};
use rootbound::view::tui::{Reaction, Setup, Tui};
use rootbound_wire::message::SnapshotRequest;
use std::collections::BTreeMap;
use std::io::{self, IsTerminal};

/// The effect of a key on the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyAction {
    /// None beyond the screen.
    None,
    /// The user wants to leave.
    Leave,
    /// The user wants a snapshot of the JVM with this number.
    Snapshot { number: u32, kind: SnapshotRequest },
    /// The user wants the structures of the JVM with this number compared between these captures; `None`: the first and
    /// the latest.
    Window { number: u32, window: Option<(usize, usize)> },
}

/// One of the displays.
pub(crate) enum Display<'a> {
    /// The live table, and the diagnostics that it holds back: fields are dropped in this order.
    Live {
        /// The screen.
        tui: Box<Tui>,
        /// Prints the diagnostics when the screen is gone.
        _held: Held<'a>,
    },
    /// Lines on changes.
    Plain(Printed<'a>),
}

/// Output that was printed last.
pub(crate) struct Printed<'a> {
    output: &'a Output,
    /// State of each JVM, by its number.
    news: BTreeMap<u32, News>,
    tally: Option<Tally>,
    /// Number of the next entry of each JVM's log, by its number.
    next_entries: BTreeMap<u32, u64>,
}

/// Whether the live table can have the terminal.
pub(crate) fn wants_terminal(plain: bool, output: &Output) -> bool {
    !plain && !output.is_quiet() && !output.stdout_is_json() && io::stdin().is_terminal() && io::stdout().is_terminal()
}

impl<'a> Display<'a> {
    /// Opens the display that `live` selects; leaving has the effect in `leaving`.
    pub(crate) fn open(
        live: bool,
        output: &'a Output,
        diagnostics: &'a Diagnostics,
        leaving: &'static str,
    ) -> anyhow::Result<Self> {
        if !live {
            return Ok(Self::Plain(Printed {
                output,
                news: BTreeMap::new(),
                tally: None,
                next_entries: BTreeMap::new(),
            }));
        }
        let setup = Setup { look: output.look(), leaving };
        let tui = Tui::open(setup).context("cannot draw on this terminal; try --plain")?;
        Ok(Self::Live { tui: Box::new(tui), _held: diagnostics.hold() })
    }

    /// Keys, where there are any.
    pub(crate) fn events(&self) -> Receiver<Event> {
        match self {
            Self::Live { tui, .. } => tui.events().clone(),
            Self::Plain(..) => never(),
        }
    }

    /// Whether it has the terminal, so that nothing else may be printed.
    pub(crate) fn is_live(&self) -> bool {
        matches!(self, Self::Live { .. })
    }

    /// Reacts to a key.
    pub(crate) fn handle(&mut self, event: &Event, seen: &[Seen], tally: Tally) -> io::Result<KeyAction> {
        let Self::Live { tui, .. } = self else { return Ok(KeyAction::None) };
        let snapshot = |tui: &mut Tui, kind| match tui.shown(seen) {
            Some(number) => KeyAction::Snapshot { number, kind },
            None => {
                tui.notify(0, "no JVM is watched yet".to_owned());
                KeyAction::None
            }
        };
        match tui.handle(event, seen) {
            Reaction::Leave => Ok(KeyAction::Leave),
            Reaction::Redraw => tui.draw(seen, tally).map(|()| KeyAction::None),
            Reaction::Nothing => Ok(KeyAction::None),
            Reaction::Mark => tui.draw(seen, tally).map(|()| snapshot(tui, SnapshotRequest::Mark)),
            Reaction::Window(window) => {
                let action = |number| KeyAction::Window { number, window };
                let action = tui.shown(seen).map_or(KeyAction::None, action);
                tui.draw(seen, tally).map(|()| action)
            }
            Reaction::Capture => tui.draw(seen, tally).map(|()| snapshot(tui, SnapshotRequest::Capture)),
        }
    }

    /// Shows a text in the last line of a JVM's screen, until the next key.
    pub(crate) fn notify(&mut self, number: u32, text: String) {
        if let Self::Live { tui, .. } = self {
            tui.notify(number, text);
        }
    }

    /// Shows the reports, or prints the changes of those that are still watched.
    pub(crate) fn show(&mut self, seen: &[Seen], tally: Tally) -> io::Result<()> {
        match self {
            Self::Live { tui, .. } => tui.draw(seen, tally),
            Self::Plain(printed) => {
                printed.emit(seen, tally);
                Ok(())
            }
        }
    }
}

impl Printed<'_> {
    fn emit(&mut self, seen: &[Seen], tally: Tally) {
        if tally.is_several() && self.tally != Some(tally) {
            self.tally = Some(tally);
            self.output.emit(&tally.text());
        }
        // A watch over days meets any number of JVMs.
        let is_seen = |number: &u32| seen.iter().any(|jvm| jvm.number == *number && !jvm.is_over);
        self.news.retain(|number, _| is_seen(number));
        self.next_entries.retain(|number, _| is_seen(number));
        for jvm in seen.iter().filter(|jvm| !jvm.is_over) {
            self.trace(jvm);
            let news = News::of(&jvm.report);
            if self.news.get(&jvm.number) != Some(&news) {
                self.news.insert(jvm.number, news);
                self.output.emit(&interim::line(&jvm.report));
            }
        }
    }

    /// Reports the new entries of a JVM's log to those who asked for more messages (-v).
    fn trace(&mut self, jvm: &Seen) {
        let next = self.next_entries.entry(jvm.number).or_default();
        for entry in jvm.report.log.iter().filter(|entry| entry.number >= *next) {
            if let Some(line) = log::line(&jvm.report, entry) {
                tracing::info!("{line}");
            }
        }
        *next = jvm.report.log.last().map_or(*next, |last| last.number + 1);
    }
}
