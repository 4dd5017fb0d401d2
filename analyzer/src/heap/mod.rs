//! One instant of one heap: columnar, immutable, built by one type ([`HeapBuilder`]).
//!
//! Objects are dense `u32` indexes, in the order of the capture's first sight or of their addresses. The heap depends
//! on no format, on no graph beyond its forward references, and on no analysis.

mod addresses;
mod atomics;
mod builder;
mod class;
pub mod dsl;
mod dumped;
mod edges;
mod fields;
mod kinds;
mod labels;
mod loaders;
mod marks;
mod object_ids;
mod offsets;
mod places;
mod ranked_bits;
pub mod recorded;
mod records;
mod references;
mod referents;
mod resolve;
mod roots;
mod seen;
mod spread;

pub use addresses::Unproven;
pub use builder::{HeapBuilder, HeapError};
pub use class::{Class, ClassIdx, Classes, Field};
pub use dumped::build as of_dump;
pub use dumped::{
    Addresses, DumpError, DumpRules, DumpSink, DumpSource, Dumped, DumpedClass, DumpedObject, DumpedRoot, DumpedThread,
    Outline,
};
pub use edges::WeakFields;
pub use loaders::coming_loaders;
pub use marks::{Container, MarkTable, Stratum, TableMark};
pub use ranked_bits::RankedBits;
pub use references::{Label, References};
pub use rootbound_wire::message::Mark;
pub use roots::{Root, RootKind, RootKinds, Thread, ThreadIdx};

use kinds::Kinds;
use rootbound_wire::ids::{ObjectId, SnapshotId};
use seen::Marks;
use std::collections::HashMap;

/// An object by its place in the heap's columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectIdx(pub u32);

impl ObjectIdx {
    /// The index into a column.
    #[inline]
    pub fn at(self) -> usize {
        self.0 as usize
    }
}

/// A heap has fewer objects than this: an index leaves one bit free.
pub const MAX_OBJECTS: u32 = 1 << 31;

/// The snapshot that first saw an object, counted from 0, the first snapshot of the run. LeakBot §3.2 calls the objects
/// of the latest generation *new* and all others *old*.
pub type Generation = u8;

/// The objects, classes, references and roots of one snapshot.
#[derive(Debug)]
pub struct Heap {
    kinds: Kinds,
    marks: Marks,
    classes: Classes,
    references: References,
    referents: referents::Referents,
    roots: Vec<Root>,
    threads: Vec<Thread>,
    ids: object_ids::ObjectIds,
    /// Heads of data structures that the agent holds, by their numbers.
    heads: HashMap<ObjectIdx, u32>,
}

impl Heap {
    /// The same heap with given ages: one generation for each object; the greatest is the latest.
    #[must_use]
    pub fn with_generations(mut self, generation: Vec<Generation>) -> Self {
        debug_assert_eq!(generation.len(), self.object_count());
        self.marks = Marks::of(generation);
        self
    }

    /// The same heap with heads of data structures that the agent holds, by their numbers.
    #[must_use]
    pub fn with_heads(self, heads: HashMap<ObjectIdx, u32>) -> Self {
        Self { heads, ..self }
    }

    /// The same heap with the mirrors of classes as roots, as in a capture (see [`HeapBuilder::finish`]). Classes whose
    /// loader's class `keeps_coming` are excepted. References of instances to such a root mirror are dropped.
    #[must_use]
    pub fn with_class_roots(mut self, keeps_coming: impl Fn(&str) -> bool) -> Self {
        let is_lasting = |class: &&Class| {
            class.loader.is_none_or(|loader| !keeps_coming(&self.classes.get(self.class_of(loader)).name))
        };
        let mirrors: Vec<ObjectIdx> =
            self.classes.all.iter().filter(is_lasting).filter_map(|class| class.mirror).collect();
        let mut is_root = vec![false; self.object_count()];
        mirrors.iter().for_each(|mirror| is_root[mirror.at()] = true);
        self.references = self.references.filtered(|referee, label| label != Label::CLASS || !is_root[referee.at()]);
        self.roots.retain(|root| root.kind != RootKind::Class || !is_root[root.object.at()]);
        self.roots.extend(mirrors.into_iter().map(Root::class));
        self
    }

    /// Number of objects; every `ObjectIdx` below it is valid.
    pub fn object_count(&self) -> usize {
        self.kinds.len()
    }

    /// All objects.
    pub fn objects(&self) -> impl ExactSizeIterator<Item = ObjectIdx> + use<> {
        (0..self.object_count() as u32).map(ObjectIdx)
    }

    /// Class of an object. A class mirror's class is `java.lang.Class`.
    #[inline]
    pub fn class_of(&self, object: ObjectIdx) -> ClassIdx {
        self.kinds.of(object).class
    }

    /// Shallow size in bytes (saturated at 4 GiB for one object).
    #[inline]
    pub fn shallow_bytes(&self, object: ObjectIdx) -> u64 {
        u64::from(self.kinds.of(object).bytes)
    }

