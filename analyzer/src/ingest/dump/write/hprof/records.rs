//! Writes records of an HPROF file: strings once each, sub-records in segments whose length is known before they are
//! written.

use std::collections::HashMap;
use std::io::{self, Write};

/// Number of bytes at which a segment is written.
const SEGMENT_BYTES: usize = 1 << 20;
const STRING: u8 = 0x01;
const HEAP_DUMP_SEGMENT: u8 = 0x1C;
const HEAP_DUMP_END: u8 = 0x2C;

/// An unfinished file.
pub(super) struct Records<'a, W> {
    out: &'a mut W,
    strings: HashMap<String, u64>,
    segment: Vec<u8>,
}

impl<'a, W: Write> Records<'a, W> {
    /// Starts a file and writes its header.
    pub(super) fn new(out: &'a mut W) -> io::Result<Self> {
        out.write_all(b"JAVA PROFILE 1.0.2\0")?;
        out.write_all(&8u32.to_be_bytes())?;
        out.write_all(&0u64.to_be_bytes())?;
        Ok(Self { out, strings: HashMap::new(), segment: Vec::new() })
    }

    /// The id of a string, which is written at its first mention.
    pub(super) fn string(&mut self, text: &str) -> io::Result<u64> {
        if let Some(&id) = self.strings.get(text) {
            return Ok(id);
        }
        let id = self.strings.len() as u64 + 1;
        self.strings.insert(text.to_owned(), id);
        self.record(STRING, &[&id.to_be_bytes(), text.as_bytes()])?;
        Ok(id)
    }

    /// Writes a record that consists of these pieces.
    pub(super) fn record(&mut self, tag: u8, pieces: &[&[u8]]) -> io::Result<()> {
        let bytes: usize = pieces.iter().map(|piece| piece.len()).sum();
        self.head(tag, bytes as u64)?;
        pieces.iter().try_for_each(|piece| self.out.write_all(piece))
    }

    fn head(&mut self, tag: u8, bytes: u64) -> io::Result<()> {
        self.out.write_all(&[tag])?;
        self.out.write_all(&0u32.to_be_bytes())?;
        let bytes = u32::try_from(bytes).map_err(|_| io::Error::other("a record of HPROF has at most 4 GiB"))?;
        self.out.write_all(&bytes.to_be_bytes())
    }

    /// Adds a sub-record.
    pub(super) fn sub_record(&mut self, pieces: &[&[u8]]) -> io::Result<()> {
        pieces.iter().for_each(|piece| self.segment.extend_from_slice(piece));
        if self.segment.len() >= SEGMENT_BYTES { self.end_segment() } else { Ok(()) }
    }

    /// Writes a sub-record in a segment of its own; `fill` writes its last bytes piece by piece.
    pub(super) fn long_sub_record(
        &mut self,
        head: &[u8],
        bytes: u64,
        fill: impl FnOnce(&mut W) -> io::Result<()>,
    ) -> io::Result<()> {
        self.end_segment()?;
        self.head(HEAP_DUMP_SEGMENT, head.len() as u64 + bytes)?;
        self.out.write_all(head)?;
        fill(self.out)
    }

    fn end_segment(&mut self) -> io::Result<()> {
        if !self.segment.is_empty() {
            let segment = std::mem::take(&mut self.segment);
            self.record(HEAP_DUMP_SEGMENT, &[&segment])?;
            self.segment = segment;
            self.segment.clear();
        }
        Ok(())
    }

    /// Writes the end of the heap.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.end_segment()?;
        self.record(HEAP_DUMP_END, &[])
    }
}
