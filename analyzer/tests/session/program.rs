//! A small leaking program, as a capture of it would tell: a shop whose orders are never taken out of a vector, and a
//! catalogue that was filled late and then stands still. Of each, 20 members are old and 30 are new.

use rootbound_wire::ids::{ObjectId, SnapshotId};
use rootbound_wire::message::{
    CaptureDone, CaptureMethod, ClassRecord, FieldRecord, FromAgent, ObjectRecord, ReferenceLabel, ReferenceRecord,
};

/// Members that bear the mark, and all members.
const OLD_MEMBERS: usize = 20;
pub const MEMBERS: usize = 50;
/// Members that only the capture has seen: the change-proxies.
pub const NEW_MEMBERS: u64 = (MEMBERS - OLD_MEMBERS) as u64;
/// How long the program stands still for a capture.
pub const CAPTURE_PAUSE_MS: f64 = 20.0;

/// The two structures of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Structure {
    Orders,
    Products,
}

/// The program at the moment of a capture.
#[derive(Debug)]
pub struct Shop {
    snapshot: SnapshotId,
    objects: Vec<ObjectRecord>,
    references: Vec<ReferenceRecord>,
    classes: Vec<ClassRecord>,
    products_from: u64,
}

impl Shop {
    /// What the capture of this name sees.
    pub fn seen_by(snapshot: SnapshotId) -> Self {
        let mut shop =
            Self { snapshot, objects: Vec::new(), references: Vec::new(), classes: Vec::new(), products_from: 0 };
        shop.take_orders();
        shop.products_from = shop.objects.len() as u64 + 1;
        shop.fill_catalogue();
        shop
    }

    /// The capture, message by message, complete.
    pub fn capture(&self, at_ms: u64, method: CaptureMethod) -> Vec<FromAgent> {
        vec![
            FromAgent::CaptureStarted { snapshot: self.snapshot, at_ms, method },
            FromAgent::Objects(self.objects.clone()),
            FromAgent::References(self.references.clone()),
            FromAgent::Classes(self.classes.clone()),
            capture_done(self.snapshot, at_ms, None),
        ]
    }

    /// The structure that an object belongs to.
    pub fn structure_of(&self, object: ObjectId) -> Structure {
        if object.0 < self.products_from { Structure::Orders } else { Structure::Products }
    }

    /// Lets an object refer to one that no record tells of.
    pub fn refer_to_nowhere(&mut self) {
        self.link(ObjectId(1), ObjectId(999_999), ReferenceLabel::Other);
    }

    /// The class of an object, or the class that a mirror stands for.
    pub fn class_name(&self, object: ObjectId) -> &str {
        let class = self.objects[object.0 as usize - 1].class.unwrap_or(object);
        self.classes.iter().find(|record| record.object == class).map_or("?", |record| &record.name)
    }

    /// Bytes of all objects.
    pub fn heap_bytes(&self) -> u64 {
        self.objects.iter().map(|object| object.shallow_bytes).sum()
    }

    /// Numbers of objects and of references.
    pub fn counts(&self) -> (u64, u64) {
        (self.objects.len() as u64, self.references.len() as u64)
    }

    /// `static Shop.orders` → `Vector` → `Object[]` → `Order`.
    fn take_orders(&mut self) {
        let shop = self.class("com.example.Shop", &[("orders", true)]);
        let vector_class = self.class("java.util.Vector", &[("elementData", false)]);
        let array_class = self.class("java.lang.Object[]", &[]);
        let order_class = self.class("com.example.Order", &[]);
        let vector = self.old(vector_class);
        let array = self.array(array_class);
        self.link(shop, vector, ReferenceLabel::StaticField(0));
        self.link(vector, array, ReferenceLabel::Field(0));
        for number in 0..MEMBERS {
            let order = self.member(order_class, number);
            self.link(array, order, ReferenceLabel::ArrayElement(0));
        }
    }

    /// `static Catalogue.products` → `HashMap` → `HashMap$Node[]` → `HashMap$Node` → `Product`.
    fn fill_catalogue(&mut self) {
        let catalogue = self.class("com.example.Catalogue", &[("products", true)]);
        let map_class = self.class("java.util.HashMap", &[("table", false)]);
        let table_class = self.class("java.util.HashMap$Node[]", &[]);
        let node_class = self.class("java.util.HashMap$Node", &[("value", false), ("next", false)]);
        let product_class = self.class("com.example.Product", &[]);
        let map = self.old(map_class);
        let table = self.array(table_class);
        self.link(catalogue, map, ReferenceLabel::StaticField(0));
        self.link(map, table, ReferenceLabel::Field(0));
        for number in 0..MEMBERS {
            let node = self.member(node_class, number);
            let product = self.member(product_class, number);
            self.link(table, node, ReferenceLabel::ArrayElement(0));
            self.link(node, product, ReferenceLabel::Field(0));
        }
    }

    fn class(&mut self, name: &str, fields: &[(&str, bool)]) -> ObjectId {
        let object = self.object(None, None, SnapshotId(1));
        let field = |&(name, is_static): &(&str, bool)| FieldRecord {
            name: name.to_owned(),
            descriptor: "Ljava/lang/Object;".to_owned(),
            is_static,
            is_final: false,
        };
        self.classes.push(ClassRecord {
            object,
            name: name.to_owned(),
            loader: None,
            superclass: None,
            interfaces: Vec::new(),
            is_interface: false,
            fields: fields.iter().map(field).collect(),
        });
        object
    }

    fn old(&mut self, class: ObjectId) -> ObjectId {
        self.object(Some(class), None, SnapshotId(1))
    }

    fn array(&mut self, class: ObjectId) -> ObjectId {
        self.object(Some(class), Some(64), SnapshotId(1))
    }

    fn member(&mut self, class: ObjectId, number: usize) -> ObjectId {
        let first_seen = if number < OLD_MEMBERS { SnapshotId(1) } else { self.snapshot };
        self.object(Some(class), None, first_seen)
    }

    fn object(&mut self, class: Option<ObjectId>, array_length: Option<u32>, first_seen: SnapshotId) -> ObjectId {
        let id = ObjectId(self.objects.len() as u64 + 1);
        self.objects.push(ObjectRecord { id, class, shallow_bytes: 24, array_length, first_seen, mark: None });
        id
    }

    fn link(&mut self, referrer: ObjectId, referee: ObjectId, label: ReferenceLabel) {
        self.references.push(ReferenceRecord { referrer, referee, label });
    }
}

/// The end of a capture.
pub fn capture_done(snapshot: SnapshotId, at_ms: u64, failure: Option<&str>) -> FromAgent {
    let failure = failure.map(str::to_owned);
    FromAgent::CaptureDone(CaptureDone {
        snapshot,
        at_ms,
        pause_ms: CAPTURE_PAUSE_MS,
        failure,
        ..CaptureDone::default()
    })
}
