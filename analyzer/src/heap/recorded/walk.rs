//! A walk over recorded objects that reports the same data as the JVM's walk, in the same order.

use super::{Recorded, encode, extra_objects};
use rootbound_wire::graph::{Address, Chunk, Record, SENTINELS, Shape, StreamMark, StreamRoot};
use rootbound_wire::ids::SnapshotId;
use rootbound_wire::message::{Mark, ReferenceLabel, RootKind};

/// References by referrer: the beginning of each object's references in `order`.
struct Outgoing {
    starts: Vec<u32>,
    order: Vec<u32>,
}

impl Outgoing {
    fn new(recorded: &Recorded) -> Self {
        let mut starts = vec![0u32; recorded.objects.len() + 1];
        recorded.references.iter().for_each(|reference| starts[reference.referrer.0 as usize] += 1);
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut order = vec![0; recorded.references.len()];
        for (reference, at) in recorded.references.iter().zip(0..) {
            let place = &mut next[reference.referrer.0 as usize - 1];
            order[*place as usize] = at;
            *place += 1;
        }
        Self { starts, order }
    }

    fn of(&self, object: usize) -> std::ops::Range<usize> {
        self.starts[object] as usize..self.starts[object + 1] as usize
    }
}

/// A walk in the JVM's order: roots first, then objects from a stack, the latest first.
pub(super) struct Walk<'a> {
    recorded: &'a Recorded,
    snapshot: SnapshotId,
    addresses: &'a [u64],
    outgoing: Outgoing,
    /// By object: whether its size was reported.
    is_reported: Vec<bool>,
    is_expanded: Vec<bool>,
    is_named: Vec<bool>,
    stack: Vec<u32>,
    chunk_records: Vec<Record>,
    chunk_capacity: usize,
    chunks: Vec<Chunk>,
    /// The object being expanded.
    current: Option<Address>,
    /// Whether a chunk has ended since then.
    is_cut: bool,
    record_count: u64,
    reference_count: u64,
}

impl<'a> Walk<'a> {
    pub(super) fn new(recorded: &'a Recorded, snapshot: SnapshotId, addresses: &'a [u64], chunk_bytes: usize) -> Self {
        let count = recorded.objects.len();
        assert_eq!(addresses.len(), count + extra_objects(), "an address for each object, and for those to plant");
        let mut is_named = vec![false; count];
        let names = recorded.classes.iter().map(|class| class.object);
        for object in names.chain(recorded.threads.iter().map(|thread| thread.object)) {
            is_named[object.0 as usize - 1] = true;
        }
        Self {
            recorded,
            snapshot,
            addresses,
            outgoing: Outgoing::new(recorded),
            is_reported: vec![false; count],
            is_expanded: vec![false; count],
            is_named,
            stack: Vec::new(),
            chunk_records: Vec::new(),
            // A record takes about five bytes.
            chunk_capacity: (chunk_bytes / 5).max(4),
            chunks: Vec::new(),
            current: None,
            is_cut: false,
            record_count: 0,
            reference_count: 0,
        }
    }

    fn put(&mut self, record: Record) {
        if self.chunk_records.len() >= self.chunk_capacity {
            self.end_chunk();
            self.is_cut = true;
        }
        // Only references belong to the previous object.
        if let (true, Record::Reference { .. }, Some(referrer)) = (self.is_cut, record, self.current) {
            self.is_cut = false;
            self.push(Record::Resume { referrer });
        }
        self.push(record);
    }

    fn push(&mut self, record: Record) {
        match record {
            Record::Batch { referrer, class } => {
                self.current = Some(referrer);
                self.is_cut = false;
                self.reference_count += u64::from(class.is_some());
            }
            Record::Reference { .. } => self.reference_count += 1,
            _ => {}
        }
        self.record_count += 1;
        self.chunk_records.push(record);
    }

    fn end_chunk(&mut self) {
        self.chunks.push(encode(&self.chunk_records));
        self.chunk_records.clear();
    }

    /// The chunks, with the number of their records and references.
    pub(super) fn make(mut self) -> (Vec<Chunk>, u64, u64) {
        self.plant();
        self.names();
        self.roots();
        self.exhaust();
        for object in 0..self.recorded.objects.len() as u32 {
            // Objects that nothing reaches are reported as held.
            if !self.is_reported[object as usize] && !self.is_named[object as usize] {
                let shape = self.meet(object);
                self.put(Record::Held { object: self.address(object), shape });
            }
            self.stack.push(object);
            self.exhaust();
        }
        self.end_chunk();
        (self.chunks, self.record_count, self.reference_count)
    }

    fn address(&self, object: u32) -> Address {
        Address(self.addresses[object as usize])
    }

    fn planted(&self, number: u32) -> Address {
        self.address(self.recorded.objects.len() as u32 + number)
    }

