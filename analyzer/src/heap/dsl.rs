//! A small language to write down heaps, for tests, benches and generated heaps. Everything goes through wire records
//! and [`super::HeapBuilder`], so a sketched heap is built exactly as a captured one.

use super::recorded::{self, Recorded, Streamed};
use super::{Heap, Mark, MarkTable, ObjectIdx};
use rootbound_wire::ids::{MethodId, ObjectId, SnapshotId};
use rootbound_wire::message::{
    ClassRecord, FieldRecord, MethodRecord, ObjectRecord, ReferenceLabel, ReferenceRecord, RootKind, RootRecord,
    ThreadRecord,
};
use std::collections::HashMap;

/// The mark (T1): objects first seen here are old.
pub const OLD: SnapshotId = SnapshotId(1);
/// The capture (T2): objects first seen here are new.
pub const NEW: SnapshotId = SnapshotId(2);

/// A heap under construction.
#[derive(Debug, Default)]
pub struct HeapSketch {
    objects: Vec<ObjectRecord>,
    references: Vec<ReferenceRecord>,
    roots: Vec<RootRecord>,
    threads: Vec<ThreadRecord>,
    classes: Vec<SketchedClass>,
    by_name: HashMap<String, usize>,
    /// Number of elements of each array.
    elements: HashMap<ObjectIdx, u32>,
}

#[derive(Debug)]
struct SketchedClass {
    mirror: ObjectId,
    name: String,
    superclass: Option<ObjectId>,
    loader: Option<ObjectId>,
    fields: Vec<FieldRecord>,
}

impl HeapSketch {
    /// An empty heap.
    pub fn new() -> Self {
        Self::default()
    }

    /// The mirror of a class, made old at first mention. All classes belong to the boot loader and are graph roots,
    /// except those that [`Self::loaded_by`] assigns to another loader.
    pub fn class(&mut self, name: &str) -> ObjectIdx {
        let at = self.class_at(name);
        index(self.classes[at].mirror)
    }

    /// Declares a class as a subclass. Call it before fields of either are used.
    pub fn subclass(&mut self, name: &str, superclass: &str) {
        let superclass = self.class_at(superclass);
        let at = self.class_at(name);
        self.classes[at].superclass = Some(self.classes[superclass].mirror);
    }

    /// Lets a class loader define a class: each keeps the other alive. The class is no longer a graph root if new
    /// loaders of this kind keep coming, that is, if this one is [`Self::fresh`].
    pub fn loaded_by(&mut self, class: &str, loader: ObjectIdx) {
        let at = self.class_at(class);
        let mirror = self.classes[at].mirror;
        self.classes[at].loader = Some(id(loader));
        self.link(index(mirror), loader, ReferenceLabel::ClassLoader);
        self.refer(loader, "classes", index(mirror));
    }

    /// Lets the next mention of a class make a second class of that name, as another loader would.
    pub fn load_again(&mut self, name: &str) {
        self.by_name.remove(name);
    }

    /// An object that existed at T1.
    pub fn old(&mut self, class: &str) -> ObjectIdx {
        self.object(class, 24, OLD)
    }

    /// An object created between T1 and T2.
    pub fn fresh(&mut self, class: &str) -> ObjectIdx {
        self.object(class, 24, NEW)
    }

    /// An object of any size and age.
    pub fn object(&mut self, class: &str, shallow_bytes: u64, first_seen: SnapshotId) -> ObjectIdx {
        let class_at = self.class_at(class);
        let array_length = class.ends_with("[]").then_some(10);
        self.push(Some(self.classes[class_at].mirror), shallow_bytes, array_length, first_seen)
    }

    /// Lets `referrer` refer to `referee` by an instance field of its own class.
    pub fn refer(&mut self, referrer: ObjectIdx, field: &str, referee: ObjectIdx) {
        let class = self.objects[referrer.at()].class;
        let at = self.classes.iter().position(|each| Some(each.mirror) == class);
        let index = at.map_or(0, |at| self.field_at(at, field, false));
        self.link(referrer, referee, ReferenceLabel::Field(index));
    }

    /// Lets `referrer` refer to `referee` by an instance field that this superclass of its class declares.
    pub fn inherited(&mut self, referrer: ObjectIdx, declaring: &str, field: &str, referee: ObjectIdx) {
        let at = self.class_at(declaring);
        let index = self.field_at(at, field, false);
        self.link(referrer, referee, ReferenceLabel::Field(index));
    }

    /// Declares an instance field of a class with its JVM descriptor: a number (`I`, `J`), or a reference of that type.
    pub fn declare(&mut self, class: &str, field: &str, descriptor: &str) {
        let at = self.class_at(class);
        let (name, descriptor) = (field.to_owned(), descriptor.to_owned());
        self.classes[at].fields.push(FieldRecord { name, descriptor, is_static: false, is_final: false });
    }

    /// Makes a field of a class final.
    pub fn make_final(&mut self, class: &str, field: &str) {
        let at = self.class_at(class);
        let named = self.classes[at].fields.iter_mut().filter(|known| known.name == field);
        named.for_each(|known| known.is_final = true);
    }

    /// Lets a slot of an array refer to `element`.
    pub fn element(&mut self, array: ObjectIdx, element: ObjectIdx) {
        let next = self.elements.entry(array).or_default();
        let index = *next;
        *next += 1;
        self.link(array, element, ReferenceLabel::ArrayElement(index));
    }

    /// Lets a static field refer to `referee`; returns the class's mirror.
    pub fn static_field(&mut self, class: &str, field: &str, referee: ObjectIdx) -> ObjectIdx {
        let at = self.class_at(class);
        let mirror = index(self.classes[at].mirror);
        let index = self.field_at(at, field, true);
        self.link(mirror, referee, ReferenceLabel::StaticField(index));
        mirror
    }

