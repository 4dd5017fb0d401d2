//! Owns the real terminal: the alternate screen, raw mode and the keys; gives it back on drop and on a panic.

use crate::view::several::{Seen, Tally};
use crate::view::tui::state::Reaction;
use crate::view::tui::tabs::Tabs;
use crossbeam_channel::{Receiver, Sender, unbounded};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How long the key reader waits before it looks whether it should leave.
const KEY_PATIENCE: Duration = Duration::from_millis(100);

/// The live table on the terminal.
pub struct Tui {
    terminal: DefaultTerminal,
    tabs: Tabs,
    events: Receiver<Event>,
    leaving: Arc<AtomicBool>,
    reader: Option<JoinHandle<()>>,
}

impl Tui {
    /// Takes the terminal. From here on a panic gives it back before it prints.
    ///
    /// # Errors
    /// When the terminal refuses; it is as it was then.
    pub fn open() -> io::Result<Self> {
        let terminal = ratatui::try_init()?;
        let (sender, events) = unbounded();
        let leaving = Arc::new(AtomicBool::new(false));
        let mut tui = Self { terminal, tabs: Tabs::default(), events, leaving: Arc::clone(&leaving), reader: None };
        let reader = thread::Builder::new().name("rootbound-keys".to_owned());
        tui.reader = Some(reader.spawn(move || read_events(&leaving, &sender))?);
        Ok(tui)
    }

    /// Keys and changes of size, to wait on.
    #[must_use]
    pub fn events(&self) -> &Receiver<Event> {
        &self.events
    }

    /// Reacts to one of [`Self::events`].
    pub fn handle(&mut self, event: &Event, seen: &[Seen]) -> Reaction {
        match event {
            Event::Key(key) => self.tabs.press(*key, seen),
            Event::Resize(..) => Reaction::Redraw,
            _ => Reaction::Nothing,
        }
    }

    /// Draws the report of the chosen JVM, and the others' names where there are several.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn draw(&mut self, seen: &[Seen], tally: Tally) -> io::Result<()> {
        self.terminal.draw(|frame| self.tabs.draw(frame, seen, tally)).map(drop)
    }
}

impl Drop for Tui {
    fn drop(&mut self) {
        self.leaving.store(true, Ordering::Relaxed);
        if let Some(reader) = self.reader.take() {
            // A reader that panicked has told so already.
            drop(reader.join());
        }
        ratatui::restore();
    }
}

fn read_events(leaving: &AtomicBool, sender: &Sender<Event>) {
    while !leaving.load(Ordering::Relaxed) {
        let read = match event::poll(KEY_PATIENCE) {
            Ok(true) => event::read(),
            Ok(false) => continue,
            Err(error) => Err(error),
        };
        // Without keys the program is still left by a signal.
        let Ok(event) = read else { return };
        if sender.send(event).is_err() {
            return;
        }
    }
}
