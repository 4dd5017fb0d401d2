//! What a heap dump must be able to tell, whatever its format: an outline at once, and its objects part by part, as often as
//! they are asked for and by several threads at a time.

use crate::heap::{Class, ClassIdx, Label, RootKind};
use std::sync::Arc;

/// A heap dump that can be read again and again; each time it tells the same.
pub trait DumpSource: Sync {
    /// Why a part cannot be read any more.
    type Error: Send;

    /// Classes, roots and threads.
    fn outline(&self) -> &Outline;

    /// Bytes of the dump: they bound what memory its addresses may take.
    fn byte_len(&self) -> u64;

    /// Parts; each can be read alone.
    fn part_count(&self) -> usize;

    /// Tells the objects of one part in the order of the dump, and where [`DumpSink::TAKES_REFERENCES`] says so the
    /// references of each behind it. An object never goes on in another part.
    ///
    /// # Errors
    /// Only where a part that was there is there no more; what is damaged was left out of the outline already.
    fn read_part(&self, part: usize, sink: &mut impl DumpSink) -> Result<(), Self::Error>;
}

/// Takes in what a part tells.
pub trait DumpSink {
    /// Whether references are wanted at all: reading a part without them is quicker.
    const TAKES_REFERENCES: bool;

    /// An object.
    fn object(&mut self, object: DumpedObject);

    /// A reference of the object told last, null left out; elements of arrays in ascending order. Neither the reference of
    /// an object to its class is told, nor those that do not keep their referee and cannot be known by the name of a
    /// field ([`Label::OTHER`]).
    fn reference(&mut self, label: Label, referee: u64);
}

/// An object as a dump has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DumpedObject {
    /// Its id, which is mostly its address; never 0.
    pub id: u64,
    /// Its class, by place in [`Outline::classes`]. That of a class mirror is `java.lang.Class`.
    pub class: ClassIdx,
    /// Its shallow size.
    pub shallow_bytes: u64,
}

/// What a dump has besides objects.
#[derive(Debug)]
pub struct Outline {
    /// Classes; the first one is that of objects whose class is not known.
    pub classes: Vec<DumpedClass>,
    /// GC roots.
    pub roots: Vec<DumpedRoot>,
    /// Threads.
    pub threads: Vec<DumpedThread>,
}

impl Outline {
    /// With nothing but the class of objects whose class is not known.
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
    /// Name, superclass (by place), and the fields that its instances and its mirror may report, at the index that
    /// labels carry. Mirror and loader are left empty.
    pub class: Class,
    /// Its mirror.
    pub mirror: Option<u64>,
    /// Its loader; `None` for the boot loader.
    pub loader: Option<u64>,
}

/// A GC root as a dump has it.
#[derive(Clone, Debug)]
pub struct DumpedRoot {
    /// The object.
    pub id: u64,
    /// What it is. [`RootKind::Class`] is a mirror that lives as long as the program.
    pub kind: RootKind,
    /// The thread, by place in [`Outline::threads`], for roots of a stack.
    pub thread: Option<u32>,
    /// The frame's method, for instance `com.example.Shop.main`.
    pub method: Option<Arc<str>>,
    /// Frames from the top of the stack.
    pub depth: u32,
}

/// A thread as a dump has it.
#[derive(Clone, Debug)]
pub struct DumpedThread {
    /// Its `java.lang.Thread` object.
    pub id: u64,
    /// Its name; empty where the dump has none.
    pub name: String,
}
