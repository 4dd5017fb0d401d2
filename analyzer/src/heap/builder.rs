//! Builds a [`Heap`] from the records of a capture, whoever delivers them.
//!
//! Three things are decided here and nowhere else, because everything behind relies on them: references that do not
//! keep their referee alive are cut, class mirrors of long-lived loaders are graph roots, and neither an object's
//! reference to such a mirror nor a constant pool's is an edge: both are the JVM's, and no program can grow or read them.

use super::class::{Class, ClassIdx, Classes};
use super::fields::{self, Declared};
use super::object_ids::ObjectIds;
use super::references::{Label, References};
use super::roots::{Root, RootKind, Thread, ThreadIdx};
use super::{Generation, Heap, ObjectIdx};
use rootbound_wire::ids::{MethodId, ObjectId, SnapshotId};
use rootbound_wire::message::{
    self as wire, ClassRecord, MethodRecord, ObjectRecord, ReferenceRecord, RootRecord, ThreadRecord,
};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

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

/// Name of the class of objects whose class is not known.
const UNKNOWN_CLASS: &str = "?";

/// The class whose `referent`, `next` and `discovered` do not keep alive (`java.lang.ref`): the collector treats
/// these three itself. Fields of its subclasses (`WeakHashMap.Entry.value`) are strong.
const REFERENCE_CLASS: &str = "java.lang.ref.Reference";
const CLASS_CLASS: &str = "java.lang.Class";
const SOFT_REFERENCE_CLASS: &str = "java.lang.ref.SoftReference";
const WEAK_FIELDS: [&str; 3] = ["referent", "next", "discovered"];

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
        let class_roots = class_roots(&classes, &class_of, &generation, latest);
        let threads = lookup.threads(self.threads)?;
        let mut roots = lookup.roots(&self.roots, &threads, &self.methods)?;
        roots.extend(class_roots.iter().map(|&mirror| Root::class(mirror)));
        cut(&mut self.references, &classes, &class_of, &class_roots, self.keeps_soft);
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

/// Ids to indexes, with errors that say where an unknown id stood.
struct Lookup<'a> {
    ids: &'a ObjectIds,
}

impl Lookup<'_> {
    fn find(&self, what: &'static str, id: ObjectId) -> Result<ObjectIdx, HeapError> {
        self.ids.index(id).ok_or(HeapError::Unknown { what, id: id.0 })
    }

    fn resolve_references(&self, references: &mut [(ObjectIdx, ObjectIdx, Label)]) -> Result<(), HeapError> {
        for (referrer, referee, _) in references {
            *referrer = self.find("reference", ObjectId(u64::from(referrer.0)))?;
            *referee = self.find("reference", ObjectId(u64::from(referee.0)))?;
        }
        Ok(())
    }

    /// Class 0 is the unknown class; the others follow in the order of their records.
    fn classes(&self, records: &[ClassRecord]) -> Result<Classes, HeapError> {
        let mut by_mirror = HashMap::with_capacity(records.len());
        for (record, at) in records.iter().zip(1u32..) {
            by_mirror.insert(self.find("class", record.object)?, ClassIdx(at));
        }
        let class_at = |id: ObjectId| self.ids.index(id).and_then(|mirror| by_mirror.get(&mirror).copied());
        let declared: Vec<Declared> = std::iter::once(Declared::nothing())
            .chain(records.iter().map(|record| Declared {
                superclass: record.superclass.and_then(class_at),
                interfaces: record.interfaces.iter().copied().filter_map(class_at).collect(),
                is_interface: record.is_interface,
                fields: record.fields.iter().map(|f| (f.name.clone(), f.descriptor.clone(), f.is_static)).collect(),
            }))
            .collect();
        let mut numbered = fields::number_fields(&declared).into_iter();
        let mut all = vec![Class::unknown(UNKNOWN_CLASS)];
        numbered.next();
        for ((record, declared), fields) in records.iter().zip(&declared[1..]).zip(numbered) {
            all.push(Class {
                name: record.name.clone(),
                mirror: Some(self.find("class", record.object)?),
                loader: record.loader.map(|loader| self.find("class loader", loader)).transpose()?,
                superclass: declared.superclass,
                fields,
            });
        }
        Ok(Classes { all, by_mirror })
    }

    /// The class of each object: from its record, or from its reference to its mirror.
    fn class_of_objects(
        &self,
        classes: &Classes,
        class_ids: &[u32],
        references: &[(ObjectIdx, ObjectIdx, Label)],
    ) -> Result<Vec<ClassIdx>, HeapError> {
        let mut class_of = Vec::with_capacity(class_ids.len());
        for &id in class_ids {
            let mirror = if id == 0 { None } else { Some(self.find("class of an object", ObjectId(u64::from(id)))?) };
            class_of.push(mirror.and_then(|mirror| classes.of_mirror(mirror)).unwrap_or(ClassIdx(0)));
        }
        // The JVM reports no such reference for mirrors.
        let class_of_mirrors = classes.by_name(CLASS_CLASS).unwrap_or(ClassIdx(0));
        for mirror in classes.all.iter().filter_map(|class| class.mirror) {
            class_of[mirror.at()] = class_of_mirrors;
        }
        for (referrer, referee, _) in references.iter().filter(|reference| reference.2 == Label::CLASS) {
            let class = &mut class_of[referrer.at()];
            if *class == ClassIdx(0) {
                *class = classes.of_mirror(*referee).unwrap_or(ClassIdx(0));
            }
        }
        Ok(class_of)
    }

    fn threads(&self, records: Vec<ThreadRecord>) -> Result<Vec<Thread>, HeapError> {
        records
            .into_iter()
            .map(|record| Ok(Thread { object: self.find("thread", record.object)?, name: record.name }))
            .collect()
    }

    fn roots(
        &self,
        records: &[RootRecord],
        threads: &[Thread],
        methods: &[MethodRecord],
    ) -> Result<Vec<Root>, HeapError> {
        let methods: HashMap<MethodId, Arc<str>> =
            methods.iter().map(|method| (method.id, Arc::from(method.name.as_str()))).collect();
        let thread_at: HashMap<ObjectIdx, ThreadIdx> =
            threads.iter().zip(0..).map(|(thread, at)| (thread.object, ThreadIdx(at))).collect();
        let thread =
            |id: Option<ObjectId>| id.and_then(|id| self.ids.index(id)).and_then(|o| thread_at.get(&o).copied());
        let mut roots = Vec::with_capacity(records.len());
        for record in records {
            let (kind, thread, depth, method) = match record.kind {
                wire::RootKind::StackLocal { thread: id, depth, method } => {
                    (RootKind::OnStack, thread(id), depth, method.and_then(|id| methods.get(&id).cloned()))
                }
                wire::RootKind::JniLocal { thread: id, depth } => (RootKind::OnStack, thread(id), depth, None),
                wire::RootKind::SystemClass => (RootKind::Class, None, 0, None),
                wire::RootKind::JniGlobal => (RootKind::JniGlobal, None, 0, None),
                wire::RootKind::Monitor => (RootKind::Monitor, None, 0, None),
                wire::RootKind::Thread => (RootKind::Thread, None, 0, None),
                wire::RootKind::Other => (RootKind::Other, None, 0, None),
            };
            roots.push(Root { object: self.find("GC root", record.object)?, kind, thread, method, depth });
        }
        Ok(roots)
    }
}

