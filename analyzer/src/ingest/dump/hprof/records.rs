//! The top level of an HPROF file, in one sequential pass: names, stacks, and the positions of the segments that hold
//! objects. A length is accepted only if the file confirms it.

use super::super::fields::Fields;
use super::super::warning::Warning;
use super::super::window::Window;
use super::Header;
use super::walk::{self, Visitor};
use std::fs::File;
use std::io;
use std::ops::Range;

/// The content of the top level.
#[derive(Debug, Default)]
pub(super) struct Records {
    /// Strings: id, place in the file, length.
    pub(super) strings: Vec<(u64, u64, u32)>,
    pub(super) loads: Vec<LoadClass>,
    pub(super) frames: Vec<Frame>,
    pub(super) traces: Vec<Trace>,
    pub(super) started: Vec<Started>,
    /// Positions of sub-records.
    pub(super) stretches: Vec<Range<u64>>,
    pub(super) warnings: Vec<Warning>,
}

/// A record that names a class.
#[derive(Clone, Copy, Debug)]
pub(super) struct LoadClass {
    pub(super) serial: u32,
    pub(super) id: u64,
    pub(super) name: u64,
}

/// A stack frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) id: u64,
    pub(super) method: u64,
    pub(super) class_serial: u32,
}

/// A stack trace.
#[derive(Clone, Debug)]
pub(super) struct Trace {
    pub(super) serial: u32,
    pub(super) thread: u32,
    pub(super) frames: Vec<u64>,
}

/// A record that a thread began.
#[derive(Clone, Copy, Debug)]
pub(super) struct Started {
    pub(super) object: u64,
    pub(super) name: u64,
}

const STRING: u8 = 0x01;
const LOAD_CLASS: u8 = 0x02;
const FRAME: u8 = 0x04;
const TRACE: u8 = 0x05;
const START_THREAD: u8 = 0x0A;
const HEAP_DUMP: u8 = 0x0C;
const HEAP_DUMP_SEGMENT: u8 = 0x1C;
const HEAP_DUMP_END: u8 = 0x2C;
const RECORD_BYTES: usize = 9;
/// Longest record that is read as a whole. A stack has 1,024 frames of 8 bytes by default.
const MOST_SMALL_BYTES: u64 = 1 << 20;
/// A length of 32 bits may be too small by any multiple of this.
const WRAP: u64 = 1 << 32;

/// Reads all records.
pub(super) fn read(file: &File, header: &Header) -> io::Result<Records> {
    let mut reading = Reading { file, header, window: Window::new(file, header.bytes..header.file_bytes) };
    let mut records = Records::default();
    while let Some((tag, length)) = reading.next()? {
        let at = reading.window.offset();
        match tag {
            HEAP_DUMP | HEAP_DUMP_SEGMENT => {
                let end = reading.end_of_segment(at, length)?;
                records.stretches.push(at..end);
                reading.window.skip(end - at);
            }
            _ if length > reading.window.left() => {
                let left_out = reading.window.left() + RECORD_BYTES as u64;
                records.warnings.push(Warning::Cut { at: at - RECORD_BYTES as u64, left_out });
                return Ok(records);
            }
            STRING => {
                let text = length.saturating_sub(header.id_bytes as u64) as u32;
                let id = Fields::new(reading.window.peek(header.id_bytes)?).id(header.id_bytes);
                if let Some(id) = id.filter(|_| length >= header.id_bytes as u64) {
                    records.strings.push((id, at + header.id_bytes as u64, text));
                }
                reading.window.skip(length);
            }
            LOAD_CLASS | FRAME | TRACE | START_THREAD if length > MOST_SMALL_BYTES => {
                let place = at - RECORD_BYTES as u64;
                let sentence = format!("the record at byte {place} claims {length} bytes, which none of its kind has");
                records.warnings.push(Warning::Other(format!("{sentence}; it was left out")));
                reading.window.skip(length);
            }
            LOAD_CLASS | FRAME | TRACE | START_THREAD => reading.small(tag, length, &mut records)?,
            _ if is_known(tag) => reading.window.skip(length),
            _ => {
                let left_out = reading.window.left() + RECORD_BYTES as u64;
                records.warnings.push(Warning::Damaged { at: at - RECORD_BYTES as u64, left_out });
                return Ok(records);
            }
        }
    }
    let rest = reading.window.left();
    if rest > 0 {
        records.warnings.push(Warning::Cut { at: header.file_bytes - rest, left_out: rest });
    }
    Ok(records)
}

/// Whether the format has that tag at the top level.
fn is_known(tag: u8) -> bool {
    matches!(tag, 0x01..=0x07 | 0x0A..=0x0E | HEAP_DUMP_SEGMENT | HEAP_DUMP_END)
}

struct Reading<'a> {
    file: &'a File,
    header: &'a Header,
    window: Window<'a>,
}

