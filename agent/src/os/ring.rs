//! Memory that a walk writes and a native thread reads, across a fork too: one shared mapping with counters, a table of
//! methods and a ring of slots, each of which holds one chunk. One writer, one reader; no lock, no allocation, no JVM.

use rootbound_wire::graph::{ChunkWriter, MAX_RECORD_BYTES};
use std::io;
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Size of a slot, and so the longest chunk.
pub const SLOT_BYTES: usize = 256 << 10;
/// Slots of a ring; with its header it stays below 16 MiB.
pub const SLOTS: usize = 60;
/// Room for methods of stack roots, half of which may be filled.
pub const METHOD_SLOTS: usize = 1 << 14;
/// Ranges of memory that the writer can be asked to copy.
pub const MOST_ASKED: usize = 256;

/// The writer's counters, in a cache line of their own, against false sharing with the reader's.
#[repr(C, align(128))]
struct Written {
    published: AtomicU64,
    /// Bytes of the slot under way that hold whole records.
    committed: AtomicU64,
    records: AtomicU64,
    references: AtomicU64,
    widest: AtomicU32,
    is_waiting: AtomicU32,
    failure: AtomicU32,
    /// Bytes that the writer has copied, as it was asked.
    copied: AtomicU64,
}

#[repr(C, align(128))]
struct Read {
    taken: AtomicU64,
}

/// Ranges that the writer is asked to copy: their number, whether it shall rest, then their first bytes and ends.
#[repr(C, align(128))]
struct Asked {
    count: AtomicU32,
    shall_rest: AtomicU32,
    bounds: [[AtomicU64; 2]; MOST_ASKED],
}

/// The beginning of the mapping. All zero is its state at the beginning.
#[repr(C)]
struct Header {
    written: Written,
    read: Read,
    asked: Asked,
    lengths: [AtomicU32; SLOTS],
    methods: [AtomicU64; METHOD_SLOTS],
}

const HEADER_BYTES: usize = size_of::<Header>().next_multiple_of(4096);

/// The mapping; gone when dropped.
pub struct Ring {
    header: NonNull<Header>,
    slots: usize,
}

// SAFETY: all shared fields are atomic; slots belong to the writer or to the drain, by the counters.
unsafe impl Send for Ring {}
// SAFETY: as above.
unsafe impl Sync for Ring {}

impl Ring {
    /// A ring of `slots` slots (at most [`SLOTS`]). Memory is taken as it is written.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn new(slots: usize) -> io::Result<Self> {
        let slots = slots.clamp(1, SLOTS);
        let (protection, flags) =
            (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE);
        // SAFETY: a new mapping at any free address touches no other memory.
        let memory = unsafe { libc::mmap(std::ptr::null_mut(), bytes_of(slots), protection, flags, -1, 0) };
        if memory == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let header = NonNull::new(memory.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Self { header, slots })
    }

    /// Has the system provide all memory now, so that a walk that pauses the program need not wait for each page of
    /// it. Systems that cannot (Linux before 5.14) provide it as it is written.
    pub fn populate(&mut self) {
        // SAFETY: the mapping is ours, and populating it changes nothing that is in it.
        unsafe { libc::madvise(self.header.as_ptr().cast(), bytes_of(self.slots), libc::MADV_POPULATE_WRITE) };
    }

    /// The writing end, the reading end, and a view of the counters.
    pub fn split(&mut self) -> (RingWriter<'_>, Drain<'_>, RingCounters<'_>) {
        let ring = &*self;
        (
            RingWriter { ring, chunk: ring.slot(0), published: 0, records: 0, references: 0 },
            Drain { ring },
            RingCounters { ring },
        )
    }

    fn header(&self) -> &Header {
        // SAFETY: the mapping is alive, aligned to pages and zero at first, which is a valid header.
        unsafe { self.header.as_ref() }
    }

    fn slot_start(&self, number: u64) -> *mut u8 {
        let index = (number % self.slots as u64) as usize;
        // SAFETY: within the mapping, behind the header.
        unsafe { self.header.as_ptr().cast::<u8>().add(HEADER_BYTES + index * SLOT_BYTES) }
    }

    /// A writer for a slot that is free. Only the [`RingWriter`] asks, and holds one at a time.
    fn slot(&self, number: u64) -> ChunkWriter<'_> {
        // SAFETY: the slot lies in the mapping; the drain has copied what it held, and reads it again only when it has
        // been published, which ends the writer.
        ChunkWriter::new(unsafe { std::slice::from_raw_parts_mut(self.slot_start(number), SLOT_BYTES) })
    }

    fn publish(&self, number: u64, length: usize) {
        let header = self.header();
        header.lengths[(number % self.slots as u64) as usize].store(length as u32, Ordering::Relaxed);
        header.written.committed.store(0, Ordering::Relaxed);
        header.written.published.store(number + 1, Ordering::Release);
    }
}

