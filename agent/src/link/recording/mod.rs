//! A recording instead of an analyzer: the same messages to a file, and captures on a timer.
//!
//! Reading order: this file (the timer's thread), [`schedule`] (the times of captures), [`mod@file`] (the file, its
//! bound and its rotation), [`contents`] (the captures in it), [`thinning`] (the captures that go), [`names`] (the
//! files before it).

pub mod contents;
pub mod file;
pub mod names;
pub mod schedule;
pub mod thinning;

use super::LinkEvent;
use super::outbox::{Outbox, queue};
use super::writer;
use crate::guard::log;
use crate::options::Recording;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use file::{Event, RecordFile};
use rootbound_wire::ids::SnapshotId;
use rootbound_wire::message::{Hello, ToAgent};
use schedule::{Schedule, Spent};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Instant;

/// Snapshot numbers are 1 to this one, and begin again.
const SNAPSHOTS: u32 = crate::identity::tag::LAST_SNAPSHOT;
/// Events of the file that may wait.
const EVENTS: usize = 4;

/// Opens the file and plays the analyzer's part: captures when they are due. Returns when nothing more can be written
/// or the session has gone.
///
/// # Errors
/// When the file or the writer thread cannot be made.
pub fn run(asked: &Recording, hello: &Hello, events: &Sender<LinkEvent>) -> std::io::Result<()> {
    let (reports, from_file) = bounded(EVENTS);
    let path = named(&asked.file, hello.pid);
    let sink = RecordFile::begin(path, asked, reports)?;
    let outbox = start_writer(sink)?;
    outbox.offer(rootbound_wire::message::FromAgent::Hello(hello.clone()));
    // A session that has gone needs no recording; each send may then fail without harm.
    drop(events.send(LinkEvent::Up(outbox)));
    drop(events.send(LinkEvent::Asked(ToAgent::Welcome)));
    Timer { asked, events, from_file, number: 0 }.run();
    Ok(())
}

/// The file's name, with the process id for `{pid}`.
fn named(file: &std::path::Path, pid: u32) -> PathBuf {
    match file.to_str() {
        Some(text) => PathBuf::from(text.replace("{pid}", &pid.to_string())),
        None => file.to_owned(),
    }
}

fn start_writer(mut sink: RecordFile) -> std::io::Result<Outbox> {
    let (outbox, receiver, counts) = queue();
    sink.feed_from(&receiver);
    let pool = outbox.pool.clone();
    thread::Builder::new().name("rootbound-write".to_owned()).spawn(move || {
        if let Err(error) = writer::drain(&receiver, &mut sink, &pool, &counts, &AtomicBool::new(false)) {
            log::error(&format!("the recording {} stops here: {error}; nothing more is captured", sink.name()));
        }
    })?;
    Ok(outbox)
}

/// The timer of the captures.
struct Timer<'a> {
    asked: &'a Recording,
    events: &'a Sender<LinkEvent>,
    from_file: Receiver<Event>,
    /// The latest snapshot number.
    number: u32,
}

impl Timer<'_> {
    fn run(mut self) {
        let schedule = Schedule::of(self.asked);
        let begun = Instant::now();
        let mut due = begun + schedule.first();
        let mut captures = 0;
        loop {
            match self.from_file.recv_timeout(due.saturating_duration_since(Instant::now())) {
                Err(RecvTimeoutError::Timeout) => {}
                // A file of its own needs captures of its own.
                Ok(Event::Rotated) => captures = 0,
                Ok(Event::CaptureTooLarge) => return self.wait_for_the_end(),
                Err(RecvTimeoutError::Disconnected) => return,
            }
            let Some(spent) = self.capture() else { return };
            captures += 1;
            due = Instant::now() + schedule.gap(captures, begun.elapsed(), spent);
        }
    }

    /// Captures no more; collections and counters go on being recorded.
    fn wait_for_the_end(&self) {
        while self.from_file.recv().is_ok() {}
    }

    /// Has the program captured; `None` when the session has gone.
    fn capture(&mut self) -> Option<Spent> {
        self.number = self.number % SNAPSHOTS + 1;
        let snapshot = SnapshotId(self.number);
        let max_pause_ms = u32::try_from(self.asked.max_pause.as_millis()).unwrap_or(u32::MAX);
        let (spent, answer) = bounded(1);
        self.events.send(LinkEvent::Unattended { snapshot, method: self.asked.method, max_pause_ms, spent }).ok()?;
        answer.recv().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;
    use std::time::Duration;

    #[test]
    fn each_process_may_have_a_file_of_its_own() {
        assert_eq!(named(Path::new("/var/shop-{pid}.rb"), 7), Path::new("/var/shop-7.rb"));
        assert_eq!(named(Path::new("/var/shop.rb"), 7), Path::new("/var/shop.rb"));
    }

    #[test]
    fn a_session_that_has_gone_ends_the_timer() {
        let (events, receiver) = bounded(1);
        drop(receiver);
        let (_reports, from_file) = bounded(1);
        let asked = Recording { mark_after: Duration::ZERO, ..Recording::to(PathBuf::from("x")) };
        Timer { asked: &asked, events: &events, from_file, number: 0 }.run();
    }
}
