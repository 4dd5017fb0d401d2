//! Preallocated buffers for the records of a capture, so that a heap callback never allocates, and so that
//! the chunks under way are bounded. About 32 MiB, and only while a capture runs.

use crate::os::ring::SLOT_BYTES;
use crossbeam_channel::{Receiver, Sender, bounded};
use rootbound_wire::graph::Chunk;
use rootbound_wire::message::{FromAgent, ObjectRecord, ReferenceRecord, RootRecord};
use std::time::Duration;

/// Records in one buffer; coded they stay far below the longest frame.
pub const BUFFER_RECORDS: usize = 4096;

/// One kind of buffer, going round between the walk and the writer.
pub struct Shelf<T> {
    give: Sender<Vec<T>>,
    take: Receiver<Vec<T>>,
    buffers: usize,
    /// Entries that a buffer has room for.
    room: usize,
}

impl<T> Shelf<T> {
    fn new(buffers: usize, room: usize) -> Self {
        let (give, take) = bounded(buffers);
        Self { give, take, buffers, room }
    }

    fn fill(&self, most: usize) {
        for _ in self.take.len()..self.buffers.min(most) {
            drop(self.give.try_send(Vec::with_capacity(self.room)));
        }
    }

    /// Buffers that are under way.
    pub fn away(&self) -> usize {
        self.buffers.saturating_sub(self.take.len())
    }

    /// An empty buffer, waiting at most `patience` for one to come back.
    pub fn take(&self, patience: Duration) -> Option<Vec<T>> {
        self.take.try_recv().ok().or_else(|| self.take.recv_timeout(patience).ok())
    }

    fn give(&self, mut buffer: Vec<T>) {
        buffer.clear();
        // Full only after a capture ended with buffers still under way; then this one is freed.
        drop(self.give.try_send(buffer));
    }
}

/// The buffers of one connection.
pub struct Pool {
    /// For objects.
    pub objects: Shelf<ObjectRecord>,
    /// For references.
    pub references: Shelf<ReferenceRecord>,
    /// For roots.
    pub roots: Shelf<RootRecord>,
    /// For chunks of a capture by address.
    pub chunks: Shelf<u8>,
}

impl Pool {
    const OBJECT_BUFFERS: usize = 48;
    const REFERENCE_BUFFERS: usize = 144;
    const ROOT_BUFFERS: usize = 8;
    /// Buffers for chunks.
    pub const CHUNK_BUFFERS: usize = 128;
    /// All buffers together.
    pub const BUFFERS: usize =
        Self::OBJECT_BUFFERS + Self::REFERENCE_BUFFERS + Self::ROOT_BUFFERS + Self::CHUNK_BUFFERS;

    /// A pool without memory; [`Pool::fill`] allocates some.
    pub fn new() -> Self {
        Self {
            objects: Shelf::new(Self::OBJECT_BUFFERS, BUFFER_RECORDS),
            references: Shelf::new(Self::REFERENCE_BUFFERS, BUFFER_RECORDS),
            roots: Shelf::new(Self::ROOT_BUFFERS, BUFFER_RECORDS),
            chunks: Shelf::new(Self::CHUNK_BUFFERS, SLOT_BYTES),
        }
    }

    /// Makes the buffers of a capture: as many as are allowed, or fewer to test a capture that runs out of them.
    pub fn fill(&self, most_of_a_kind: usize) {
        self.objects.fill(most_of_a_kind);
        self.references.fill(most_of_a_kind);
        self.roots.fill(most_of_a_kind);
    }

    /// Makes the buffers of a capture by address. They take memory as they are filled.
    pub fn fill_chunks(&self) {
        self.chunks.fill(usize::MAX);
    }

    /// Frees the buffers that are not under way.
    pub fn drain(&self) {
        while self.objects.take.try_recv().is_ok() {}
        while self.references.take.try_recv().is_ok() {}
        while self.roots.take.try_recv().is_ok() {}
        while self.chunks.take.try_recv().is_ok() {}
    }

    /// Takes the buffer out of a message that has been written.
    pub fn recycle(&self, message: FromAgent) {
        match message {
            FromAgent::Objects(buffer) => self.objects.give(buffer),
            FromAgent::References(buffer) => self.references.give(buffer),
            FromAgent::Roots(buffer) => self.roots.give(buffer),
            FromAgent::Graph(Chunk(buffer)) => self.chunks.give(buffer),
            _ => {}
        }
    }
}

impl Default for Pool {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pool_stays_below_its_bound() {
        let bytes = Pool::OBJECT_BUFFERS * size_of::<ObjectRecord>()
            + Pool::REFERENCE_BUFFERS * size_of::<ReferenceRecord>()
            + Pool::ROOT_BUFFERS * size_of::<RootRecord>();
        assert!(bytes * BUFFER_RECORDS <= 32 << 20, "{bytes}");
        const { assert!(Pool::CHUNK_BUFFERS * SLOT_BYTES <= 32 << 20) };
    }
}
