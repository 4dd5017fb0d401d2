//! Owns the real terminal: the alternate screen, raw mode and the keys; restores it on drop and on a panic.

use crate::view::several::{Seen, Tally};
use crate::view::tui::screen::Setup;
use crate::view::tui::state::Reaction;
use crate::view::tui::tabs::Tabs;
use crossbeam_channel::{Receiver, Sender, unbounded};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Time that the key reader waits before it checks whether it should leave.
const KEY_PATIENCE: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
/// Time to wait for the key reader. On a terminal that has gone crossterm reads for ever without a result, and does not
/// return.
const READER_PATIENCE: Duration = Duration::from_millis(500);

/// The live table on the terminal.
pub struct Tui {
    /// `None` only while it is restored.
    terminal: Option<DefaultTerminal>,
    tabs: Tabs,
    events: Receiver<Event>,
    leaving: Arc<AtomicBool>,
    reader: Option<JoinHandle<()>>,
}

impl Tui {
    /// Takes the terminal. From here on a panic restores it before it prints.
    ///
    /// # Errors
    /// When the terminal refuses; it is as it was then.
    pub fn open(setup: Setup) -> io::Result<Self> {
        let terminal = ratatui::try_init()?;
        let (sender, events) = unbounded();
        let leaving = Arc::new(AtomicBool::new(false));
        let mut tui = Self {
            terminal: Some(terminal),
            tabs: Tabs::new(setup),
            events,
            leaving: Arc::clone(&leaving),
            reader: None,
        };
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

    /// Number of the JVM whose report is shown; `None` before any has connected.
    #[must_use]
    pub fn shown(&self, seen: &[Seen]) -> Option<u32> {
        seen.get(self.tabs.shown(seen)).map(|jvm| jvm.number).filter(|&number| number > 0)
    }

    /// Shows a text in the last line of the JVM with this number, until the next key.
    pub fn notify(&mut self, number: u32, text: String) {
        self.tabs.notify(number, text);
    }

    /// Draws the report of the chosen JVM, and the others' names where there are several.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn draw(&mut self, seen: &[Seen], tally: Tally) -> io::Result<()> {
        let Some(terminal) = &mut self.terminal else { return Ok(()) };
        terminal.draw(|frame| self.tabs.draw(frame, seen, tally)).map(drop)
    }
}

impl Drop for Tui {
    fn drop(&mut self) {
        self.leaving.store(true, Ordering::Relaxed);
        let until = Instant::now() + READER_PATIENCE;
        while self.reader.as_ref().is_some_and(|reader| !reader.is_finished()) && Instant::now() < until {
            thread::sleep(Duration::from_millis(5));
        }
        // A terminal that has gone needs no restoring. Both `restore` and the terminal's own drop would print the
        // error, and panic because the output is closed.
        drop(ratatui::try_restore());
        if let Some(mut terminal) = self.terminal.take()
            && terminal.show_cursor().is_err()
        {
            std::mem::forget(terminal);
        }
    }
}

fn read_events(leaving: &AtomicBool, sender: &Sender<Event>) {
    while !leaving.load(Ordering::Relaxed) && is_terminal_there() {
        // Without keys the program is still left by a signal.
        if !matches!(send_events(sender), Ok(true)) {
            return;
        }
    }
}

/// Waits for a key, and returns whether the terminal is still there to send one.
fn is_terminal_there() -> bool {
    let stdin = io::stdin();
    let mut keys = [PollFd::new(&stdin, PollFlags::IN)];
    match poll(&mut keys, Some(&KEY_PATIENCE)) {
        Ok(_) => !keys[0].revents().intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL),
        Err(error) => error == Errno::INTR,
    }
}

/// Forwards received keys and changes of size. Returns whether there is still a receiver.
fn send_events(sender: &Sender<Event>) -> io::Result<bool> {
    while event::poll(Duration::ZERO)? {
        if sender.send(event::read()?).is_err() {
            return Ok(false);
        }
    }
    Ok(true)
}
