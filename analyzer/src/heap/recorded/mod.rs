//! A capture as its records, complete, and the same capture as a stream by address. It is for tests and benches, which
//! write heaps as records and need the stream that an agent by address would have sent.

mod walk;

use super::{Heap, HeapBuilder, HeapError, ObjectIdx};
use rootbound_wire::graph::{Chunk, ChunkWriter, MAX_RECORD_BYTES, Record, SENTINELS};
use rootbound_wire::ids::SnapshotId;
use rootbound_wire::message::{
    CaptureDone, ClassRecord, MethodRecord, ObjectRecord, ReferenceRecord, RootRecord, ThreadRecord,
};
use walk::Walk;

/// The whole content of a capture by tags. Objects are numbered 1, 2, 3 … in their order.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)] // As in the messages.
pub struct Recorded {
    pub objects: Vec<ObjectRecord>,
    pub references: Vec<ReferenceRecord>,
    pub roots: Vec<RootRecord>,
    pub classes: Vec<ClassRecord>,
    pub threads: Vec<ThreadRecord>,
    pub methods: Vec<MethodRecord>,
}

/// The whole content of a capture by address.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)] // As in the messages.
pub struct Streamed {
    pub chunks: Vec<Chunk>,
    pub classes: Vec<ClassRecord>,
    pub threads: Vec<ThreadRecord>,
    pub methods: Vec<MethodRecord>,
    pub done: CaptureDone,
    /// By object of the records: its index in the heap built from the stream.
    pub places: Vec<ObjectIdx>,
}

impl Recorded {
    /// A builder that has received all of it.
    pub fn builder(self) -> HeapBuilder {
        let mut builder = HeapBuilder::new();
        builder.objects(&self.objects);
        builder.references(&self.references);
        builder.roots(&self.roots);
        builder.threads(self.threads);
        builder.methods(self.methods);
        builder.classes(self.classes);
        builder
    }

    /// The capture that an agent by address would send under that name, in chunks of at most `chunk_bytes` bytes (and
    /// no less than a few records). `addresses` are those of the objects, followed by those of [`extra_objects`]
    /// planted ones.
    ///
    /// Objects that nothing reaches are reported as well, after the others.
    pub fn streamed(self, snapshot: SnapshotId, addresses: &[u64], chunk_bytes: usize) -> Streamed {
        let walk = Walk::new(&self, snapshot, addresses, chunk_bytes);
        let (chunks, records, references) = walk.make();
        let done = CaptureDone { snapshot, records, references, ..CaptureDone::default() };
        let Self { objects, classes, threads, methods, .. } = self;
        Streamed { chunks, classes, threads, methods, done, places: places(addresses, objects.len()) }
    }
}

impl Streamed {
    /// A builder that has received all of it.
    pub fn builder(self) -> HeapBuilder {
        let mut builder = HeapBuilder::new();
        self.chunks.iter().for_each(|chunk| builder.graph(chunk));
        builder.threads(self.threads);
        builder.methods(self.methods);
        builder.classes(self.classes);
        builder.done(&self.done);
        builder
    }

    /// Builds the heap.
    ///
    /// # Errors
    /// If the stream was changed since it was made.
    pub fn build(self) -> Result<Heap, HeapError> {
        self.builder().finish()
    }

    /// Its records, chunk by chunk, for tests that change them; see [`Self::rewrite`].
    pub fn records(&self) -> Vec<Vec<Record>> {
        let read = |chunk: &Chunk| rootbound_wire::graph::records(&chunk.0).flatten().collect();
        self.chunks.iter().map(read).collect()
    }

    /// Replaces its records by others; the reported end stays.
    pub fn rewrite(&mut self, chunks: &[Vec<Record>]) {
        self.chunks = chunks.iter().map(|records| encode(records)).collect();
    }
}

/// Number of objects that a stream has in addition to those of the records: the planted ones, and the mirrors of their
/// two classes.
pub const fn extra_objects() -> usize {
    2 * SENTINELS as usize + 2
}

fn places(addresses: &[u64], objects: usize) -> Vec<ObjectIdx> {
    let mut order: Vec<u32> = (0..addresses.len() as u32).collect();
    order.sort_unstable_by_key(|&object| addresses[object as usize]);
    let mut places = vec![ObjectIdx(0); addresses.len()];
    order.iter().zip(0..).for_each(|(&object, place)| places[object as usize] = ObjectIdx(place));
    places.truncate(objects);
    places
}

fn encode(records: &[Record]) -> Chunk {
    let mut memory = vec![0; (records.len() + 1) * MAX_RECORD_BYTES];
    let mut chunk = ChunkWriter::new(&mut memory);
    for &record in records {
        chunk.record(record);
    }
    let length = chunk.len();
    memory.truncate(length);
    Chunk(memory)
}
