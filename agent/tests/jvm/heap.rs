//! Captures of either kind as one plain heap, so that they can be compared; and the proofs that a stream must contain.

use super::Analyzer;
use rootbound_wire::graph::{Address, Record, SENTINELS, Shape, StreamRoot, records};
use rootbound_wire::ids::{ObjectId, SnapshotId};
use rootbound_wire::message::*;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The result of a capture, good or bad.
#[derive(Default)]
pub struct Captured {
    pub chunks: usize,
    pub records: Vec<Record>,
    pub objects: Vec<ObjectRecord>,
    pub references: Vec<ReferenceRecord>,
    pub classes: Vec<ClassRecord>,
    pub threads: Vec<ThreadRecord>,
    pub methods: Vec<MethodRecord>,
    pub heads: Option<HeadsRead>,
    pub done: CaptureDone,
}

/// One object, by its id or its address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plain {
    pub class: u64,
    pub bytes: u64,
    pub length: Option<u32>,
}

/// A heap whose objects are numbers.
#[derive(Default)]
pub struct Heap {
    pub objects: HashMap<u64, Plain>,
    pub references: Vec<(u64, ReferenceLabel, u64)>,
    /// Names of classes by their mirrors.
    pub names: HashMap<u64, String>,
}

pub fn order(analyzer: &mut Analyzer, snapshot: u32, method: CaptureMethod) -> Captured {
    order_within(analyzer, snapshot, method, 0, 0)
}

pub fn order_within(
    analyzer: &mut Analyzer,
    snapshot: u32,
    method: CaptureMethod,
    abort_after_ms: u32,
    deadline_ms: u32,
) -> Captured {
    let snapshot = SnapshotId(snapshot);
    analyzer.say(&ToAgent::Capture { snapshot, method, abort_after_ms, deadline_ms, leave_out: true });
    let mut captured = Captured::default();
    loop {
        match analyzer.next() {
            FromAgent::Graph(chunk) => {
                captured.chunks += 1;
                captured.records.extend(records(&chunk.0).map(|record| record.expect("sound")));
            }
            FromAgent::Objects(objects) => captured.objects.extend(objects),
            FromAgent::References(references) => captured.references.extend(references),
            FromAgent::Classes(classes) => captured.classes.extend(classes),
            FromAgent::Threads(threads) => captured.threads.extend(threads),
            FromAgent::Methods(methods) => captured.methods.extend(methods),
            FromAgent::HeadsRead(read) => captured.heads = Some(read),
            FromAgent::CaptureDone(done) => {
                captured.done = done;
                return captured;
            }
            _ => {}
        }
    }
}

impl Captured {
    pub fn failure(&self) -> &str {
        self.done.failure.as_deref().unwrap_or_default()
    }

    /// The heap of a capture that must be complete.
    pub fn heap(&self) -> Heap {
        assert_eq!(self.done.failure, None);
        if self.records.is_empty() { self.heap_of_tags() } else { self.heap_of_stream() }
    }

    fn heap_of_tags(&self) -> Heap {
        let names = self.classes.iter().map(|class| (class.object.0, class.name.clone())).collect();
        let references = self.references.iter().map(|edge| (edge.referrer.0, edge.label, edge.referee.0)).collect();
        let mut heap = Heap { names, references, ..Heap::default() };
        for object in &self.objects {
            let class = object.class.map_or(0, |class| class.0);
            heap.objects.insert(object.id.0, Plain { class, bytes: object.shallow_bytes, length: object.array_length });
        }
        for (referrer, label, referee) in &heap.references {
            if *label == ReferenceLabel::Class {
                heap.objects.get_mut(referrer).expect("seen").class = *referee;
            }
        }
        heap
    }

    fn heap_of_stream(&self) -> Heap {
        assert_eq!(self.done.records, self.records.len() as u64);
        let mut mirrors = HashMap::new();
        for record in &self.records {
            if let Record::Named { id: Some(id), object, .. } = *record {
                assert_eq!(mirrors.insert(id, object.0), None, "{id:?} twice");
            }
        }
        let mut heap = Heap::default();
        for class in &self.classes {
            if let Some(&mirror) = mirrors.get(&class.object) {
                heap.names.insert(mirror, class.name.clone());
            }
        }
        let mut current = 0;
        for record in &self.records {
            match *record {
                Record::Batch { referrer, class } => {
                    current = referrer.0;
                    if let Some(class) = class.and_then(|class| mirrors.get(&class)) {
                        heap.refer(current, ReferenceLabel::Class, *class);
                    }
                }
                Record::Resume { referrer } => assert_eq!(std::mem::replace(&mut current, referrer.0), referrer.0),
                Record::Reference { label, referee, shape } => {
                    heap.refer(current, label, referee.0);
                    heap.shape(referee, shape);
                }
                Record::Root { object, shape, .. } | Record::Held { object, shape } => heap.shape(object, shape),
                _ => {}
            }
        }
        // A mirror that is not expanded (its class is not linked) has a batch nowhere.
        let nameless = self.records.iter().filter_map(|record| match record {
            Record::Named { id: None, object, .. } => Some((object.0, String::new())),
            _ => None,
        });
        heap.names.extend(nameless);
        if let Some(class) = heap.names.iter().find(|(_, name)| *name == "java.lang.Class").map(|(&mirror, _)| mirror) {
            for mirror in heap.names.keys() {
                if let Some(mirror) = heap.objects.get_mut(mirror) {
                    mirror.class = class;
                }
            }
        }
        // A tagging capture reports nothing on mirrors without a referrer.
        for record in &self.records {
            if let Record::Named { object, bytes, .. } = record
                && let Some(object) = heap.objects.get_mut(&object.0)
            {
                object.bytes = *bytes;
            }
        }
        heap
    }

