//! The interface that a heap dump of any format must offer: an outline immediately, and its objects part by part. Parts
//! can be read any number of times and by several threads at a time.

use super::Addresses;
use crate::heap::{Class, ClassIdx, Label, RootKind};
use std::sync::Arc;

/// A heap dump that can be read repeatedly, with the same result each time.
pub trait DumpSource: Sync {
    /// The reason why a part can no longer be read.
    type Error: Send;

    /// Classes, roots and threads.
    fn outline(&self) -> &Outline;

    /// Length of the dump in bytes, which bounds the memory that its addresses may take.
    fn byte_len(&self) -> u64;

    /// The addresses of the objects of all parts, if opening the dump has found them. They are given away once.
    fn take_addresses(&self) -> Option<Addresses> {
        None
    }

    /// Number of parts; each can be read alone.
    fn part_count(&self) -> usize;

    /// Reports the objects of one part in the order of the dump. If [`DumpSink::TAKES_REFERENCES`] is set, the
    /// references of each object follow it. An object never goes on in another part.
    ///
    /// # Errors
    /// Only if a part that existed no longer exists; damaged parts were left out of the outline already.
    fn read_part(&self, part: usize, sink: &mut impl DumpSink) -> Result<(), Self::Error>;
}

/// Receives the objects of a part.
pub trait DumpSink {
    /// Whether references are wanted; a part is read faster without them.
    const TAKES_REFERENCES: bool;

    /// Receives an object.
    fn object(&mut self, object: DumpedObject);

    /// Receives a reference of the latest object, without null; elements of arrays in ascending order. An object's
    /// reference to its class is left out. So are references that do not keep their referee and cannot be known by the
    /// name of a field ([`Label::OTHER`]).
    fn reference(&mut self, label: Label, referee: u64);
}

/// An object of a dump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DumpedObject {
    /// Its id, which is mostly its address; never 0.
    pub id: u64,
    /// Its class, as an index into [`Outline::classes`]. The class of a class mirror is `java.lang.Class`.
    pub class: ClassIdx,
    /// Its shallow size.
    pub shallow_bytes: u64,
}

/// The contents of a dump apart from objects.
#[derive(Debug)]
pub struct Outline {
    /// Classes; the first one is the class of objects whose class is not known.
    pub classes: Vec<DumpedClass>,
    /// GC roots.
    pub roots: Vec<DumpedRoot>,
    /// Threads.
    pub threads: Vec<DumpedThread>,
}

impl Outline {
    /// An outline with only the class of objects whose class is not known.
    pub fn new() -> Self {
        let unknown = DumpedClass { class: Class::unknown(), mirror: None, loader: None };
        Self { classes: vec![unknown], roots: Vec::new(), threads: Vec::new() }
    }
}

impl Default for Outline {
    fn default() -> Self {
        Self::new()
    }
}

/// A class with the ids of the objects that belong to it.
#[derive(Clone, Debug)]
pub struct DumpedClass {
    /// Name, superclass (by index), and the fields that its instances and its mirror may report, at the index that
    /// labels carry. Mirror and loader are left empty.
    pub class: Class,
    /// Its mirror.
    pub mirror: Option<u64>,
    /// Its loader; `None` for the boot loader.
    pub loader: Option<u64>,
}

/// A GC root of a dump.
#[derive(Clone, Debug)]
pub struct DumpedRoot {
    /// The object.
    pub id: u64,
    /// Its kind. [`RootKind::Class`] is a mirror that exists as long as the program runs.
    pub kind: RootKind,
    /// The thread, as an index into [`Outline::threads`], for roots of a stack.
    pub thread: Option<u32>,
    /// The frame's method, for instance `com.example.Shop.main`.
    pub method: Option<Arc<str>>,
    /// Frames from the top of the stack.
    pub depth: u32,
}

/// A thread of a dump.
#[derive(Clone, Debug)]
pub struct DumpedThread {
    /// Its `java.lang.Thread` object.
    pub id: u64,
    /// Its name; empty where the dump has none.
    pub name: String,
}
