//! Feeds a [`HeapBuilder`] in chunks of wire records, as a capture does, so that the records themselves never weigh.

use rootbound::heap::{HeapBuilder, ObjectIdx};
use rootbound_wire::ids::{ObjectId, SnapshotId};
use rootbound_wire::message::{ClassRecord, FieldRecord, ObjectRecord, ReferenceLabel, ReferenceRecord};

/// Records in one chunk.
const CHUNK: usize = 4096;
/// The mark: what bears it is old.
pub const OLD: SnapshotId = SnapshotId(1);
/// The capture: what it saw first is new.
pub const NEW: SnapshotId = SnapshotId(2);

/// A class and the names of the fields its instances have; `static` ones are preceded by that word.
pub struct ClassSketch {
    pub name: &'static str,
    pub fields: &'static [&'static str],
}

/// Numbers objects 1, 2, 3 … in the order they are made.
pub struct Records {
    builder: HeapBuilder,
    objects: Vec<ObjectRecord>,
    references: Vec<ReferenceRecord>,
    count: u32,
}

impl Records {
    /// Begins with the mirrors of all classes, which are old.
    pub fn new(classes: &[ClassSketch]) -> Self {
        let mut records = Self { builder: HeapBuilder::new(), objects: Vec::new(), references: Vec::new(), count: 0 };
        let described = classes.iter().map(|class| describe(class, id(records.push(None, 112, OLD)))).collect();
        records.builder.classes(described);
        records
    }

    /// Objects so far.
    pub fn count(&self) -> usize {
        self.count as usize
    }

    /// An instance of the class at that place.
    pub fn object(&mut self, class: usize, shallow_bytes: u64, age: SnapshotId) -> ObjectIdx {
        self.push(Some(id(mirror(class))), shallow_bytes, age)
    }

    /// A reference.
    pub fn refer(&mut self, from: ObjectIdx, label: ReferenceLabel, to: ObjectIdx) {
        self.references.push(ReferenceRecord { referrer: id(from), referee: id(to), label });
        if self.references.len() == CHUNK {
            self.builder.references(&self.references);
            self.references.clear();
        }
    }

    /// The builder, every record delivered.
    pub fn deliver(mut self) -> HeapBuilder {
        self.builder.objects(&self.objects);
        self.builder.references(&self.references);
        self.builder
    }

    fn push(&mut self, class: Option<ObjectId>, shallow_bytes: u64, first_seen: SnapshotId) -> ObjectIdx {
        let object = ObjectIdx(self.count);
        self.count += 1;
        self.objects.push(ObjectRecord {
            id: id(object),
            class,
            shallow_bytes,
            array_length: None,
            first_seen,
            mark: None,
        });
        if self.objects.len() == CHUNK {
            self.builder.objects(&self.objects);
            self.objects.clear();
        }
        object
    }
}

/// The mirror of the class at that place.
pub fn mirror(class: usize) -> ObjectIdx {
    ObjectIdx(class as u32)
}

fn id(object: ObjectIdx) -> ObjectId {
    ObjectId(u64::from(object.0) + 1)
}

fn describe(class: &ClassSketch, object: ObjectId) -> ClassRecord {
    let field = |declared: &&str| FieldRecord {
        name: declared.trim_start_matches("static ").to_owned(),
        descriptor: "Ljava/lang/Object;".to_owned(),
        is_static: declared.starts_with("static "),
    };
    ClassRecord {
        object,
        name: class.name.to_owned(),
        loader: None,
        superclass: None,
        interfaces: Vec::new(),
        is_interface: false,
        fields: class.fields.iter().map(field).collect(),
    }
}