impl Declared {
    fn nothing() -> Self {
        Self { superclass: None, interfaces: Vec::new(), is_interface: false, fields: Vec::new() }
    }
}

impl Class {
    fn unknown(name: &str) -> Self {
        Self { name: name.to_owned(), mirror: None, loader: None, superclass: None, fields: Vec::new() }
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

/// Mirrors of the classes that live as long as the program, as far as one can tell: those of the boot loader, and of
/// old loaders of a kind of which no new one came. Loaders that keep coming are objects like any others.
fn class_roots(
    classes: &Classes,
    class_of: &[ClassIdx],
    generation: &[Generation],
    latest: Generation,
) -> Vec<ObjectIdx> {
    let is_old = |loader: ObjectIdx| latest == 0 || generation[loader.at()] < latest;
    let loaders = || classes.all.iter().filter_map(|class| class.loader);
    let coming: HashSet<ClassIdx> =
        loaders().filter(|&loader| !is_old(loader)).map(|loader| class_of[loader.at()]).collect();
    let long_lived = |loader: ObjectIdx| is_old(loader) && !coming.contains(&class_of[loader.at()]);
    classes.all.iter().filter(|class| class.loader.is_none_or(long_lived)).filter_map(|class| class.mirror).collect()
}

/// Removes references that are no edges: weak ones, and those to a mirror that is a root anyway.
fn cut(
    references: &mut Vec<(ObjectIdx, ObjectIdx, Label)>,
    classes: &Classes,
    class_of: &[ClassIdx],
    class_roots: &[ObjectIdx],
    keeps_soft: bool,
) {
    let is_a =
        |class: ClassIdx, name: &str| classes.ancestors(class).any(|ancestor| classes.get(ancestor).name == name);
    let weak: Vec<bool> = classes
        .iter()
        .map(|(at, _)| is_a(at, REFERENCE_CLASS) && !(keeps_soft && is_a(at, SOFT_REFERENCE_CLASS)))
        .collect();
    let is_weak = |referrer: ObjectIdx, label: Label| {
        let class = class_of[referrer.at()];
        weak[class.at()]
            && label.is_instance_field()
            && classes.field(class, label).is_some_and(|field| {
                classes.get(field.declaring).name == REFERENCE_CLASS && WEAK_FIELDS.contains(&field.name.as_str())
            })
    };
    let mut is_class_root = vec![false; class_of.len()];
    for mirror in class_roots {
        is_class_root[mirror.at()] = true;
    }
    references.retain(|&(referrer, referee, label)| match label {
        Label::CLASS => !is_class_root[referee.at()],
        Label::CONSTANT_POOL => false,
        _ => !is_weak(referrer, label),
    });
}