impl Drop for Ring {
    fn drop(&mut self) {
        // SAFETY: mapped by `new` with this length; both ends borrow the ring and are gone.
        unsafe { libc::munmap(self.header.as_ptr().cast(), bytes_of(self.slots)) };
    }
}

fn bytes_of(slots: usize) -> usize {
    HEADER_BYTES + slots * SLOT_BYTES
}

/// The writing end. After a fork the child's copy writes and the parent's is idle.
pub struct RingWriter<'m> {
    ring: &'m Ring,
    chunk: ChunkWriter<'m>,
    published: u64,
    records: u64,
    references: u64,
}

impl<'m> RingWriter<'m> {
    /// Whether this number of further records fits the slot.
    #[inline]
    pub fn has_room(&self, records: usize) -> bool {
        SLOT_BYTES - self.chunk.len() >= records * MAX_RECORD_BYTES
    }

    /// Writes one record.
    #[inline]
    pub fn write(&mut self, record: impl FnOnce(&mut ChunkWriter<'_>)) {
        record(&mut self.chunk);
        self.records += 1;
    }

    /// Makes the written records count; `references` more references have been seen, and `widest` is the highest index
    /// among all.
    #[inline]
    pub fn commit(&mut self, references: u64, widest: u32) {
        self.references += references;
        let written = &self.ring.header().written;
        written.records.store(self.records, Ordering::Relaxed);
        written.references.store(self.references, Ordering::Relaxed);
        written.widest.store(widest, Ordering::Relaxed);
        written.committed.store(self.chunk.len() as u64, Ordering::Release);
    }

    /// Hands the slot over; nothing may be written before [`RingWriter::open`] returns `true`.
    pub fn publish(&mut self) {
        let length = self.chunk.len();
        self.chunk = ChunkWriter::new(&mut []);
        self.ring.publish(self.published, length);
        self.published += 1;
    }

    /// Opens the next slot, if it is free.
    pub fn open(&mut self) -> bool {
        let taken = self.ring.header().read.taken.load(Ordering::Acquire);
        let is_free = self.published - taken < self.ring.slots as u64;
        if is_free {
            self.chunk = self.ring.slot(self.published);
        }
        is_free
    }

    /// Reports whether the writer waits for the reader, or rests.
    pub fn set_waiting(&self, is_waiting: bool) {
        self.ring.header().written.is_waiting.store(u32::from(is_waiting), Ordering::Release);
    }

    /// Reports why the walk is worth nothing; 0 means that it is not so.
    pub fn fail(&self, code: u32) {
        self.ring.header().written.failure.store(code, Ordering::Release);
    }

    /// References seen so far.
    pub fn references(&self) -> u64 {
        self.references
    }

    /// Whether copies have been asked for.
    #[inline]
    pub fn is_asked(&self) -> bool {
        self.ring.header().asked.count.load(Ordering::Acquire) != 0
    }

    /// The ranges of which copies are asked for.
    pub fn asked(&self) -> impl Iterator<Item = Range<u64>> + use<'m> {
        let asked = &self.ring.header().asked;
        let count = asked.count.load(Ordering::Acquire) as usize;
        let range = |[start, end]: &[AtomicU64; 2]| start.load(Ordering::Relaxed)..end.load(Ordering::Relaxed);
        asked.bounds.iter().take(count).map(range)
    }