    /// The analyzer's requirements of a stream: every object except mirrors was expanded, and the planted objects are
    /// complete.
    pub fn prove(&self) -> Result<(), String> {
        let heap = self.heap_of_stream();
        let expanded: HashSet<u64> = heap.references.iter().map(|&(referrer, ..)| referrer).collect();
        let mirrors: HashSet<u64> = self
            .records
            .iter()
            .filter_map(|record| if let Record::Named { object, .. } = record { Some(object.0) } else { None })
            .collect();
        let unexpanded = heap.objects.keys().filter(|object| !expanded.contains(object) && !mirrors.contains(object));
        let unexpanded = unexpanded.count();
        if unexpanded > 0 {
            return Err(format!("{unexpanded} of {} objects were not expanded", heap.objects.len()));
        }
        let planted: BTreeMap<u32, u64> = self
            .records
            .iter()
            .filter_map(|record| match record {
                Record::Sentinel { number, object } => Some((*number, object.0)),
                _ => None,
            })
            .collect();
        for number in 0..SENTINELS {
            let array = planted[&number];
            let mut elements: Vec<_> = heap.references.iter().filter(|&&(referrer, ..)| referrer == array).collect();
            elements.retain(|(_, label, _)| *label != ReferenceLabel::Class);
            let held: Vec<u64> = elements.iter().map(|(.., referee)| *referee).collect();
            let next = planted[&((number + 1) % SENTINELS)];
            if held != [next, array, planted[&(number + SENTINELS)]] {
                return Err(format!("sentinel {number} holds {held:x?}"));
            }
        }
        Ok(())
    }

    /// Names of methods and threads in stack roots, which must be reported.
    pub fn stack_methods(&self) -> HashSet<String> {
        let names: HashMap<u64, &str> = self.methods.iter().map(|method| (method.id.0, &*method.name)).collect();
        let threads: HashSet<ObjectId> = self.threads.iter().map(|thread| thread.object).collect();
        let mut found = HashSet::new();
        for record in &self.records {
            if let Record::Root { kind: StreamRoot::StackLocal { thread, method, .. }, .. } = record {
                assert!(thread.is_none_or(|thread| threads.contains(&thread)), "{thread:?}");
                found.extend(names.get(method).map(|name| (*name).to_owned()));
            }
        }
        found
    }
}

impl Heap {
    fn refer(&mut self, referrer: u64, label: ReferenceLabel, referee: u64) {
        self.references.push((referrer, label, referee));
        self.objects.entry(referee).or_default();
        let referrer = self.objects.entry(referrer).or_default();
        if label == ReferenceLabel::Class {
            referrer.class = referee;
        }
    }

    fn shape(&mut self, object: Address, shape: Shape) {
        let object = self.objects.entry(object.0).or_default();
        match shape {
            Shape::Bytes(bytes) => object.bytes = bytes,
            Shape::Array { bytes, length } => (object.bytes, object.length) = (bytes, Some(length)),
        }
    }

    fn name(&self, object: u64) -> &str {
        // The tagging capture does not know the class of a mirror that it meets before the class of mirrors.
        if self.names.contains_key(&object) {
            return "java.lang.Class";
        }
        self.objects.get(&object).and_then(|object| self.names.get(&object.class)).map_or("?", |name| name.as_str())
    }

    /// Objects by class, size and length.
    pub fn histogram(&self) -> BTreeMap<(&str, u64, Option<u32>), usize> {
        let mut histogram = BTreeMap::new();
        for (&address, object) in &self.objects {
            // Hidden classes have addresses in their names.
            let name = self.name(address).split('/').next().unwrap_or_default();
            *histogram.entry((name, object.bytes, object.length)).or_default() += 1;
        }
        histogram
    }

    /// References by the classes of their ends and their places, of referrers of a kind.
    pub fn kinds(&self, of: impl Fn(&str) -> bool) -> BTreeMap<String, usize> {
        let mut kinds = BTreeMap::new();
        for &(referrer, label, referee) in &self.references {
            let (from, to) = (self.name(referrer), self.name(referee));
            let is_reported = !matches!(label, ReferenceLabel::ConstantPool | ReferenceLabel::Class);
            if of(from) || is_reported && self.names.get(&referrer).is_some_and(|name| of(name)) {
                *kinds.entry(format!("{from} {label:?} {to}")).or_default() += 1;
            }
        }
        kinds
    }
}
