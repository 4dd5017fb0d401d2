//! Builds a [`Heap`] from the data of a capture, whatever their source: from chunks by address (`addresses/`) if there
//! are any, otherwise from records of objects and references (`records.rs`).
//!
//! Three decisions are made here (`edges.rs`) and nowhere else, because all later steps rely on them. References that
//! do not keep their referee alive are cut. Class mirrors of long-lived loaders are graph roots. A reference of an
//! object or of a constant pool to such a mirror is no edge: it is the JVM's, and no program can grow or read it.

use super::MarkTable;
use super::addresses::{self, Stream, Unproven};
use super::records::Records;
use super::{DumpRules, Heap};
use rootbound_wire::graph::Chunk;
use rootbound_wire::message::{
    CaptureDone, ClassRecord, MethodRecord, ObjectRecord, ReferenceRecord, RootRecord, ThreadRecord,
};

/// Reasons why records are no heap.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum HeapError {
    /// More objects or references than a heap can index.
    #[error("the capture has {} objects or more, or {} references", super::MAX_OBJECTS, u32::MAX)]
    TooLarge,
    /// An id is 0, beyond 32 bits, or assigned twice.
    #[error("the capture's object ids are not usable: one is zero, too large, or stands twice")]
    BadId,
    /// A record names an object that the capture never reported.
    #[error("a {what} names object {id}, which the capture did not report")]
    Unknown {
        /// The kind of record.
        what: &'static str,
        /// The missing id.
        id: u64,
    },
    /// A capture by address did not prove itself; another method may do better.
    #[error("the capture by address is not believed: {0}")]
    Unproven(#[from] Unproven),
}

/// Collects the data of one capture, in any order; the chunks of a stream in theirs.
#[derive(Debug, Default)]
pub struct HeapBuilder {
    stream: Stream,
    records: Records,
    described: Described,
}

/// Data that both kinds of capture report in addition to objects and references.
#[derive(Debug, Default)]
pub(super) struct Described {
    pub(super) classes: Vec<ClassRecord>,
    pub(super) threads: Vec<ThreadRecord>,
    pub(super) methods: Vec<MethodRecord>,
    pub(super) marks: Option<MarkTable>,
    pub(super) done: Option<CaptureDone>,
    pub(super) rules: DumpRules,
}

impl HeapBuilder {
    /// An empty builder.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets soft references keep their referents, as the JVM does until memory is short.
    pub fn keep_soft_references(&mut self) {
        self.described.rules.keeps_soft = true;
    }

    /// Sets the rules for references that keep nothing alive.
    pub fn keep(&mut self, rules: DumpRules) {
        self.described.rules = rules;
    }

    /// Sets the meaning of planned marks.
    pub fn marked_by(&mut self, marks: MarkTable) {
        self.described.marks = Some(marks);
    }

    /// Adds a chunk of a capture by address.
    pub fn graph(&mut self, chunk: &Chunk) {
        self.stream.push(chunk);
    }

    /// Sets the end of the capture. A capture by address is rejected without it. In a capture by tags, objects that
    /// carry an earlier snapshot than this are old. Without an end, those are old that carry an earlier snapshot than
    /// any other.
    pub fn done(&mut self, done: &CaptureDone) {
        self.described.done = Some(done.clone());
    }

    /// Adds objects.
    pub fn objects(&mut self, records: &[ObjectRecord]) {
        self.records.objects(records);
    }

    /// Adds references.
    pub fn references(&mut self, records: &[ReferenceRecord]) {
        self.records.references(records);
    }

    /// Adds GC roots.
    pub fn roots(&mut self, records: &[RootRecord]) {
        self.records.roots(records);
    }

    /// Adds classes.
    pub fn classes(&mut self, records: Vec<ClassRecord>) {
        self.described.classes.extend(records);
    }

    /// Adds threads.
    pub fn threads(&mut self, records: Vec<ThreadRecord>) {
        self.described.threads.extend(records);
    }

    /// Adds methods.
    pub fn methods(&mut self, records: Vec<MethodRecord>) {
        self.described.methods.extend(records);
    }

    /// Objects received so far by records; those of a stream are counted by [`Self::finish`].
    pub fn object_count(&self) -> usize {
        self.records.object_count()
    }

    /// References received so far by records; for a stream, [`CaptureDone`] holds the number.
    pub fn reference_count(&self) -> usize {
        self.records.reference_count()
    }

    /// Builds the heap.
    ///
    /// The `referent`, `next` and `discovered` fields of `java.lang.ref.Reference` are cut. A class mirror becomes a
    /// root of kind [`super::RootKind::Class`] when its loader is the boot loader, or is old and no loader of its kind
    /// is new. Other classes stay ordinary objects, so that a leak of loaders remains visible.
    ///
    /// # Errors
    /// [`HeapError`] when the records do not fit together, or a stream does not prove itself.
    pub fn finish(self) -> Result<Heap, HeapError> {
        if self.stream.is_empty() {
            self.records.build(self.described)
        } else {
            addresses::build(self.stream, self.described)
        }
    }
}