    /// Writes the planted objects, whose classes have no name.
    fn plant(&mut self) {
        for class in [2 * SENTINELS, 2 * SENTINELS + 1] {
            self.put(Record::Named { id: None, object: self.planted(class), bytes: 96, mark: None });
        }
        for number in 0..2 * SENTINELS {
            self.put(Record::Sentinel { number, object: self.planted(number) });
            self.put(Record::Held { object: self.planted(number), shape: planted_shape(number) });
        }
        for number in 0..SENTINELS {
            self.expand_planted(number, 2 * SENTINELS);
            for (other, index) in [(number + 1) % SENTINELS, number, number + SENTINELS].into_iter().zip(0..) {
                let (label, referee) = (ReferenceLabel::ArrayElement(index), self.planted(other));
                self.put(Record::Reference { label, referee, shape: planted_shape(other) });
            }
            self.expand_planted(number + SENTINELS, 2 * SENTINELS + 1);
        }
    }

    fn expand_planted(&mut self, number: u32, class: u32) {
        self.put(Record::Batch { referrer: self.planted(number), class: None });
        let referee = self.planted(class);
        self.put(Record::Reference { label: ReferenceLabel::Class, referee, shape: Shape::Bytes(96) });
    }

    fn names(&mut self) {
        for object in 0..self.recorded.objects.len() as u32 {
            if self.is_named[object as usize] {
                let record = &self.recorded.objects[object as usize];
                let (id, bytes) = (Some(record.id), record.shallow_bytes);
                self.put(Record::Named { id, object: self.address(object), bytes, mark: self.mark(object) });
            }
        }
    }

    fn roots(&mut self) {
        for root in &self.recorded.roots {
            let object = root.object.0 as u32 - 1;
            let shape = self.meet(object);
            self.put(Record::Root { kind: stream_root(root.kind), object: self.address(object), shape });
        }
    }

    fn mark(&self, object: u32) -> Option<StreamMark> {
        let record = &self.recorded.objects[object as usize];
        let mark = StreamMark { first_seen: record.first_seen.0, mark: record.mark.unwrap_or(Mark::StandsFor(1)) };
        (record.first_seen < self.snapshot).then_some(mark)
    }

    /// At the first sight of an object, reports its mark and puts it on the stack.
    fn meet(&mut self, object: u32) -> Shape {
        if !std::mem::replace(&mut self.is_reported[object as usize], true) {
            self.stack.push(object);
            self.emit_mark(object);
        }
        self.shape(object)
    }

    /// Reports the object's mark. The marks of named objects stand with the names.
    fn emit_mark(&mut self, object: u32) {
        if let Some(mark) = self.mark(object).filter(|_| !self.is_named[object as usize]) {
            self.put(Record::Marked { object: self.address(object), mark });
        }
    }

    fn shape(&self, object: u32) -> Shape {
        let record = &self.recorded.objects[object as usize];
        let bytes = record.shallow_bytes;
        match record.array_length {
            Some(length) => Shape::Array { bytes, length },
            None => Shape::Bytes(bytes),
        }
    }

    fn exhaust(&mut self) {
        while let Some(object) = self.stack.pop() {
            if !std::mem::replace(&mut self.is_expanded[object as usize], true) {
                self.expand(object);
            }
        }
    }

    fn expand(&mut self, object: u32) {
        let recorded = self.recorded;
        let class = recorded.objects[object as usize].class;
        self.emit_mark(object);
        let range = self.outgoing.of(object as usize);
        if class.is_none() && range.is_empty() {
            return;
        }
        self.put(Record::Batch { referrer: self.address(object), class });
        for at in range {
            let reference = &recorded.references[self.outgoing.order[at] as usize];
            if reference.label == ReferenceLabel::Class && class == Some(reference.referee) {
                continue; // The batch has told it.
            }
            let referee = reference.referee.0 as u32 - 1;
            let shape = self.meet(referee);
            self.put(Record::Reference { label: reference.label, referee: self.address(referee), shape });
        }
    }
}

fn planted_shape(number: u32) -> Shape {
    if number < SENTINELS { Shape::Array { bytes: 32, length: 3 } } else { Shape::Bytes(16) }
}

fn stream_root(kind: RootKind) -> StreamRoot {
    match kind {
        RootKind::JniGlobal => StreamRoot::JniGlobal,
        RootKind::SystemClass => StreamRoot::SystemClass,
        RootKind::Monitor => StreamRoot::Monitor,
        RootKind::Thread => StreamRoot::Thread,
        RootKind::Other => StreamRoot::Other,
        RootKind::StackLocal { thread, depth, method } => {
            StreamRoot::StackLocal { thread, depth, method: method.map_or(0, |method| method.0) }
        }
        RootKind::JniLocal { thread, depth } => StreamRoot::JniLocal { thread, depth },
    }
}
