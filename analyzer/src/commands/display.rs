//! What is on the screen while JVMs are watched: the live table on a terminal, plain tables elsewhere.

use crate::commands::diagnostics::{Diagnostics, Held};
use crate::commands::output::Output;
use anyhow::Context;
use crossbeam_channel::{Receiver, never};
use ratatui::crossterm::event::Event;
use rootbound::view::several::{self, Seen, Tally};
use rootbound::view::table::{self, Width};
use rootbound::view::tui::{Reaction, Tui};
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

/// Between two plain tables.
const TABLE_INTERVAL: Duration = Duration::from_secs(5);

/// One of the faces.
pub(crate) enum Display<'a> {
    /// The live table, and then the diagnostics that it holds back: fields are dropped in this order.
    Live {
        /// The screen.
        tui: Box<Tui>,
        /// Lets diagnostics out when the screen is gone.
        _held: Held<'a>,
    },
    /// Plain tables, with the time of the last one.
    Plain(&'a Output, Option<Instant>),
}

/// Whether the live table can have the terminal.
pub(crate) fn wants_terminal(plain: bool, output: &Output) -> bool {
    !plain && !output.stdout_is_json() && io::stdin().is_terminal() && io::stdout().is_terminal()
}

impl<'a> Display<'a> {
    /// Opens the face that `live` asks for.
    pub(crate) fn open(live: bool, output: &'a Output, diagnostics: &'a Diagnostics) -> anyhow::Result<Self> {
        if !live {
            return Ok(Self::Plain(output, None));
        }
        let tui = Tui::open().context("cannot draw on this terminal; try --plain")?;
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

    /// Reacts to a key; `true` when the user wants to leave.
    pub(crate) fn handle(&mut self, event: &Event, seen: &[Seen], tally: Tally) -> io::Result<bool> {
        let Self::Live { tui, .. } = self else { return Ok(false) };
        match tui.handle(event, seen) {
            Reaction::Leave => Ok(true),
            Reaction::Redraw => tui.draw(seen, tally).map(|()| false),
            Reaction::Nothing => Ok(false),
        }
    }

    /// Shows the reports; plain tables only when it is time for the next ones, and of those that are still watched.
    pub(crate) fn show(&mut self, seen: &[Seen], tally: Tally) -> io::Result<()> {
        match self {
            Self::Live { tui, .. } => tui.draw(seen, tally),
            Self::Plain(_, Some(last)) if last.elapsed() < TABLE_INTERVAL => Ok(()),
            Self::Plain(output, last) => {
                *last = Some(Instant::now());
                output.print(&plain_tables(seen, tally));
                Ok(())
            }
        }
    }
}

fn plain_tables(seen: &[Seen], tally: Tally) -> String {
    let width = Width::of_output();
    let mut text = if tally.is_several() { format!("\n{}\n", tally.text()) } else { String::new() };
    for seen in seen.iter().filter(|seen| !seen.is_over) {
        if tally.is_several() {
            text.push_str(&several::heading(&seen.report, width.table));
        }
        text.push_str(&table::interim_table(&seen.report, width));
    }
    text
}
