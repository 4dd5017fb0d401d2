//! Heaps of any size with what real ones are made of: wide maps, long lists, deep trees, webs of objects that know
//! each other, strings that everybody shares, and one structure that grows. The same heap in every run.

pub use super::records::NEW;
use super::records::{ClassSketch, OLD, Records, mirror};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rootbound::heap::ObjectIdx;
use rootbound::heap::recorded::Recorded;
use rootbound_wire::ids::SnapshotId;
use rootbound_wire::message::ReferenceLabel::{self, ArrayElement, Field, StaticField};

/// The class whose static field holds the structure that grows.
pub const LEAKING_CLASS: &str = "Shop";
/// What the growing structure is a collection of.
pub const LEAKING_TYPE: &str = "Order";

const SHOP: usize = 0;
const ARRAY: usize = 1;
const MAP: usize = 2;
const ENTRY: usize = 3;
const STRING: usize = 4;
const BYTES: usize = 5;
const LINK: usize = 6;
const TREE_NODE: usize = 7;
const SESSION: usize = 8;
const VECTOR: usize = 9;
const ORDER: usize = 10;
const DISC: usize = 11;
const REGISTRY: usize = 12;

const CLASSES: [ClassSketch; 13] = [
    ClassSketch { name: LEAKING_CLASS, fields: &["static orders"] },
    ClassSketch { name: "java.lang.Object[]", fields: &[] },
    ClassSketch { name: "java.util.HashMap", fields: &["table"] },
    ClassSketch { name: "java.util.HashMap$Node", fields: &["key", "value", "next"] },
    ClassSketch { name: "java.lang.String", fields: &["value"] },
    ClassSketch { name: "byte[]", fields: &[] },
    ClassSketch { name: "java.util.LinkedList$Node", fields: &["item", "next", "prev"] },
    ClassSketch { name: "java.util.TreeMap$Entry", fields: &["key", "left", "right", "parent"] },
    ClassSketch { name: "Session", fields: &["user", "peer", "manager"] },
    ClassSketch { name: "java.util.Vector", fields: &["elementData"] },
    ClassSketch { name: LEAKING_TYPE, fields: &["item", "customer"] },
    ClassSketch { name: "CD", fields: &["title"] },
    ClassSketch {
        name: "Registry",
        fields: &["static shared", "static map", "static list", "static tree", "static web"],
    },
];

/// A heap of about `objects` objects and some 1.9 references an object.
pub fn generate(objects: usize) -> Recorded {
    let mut heap =
        Generator { records: Records::new(&CLASSES), random: SplitMix64::seed_from_u64(1), shared: Vec::new() };
    heap.shared_strings(objects / 100 + 1);
    while heap.records.count() < objects {
        // Structures of many sizes: the larger the heap, the larger the largest.
        let share = (objects - heap.records.count()).min(objects / 10 + 10);
        heap.map(share * 3 / 10);
        heap.list(share / 5);
        heap.tree(share / 5);
        heap.web(share / 5);
        heap.filler(share / 10 + 10);
        if heap.records.count() < objects / 2 {
            heap.orders(share / 20);
        }
    }
    heap.records.deliver()
}

struct Generator {
    records: Records,
    random: SplitMix64,
    shared: Vec<ObjectIdx>,
}

impl Generator {
    /// A random number below `bound`.
    fn below(&mut self, bound: usize) -> usize {
        (self.random.next_u64() % bound.max(1) as u64) as usize
    }

    fn refer(&mut self, from: ObjectIdx, label: ReferenceLabel, to: ObjectIdx) {
        self.records.refer(from, label, to);
    }

    fn array(&mut self, length: usize, age: SnapshotId) -> ObjectIdx {
        self.records.object(ARRAY, 16 + 4 * length as u64, age)
    }

    fn string(&mut self, age: SnapshotId) -> ObjectIdx {
        let string = self.records.object(STRING, 24, age);
        let bytes = self.records.object(BYTES, 32, age);
        self.refer(string, Field(0), bytes);
        string
    }

    fn shared_string(&mut self) -> ObjectIdx {
        let at = self.below(self.shared.len());
        self.shared[at]
    }

    /// Nine in ten objects of structures that do not grow are old.
    fn age(&mut self) -> SnapshotId {
        if self.below(10) == 0 { NEW } else { OLD }
    }

