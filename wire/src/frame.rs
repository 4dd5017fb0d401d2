//! Frames: the form of messages in a byte stream, be it a socket or a recording.
//!
//! A frame is a header of [`HEADER_BYTES`] and a payload. A reader checks the bound of a length before it uses it, and
//! the checksum of a payload. After damage it looks for the next frame and counts the skipped bytes.

use crate::codec::{self, CodecError, Message};
use crate::credit::Credit;
use crate::{OLDEST_RECORDED_VERSION, PROTOCOL_VERSION};
use std::io::{self, Read, Write};

/// First bytes of every frame. The last two are no valid UTF-8, so text is never taken for a frame.
pub const MAGIC: [u8; 4] = [b'R', b'B', 0xF5, 0xA7];

/// Magic (4), version (2), kind (1), zero (1), payload length (4), CRC-32 of version…length and payload (4);
/// numbers are little-endian.
pub const HEADER_BYTES: usize = 16;

/// Longest payload in bytes that a writer may produce and a reader accepts.
pub const MAX_PAYLOAD_BYTES: usize = 4 << 20;

/// Reasons why a stream of frames cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {
    /// The other side uses another version.
    #[error("the frame is of protocol version {theirs}; this rootbound speaks version {}", PROTOCOL_VERSION)]
    Version {
        /// The version in the frame.
        theirs: u16,
    },
    /// A payload is too long for a frame.
    #[error("a message of {0} bytes is longer than a frame may be ({MAX_PAYLOAD_BYTES} bytes)")]
    TooLong(usize),
    /// A frame arrived whole, but holds no message.
    #[error(transparent)]
    Codec(#[from] CodecError),
    /// The stream itself failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// A frame that arrived whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The direction of its message; see [`Message::KIND`].
    pub kind: u8,
    /// The coded message.
    pub payload: Vec<u8>,
}

impl Frame {
    /// The message, when the frame is of `M`'s kind; `None` when it is of another.
    ///
    /// # Errors
    /// [`CodecError`] when the payload is not a message.
    pub fn message<M: Message>(&self) -> Result<Option<M>, CodecError> {
        if self.kind == M::KIND { codec::decode(&self.payload).map(Some) } else { Ok(None) }
    }
}

/// Codes `message` as one whole frame at the end of `out`.
///
/// # Errors
/// [`FrameError::TooLong`] or [`FrameError::Codec`]; `out` is then as it was.
pub fn append<M: Message>(message: &M, out: &mut Vec<u8>) -> Result<(), FrameError> {
    let start = out.len();
    out.resize(start + HEADER_BYTES, 0);
    let coded = codec::encode(message, out).map_err(FrameError::from).and_then(|()| {
        let length = out.len() - start - HEADER_BYTES;
        if length > MAX_PAYLOAD_BYTES { Err(FrameError::TooLong(length)) } else { Ok(()) }
    });
    if coded.is_err() {
        out.truncate(start);
        return coded;
    }
    seal(&mut out[start..], PROTOCOL_VERSION, M::KIND);
    Ok(())
}

/// Copies a frame that was read to the end of `out`.
pub fn append_read(frame: &Frame, out: &mut Vec<u8>) {
    append_payload(frame.kind, &frame.payload, out);
}

/// Appends a payload as a frame of that kind.
pub(crate) fn append_payload(kind: u8, payload: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + HEADER_BYTES, 0);
    out.extend_from_slice(payload);
    seal(&mut out[start..], PROTOCOL_VERSION, kind);
}

/// A frame within a row of frames.
#[derive(Clone, Debug)]
pub struct Written<'a> {
    /// The offset of the frame, and the one behind it.
    pub range: std::ops::Range<usize>,
    /// As in [`Frame::kind`].
    pub kind: u8,
    /// The coded message.
    pub payload: &'a [u8],
}

