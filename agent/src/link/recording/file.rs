//! The file of a recording: bounded, rotated by time, whole at any moment up to the frame that is being written. Runs
//! on the write thread, which never calls the JVM.

use super::contents::{Contents, Kept};
use super::names::{make_room, unfinished};
use super::thinning::{Thinner, superfluous, used};
use crate::guard::log;
use crate::options::Recording;
use crossbeam_channel::{Receiver, Sender};
use rootbound_wire::class_table::ClassTable;
use rootbound_wire::frame::{Written, written};
use rootbound_wire::message::{CaptureDone, CaptureFault, FromAgent};
use rootbound_wire::packing::Packer;
use rootbound_wire::{codec, frame, private_file};
use rustix::fs::{FlockOperation, flock};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The bound of a file, unless an option sets it: this number of bytes, …
const USUAL_BOUND: u64 = 20_000_000;
/// … or as many as this number of captures takes: five are the least that a trend takes, and few for uneven growth; …
const CAPTURES: usize = 6;
/// … but no more bytes than this.
const MOST_BOUND: u64 = 512_000_000;
/// Messages that may wait while others are packed. With more the writer is behind, and writes them as they are: a
/// capture must not wait for it.
const MOST_WAITING: usize = 16;
/// Captures that stay where an option sets the bound: the first and the latest.
const LEAST_CAPTURES: usize = 2;
/// A thinned file leaves this part of the bound free, so that the next report does not fill it again.
const FREE_PART: u64 = 16;

/// An event of the file that the timer reacts to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A new file has begun.
    Rotated,
    /// A capture takes more than the bound of the file.
    CaptureTooLarge,
}

/// A recording that is being written. As a writer it takes whole frames.
pub struct RecordFile {
    path: PathBuf,
    file: File,
    /// Whether it is a file that can be replaced: no pipe and no device.
    is_plain: bool,
    max_bytes: Option<u64>,
    rotate_every: Option<Duration>,
    keep_files: u32,
    begun: Instant,
    contents: Contents,
    /// The frame of the first message, with which every file begins.
    hello: Vec<u8>,
    /// Whether the rest of the capture under way is left out.
    skips: bool,
    events: Sender<Event>,
    packer: Packer,
    /// The classes that the file has already.
    classes: ClassTable,
    /// The frames that are about to be written, with classes once, and then packed.
    shared: Vec<u8>,
    packed: Vec<u8>,
    /// The messages that wait for this writer.
    waiting: Option<Receiver<FromAgent>>,
}

impl RecordFile {
    /// Begins the file. One that exists becomes an older one.
    ///
    /// # Errors
    /// When it cannot be made, or another program writes to it.
    pub fn begin(path: PathBuf, asked: &Recording, events: Sender<Event>) -> io::Result<Self> {
        keep_existing(&path, asked.keep_files)?;
        let file = create(&path)?;
        let is_plain = file.metadata()?.is_file();
        Ok(Self {
            path,
            file,
            is_plain,
            max_bytes: asked.max_size,
            rotate_every: asked.rotate_every.filter(|_| is_plain),
            keep_files: asked.keep_files,
            begun: Instant::now(),
            contents: Contents::default(),
            hello: Vec::new(),
            skips: false,
            events,
            packer: Packer::new(),
            classes: ClassTable::default(),
            shared: Vec::new(),
            packed: Vec::new(),
            waiting: None,
        })
    }

    /// Lets records be packed only while few messages wait in this queue.
    pub fn feed_from(&mut self, queue: &Receiver<FromAgent>) {
        self.waiting = Some(queue.clone());
    }

    fn is_behind(&self) -> bool {
        self.waiting.as_ref().is_some_and(|queue| queue.len() > MOST_WAITING)
    }

    /// Its name, for messages.
    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    fn bound(&self) -> u64 {
        self.max_bytes.unwrap_or(USUAL_BOUND)
    }

    /// The bound beyond which the capture under way is given up.
    fn most(&self) -> u64 {
        self.max_bytes.unwrap_or(MOST_BOUND)
    }

