//! Dumps put together byte by byte: HPROF with ids of four or eight bytes, and PHD; and recordings of captures.
#![allow(clippy::unwrap_used)] // As in every test.

use rootbound::heap::dsl::{HeapSketch, NEW};
use rootbound_wire::frame;
use rootbound_wire::message::{CaptureDone, CaptureMethod, FromAgent};

/// An HPROF file in the making.
#[derive(Clone, Debug)]
pub struct Hprof {
    id_bytes: usize,
    pub bytes: Vec<u8>,
    /// Sub-records of the open segment.
    pub heap: Vec<u8>,
}

impl Hprof {
    pub fn new(version: &str, id_bytes: usize) -> Self {
        let mut bytes = format!("JAVA PROFILE {version}\0").into_bytes();
        bytes.extend((id_bytes as u32).to_be_bytes());
        bytes.extend([0; 8]);
        Self { id_bytes, bytes, heap: Vec::new() }
    }

    pub fn id(&self, id: u64) -> Vec<u8> {
        id.to_be_bytes()[8 - self.id_bytes..].to_vec()
    }

    pub fn record(&mut self, tag: u8, length: u32, body: &[u8]) {
        self.bytes.push(tag);
        self.bytes.extend([0; 4]);
        self.bytes.extend(length.to_be_bytes());
        self.bytes.extend(body);
    }

    pub fn string(&mut self, id: u64, text: &str) {
        let body = [self.id(id), text.as_bytes().to_vec()].concat();
        self.record(0x01, body.len() as u32, &body);
    }

    /// A class and its name, whose string gets an id of its own.
    pub fn load(&mut self, serial: u32, class: u64, name: &str) {
        let text = 0x7000 + u64::from(serial);
        self.string(text, name);
        let body = [&serial.to_be_bytes()[..], &self.id(class), &[0; 4], &self.id(text)].concat();
        self.record(0x02, body.len() as u32, &body);
    }

    pub fn frame(&mut self, frame: u64, method: u64, class_serial: u32) {
        let none = self.id(0);
        let head = [self.id(frame), self.id(method), none.clone(), none].concat();
        let body = [&head[..], &class_serial.to_be_bytes(), &[0; 4]].concat();
        self.record(0x04, body.len() as u32, &body);
    }

    pub fn trace(&mut self, serial: u32, thread: u32, frames: &[u64]) {
        let head = [serial, thread, frames.len() as u32].map(u32::to_be_bytes).concat();
        let frames: Vec<u8> = frames.iter().flat_map(|&frame| self.id(frame)).collect();
        self.record(0x05, (head.len() + frames.len()) as u32, &[head, frames].concat());
    }

    /// A class: static references and instance fields by the ids of their names.
    pub fn class(&mut self, id: u64, superclass: u64, bytes: u32, statics: &[(u64, u64)], fields: &[(u64, u8)]) {
        let mut body = [&[0x20][..], &self.id(id), &[0; 4], &self.id(superclass)].concat();
        body.extend(std::iter::repeat_n(self.id(0), 5).flatten());
        body.extend(bytes.to_be_bytes());
        body.extend([0; 2]);
        body.extend((statics.len() as u16).to_be_bytes());
        for &(name, referee) in statics {
            body.extend([self.id(name), vec![2], self.id(referee)].concat());
        }
        body.extend((fields.len() as u16).to_be_bytes());
        for &(name, kind) in fields {
            body.extend([self.id(name), vec![kind]].concat());
        }
        self.heap.extend(body);
    }

    pub fn instance(&mut self, id: u64, class: u64, body: &[u8]) {
        let head = [&[0x21][..], &self.id(id), &[0; 4], &self.id(class), &(body.len() as u32).to_be_bytes()].concat();
        self.heap.extend([&head, body].concat());
    }

    pub fn objects(&mut self, id: u64, class: u64, elements: &[u64]) {
        let length = (elements.len() as u32).to_be_bytes();
        let elements: Vec<u8> = elements.iter().flat_map(|&element| self.id(element)).collect();
        let head = [&[0x22][..], &self.id(id), &[0; 4], &length, &self.id(class)].concat();
        self.heap.extend([head, elements].concat());
    }

