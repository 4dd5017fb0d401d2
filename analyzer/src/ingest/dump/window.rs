//! A stretch of a file, read through a buffer that moves forward. It holds no more than the largest single request, and
//! skipping reads nothing.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;

/// Small enough for a core's cache, large enough that the cost of calls does not matter.
const BUFFER_BYTES: usize = 256 << 10;

/// The unread rest of a stretch.
pub(super) struct Window<'a> {
    file: &'a File,
    buffer: Vec<u8>,
    from: usize,
    to: usize,
    /// Position in the file of the bytes behind the buffered ones.
    next: u64,
    end: u64,
}

impl<'a> Window<'a> {
    /// A window over `stretch`, all of which lies within the file.
    pub(super) fn new(file: &'a File, stretch: Range<u64>) -> Self {
        Self { file, buffer: Vec::new(), from: 0, to: 0, next: stretch.start, end: stretch.end.max(stretch.start) }
    }

    /// Position in the file of the first unread byte.
    #[inline]
    pub(super) fn offset(&self) -> u64 {
        self.next - (self.to - self.from) as u64
    }

    /// Number of unread bytes.
    #[inline]
    pub(super) fn left(&self) -> u64 {
        self.end - self.offset()
    }

    /// The next `wanted` bytes and perhaps more; fewer only at the end of the stretch.
    #[inline]
    pub(super) fn peek(&mut self, wanted: usize) -> io::Result<&[u8]> {
        if self.to - self.from < wanted {
            self.fill(wanted)?;
        }
        Ok(&self.buffer[self.from..self.to])
    }

    /// A separate window that begins `distance` bytes farther on.
    pub(super) fn later(&self, distance: u64) -> Self {
        let from = self.offset().saturating_add(distance).min(self.end);
        Self::new(self.file, from..self.end.min(from + 64))
    }

    /// The next `count` bytes, which are consumed; fewer only at the end of the stretch.
    pub(super) fn take(&mut self, count: usize) -> io::Result<&[u8]> {
        self.peek(count)?;
        let (from, to) = (self.from, self.to.min(self.from + count));
        self.from = to;
        Ok(&self.buffer[from..to])
    }

    /// Skips `count` more bytes, or to the end.
    #[inline]
    pub(super) fn skip(&mut self, count: u64) {
        let buffered = (self.to - self.from) as u64;
        if count <= buffered {
            self.from += count as usize;
        } else {
            self.from = self.to;
            self.next = self.next.saturating_add(count - buffered).min(self.end);
        }
    }

    #[cold]
    fn fill(&mut self, wanted: usize) -> io::Result<()> {
        self.buffer.copy_within(self.from..self.to, 0);
        (self.from, self.to) = (0, self.to - self.from);
        let unread = usize::try_from(self.end - self.next).unwrap_or(usize::MAX);
        let room = wanted.max(BUFFER_BYTES).min(self.to.saturating_add(unread));
        if self.buffer.len() < room {
            self.buffer.resize(room, 0);
        }
        while self.to < room {
            match self.file.read_at(&mut self.buffer[self.to..room], self.next) {
                Ok(0) => return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the file has become shorter")),
                Ok(count) => {
                    self.to += count;
                    self.next += count as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}