    /// Captures that stay in a full file, the one under way included.
    fn least_captures(&self) -> usize {
        let has_room = self.max_bytes.is_none() && self.contents.bytes() <= MOST_BOUND;
        if has_room { CAPTURES + usize::from(self.contents.open.is_some()) } else { LEAST_CAPTURES }
    }

    /// Writes frames. What was written before stays whole, whatever happens.
    fn put(&mut self, frames: &[u8]) -> io::Result<()> {
        if !self.is_plain {
            return self.file.write_all(frames);
        }
        if self.hello.is_empty()
            && let Some(first) = written(frames).next()
        {
            self.hello = frames[first.range].to_vec();
        }
        self.rotate_if_due()?;
        let frames = if self.skips { &self.skip(frames)? } else { frames };
        self.append_small(frames)?;
        if self.contents.bytes() > self.bound() { self.thin() } else { Ok(()) }
    }

    /// Appends frames with classes once, and long ones packed.
    fn append_small(&mut self, frames: &[u8]) -> io::Result<()> {
        let (mut shared, mut packed) = (std::mem::take(&mut self.shared), std::mem::take(&mut self.packed));
        shared.clear();
        packed.clear();
        self.classes.share(frames, &mut self.packer, &mut shared);
        let appended = if self.is_behind() {
            self.append(&shared)
        } else {
            self.packer.pack(&shared, &mut packed);
            self.append(&packed)
        };
        (self.shared, self.packed) = (shared, packed);
        appended
    }

    fn append(&mut self, frames: &[u8]) -> io::Result<()> {
        let before = self.contents.bytes();
        self.contents.take(frames);
        let appended = self.file.write_all(frames);
        if appended.is_err() {
            // No part of a frame is left. Where that fails, too, readers skip it.
            drop(self.file.set_len(before));
        }
        appended
    }

    /// Leaves captures out until the file is below its bound.
    fn thin(&mut self) -> io::Result<()> {
        let target = self.bound() - self.bound() / FREE_PART;
        // The capture under way is the latest.
        let all: Vec<Kept> = self.contents.kept.iter().copied().chain(self.contents.open).collect();
        let room = target.saturating_sub(self.contents.other_bytes + self.contents.declared_bytes);
        let gone = superfluous(&all, room, self.least_captures());
        let gained: u64 = self.kept_bytes(|ordinal| gone.contains(&ordinal));
        let is_dense = self.contents.other_bytes > self.bound() / 4;
        if gained > 0 || is_dense {
            self.rewrite(&gone, is_dense)?;
        }
        if self.contents.bytes() > self.most() {
            self.give_up_capture()?;
        }
        Ok(())
    }

    fn kept_bytes(&self, of: impl Fn(usize) -> bool) -> u64 {
        self.contents.kept.iter().filter(|kept| of(kept.ordinal)).map(|kept| kept.bytes).sum()
    }

    /// Nothing else can go: the capture under way does, or, where none is, all but the latest.
    fn give_up_capture(&mut self) -> io::Result<()> {
        match self.contents.open {
            Some(open) => {
                let gone = BTreeSet::from([open.ordinal]);
                self.rewrite(&gone, false)?;
                self.skips = true;
                if open.bytes > self.most() / 2 {
                    log::error(&format!(
                        "a capture takes more than a half of the bound of {} ({} bytes): nothing more is captured; \
                         allow more by max-size=",
                        self.name(),
                        self.most()
                    ));
                    // A timer that has gone captures nothing anyway.
                    let _unheard = self.events.try_send(Event::CaptureTooLarge);
                }
                Ok(())
            }
            None => {
                let latest = self.contents.kept.last().map(|kept| kept.ordinal);
                let gone = self.contents.kept.iter().map(|kept| kept.ordinal).filter(|&at| Some(at) != latest);
                let gone: BTreeSet<usize> = gone.collect();
                if gone.is_empty() { Ok(()) } else { self.rewrite(&gone, false) }
            }
        }
    }

