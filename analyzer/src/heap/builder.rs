//! Builds a [`Heap`] from the records of a capture, whoever delivers them.
//!
//! Three things are decided on the way (`edges.rs`) and nowhere else, because everything behind relies on them: references that do not
//! keep their referee alive are cut, class mirrors of long-lived loaders are graph roots, and neither an object's
//! reference to such a mirror nor a constant pool's is an edge: both are the JVM's, and no program can grow or read them.

use super::edges;
use super::object_ids::ObjectIds;
use super::references::{Label, References};
use super::resolve::Lookup;
use super::roots::{Root, RootKind};
use super::{Generation, Heap, ObjectIdx};
use rootbound_wire::ids::{ObjectId, SnapshotId};
use rootbound_wire::message::{ClassRecord, MethodRecord, ObjectRecord, ReferenceRecord, RootRecord, ThreadRecord};

/// Why records are no heap.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum HeapError {
    /// More objects or references than a heap can index.
    #[error("the capture has more than {} objects or references", u32::MAX - 1)]
    TooLarge,
    /// An id is 0, beyond 32 bits, or given twice.
    #[error("the capture's object ids are not usable: one is zero, too large, or stands twice")]
    BadId,
    /// A record names an object that the capture never reported.
    #[error("a {what} names object {id}, which the capture did not report")]
    Unknown {
        /// What kind of record.
        what: &'static str,
        /// The id that is missing.
        id: u64,
    },
}

/// Collects the records of one capture, in any order.
#[derive(Debug, Default)]
pub struct HeapBuilder {
    ids: Vec<u64>,
    class_ids: Vec<u32>,
    shallow_bytes: Vec<u32>,
    first_seen: Vec<SnapshotId>,
    references: Vec<(ObjectIdx, ObjectIdx, Label)>,
    roots: Vec<RootRecord>,
    classes: Vec<ClassRecord>,
    threads: Vec<ThreadRecord>,
    methods: Vec<MethodRecord>,
    bad_id: bool,
    keeps_soft: bool,
}

impl HeapBuilder {
    /// An empty builder.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets soft references keep their referents, as the JVM does until memory is short.
    pub fn keep_soft_references(&mut self) {
        self.keeps_soft = true;
    }

    /// Adds objects.
    pub fn objects(&mut self, records: &[ObjectRecord]) {
        for record in records {
            self.ids.push(record.id.0);
            let class = record.class.map_or(0, |class| self.narrow(class));
            self.class_ids.push(class);
            self.shallow_bytes.push(u32::try_from(record.shallow_bytes).unwrap_or(u32::MAX));
            self.first_seen.push(record.first_seen);
        }
    }

    /// Adds references.
    pub fn references(&mut self, records: &[ReferenceRecord]) {
        for record in records {
            let ends = (self.narrow(record.referrer), self.narrow(record.referee));
            self.references.push((ObjectIdx(ends.0), ObjectIdx(ends.1), record.label.into()));
        }
    }

    /// Adds GC roots.
    pub fn roots(&mut self, records: &[RootRecord]) {
        self.roots.extend_from_slice(records);
    }

    /// Adds classes.
    pub fn classes(&mut self, records: Vec<ClassRecord>) {
        self.classes.extend(records);
    }

    /// Adds threads.
    pub fn threads(&mut self, records: Vec<ThreadRecord>) {
        self.threads.extend(records);
    }

    /// Adds methods.
    pub fn methods(&mut self, records: Vec<MethodRecord>) {
        self.methods.extend(records);
    }

    /// Objects received so far.
    pub fn object_count(&self) -> usize {
        self.ids.len()
    }

    /// References received so far.
    pub fn reference_count(&self) -> usize {
        self.references.len()
    }

    /// Ids are kept in 32 bits until the end; what does not fit makes [`Self::finish`] fail.
    fn narrow(&mut self, id: ObjectId) -> u32 {
        u32::try_from(id.0).ok().filter(|&id| id != 0).unwrap_or_else(|| {
            self.bad_id = true;
            1
        })
    }

    /// The heap.
    ///
    /// Cut are the `referent`, `next` and `discovered` fields of `java.lang.ref.Reference`. A class mirror becomes a
    /// root of kind [`RootKind::Class`] when its loader is the boot loader, or is old and no loader of its kind is new;
    /// other classes stay ordinary objects, so that a leak of loaders is still seen.
    ///
    /// # Errors
    /// [`HeapError`] when the records do not fit together.
    pub fn finish(mut self) -> Result<Heap, HeapError> {
        if self.ids.len() >= u32::MAX as usize || self.references.len() >= u32::MAX as usize {
            return Err(HeapError::TooLarge);
        }
        let ids = ObjectIds::new(std::mem::take(&mut self.ids)).filter(|_| !self.bad_id).ok_or(HeapError::BadId)?;
        let lookup = Lookup { ids: &ids };
        lookup.resolve_references(&mut self.references)?;
        let classes = lookup.classes(&self.classes)?;
        let class_of = lookup.class_of_objects(&classes, &self.class_ids, &self.references)?;
        let (generation, latest) = generations(&self.first_seen);
        let class_roots = edges::class_roots(&classes, &class_of, &generation, latest);
        let threads = lookup.threads(self.threads)?;
        let mut roots = lookup.roots(&self.roots, &threads, &self.methods)?;
        roots.extend(class_roots.iter().map(|&mirror| Root::class(mirror)));
        edges::cut(&mut self.references, &classes, &class_of, &class_roots, self.keeps_soft);
        let references = References::new(class_of.len(), self.references);
        Ok(Heap {
            class_of,
            shallow_bytes: self.shallow_bytes,
            generation,
            latest,
            classes,
            references,
            roots,
            threads,
            ids,
        })
    }
}

impl Root {
    fn class(object: ObjectIdx) -> Self {
        Self { object, kind: RootKind::Class, thread: None, method: None, depth: 0 }
    }
}

/// Snapshots as generations, counted from 0 without gaps, and the latest of them. With a single snapshot every
/// object is of the latest generation.
fn generations(first_seen: &[SnapshotId]) -> (Vec<Generation>, Generation) {
    let mut snapshots: Vec<SnapshotId> = Vec::new();
    for &snapshot in first_seen {
        if !snapshots.contains(&snapshot) && snapshots.len() < usize::from(Generation::MAX) {
            snapshots.push(snapshot);
        }
    }
    snapshots.sort_unstable();
    let latest = snapshots.len().saturating_sub(1) as Generation;
    let generation =
        |snapshot: &SnapshotId| snapshots.binary_search(snapshot).unwrap_or(usize::from(latest)) as Generation;
    (first_seen.iter().map(generation).collect(), latest)
}