/// The frames that [`append`] has just written to `bytes`. Ends where no whole frame follows; the checksums are not
/// checked again.
pub fn written(bytes: &[u8]) -> impl Iterator<Item = Written<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let header = bytes.get(at..at + HEADER_BYTES)?;
        let length = u32::from_le_bytes([header[8], header[9], header[10], header[11]]) as usize;
        let range = at..at + HEADER_BYTES + length;
        let payload = bytes.get(at + HEADER_BYTES..range.end)?;
        at = range.end;
        Some(Written { range, kind: header[6], payload })
    })
}

/// Writes `message` as one frame and nothing else; does not flush.
///
/// # Errors
/// The errors of [`append`], and those of `out`.
pub fn write<M: Message, W: Write>(message: &M, out: &mut W) -> Result<(), FrameError> {
    let mut bytes = Vec::new();
    append(message, &mut bytes)?;
    Ok(out.write_all(&bytes)?)
}

/// Fills in the header of `frame`, whose payload already stands behind the place of the header.
fn seal(frame: &mut [u8], version: u16, kind: u8) {
    let (header, payload) = frame.split_at_mut(HEADER_BYTES);
    header[..4].copy_from_slice(&MAGIC);
    header[4..6].copy_from_slice(&version.to_le_bytes());
    header[6] = kind;
    header[7] = 0;
    header[8..12].copy_from_slice(&(payload.len() as u32).to_le_bytes());
    let checksum = checksum(&header[4..12], payload);
    header[12..16].copy_from_slice(&checksum.to_le_bytes());
}

fn checksum(header_rest: &[u8], payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(header_rest);
    hasher.update(payload);
    hasher.finalize()
}

/// Reads frames from a byte stream.
pub struct FrameReader<R> {
    source: R,
    buffer: Vec<u8>,
    start: usize,
    at_end: bool,
    skipped_bytes: u64,
    torn_bytes: u64,
    credit: Credit,
    /// The oldest version that is read.
    oldest: u16,
}

/// The content at the front of the buffer.
enum Front {
    Whole { length: usize },
    Incomplete,
    Damaged,
}

impl<R: Read> FrameReader<R> {
    /// A reader at the beginning of `source`.
    pub fn new(source: R) -> Self {
        let (credit, oldest) = (Credit::new(), PROTOCOL_VERSION);
        Self { source, buffer: Vec::new(), start: 0, at_end: false, skipped_bytes: 0, torn_bytes: 0, credit, oldest }
    }

    /// The same for a recording, which may be of an older version.
    pub fn of_recording(source: R) -> Self {
        Self { oldest: OLDEST_RECORDED_VERSION, ..Self::new(source) }
    }

    /// Bytes skipped so far because they were no frame.
    pub fn skipped_bytes(&self) -> u64 {
        self.skipped_bytes
    }

    /// Bytes of a frame that the end of the stream cut off; 0 before the end and for a stream that ends cleanly.
    pub fn torn_bytes(&self) -> u64 {
        self.torn_bytes
    }

    /// The underlying stream.
    pub fn source(&self) -> &R {
        &self.source
    }

    /// The next whole frame; `None` at the end of the stream.
    ///
    /// # Errors
    /// [`FrameError::Version`] for a sound frame of a version that is not read, [`FrameError::Io`] if reading fails. A
    /// read that times out leaves the reader usable: call again.
    pub fn next_frame(&mut self) -> Result<Option<Frame>, FrameError> {
        loop {
            match self.front()? {
                Front::Whole { length } => return Ok(Some(self.take(length))),
                Front::Damaged => self.skip_to_next_magic(),
                Front::Incomplete if self.at_end => {
                    if self.pending().is_empty() {
                        return Ok(None);
                    }
                    self.give_up_on_tail();
                }
                Front::Incomplete => self.fill()?,
            }
        }
    }

    fn pending(&self) -> &[u8] {
        &self.buffer[self.start..]
    }

