//! A capture as it arrives: numbered records in chunks, handed to the [`HeapBuilder`] and forgotten.

use rootbound::heap::HeapBuilder;
use rootbound_wire::ids::{ObjectId, SnapshotId};
use rootbound_wire::message::{
    ClassRecord, FieldRecord, ObjectRecord, ReferenceLabel, ReferenceRecord, RootKind, RootRecord,
};

/// Records of one message.
const CHUNK: usize = 4096;

/// A class by its place among the classes that the feed began with.
pub type Class = usize;

/// What has been fed so far.
pub struct Feed {
    pub builder: HeapBuilder,
    objects: Vec<ObjectRecord>,
    references: Vec<ReferenceRecord>,
    made: u64,
}

impl Feed {
    /// Begins with the mirrors of the given classes: their names, and their fields in order.
    pub fn new(classes: &[(&str, &[&str])]) -> Self {
        let builder = HeapBuilder::new();
        let mut feed = Self { builder, objects: Vec::new(), references: Vec::new(), made: 0 };
        let records = classes.iter().map(|&(name, fields)| ClassRecord {
            object: feed.push(None, 96, SnapshotId(1)),
            name: name.to_owned(),
            loader: None,
            superclass: None,
            interfaces: Vec::new(),
            is_interface: false,
            fields: fields.iter().map(|name| field(name)).collect(),
        });
        let records = records.collect();
        feed.builder.classes(records);
        feed
    }

    /// Objects so far.
    pub fn made(&self) -> usize {
        self.made as usize
    }

    /// An object of a class.
    pub fn object(&mut self, class: Class, shallow_bytes: u64, is_new: bool) -> ObjectId {
        self.push(Some(mirror(class)), shallow_bytes, SnapshotId(1 + u32::from(is_new)))
    }

    /// A reference by the field of that number.
    pub fn refer(&mut self, referrer: ObjectId, field: u32, referee: ObjectId) {
        self.link(referrer, referee, ReferenceLabel::Field(field));
    }

    /// A reference by a slot of an array.
    pub fn element(&mut self, array: ObjectId, element: ObjectId) {
        self.link(array, element, ReferenceLabel::ArrayElement);
    }

    /// A reference by a static field.
    pub fn static_field(&mut self, class: Class, field: u32, referee: ObjectId) {
        self.link(mirror(class), referee, ReferenceLabel::StaticField(field));
    }

    /// A local variable.
    pub fn local(&mut self, object: ObjectId) {
        self.builder
            .roots(&[RootRecord { object, kind: RootKind::StackLocal { thread: None, depth: 0, method: None } }]);
    }

    /// Hands over what is left.
    pub fn end(mut self) -> HeapBuilder {
        self.builder.objects(&self.objects);
        self.builder.references(&self.references);
        self.builder
    }

    fn push(&mut self, class: Option<ObjectId>, shallow_bytes: u64, first_seen: SnapshotId) -> ObjectId {
        self.made += 1;
        let id = ObjectId(self.made);
        self.objects.push(ObjectRecord { id, class, shallow_bytes, array_length: None, first_seen });
        if self.objects.len() == CHUNK {
            self.builder.objects(&self.objects);
            self.objects.clear();
        }
        id
    }

    fn link(&mut self, referrer: ObjectId, referee: ObjectId, label: ReferenceLabel) {
        self.references.push(ReferenceRecord { referrer, referee, label });
        if self.references.len() == CHUNK {
            self.builder.references(&self.references);
            self.references.clear();
        }
    }
}

fn mirror(class: Class) -> ObjectId {
    ObjectId(class as u64 + 1)
}

fn field(name: &str) -> FieldRecord {
    FieldRecord { name: name.to_owned(), descriptor: "Ljava/lang/Object;".to_owned(), is_static: false }
}