    /// Whether the copies shall wait.
    pub fn shall_rest(&self) -> bool {
        self.ring.header().asked.shall_rest.load(Ordering::Acquire) != 0
    }

    /// Reports that this number of further bytes has been copied.
    pub fn count_copied(&self, bytes: u64) {
        self.ring.header().written.copied.fetch_add(bytes, Ordering::Release);
    }

    /// The methods' table, all zero at first.
    pub fn methods(&self) -> &'m [AtomicU64] {
        &self.ring.header().methods
    }

    /// Hands the last slot over, as far as it was committed. In the parent of a child that wrote: after the child's
    /// end.
    pub fn finish(self) {
        let written = &self.ring.header().written;
        let length = written.committed.load(Ordering::Acquire) as usize;
        if length > 0 {
            self.ring.publish(written.published.load(Ordering::Acquire), length.min(SLOT_BYTES));
        }
    }
}

/// The reading end.
pub struct Drain<'m> {
    ring: &'m Ring,
}

impl Drain<'_> {
    /// Slots that wait to be taken.
    pub fn waiting(&self) -> u64 {
        let header = self.ring.header();
        header.written.published.load(Ordering::Acquire) - header.read.taken.load(Ordering::Relaxed)
    }

    /// Copies the next slot into `buffer` and frees it. `false` when none waits.
    pub fn take(&mut self, buffer: &mut Vec<u8>) -> bool {
        if self.waiting() == 0 {
            return false;
        }
        let header = self.ring.header();
        let number = header.read.taken.load(Ordering::Relaxed);
        let length = header.lengths[(number % self.ring.slots as u64) as usize].load(Ordering::Relaxed);
        // SAFETY: the slot has been published, so it is not written until it is counted as taken.
        let slot =
            unsafe { std::slice::from_raw_parts(self.ring.slot_start(number), (length as usize).min(SLOT_BYTES)) };
        buffer.extend_from_slice(slot);
        header.read.taken.store(number + 1, Ordering::Release);
        true
    }
}

/// A view of the counters.
#[derive(Clone, Copy)]
pub struct RingCounters<'m> {
    ring: &'m Ring,
}

impl<'m> RingCounters<'m> {
    /// Records written.
    pub fn records(self) -> u64 {
        self.ring.header().written.records.load(Ordering::Acquire)
    }

    /// References seen.
    pub fn references(self) -> u64 {
        self.ring.header().written.references.load(Ordering::Acquire)
    }

    /// The highest index of a reference seen so far, in arrays for the most part.
    pub fn widest(self) -> u32 {
        self.ring.header().written.widest.load(Ordering::Acquire)
    }

    /// Whether the writer waits for the reader, or rests.
    pub fn is_waiting(self) -> bool {
        self.ring.header().written.is_waiting.load(Ordering::Acquire) != 0
    }

    /// Whether a slot waits for the reader.
    pub fn is_behind(self) -> bool {
        Drain { ring: self.ring }.waiting() > 0
    }

    /// Asks the writer, once, to copy these ranges, the first [`MOST_ASKED`] of them.
    pub fn ask_for_copies(self, ranges: &[Range<u64>]) {
        let asked = &self.ring.header().asked;
        for ([start, end], range) in asked.bounds.iter().zip(ranges) {
            start.store(range.start, Ordering::Relaxed);
            end.store(range.end, Ordering::Relaxed);
        }
        asked.count.store(ranges.len().min(MOST_ASKED) as u32, Ordering::Release);
    }