    /// Replaces the file by a thinned copy.
    fn rewrite(&mut self, gone: &BTreeSet<usize>, sparser: bool) -> io::Result<()> {
        let copy = unfinished(&self.path);
        let rewritten = self.copy_to(&copy, gone, sparser);
        if rewritten.is_err() {
            // It may not exist.
            drop(fs::remove_file(&copy));
        }
        let declared;
        (self.file, self.contents, declared) = rewritten?;
        self.classes.retain(&declared);
        Ok(())
    }

    /// The copy, its contents, and the declarations in it.
    fn copy_to(
        &mut self,
        copy: &Path,
        gone: &BTreeSet<usize>,
        sparser: bool,
    ) -> io::Result<(File, Contents, BTreeSet<u32>)> {
        let mut to = create(copy)?;
        let latest_ms = self.contents.kept.last().map_or(0, |kept| kept.at_ms);
        let declared = used(File::open(&self.path)?, gone)?;
        let thinner = Thinner { gone, declared: &declared, sparser_before_ms: sparser.then_some(latest_ms / 2) };
        let copied = thinner.copy(File::open(&self.path)?, &mut self.packer, &mut to)?;
        fs::rename(copy, &self.path)?;
        Ok((to, copied, declared))
    }

    /// The frames behind the capture that is left out; its end says that it is.
    fn skip(&mut self, frames: &[u8]) -> io::Result<Vec<u8>> {
        let mut rest = Vec::new();
        for Written { range, payload, .. } in written(frames) {
            if !self.skips {
                rest.extend_from_slice(&frames[range]);
            } else if let Ok(FromAgent::CaptureDone(done)) = codec::decode(payload) {
                self.skips = false;
                let failure = Some("it takes more than the bound of the recording".to_owned());
                let done = CaptureDone { failure, fault: Some(CaptureFault::Thinned), ..done };
                frame::append(&FromAgent::CaptureDone(done), &mut rest).map_err(io::Error::other)?;
            }
        }
        Ok(rest)
    }

    fn rotate_if_due(&mut self) -> io::Result<()> {
        let is_due = self.rotate_every.is_some_and(|every| self.begun.elapsed() >= every);
        if !is_due || self.contents.open.is_some() || self.contents.bytes() == 0 {
            return Ok(());
        }
        make_room(&self.path, self.keep_files)?;
        self.file = create(&self.path)?;
        (self.begun, self.contents) = (Instant::now(), Contents::default());
        self.classes = ClassTable::default();
        self.contents.take(&self.hello);
        self.file.write_all(&self.hello)?;
        // A timer that has gone, or has that event already, needs none.
        let _unheard = self.events.try_send(Event::Rotated);
        Ok(())
    }
}

impl Drop for RecordFile {
    /// Gives the lock back at once: a forked child may have the same open file for a while longer.
    fn drop(&mut self) {
        // A pipe has none.
        let _unlocked = flock(&self.file, FlockOperation::NonBlockingUnlock);
    }
}

impl Write for RecordFile {
    fn write(&mut self, frames: &[u8]) -> io::Result<usize> {
        self.put(frames).map(|()| frames.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Creates a file for this user alone, and holds its lock until the process ends.
fn create(path: &Path) -> io::Result<File> {
    let file = private_file::create(path)?;
    if file.metadata()?.is_file() {
        flock(&file, FlockOperation::NonBlockingLockExclusive)?;
    }
    Ok(file)
}

/// Keeps a file that exists as an older one, unless it is empty, or no plain file.
fn keep_existing(path: &Path, kept: u32) -> io::Result<()> {
    let Ok(found) = fs::metadata(path) else { return Ok(()) };
    if !found.is_file() || found.len() == 0 {
        return Ok(());
    }
    if File::open(path).is_ok_and(|file| flock(&file, FlockOperation::NonBlockingLockExclusive).is_err()) {
        return Err(io::Error::other("another JVM writes to it; {pid} in the name stands for the process id"));
    }
    make_room(path, kept)
}

#[cfg(test)]
#[path = "file_tests.rs"]
mod tests;