impl Reading<'_> {
    /// Tag and length of the next record; `None` if not even those are complete.
    fn next(&mut self) -> io::Result<Option<(u8, u64)>> {
        let head = record_head(self.window.peek(RECORD_BYTES)?);
        if head.is_some() {
            self.window.skip(RECORD_BYTES as u64);
        }
        Ok(head)
    }

    /// Reads a small record completely.
    fn small(&mut self, tag: u8, length: u64, records: &mut Records) -> io::Result<()> {
        let id_bytes = self.header.id_bytes;
        let body = &self.window.peek(length as usize)?[..length as usize];
        let mut body = Fields::new(body);
        match tag {
            LOAD_CLASS => records.loads.extend(load_class(&mut body, id_bytes)),
            FRAME => records.frames.extend(frame(&mut body, id_bytes)),
            TRACE => records.traces.extend(trace(&mut body, id_bytes)),
            _ => records.started.extend(started(&mut body, id_bytes)),
        }
        self.window.skip(length);
        Ok(())
    }

    /// The end of a segment of that stated length. HotSpot states 0 while it writes one, and lengths beyond 4 GiB wrap.
    /// So the end must be followed by a plausible record or by the end of the file.
    fn end_of_segment(&self, at: u64, stated: u64) -> io::Result<u64> {
        let file_bytes = self.header.file_bytes;
        if stated == 0 && !self.begins_segment_or_end(at)? {
            return self.walked_end(at, file_bytes);
        }
        let mut end = at + stated;
        while end <= file_bytes {
            if self.is_record(end)? {
                return Ok(end);
            }
            end += WRAP;
        }
        self.walked_end(at, (at + stated).min(file_bytes))
    }

    /// Whether a record can begin there.
    fn is_record(&self, at: u64) -> io::Result<bool> {
        let left = self.header.file_bytes - at;
        if left < RECORD_BYTES as u64 {
            return Ok(left == 0);
        }
        let head = record_head(Window::new(self.file, at..at + RECORD_BYTES as u64).peek(RECORD_BYTES)?);
        Ok(head.is_some_and(|(tag, length)| {
            is_known(tag) && (length <= left - RECORD_BYTES as u64 || matches!(tag, HEAP_DUMP | HEAP_DUMP_SEGMENT))
        }))
    }

    /// Whether no sub-record begins at that position.
    fn begins_segment_or_end(&self, at: u64) -> io::Result<bool> {
        let tag = Window::new(self.file, at..(at + 1).min(self.header.file_bytes)).peek(1)?.first().copied();
        Ok(tag.is_none_or(|tag| matches!(tag, HEAP_DUMP | HEAP_DUMP_SEGMENT | HEAP_DUMP_END)))
    }

    /// The position where sub-records end and a record begins. If there is none, the rest is damaged or cut. Then they
    /// extend to the stated end, or to the end of the file if that comes first.
    fn walked_end(&self, at: u64, stated_end: u64) -> io::Result<u64> {
        let mut window = Window::new(self.file, at..self.header.file_bytes);
        match self.header.id_bytes {
            4 => walk::walk::<4>(&mut window, &mut Passing)?,
            _ => walk::walk::<8>(&mut window, &mut Passing)?,
        }
        let walked = window.offset();
        let is_end = walked > at && self.is_record(walked)?;
        Ok(match () {
            () if is_end => walked,
            () if walked > stated_end => self.header.file_bytes,
            () => stated_end,
        })
    }
}

struct Passing;

impl Visitor for Passing {
    const TAKES_BODIES: bool = false;
    fn instance(&mut self, _id: u64, _class: u64, _body_bytes: u32, _body: &[u8]) {}
    fn object_array(&mut self, _id: u64, _class: u64, _length: u32) {}
    fn primitive_array(&mut self, _id: u64, _kind: u8, _length: u32, _at: u64) {}
}

fn record_head(head: &[u8]) -> Option<(u8, u64)> {
    let mut head = Fields::new(head);
    let tag = head.u1()?;
    head.u4()?;
    Some((tag, u64::from(head.u4()?)))
}

fn load_class(body: &mut Fields<'_>, id_bytes: usize) -> Option<LoadClass> {
    let (serial, id) = (body.u4()?, body.id(id_bytes)?);
    body.u4()?;
    Some(LoadClass { serial, id, name: body.id(id_bytes)? })
}

fn frame(body: &mut Fields<'_>, id_bytes: usize) -> Option<Frame> {
    let (id, method) = (body.id(id_bytes)?, body.id(id_bytes)?);
    body.bytes(2 * id_bytes)?;
    Some(Frame { id, method, class_serial: body.u4()? })
}

fn trace(body: &mut Fields<'_>, id_bytes: usize) -> Option<Trace> {
    let (serial, thread) = (body.u4()?, body.u4()?);
    body.u4()?;
    let frames = std::iter::from_fn(|| body.id(id_bytes)).collect();
    Some(Trace { serial, thread, frames })
}

fn started(body: &mut Fields<'_>, id_bytes: usize) -> Option<Started> {
    body.u4()?;
    let object = body.id(id_bytes)?;
    body.u4()?;
    Some(Started { object, name: body.id(id_bytes)? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::FileExt;

    const NAME: &[u8] = b"JAVA PROFILE 1.0.2\0";

    fn record(tag: u8, length: u32) -> Vec<u8> {
        [&[tag, 0, 0, 0, 0][..], &length.to_be_bytes()].concat()
    }

    /// A hole of 4 GB takes no room on the disk, and must take none in memory: it is skipped by its length.
    #[test]
    fn a_stack_of_four_gigabytes_is_left_out_unread() {
        let file = tempfile::tempfile().unwrap();
        let begin = NAME.len() as u64 + 12;
        let length = u32::MAX - 3;
        file.write_all_at(&record(TRACE, length), begin).unwrap();
        let behind = begin + RECORD_BYTES as u64 + u64::from(length);
        let load = [record(LOAD_CLASS, 24), vec![0; 24]].concat();
        file.write_all_at(&load, behind).unwrap();
        let header = Header { file_bytes: behind + load.len() as u64, ..header(begin) };
        let records = read(&file, &header).unwrap();
        assert_eq!((records.traces.len(), records.loads.len()), (0, 1));
        assert!(matches!(&records.warnings[..], [Warning::Other(text)] if text.contains("claims 4294967292")));
    }

    fn header(bytes: u64) -> Header {
        Header { bytes, id_bytes: 8, file_bytes: bytes, taken_ms: 0 }
    }
}