    fn front(&mut self) -> Result<Front, FrameError> {
        let pending = &self.buffer[self.start..];
        let seen = pending.len().min(MAGIC.len());
        if pending[..seen] != MAGIC[..seen] {
            return Ok(Front::Damaged);
        }
        if pending.len() < HEADER_BYTES {
            return Ok(Front::Incomplete);
        }
        let word = |at: usize| u32::from_le_bytes([pending[at], pending[at + 1], pending[at + 2], pending[at + 3]]);
        let length = word(8) as usize;
        if length > MAX_PAYLOAD_BYTES {
            return Ok(Front::Damaged);
        }
        let Some(payload) = pending.get(HEADER_BYTES..HEADER_BYTES + length) else { return Ok(Front::Incomplete) };
        // If false headers have claimed too much already, only a short claim still counts as a frame.
        if !self.credit.affords(length) {
            return Ok(Front::Damaged);
        }
        if checksum(&pending[4..12], payload) != word(12) {
            self.credit.spend(length);
            return Ok(Front::Damaged);
        }
        let theirs = u16::from_le_bytes([pending[4], pending[5]]);
        let is_known = (self.oldest..=PROTOCOL_VERSION).contains(&theirs);
        if is_known { Ok(Front::Whole { length }) } else { Err(FrameError::Version { theirs }) }
    }

    fn take(&mut self, length: usize) -> Frame {
        let payload_start = self.start + HEADER_BYTES;
        let frame = Frame {
            kind: self.buffer[self.start + 6],
            payload: self.buffer[payload_start..payload_start + length].to_vec(),
        };
        self.start = payload_start + length;
        frame
    }

    /// Skips at least one byte, to the next place where a frame may begin.
    fn skip_to_next_magic(&mut self) {
        let pending = self.pending();
        let skip = pending[1..].iter().position(|&byte| byte == MAGIC[0]).map_or(pending.len(), |at| at + 1);
        self.start += skip;
        self.skipped_bytes += skip as u64;
    }

    /// Handles an incomplete front at the end of the stream: it is a torn frame, unless a whole one follows inside it.
    fn give_up_on_tail(&mut self) {
        let before = self.pending().len();
        let tail = self.skipped_bytes;
        self.skip_to_next_magic();
        if self.pending().is_empty() {
            self.skipped_bytes = tail;
            self.torn_bytes = before as u64;
        }
    }

    fn fill(&mut self) -> Result<(), FrameError> {
        const READ_BYTES: usize = 256 << 10;
        self.buffer.drain(..self.start);
        self.start = 0;
        let filled = self.buffer.len();
        self.buffer.resize(filled + READ_BYTES, 0);
        let read = loop {
            match self.source.read(&mut self.buffer[filled..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other,
            }
        };
        self.buffer.truncate(filled + *read.as_ref().unwrap_or(&0));
        let read = read?;
        self.credit.earn(read);
        self.at_end = read == 0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::ToAgent;

    /// A quarter of a megabyte of headers, each of which claims the longest possible payload.
    #[test]
    fn false_headers_cost_no_more_than_what_was_read_and_what_follows_is_found() {
        let mut header = vec![0; HEADER_BYTES];
        seal(&mut header, PROTOCOL_VERSION, 1);
        header[8..12].copy_from_slice(&(MAX_PAYLOAD_BYTES as u32).to_le_bytes());
        let mut stream = header.repeat(16 << 10);
        stream.resize(stream.len() + MAX_PAYLOAD_BYTES, 0);
        append(&ToAgent::Detach, &mut stream).unwrap();
        let mut frames = FrameReader::new(&stream[..]);
        let found = frames.next_frame().unwrap().unwrap();
        assert_eq!(found.message().unwrap(), Some(ToAgent::Detach));
        let most = 4 * (MAX_PAYLOAD_BYTES + stream.len()) as u64;
        let spent = frames.credit.spent_bytes();
        assert!(spent > 0 && spent <= most, "{spent} bytes of {} were checked in vain", stream.len());
    }
}
