//! A recording instead of an analyzer: the same messages to a file, with the few commands that a snapshot needs,
//! issued on a timer.

use super::LinkEvent;
use super::outbox::queue;
use super::writer;
use crate::guard::log;
use crossbeam_channel::Sender;
use rootbound_wire::ids::SnapshotId;
use rootbound_wire::message::{CaptureMethod, FromAgent, Hello, ToAgent};
use rootbound_wire::private_file;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

/// Marks to set: so few that the program's collections are not affected.
const MARKS: Option<u32> = Some(200_000);

/// Opens the file and plays the analyzer's part: a mark after the first time, a capture after the second.
///
/// # Errors
/// When the file or the writer thread cannot be made.
pub fn run(
    file: &Path,
    (mark_after, capture_after): (Duration, Duration),
    (method, max_pause): (Option<CaptureMethod>, Duration),
    hello: &Hello,
    events: &Sender<LinkEvent>,
) -> std::io::Result<()> {
    let mut sink = private_file::create(file)?;
    let (outbox, receiver, counts) = queue();
    let (pool, name) = (outbox.pool.clone(), file.display().to_string());
    thread::Builder::new().name("rootbound-write".to_owned()).spawn(move || {
        if let Err(error) = writer::drain(&receiver, &mut sink, &pool, &counts, &AtomicBool::new(false)) {
            log::error(&format!("the recording {name} stops here: {error}; nothing more is captured"));
        }
    })?;
    outbox.offer(FromAgent::Hello(hello.clone()));
    // A session that has gone needs no recording; each send may then fail without harm.
    drop(events.send(LinkEvent::Up(outbox)));
    drop(events.send(LinkEvent::Asked(ToAgent::Welcome)));
    thread::sleep(mark_after);
    let max_pause_ms = u32::try_from(max_pause.as_millis()).unwrap_or(u32::MAX);
    let mark = ToAgent::Mark { snapshot: SnapshotId(1), budget: MARKS, abort_after_ms: max_pause_ms };
    drop(events.send(LinkEvent::Asked(mark)));
    thread::sleep(capture_after);
    drop(events.send(LinkEvent::Unattended { first: SnapshotId(2), method, max_pause_ms }));
    // Collections go on being recorded until the JVM ends; the closed channel would end the session.
    loop {
        thread::park();
    }
}
