//! The compact stream of a capture by address: the data of one walk over the reference graph, object by object.
//!
//! A stream is a row of *chunks*. Each chunk can be read alone: deltas begin anew, and an object whose references go on
//! is named again. [`ChunkWriter`] neither allocates nor panics, for it runs inside heap callbacks and in a forked
//! child; [`records`] trusts no byte. [`Record`] is the vocabulary of both. `docs/wire-protocol.md` describes the
//! bytes.
//!
//! Inside one walk the address of an object is its identity; afterwards it is meaningless, for collectors move objects.

pub(crate) mod columns;
mod expected;
mod read;
mod varint;
mod write;

pub use read::{RecordFault, StreamError, records};
pub use write::{ChunkWriter, MAX_RECORD_BYTES, Place};

use crate::ids::ObjectId;
use crate::objects::{Mark, ReferenceLabel};
use serde::{Deserialize, Serialize};

/// Number of planted arrays of three references, each with one planted plain object. Array `i` ([`Record::Sentinel`]
/// number `i`) holds the next array (the last one the first), itself, and its plain object (number `i + SENTINELS`). A
/// true capture has exactly these references of theirs, at exactly the addresses that their handles held.
pub const SENTINELS: u32 = 8;

/// An object's address during the walk; a multiple of 8, never 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address(pub u64);

/// One chunk on the wire.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk(#[serde(with = "serde_bytes")] pub Vec<u8>);

/// The size of an object, written wherever the object is met. If it equals the size of the object to which the last
/// reference of this kind led, it takes no byte (see `expected.rs`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Its shallow size in bytes.
    Bytes(u64),
    /// An array: shallow size and number of elements.
    Array {
        /// Shallow size in bytes.
        bytes: u64,
        /// Number of elements.
        length: u32,
    },
}

impl Shape {
    /// Its shallow size in bytes.
    #[inline]
    pub fn bytes(self) -> u64 {
        match self {
            Self::Bytes(bytes) | Self::Array { bytes, .. } => bytes,
        }
    }
}

/// One observation of the walk. The order of a capture's records among chunks matters only for [`Self::Batch`] and
/// [`Self::Resume`]. The references up to the next of them in the same chunk belong to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Record {
    /// The references of an object begin. They include one to the mirror of its class, which is written nowhere else.
    Batch {
        /// The object.
        referrer: Address,
        /// The mirror of its class, as [`Self::Named`]. It is `None` if the mirror has no name; then a reference with
        /// [`ReferenceLabel::Class`] follows. It is also `None` for mirrors, which have no such reference.
        class: Option<ObjectId>,
    },
    /// The references of an object go on in a new chunk.
    Resume {
        /// The object.
        referrer: Address,
    },
    /// A reference of the latest object to `referee`.
    Reference {
        /// The position in the referrer.
        label: ReferenceLabel,
        /// The object that it points to.
        referee: Address,
        /// The referee's size.
        shape: Shape,
    },
    /// A GC root.
    Root {
        /// Its kind.
        kind: StreamRoot,
        /// The object that it refers to.
        object: Address,
        /// The object's size.
        shape: Shape,
    },
    /// An object that the agent holds; this does not make it a root of the program.
    Held {
        /// The object.
        object: Address,
        /// The object's size.
        shape: Shape,
    },
    /// An object with a name of this capture: the mirror of a class, or a thread. Once for each name.
    Named {
        /// Its name; `None` for a mirror without one (its class came after names were assigned).
        id: Option<ObjectId>,
        /// Its address.
        object: Address,
        /// Its shallow size in bytes.
        bytes: u64,
        /// Its mark, if an earlier snapshot saw it.
        mark: Option<StreamMark>,
    },
    /// An object that bears a mark of an earlier snapshot. May stand several times for one object.
    Marked {
        /// Its address.
        object: Address,
        /// The mark.
        mark: StreamMark,
    },
    /// The handle of a planted object, read when the walk began.
    Sentinel {
        /// Number of the planted object, counted from 0.
        number: u32,
        /// The object that its handle held.
        object: Address,
    },
    /// The handle of a head that the agent holds (see [`HoldHeads`](crate::message::ToAgent::HoldHeads)), read when the
    /// walk began. The walk may not meet the object: then no root reaches it any more.
    Head {
        /// Number of the head.
        number: u32,
        /// The object that its handle held.
        object: Address,
    },
}

/// A mark that the walk met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamMark {
    /// The snapshot that first saw the object.
    pub first_seen: u32,
    /// The meaning of the mark.
    pub mark: Mark,
}

/// A GC root that the walk met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // As in `message::RootKind`.
pub enum StreamRoot {
    JniGlobal,
    SystemClass,
    Monitor,
    Thread,
    Other,
    StackLocal { thread: Option<ObjectId>, depth: u32, method: u64 },
    JniLocal { thread: Option<ObjectId>, depth: u32 },
}

/// Kinds of record: the high half of the first byte of each. 0–8 are references by their label.
mod kind {
    pub(super) const FIELD: u8 = 0;
    pub(super) const STATIC_FIELD: u8 = 1;
    pub(super) const ELEMENT: u8 = 2;
    pub(super) const CLASS_LOADER: u8 = 3;
    pub(super) const SUPERCLASS: u8 = 4;
    pub(super) const INTERFACE: u8 = 5;
    pub(super) const CONSTANT_POOL: u8 = 6;
    pub(super) const OTHER: u8 = 7;
    pub(super) const CLASS: u8 = 8;
    pub(super) const ROOT: u8 = 9;
    pub(super) const HELD: u8 = 10;
    pub(super) const NAMED: u8 = 11;
    pub(super) const MARKED: u8 = 12;
    pub(super) const SENTINEL: u8 = 13;
    pub(super) const BATCH: u8 = 14;
    pub(super) const RESUME: u8 = 15;
}

/// The low half of the first byte of records that have flags.
mod flag {
    /// Two bits: 0 as expected, 1 bytes, 2 array.
    pub(super) const SHAPE: u8 = 3;
    /// The index is that of the reference before, plus one; no index follows.
    pub(super) const NEXT_INDEX: u8 = 4;
    /// For a batch: the class is that of the batch before; no id follows.
    pub(super) const SAME_CLASS: u8 = 1;
    /// For a name: a mark follows.
    pub(super) const MARK: u8 = 1;
    /// For the handle of a planted object: it is that of a head.
    pub(super) const HEAD: u8 = 1;
}

/// The byte that follows that of a root.
mod root {
    pub(super) const JNI_GLOBAL: u8 = 0;
    pub(super) const SYSTEM_CLASS: u8 = 1;
    pub(super) const MONITOR: u8 = 2;
    pub(super) const THREAD: u8 = 3;
    pub(super) const OTHER: u8 = 4;
    pub(super) const STACK_LOCAL: u8 = 5;
    pub(super) const JNI_LOCAL: u8 = 6;
}

#[cfg(test)]
mod tests;