    /// Lets the copies wait, or go on.
    pub fn let_copies_rest(self, shall_rest: bool) {
        self.ring.header().asked.shall_rest.store(u32::from(shall_rest), Ordering::Release);
    }

    /// Bytes that the writer has copied, as it was asked.
    pub fn copied(self) -> u64 {
        self.ring.header().written.copied.load(Ordering::Acquire)
    }

    /// The code passed to [`RingWriter::fail`].
    pub fn failure(self) -> u32 {
        self.ring.header().written.failure.load(Ordering::Acquire)
    }

    /// The methods' table.
    pub fn methods(self) -> &'m [AtomicU64] {
        &self.ring.header().methods
    }

    /// Memory of the ring that has been touched.
    pub fn bytes(self) -> u64 {
        let begun = self.ring.header().written.published.load(Ordering::Relaxed) + 1;
        bytes_of((begun as usize).min(self.ring.slots)) as u64
    }

    /// The place of the ring: first byte and length.
    pub fn range(self) -> (usize, usize) {
        (self.ring.header.as_ptr() as usize, bytes_of(self.ring.slots))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rootbound_wire::graph::{Address, Record, records};

    fn sentinel(writer: &mut RingWriter<'_>, number: u32) {
        writer.write(|chunk| chunk.sentinel(number, Address(8)));
        writer.commit(1, 0);
    }

    fn taken(drain: &mut Drain<'_>) -> Vec<u32> {
        let mut bytes = Vec::new();
        drain.take(&mut bytes);
        let number = |record| if let Ok(Record::Sentinel { number, .. }) = record { number } else { u32::MAX };
        records(&bytes).map(number).collect()
    }

    #[test]
    fn a_full_ring_opens_no_slot_until_one_was_taken() {
        let mut ring = Ring::new(2).expect("memory");
        let (mut writer, mut drain, counters) = ring.split();
        sentinel(&mut writer, 1);
        writer.publish();
        assert!(writer.open());
        sentinel(&mut writer, 2);
        sentinel(&mut writer, 3);
        writer.publish();
        assert!(!writer.open() && counters.is_behind());
        assert_eq!(taken(&mut drain), [1]);
        assert!(writer.open());
        sentinel(&mut writer, 4);
        assert_eq!(taken(&mut drain), [2, 3]);
        assert_eq!(taken(&mut drain), [0; 0]);
        writer.finish();
        assert_eq!(taken(&mut drain), [4]);
        assert_eq!((counters.records(), counters.references()), (4, 4));
    }

    #[test]
    fn uncommitted_records_are_not_handed_over() {
        let mut ring = Ring::new(2).expect("memory");
        let (mut writer, mut drain, _) = ring.split();
        sentinel(&mut writer, 1);
        writer.write(|chunk| chunk.sentinel(2, Address(8)));
        writer.finish();
        assert_eq!(taken(&mut drain), [1]);
    }

    #[test]
    fn requests_for_copies_reach_the_writer_as_far_as_there_is_room() {
        let mut ring = Ring::new(1).expect("memory");
        let (writer, _, counters) = ring.split();
        assert!(!writer.is_asked());
        let ranges: Vec<_> = (0..300).map(|number| number * 100..number * 100 + 50).collect();
        counters.ask_for_copies(&ranges);
        assert!(writer.is_asked());
        assert_eq!(writer.asked().collect::<Vec<_>>(), ranges[..MOST_ASKED]);
        writer.count_copied(50);
        writer.count_copied(50);
        assert_eq!(counters.copied(), 100);
        assert!(!writer.shall_rest());
        counters.let_copies_rest(true);
        assert!(writer.shall_rest());
    }

    #[test]
    fn the_ring_stays_below_its_bound() {
        assert!(bytes_of(SLOTS) <= 16 << 20);
    }
}
