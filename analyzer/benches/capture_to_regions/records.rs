//! The records of a heap in the making.

use rootbound::heap::ObjectIdx;
use rootbound::heap::recorded::Recorded;
use rootbound_wire::ids::{ObjectId, SnapshotId};
use rootbound_wire::message::{ClassRecord, FieldRecord, ObjectRecord, ReferenceLabel, ReferenceRecord};

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
    recorded: Recorded,
}

impl Records {
    /// Begins with the mirrors of all classes, which are old.
    pub fn new(classes: &[ClassSketch]) -> Self {
        let mut records = Self { recorded: Recorded::default() };
        records.recorded.classes =
            classes.iter().map(|class| describe(class, id(records.push(None, 112, OLD)))).collect();
        records
    }

    /// Objects so far.
    pub fn count(&self) -> usize {
        self.recorded.objects.len()
    }

    /// An instance of the class at that place.
    pub fn object(&mut self, class: usize, shallow_bytes: u64, age: SnapshotId) -> ObjectIdx {
        self.push(Some(id(mirror(class))), shallow_bytes, age)
    }

    /// A reference.
    pub fn refer(&mut self, from: ObjectIdx, label: ReferenceLabel, to: ObjectIdx) {
        self.recorded.references.push(ReferenceRecord { referrer: id(from), referee: id(to), label });
    }

    /// All of them.
    pub fn deliver(self) -> Recorded {
        self.recorded
    }

    fn push(&mut self, class: Option<ObjectId>, shallow_bytes: u64, first_seen: SnapshotId) -> ObjectIdx {
        let object = ObjectIdx(self.recorded.objects.len() as u32);
        self.recorded.objects.push(ObjectRecord {
            id: id(object),
            class,
            shallow_bytes,
            array_length: None,
            first_seen,
            mark: None,
        });
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
        is_final: false,
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