    fn shared_strings(&mut self, count: usize) {
        let pool = self.array(count, OLD);
        self.refer(mirror(REGISTRY), StaticField(0), pool);
        for _ in 0..count {
            let string = self.string(OLD);
            self.refer(pool, ArrayElement(0), string);
            self.shared.push(string);
        }
    }

    /// A hash map: one wide array, chains of up to a few entries, keys of their own and values shared.
    fn map(&mut self, objects: usize) {
        let entries = objects / 3;
        let map = self.records.object(MAP, 48, OLD);
        let table = self.array(entries, OLD);
        self.refer(mirror(REGISTRY), StaticField(1), map);
        self.refer(map, Field(0), table);
        let mut previous = None;
        for _ in 0..entries {
            let entry = self.records.object(ENTRY, 32, OLD);
            match previous.filter(|_| self.below(4) == 0) {
                Some(bucket) => self.refer(bucket, Field(2), entry),
                None => self.refer(table, ArrayElement(0), entry),
            }
            let key = self.string(OLD);
            let value = self.shared_string();
            self.refer(entry, Field(0), key);
            self.refer(entry, Field(1), value);
            previous = Some(entry);
        }
    }

    /// A doubly linked list of strings.
    fn list(&mut self, objects: usize) {
        let mut last: Option<ObjectIdx> = None;
        for _ in 0..objects / 3 {
            let link = self.records.object(LINK, 24, OLD);
            let item = self.string(OLD);
            self.refer(link, Field(0), item);
            match last {
                Some(before) => {
                    self.refer(before, Field(1), link);
                    self.refer(link, Field(2), before);
                }
                None => self.refer(mirror(REGISTRY), StaticField(2), link),
            }
            last = Some(link);
        }
    }

    /// A search tree whose nodes know their parents; half of its nodes make one deep spine.
    fn tree(&mut self, objects: usize) {
        let root = self.records.object(TREE_NODE, 40, OLD);
        self.refer(mirror(REGISTRY), StaticField(3), root);
        let (mut nodes, mut spine) = (vec![root], root);
        for number in 1..objects {
            let (parent, side) = if number % 2 == 0 { (spine, 1) } else { (nodes[(number - 1) / 2], 2) };
            let node = self.records.object(TREE_NODE, 40, OLD);
            let key = self.shared_string();
            self.refer(parent, Field(side), node);
            self.refer(node, Field(3), parent);
            self.refer(node, Field(0), key);
            nodes.push(node);
            if number % 2 == 0 {
                spine = node;
            }
        }
    }

    /// Sessions that a manager's array holds and that know each other and the manager: cycles through and through.
    fn web(&mut self, objects: usize) {
        let manager = self.array(objects, OLD);
        self.refer(mirror(REGISTRY), StaticField(4), manager);
        let mut sessions: Vec<ObjectIdx> = Vec::with_capacity(objects);
        for _ in 0..objects {
            let age = self.age();
            let session = self.records.object(SESSION, 32, age);
            self.refer(manager, ArrayElement(0), session);
            self.refer(session, Field(2), manager);
            let user = self.shared_string();
            self.refer(session, Field(0), user);
            if !sessions.is_empty() {
                let peer = sessions[self.below(sessions.len())];
                self.refer(session, Field(1), peer);
                self.refer(peer, Field(1), session);
            }
            sessions.push(session);
        }
    }

    /// Strings that one array holds.
    fn filler(&mut self, objects: usize) {
        let holder = self.array(objects / 2, OLD);
        self.refer(mirror(REGISTRY), StaticField(0), holder);
        for _ in 0..objects / 2 {
            let age = self.age();
            let string = self.string(age);
            self.refer(holder, ArrayElement(0), string);
        }
    }

    /// The leak: a vector of orders of which the later half came between mark and capture.
    fn orders(&mut self, objects: usize) {
        let vector = self.records.object(VECTOR, 32, OLD);
        let array = self.array(objects / 2, OLD);
        self.refer(mirror(SHOP), StaticField(0), vector);
        self.refer(vector, Field(0), array);
        for number in 0..objects / 2 {
            let age = if number < objects / 4 { OLD } else { NEW };
            let order = self.records.object(ORDER, 24, age);
            let disc = self.records.object(DISC, 24, age);
            let (title, customer) = (self.shared_string(), self.shared_string());
            self.refer(array, ArrayElement(0), order);
            self.refer(order, Field(0), disc);
            self.refer(order, Field(1), customer);
            self.refer(disc, Field(0), title);
        }
    }
}