    /// A local variable of `Main.run` on the stack of a thread of its own.
    pub fn local(&mut self, referee: ObjectIdx) {
        self.local_at(referee, 0);
    }

    /// The same with so many frames above it.
    pub fn local_at(&mut self, referee: ObjectIdx, depth: u32) {
        let kind = RootKind::StackLocal { thread: None, depth, method: Some(MethodId(1)) };
        self.roots.push(RootRecord { object: id(referee), kind });
    }

    /// A JNI global reference.
    pub fn jni_global(&mut self, referee: ObjectIdx) {
        self.roots.push(RootRecord { object: id(referee), kind: RootKind::JniGlobal });
    }

    /// Makes an object the object of a live thread.
    pub fn thread(&mut self, object: ObjectIdx, name: &str) {
        self.roots.push(RootRecord { object: id(object), kind: RootKind::Thread });
        self.threads.push(ThreadRecord { object: id(object), name: name.to_owned() });
    }

    /// The heap of a capture with few marks: objects without a mark count as new, whatever their age.
    ///
    /// # Panics
    /// Never for what this type's methods can write down.
    #[allow(
        clippy::expect_used,
        reason = "a sketch is closed by construction; a failure is a bug of the test that wrote it"
    )]
    pub fn build_marked(mut self, table: MarkTable, marks: &[(ObjectIdx, u32)]) -> Heap {
        for object in &mut self.objects {
            object.first_seen = NEW;
        }
        for &(object, number) in marks {
            let record = &mut self.objects[object.at()];
            (record.first_seen, record.mark) = (OLD, Some(Mark::Planned(number)));
        }
        let mut builder = self.recorded().builder();
        builder.marked_by(table);
        builder.finish().expect("a sketched heap is closed")
    }

    /// The heap.
    ///
    /// # Panics
    /// Never for what this type's methods can write down.
    #[allow(
        clippy::expect_used,
        reason = "a sketch is closed by construction; a failure is a bug of the test that wrote it"
    )]
    pub fn build(self) -> Heap {
        self.recorded().builder().finish().expect("a sketched heap is closed")
    }

    /// The records that a capture by tags would report of it.
    pub fn recorded(self) -> Recorded {
        Recorded {
            objects: self.objects,
            references: self.references,
            roots: self.roots,
            threads: self.threads,
            methods: vec![MethodRecord { id: MethodId(1), name: "Main.run".to_owned() }],
            classes: self.classes.into_iter().map(SketchedClass::record).collect(),
        }
    }

    /// The stream that a capture by address would report of it, as snapshot [`NEW`]. Objects have pseudo-random
    /// addresses (the same seed gives the same addresses), and chunks are small.
    pub fn streamed(self, seed: u64) -> Streamed {
        let recorded = self.recorded();
        let addresses = scattered(recorded.objects.len() + recorded::extra_objects(), seed);
        recorded.streamed(NEW, &addresses, 100)
    }

    fn class_at(&mut self, name: &str) -> usize {
        if let Some(&at) = self.by_name.get(name) {
            return at;
        }
        let mirror = id(self.push(None, 96, None, OLD));
        let (name, superclass, loader) = (name.to_owned(), None, None);
        self.classes.push(SketchedClass { mirror, name: name.clone(), superclass, loader, fields: Vec::new() });
        self.by_name.insert(name, self.classes.len() - 1);
        self.classes.len() - 1
    }

    fn field_at(&mut self, class: usize, name: &str, is_static: bool) -> u32 {
        let inherited = self.inherited_field_count(class);
        let fields = &mut self.classes[class].fields;
        let at = fields.iter().position(|field| field.name == name).unwrap_or_else(|| {
            fields.push(FieldRecord {
                name: name.to_owned(),
                descriptor: "Ljava/lang/Object;".to_owned(),
                is_static,
                is_final: false,
            });
            fields.len() - 1
        });
        inherited + at as u32
    }

    fn inherited_field_count(&self, class: usize) -> u32 {
        let Some(superclass) = self.classes[class].superclass else { return 0 };
        let at = self.classes.iter().position(|each| each.mirror == superclass).unwrap_or(class);
        self.classes[at].fields.len() as u32 + self.inherited_field_count(at)
    }

    fn link(&mut self, referrer: ObjectIdx, referee: ObjectIdx, label: ReferenceLabel) {
        self.references.push(ReferenceRecord { referrer: id(referrer), referee: id(referee), label });
    }

    fn push(
        &mut self,
        class: Option<ObjectId>,
        shallow_bytes: u64,
        array_length: Option<u32>,
        first_seen: SnapshotId,
    ) -> ObjectIdx {
        let object = ObjectIdx(self.objects.len() as u32);
        self.objects.push(ObjectRecord { id: id(object), class, shallow_bytes, array_length, first_seen, mark: None });
        object
    }
}

impl SketchedClass {
    fn record(self) -> ClassRecord {
        ClassRecord {
            object: self.mirror,
            name: self.name,
            loader: self.loader,
            superclass: self.superclass,
            interfaces: Vec::new(),
            is_interface: false,
            fields: self.fields,
        }
    }
}

/// Scattered, unordered addresses; the number of an object is part of its address.
fn scattered(count: usize, seed: u64) -> Vec<u64> {
    let mut random = seed;
    let mut address = |number: u64| {
        // Knuth's generator; its high bits have the better randomness.
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        0x7_0000_0000 + ((random >> 55) << 27) + number * 8
    };
    (0..count as u64).map(&mut address).collect()
}

fn id(object: ObjectIdx) -> ObjectId {
    ObjectId(u64::from(object.0) + 1)
}

fn index(id: ObjectId) -> ObjectIdx {
    ObjectIdx((id.0 - 1) as u32)
}
