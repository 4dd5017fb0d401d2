//! A recording instead of an analyzer: the same messages to a file, with the few commands that a snapshot needs given
//! on a timer.

use super::LinkEvent;
use super::outbox::queue;
use super::writer;
use crate::session::log;
use crossbeam_channel::Sender;
use rootbound_wire::ids::SnapshotId;
use rootbound_wire::message::{CaptureMethod, FromAgent, Hello, ToAgent};
use std::fs::{File, OpenOptions, Permissions};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

/// Marks to set: few enough that the program's collections do not feel them.
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
    let mut sink = private_file(file)?;
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

/// For this user alone: it holds names, call sites and the graph. A file that stood there already loses the mode that it
/// had; a device or a pipe keeps it.
fn private_file(path: &Path) -> std::io::Result<File> {
    const MODE: u32 = 0o600;
    let file = OpenOptions::new().write(true).create(true).truncate(true).mode(MODE).open(path)?;
    if file.metadata()?.is_file() {
        file.set_permissions(Permissions::from_mode(MODE))?;
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_recording_is_for_its_user_alone_even_where_a_file_stood() {
        let folder = tempfile::tempdir().unwrap();
        let (new, old) = (folder.path().join("new"), folder.path().join("old"));
        fs::write(&old, "old").unwrap();
        fs::set_permissions(&old, Permissions::from_mode(0o644)).unwrap();
        for path in [new, old] {
            private_file(&path).unwrap();
            let found = fs::metadata(&path).unwrap();
            assert_eq!((found.permissions().mode() & 0o777, found.len()), (0o600, 0));
        }
    }
}
