//! The walk: numbers objects at first sight and writes records into buffers made beforehand. Inside the callback it
//! neither allocates nor locks nor calls the JVM; when the buffers run dry it waits a bounded time, then gives up.

use super::failure::Failure;
use super::methods::{MethodSet, methods};
use super::watchdog::Fault;
use crate::faults::Panic;
use crate::identity::ages::Ages;
use crate::identity::tag::Tag;
use crate::jvmti::abi::ReferenceKind;
use crate::jvmti::heap::{Edge, EdgeVisitor, Next, Origin};
use crate::link::outbox::Outbox;
use crate::link::pool::{BUFFER_RECORDS, Shelf};
use crate::stop::StopBound;
use rootbound_wire::ids::{MethodId, ObjectId, SnapshotId};
use rootbound_wire::message::{
    CaptureFault, FromAgent, ObjectRecord, ReferenceLabel, ReferenceRecord, RootKind, RootRecord,
};
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

/// Most time that one capture may wait for the writer, in total.
const PATIENCE: Duration = Duration::from_millis(500);

const SLOW: &str = "the analyzer reads too slowly: no buffer came back within the bound of the pause";
const UNREPORTED: &str = "the JVM reported a reference from an object that it had not reported";

/// Receives every reference of one capture.
pub struct Walker<'o> {
    snapshot: SnapshotId,
    ages: &'o Ages,
    outbox: &'o Outbox,
    last_id: u64,
    objects: Vec<ObjectRecord>,
    references: Vec<ReferenceRecord>,
    roots: Vec<RootRecord>,
    methods: MethodSet<'o>,
    /// The table of methods.
    table: &'o [AtomicU64],
    patience: Duration,
    stop: StopBound,
    /// Kind and text: inside the callback nothing is allocated.
    failure: Option<(CaptureFault, &'static str)>,
    panic: Panic,
}

impl<'o> Walker<'o> {
    /// A walker with buffers from the outbox's pool, which must be filled, and a table of zeros for methods. `panics`
    /// is the test hook.
    pub fn new(
        snapshot: SnapshotId,
        ages: &'o Ages,
        outbox: &'o Outbox,
        table: &'o [AtomicU64],
        stop: StopBound,
        panic: Panic,
    ) -> Self {
        let mut walker = Self {
            snapshot,
            ages,
            outbox,
            last_id: 0,
            objects: Vec::new(),
            references: Vec::new(),
            roots: Vec::new(),
            methods: MethodSet::new(table),
            table,
            patience: stop.left().map_or(PATIENCE, |left| left.min(PATIENCE)),
            stop,
            failure: None,
            panic,
        };
        walker.objects = walker.fresh(&outbox.pool.objects);
        walker.references = walker.fresh(&outbox.pool.references);
        walker.roots = walker.fresh(&outbox.pool.roots);
        walker
    }

    /// Objects numbered so far.
    pub fn objects_seen(&self) -> u64 {
        self.last_id
    }

    /// Sends the rest. Returns the methods seen, or the reason why the capture is worth nothing.
    ///
    /// # Errors
    /// The reason, for people to read.
    pub fn finish(self) -> Result<Vec<u64>, Fault> {
        let rest =
            [FromAgent::Objects(self.objects), FromAgent::References(self.references), FromAgent::Roots(self.roots)];
        let sent = rest.into_iter().all(|message| self.outbox.send(message));
        match self.failure {
            Some((kind, reason)) => Err(Fault::new(kind, reason)),
            None if !sent => Err(Fault::new(CaptureFault::NoReader, "the connection broke during the capture")),
            None => Ok(methods(self.table)),
        }
    }

    fn fresh<T>(&mut self, shelf: &Shelf<T>) -> Vec<T> {
        let begun = Instant::now();
        let buffer = shelf.take(self.patience);
        self.patience = self.patience.saturating_sub(begun.elapsed());
        if buffer.is_none() {
            self.fail(CaptureFault::NoReader, SLOW);
        }
        buffer.unwrap_or_default()
    }

    /// The first reason counts.
    fn fail(&mut self, kind: CaptureFault, reason: &'static str) {
        self.failure.get_or_insert((kind, reason));
    }

    fn send(&mut self, full: FromAgent) {
        if !self.outbox.hand_over(full) {
            self.fail(CaptureFault::NoReader, "the connection broke or stalled during the capture");
        }
    }

