//! The contents of a recording by size: its captures, and everything between them. Found from the frames on their way
//! to the file.

use rootbound_wire::class_table::DECLARATIONS;
use rootbound_wire::codec::{self, Message};
use rootbound_wire::frame::{Written, written};
use rootbound_wire::message::FromAgent;

/// Longest payload that may be one of the messages that are looked for; records are longer, and stay coded.
const MOST_CODED: usize = 16 << 10;

/// One capture in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Number of the capture in the file, from 0.
    pub ordinal: usize,
    /// Time at which it began.
    pub at_ms: u64,
    /// Bytes of its records.
    pub bytes: u64,
    /// Whether it failed: its records are of no use.
    pub failed: bool,
}

/// The contents of one file.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// Captures whose records are in the file, in their order.
    pub kept: Vec<Kept>,
    /// The capture under way.
    pub open: Option<Kept>,
    /// Captures that began, those included whose records are no longer there.
    pub begun: usize,
    /// Bytes that belong to no capture, without declarations.
    pub other_bytes: u64,
    /// Bytes of the declarations of classes, which all captures share.
    pub declared_bytes: u64,
}

impl Contents {
    /// Takes in frames that are about to be written.
    pub fn take(&mut self, frames: &[u8]) {
        for Written { range, kind, payload } in written(frames) {
            match kind {
                DECLARATIONS => self.declared_bytes += range.len() as u64,
                _ => self.take_one(range.len() as u64, message(kind, payload).as_ref()),
            }
        }
    }

    fn take_one(&mut self, bytes: u64, message: Option<&FromAgent>) {
        match message {
            Some(FromAgent::CaptureStarted { at_ms, .. }) => {
                self.other_bytes += bytes;
                self.open = Some(Kept { ordinal: self.begun, at_ms: *at_ms, bytes: 0, failed: false });
                self.begun += 1;
            }
            Some(FromAgent::CaptureDone(done)) => {
                self.other_bytes += bytes;
                let closed = self.open.take().map(|open| Kept { failed: done.failure.is_some(), ..open });
                self.kept.extend(closed.filter(|closed| closed.bytes > 0));
            }
            _ => match &mut self.open {
                Some(open) => open.bytes += bytes,
                None => self.other_bytes += bytes,
            },
        }
    }

    /// Bytes of all that is in the file.
    pub fn bytes(&self) -> u64 {
        self.other_bytes + self.declared_bytes + self.kept.iter().chain(&self.open).map(|kept| kept.bytes).sum::<u64>()
    }
}

/// The message of a payload, unless it is too long for one that is looked for. Those of kinds for files alone are
/// records, too.
pub fn message(kind: u8, payload: &[u8]) -> Option<FromAgent> {
    let may_be = kind == FromAgent::KIND && payload.len() <= MOST_CODED;
    may_be.then(|| codec::decode(payload).ok()).flatten()
}