    /// Sum of all shallow sizes.
    pub fn total_bytes(&self) -> u64 {
        self.kinds.total_bytes()
    }

    /// A number of bytes of which every shallow size is a multiple: 8 or 1.
    pub fn size_unit(&self) -> u64 {
        u64::from(self.kinds.unit())
    }

    /// Whether the object belongs to the latest generation (LeakBot §3.2).
    #[inline]
    pub fn is_new(&self, object: ObjectIdx) -> bool {
        self.generation(object) == self.marks.latest
    }

    /// The generation in which the object was first seen.
    #[inline]
    pub fn generation(&self, object: ObjectIdx) -> Generation {
        self.marks.generation(object)
    }

    /// Number of objects of its class that an old object stands for: 1 if every one was marked. Without meaning for new
    /// ones.
    pub fn stands_for(&self, object: ObjectIdx) -> f64 {
        self.marks.weight(object)
    }

    /// The mark that the object bears; `None` for new ones.
    pub fn mark_of(&self, object: ObjectIdx) -> Option<Mark> {
        match self.planned_mark_of(object) {
            Some((_, number)) => Some(Mark::Planned(number)),
            None => (!self.is_new(object)).then(|| Mark::StandsFor(self.stands_for(object) as u32)),
        }
    }

    /// The planned mark that the object bears: the snapshot of the plan, and its number there.
    pub fn planned_mark_of(&self, object: ObjectIdx) -> Option<(SnapshotId, u32)> {
        self.marks.planned(object)
    }

    /// The number of the handle by which the agent holds the object, if it does.
    pub fn head_of(&self, object: ObjectIdx) -> Option<u32> {
        self.heads.get(&object).copied()
    }

    /// The numbers of all handles whose objects are in the heap.
    pub fn heads(&self) -> impl Iterator<Item = u32> + '_ {
        self.heads.values().copied()
    }

    /// The meaning of planned marks, if the capture has any.
    pub fn marks(&self) -> Option<&MarkTable> {
        self.marks.table.as_ref()
    }

    /// Whether the object is an array (of references or primitives).
    #[inline]
    pub fn is_array(&self, object: ObjectIdx) -> bool {
        self.classes.get(self.class_of(object)).is_array()
    }

    /// Whether the object is an array of references.
    #[inline]
    pub fn is_object_array(&self, object: ObjectIdx) -> bool {
        self.classes.get(self.class_of(object)).is_object_array()
    }

    /// All classes.
    pub fn classes(&self) -> &Classes {
        &self.classes
    }

    /// The class whose mirror this object is.
    pub fn class_of_mirror(&self, object: ObjectIdx) -> Option<ClassIdx> {
        self.classes.of_mirror(object)
    }

    /// The field by which an object refers to others with this label; `None` for elements and what is no field.
    pub fn field(&self, referrer: ObjectIdx, label: Label) -> Option<&Field> {
        let of = if label.is_static_field() { self.class_of_mirror(referrer) } else { Some(self.class_of(referrer)) };
        of.and_then(|of| self.classes.field(of, label))
    }

    /// Whether something holds a class: references were found in its mirror. A capture names all loaded classes, and
    /// enters the mirrors of those that something holds.
    pub fn is_held(&self, class: &Class) -> bool {
        class.mirror.is_some_and(|mirror| !self.references().of(mirror).is_empty())
    }

    /// The class whose fields an object shows. For a mirror this is the class that it stands for, with its statics;
    /// otherwise its own class.
    pub fn class_shown_by(&self, object: ObjectIdx) -> ClassIdx {
        self.class_of_mirror(object).unwrap_or_else(|| self.class_of(object))
    }

    /// Forward references without weak ones.
    pub fn references(&self) -> &References {
        &self.references
    }

    /// The referent of a weak reference, which is no edge. `None` if it was cleared, or if the object is no weak
    /// reference. Not known in heaps of dumps.
    pub fn referent(&self, reference: ObjectIdx) -> Option<ObjectIdx> {
        self.referents.of(reference)
    }

    /// GC roots, in the order of the capture; an object may have several.
    pub fn roots(&self) -> &[Root] {
        &self.roots
    }

    /// Live threads.
    pub fn threads(&self) -> &[Thread] {
        &self.threads
    }

    /// The thread whose object this is.
    pub fn thread_of(&self, object: ObjectIdx) -> Option<&Thread> {
        self.threads.iter().find(|thread| thread.object == object)
    }

    /// The id that the object had in a dump, or its id in the agent.
    pub fn dump_id(&self, object: ObjectIdx) -> Option<u64> {
        self.ids.number(object)
    }

    /// The object with that id in a dump.
    pub fn of_dump_id(&self, id: u64) -> Option<ObjectIdx> {
        self.ids.index(ObjectId(id))
    }

    /// The object's id in the agent; in a capture by address only mirrors and threads have one.
    pub fn id_of(&self, object: ObjectIdx) -> Option<ObjectId> {
        self.ids.id(object)
    }
}