    fn object(&mut self, edge: &Edge<'_>) -> ObjectId {
        let before = Tag::decode(edge.tag.get());
        if let Some(id) = before.id_in(self.snapshot) {
            return id;
        }
        self.last_id += 1;
        let first_seen = self.ages.first_seen(before, self.snapshot);
        let tag = Tag { id: self.last_id, first_seen: first_seen.0, capture: self.snapshot.0 };
        edge.tag.set(tag.encode(edge.tag.get()));
        self.objects.push(ObjectRecord {
            id: ObjectId(self.last_id),
            class: Tag::decode(edge.class_tag).id_in(self.snapshot),
            shallow_bytes: edge.size_bytes,
            array_length: edge.array_length,
            first_seen,
            mark: (first_seen != self.snapshot).then(|| before.mark()).flatten(),
        });
        if self.objects.len() == BUFFER_RECORDS {
            let outbox = self.outbox;
            let fresh = self.fresh(&outbox.pool.objects);
            let full = std::mem::replace(&mut self.objects, fresh);
            self.send(FromAgent::Objects(full));
        }
        ObjectId(self.last_id)
    }

    fn reference(&mut self, referrer: ObjectId, referee: ObjectId, origin: Origin) {
        self.references.push(ReferenceRecord { referrer, referee, label: label(origin) });
        if self.references.len() == BUFFER_RECORDS {
            let outbox = self.outbox;
            let fresh = self.fresh(&outbox.pool.references);
            let full = std::mem::replace(&mut self.references, fresh);
            self.send(FromAgent::References(full));
        }
    }

    fn root(&mut self, object: ObjectId, origin: Origin) {
        let kind = self.root_kind(origin);
        self.roots.push(RootRecord { object, kind });
        if self.roots.len() == BUFFER_RECORDS {
            let outbox = self.outbox;
            let fresh = self.fresh(&outbox.pool.roots);
            let full = std::mem::replace(&mut self.roots, fresh);
            self.send(FromAgent::Roots(full));
        }
    }

    fn root_kind(&mut self, origin: Origin) -> RootKind {
        let (thread_tag, depth, method) = origin.stack.unwrap_or_default();
        let thread = Tag::decode(thread_tag).id_in(self.snapshot);
        match origin.kind {
            ReferenceKind::JNI_GLOBAL => RootKind::JniGlobal,
            ReferenceKind::SYSTEM_CLASS => RootKind::SystemClass,
            ReferenceKind::MONITOR => RootKind::Monitor,
            ReferenceKind::STACK_LOCAL => {
                RootKind::StackLocal { thread, depth, method: self.methods.insert(method).then_some(MethodId(method)) }
            }
            ReferenceKind::JNI_LOCAL => RootKind::JniLocal { thread, depth },
            ReferenceKind::THREAD => RootKind::Thread,
            _ => RootKind::Other,
        }
    }
}

impl EdgeVisitor for Walker<'_> {
    fn visit(&mut self, edge: &Edge<'_>) -> Next {
        self.panic.go_off();
        if self.stop.is_over() {
            let too_long = Failure::TooLong;
            self.fail(CaptureFault::TooLong, too_long.text());
        }
        if self.failure.is_some() {
            return Next::Abort;
        }
        let referee = self.object(edge);
        match edge.referrer.map(|tag| Tag::decode(tag.get()).id_in(self.snapshot)) {
            None => self.root(referee, edge.origin),
            Some(Some(referrer)) => self.reference(referrer, referee, edge.origin),
            Some(None) => self.fail(CaptureFault::Other, UNREPORTED),
        }
        if self.failure.is_some() { Next::Abort } else { Next::Continue }
    }
}

pub(super) const fn label(origin: Origin) -> ReferenceLabel {
    match origin.kind {
        ReferenceKind::CLASS => ReferenceLabel::Class,
        ReferenceKind::FIELD => ReferenceLabel::Field(origin.index),
        ReferenceKind::ARRAY_ELEMENT => ReferenceLabel::ArrayElement(origin.index),
        ReferenceKind::CLASS_LOADER => ReferenceLabel::ClassLoader,
        ReferenceKind::INTERFACE => ReferenceLabel::Interface,
        ReferenceKind::STATIC_FIELD => ReferenceLabel::StaticField(origin.index),
        ReferenceKind::CONSTANT_POOL => ReferenceLabel::ConstantPool,
        ReferenceKind::SUPERCLASS => ReferenceLabel::Superclass,
        _ => ReferenceLabel::Other,
    }
}