    pub fn primitives(&mut self, id: u64, kind: u8, length: u32, elements: &[u8]) {
        let head = [&[0x23][..], &self.id(id), &[0; 4], &length.to_be_bytes(), &[kind]].concat();
        self.heap.extend([&head, elements].concat());
    }

    pub fn root(&mut self, tag: u8, id: u64, tail: &[u8]) {
        self.heap.extend([&[tag][..], &self.id(id), tail].concat());
    }

    /// Ends the segment with that tag, and states a length for it that may be wrong.
    pub fn end_segment(&mut self, tag: u8, stated: Option<u32>) {
        let heap = std::mem::take(&mut self.heap);
        self.record(tag, stated.unwrap_or(heap.len() as u32), &heap);
    }

    /// The file.
    pub fn done(mut self) -> Vec<u8> {
        if !self.heap.is_empty() {
            self.end_segment(0x1C, None);
        }
        self.record(0x2C, 0, &[]);
        self.bytes
    }
}

const OBJECT: u64 = 0x1000;
const CLASS: u64 = 0x1100;
const NODE: u64 = 0x1200;
const NODES: u64 = 0x1300;
const WEAK: u64 = 0x1400;
const REFERENCE: u64 = 0x1500;
const THREAD: u64 = 0x1600;
const STRING: u64 = 0x1700;

/// A small program as HotSpot would dump it: a list of nodes in a static field, an array, a weak reference, a thread
/// with its name and a local variable.
pub fn small(id_bytes: usize) -> Hprof {
    let mut dump = Hprof::new("1.0.2", id_bytes);
    for (text, id) in ["next", "size", "head", "referent", "name", "value", "coder", "run"].into_iter().zip(1..) {
        dump.string(id, text);
    }
    let classes: [(u64, &str); 10] = [
        (OBJECT, "java/lang/Object"),
        (CLASS, "java/lang/Class"),
        (NODE, "shop/Node"),
        (NODES, "[Lshop/Node;"),
        (WEAK, "java/lang/ref/WeakReference"),
        (REFERENCE, "java/lang/ref/Reference"),
        (THREAD, "java/lang/Thread"),
        (STRING, "java/lang/String"),
        (0x1800, "[B"),
        (0x1900, "[I"),
    ];
    for ((class, name), serial) in classes.into_iter().zip(1..) {
        dump.load(serial, class, name);
    }
    dump.frame(0x51, 8, 3);
    dump.trace(7, 1, &[0x51]);
    let id = id_bytes as u32;
    dump.class(OBJECT, 0, 0, &[], &[]);
    dump.class(CLASS, OBJECT, 0, &[], &[]);
    dump.class(NODE, OBJECT, id + 4, &[(3, 0x2000)], &[(1, 2), (2, 10)]);
    dump.class(REFERENCE, OBJECT, id, &[], &[(4, 2)]);
    dump.class(WEAK, REFERENCE, id, &[], &[]);
    dump.class(THREAD, OBJECT, id, &[], &[(5, 2)]);
    dump.class(STRING, OBJECT, id + 1, &[], &[(6, 2), (7, 8)]);
    [NODES, 0x1800, 0x1900].into_iter().for_each(|array| dump.class(array, OBJECT, 0, &[], &[]));
    let body = |dump: &Hprof, referee: u64, rest: &[u8]| [&dump.id(referee), rest].concat();
    for (node, next) in [(0x2000, 0x2018), (0x2018, 0x2030), (0x2030, 0)] {
        let node_body = body(&dump, next, &[0, 0, 0, 3]);
        dump.instance(node, NODE, &node_body);
    }
    dump.objects(0x2048, NODES, &[0x2000, 0, 0x2030]);
    dump.primitives(0x2068, 10, 3, &[0; 12]);
    let bodies = [body(&dump, 0x2030, &[]), body(&dump, 0x20A8, &[]), body(&dump, 0x20C0, &[0])];
    dump.instance(0x2088, WEAK, &bodies[0]);
    dump.instance(0x2098, THREAD, &bodies[1]);
    dump.instance(0x20A8, STRING, &bodies[2]);
    dump.primitives(0x20C0, 8, 4, b"main");
    dump.root(0x08, 0x2098, &[0, 0, 0, 1, 0, 0, 0, 7]);
    dump.root(0x03, 0x2048, &[0, 0, 0, 1, 0, 0, 0, 0]);
    dump.root(0x05, NODE, &[]);
    let global = dump.id(0x99);
    dump.root(0x01, 0x2088, &global);
    dump.end_segment(0x1C, None);
    dump
}

/// A portable heap dump of OpenJ9, version 6, with addresses of eight bytes: two classes, a node that refers to another
/// one, an array of both, and bytes.
pub fn phd() -> Vec<u8> {
    let mut bytes = b"\0\x12portable heap dump".to_vec();
    bytes.extend([0, 0, 0, 6, 0, 0, 0, 5, 1, 4, 0, 2, b'J', b'9', 2, 2]);
    // Classes: gap as an int, no references.
    for (gap, superclass, name) in [(0x400i32, 0u64, "java/lang/Object"), (0x40, 0x1000, "shop/Node")] {
        bytes.extend([6, 0x80]);
        bytes.extend(gap.to_be_bytes());
        bytes.extend(24u32.to_be_bytes());
        bytes.extend(superclass.to_be_bytes());
        bytes.extend((name.len() as u16).to_be_bytes());
        bytes.extend(name.bytes());
        bytes.extend([0; 4]);
    }
    // Medium object at 0x2000 of the node's class, one reference, 6 words of four bytes on; gap as a short.
    bytes.extend([0x40 | 1 << 3 | 4, 0x03, 0xC0]);
    bytes.extend(0x1100u64.to_be_bytes());
    bytes.push(6);
    // Short object of the latest class at 0x2018 without references.
    bytes.extend([0x80, 6]);
    // Array of nodes at 0x2030: two references back, five elements, 40 bytes.
    bytes.extend([8, 0, 6]);
    bytes.extend(0x1100u64.to_be_bytes());
    bytes.extend(2u32.to_be_bytes());
    bytes.extend([(-12i8) as u8, (-6i8) as u8]);
    bytes.extend(5u32.to_be_bytes());
    bytes.extend(10u32.to_be_bytes());
    // Bytes at 0x2058: 7 of them, 24 bytes in all.
    bytes.extend([0x20 | 4 << 2, 10, 7]);
    bytes.extend(6u32.to_be_bytes());
    bytes.push(3);
    bytes
}

/// A recording of two captures.
pub fn recording() -> Vec<u8> {
    [captured(3), captured(4)].concat()
}

/// A recording of one capture by tags: a chain of this number of orders in a static field.
pub fn captured(orders: usize) -> Vec<u8> {
    let mut sketch = HeapSketch::new();
    let chain: Vec<_> = (0..orders).map(|_| sketch.old("shop.Order")).collect();
    chain.windows(2).for_each(|pair| sketch.refer(pair[0], "next", pair[1]));
    sketch.static_field("shop.Orders", "all", chain[0]);
    let reported = sketch.recorded();
    let messages = [
        FromAgent::CaptureStarted { snapshot: NEW, at_ms: 1, method: CaptureMethod::Tags },
        FromAgent::Objects(reported.objects),
        FromAgent::References(reported.references),
        FromAgent::Roots(reported.roots),
        FromAgent::Classes(reported.classes),
        FromAgent::Threads(reported.threads),
        FromAgent::Methods(reported.methods),
        FromAgent::CaptureDone(CaptureDone { snapshot: NEW, at_ms: 2, ..CaptureDone::default() }),
    ];
    let mut bytes = Vec::new();
    messages.iter().for_each(|message| frame::append(message, &mut bytes).unwrap());
    bytes
}
