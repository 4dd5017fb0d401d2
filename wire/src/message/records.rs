//! Records of a capture: objects, references, roots, and the names of classes, threads and methods.

use crate::ids::{MethodId, ObjectId, SnapshotId};
use crate::objects::{Mark, ReferenceLabel};
use serde::{Deserialize, Serialize};

/// One object at first sight: a class mirror, an array, a thread or a plain object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectRecord {
    /// Its identity inside this snapshot. A capture by tags numbers objects 1, 2, 3 … in the order it sends them.
    pub id: ObjectId,
    /// Class mirror of its class; `None` if not yet known, then a [`ReferenceLabel::Class`] reference names it.
    pub class: Option<ObjectId>,
    /// Shallow size in bytes, as the JVM reports it.
    pub shallow_bytes: u64,
    /// Number of elements, for arrays.
    pub array_length: Option<u32>,
    /// Snapshot that first saw the object: an earlier one (it bore its mark), or this one (the object is new).
    pub first_seen: SnapshotId,
    /// The mark that it bore.
    pub mark: Option<Mark>,
}

/// One reference from `referrer` to `referee`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReferenceRecord {
    /// The object that holds the reference.
    pub referrer: ObjectId,
    /// The object that it points to.
    pub referee: ObjectId,
    /// The position in the referrer.
    pub label: ReferenceLabel,
}

/// One GC root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RootRecord {
    /// The object that the root refers to.
    pub object: ObjectId,
    /// The kind of root.
    pub kind: RootKind,
}

/// Kinds of GC root (LeakBot §3.2), with the JVM's data about each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RootKind {
    /// A JNI global reference.
    JniGlobal,
    /// A class of the boot loader.
    SystemClass,
    /// A monitor that is held.
    Monitor,
    /// A local variable or operand of a Java frame. `thread` is the thread object if known, `depth` counts frames from
    /// the top (0 is the running frame).
    StackLocal {
        /// The thread's object.
        thread: Option<ObjectId>,
        /// Frames from the top.
        depth: u32,
        /// The frame's method.
        method: Option<MethodId>,
    },
    /// A JNI local reference of a native frame.
    JniLocal {
        /// The thread's object.
        thread: Option<ObjectId>,
        /// Frames from the top.
        depth: u32,
    },
    /// A live thread's object.
    Thread,
    /// Anything else.
    Other,
}

/// One class, with the fields it declares itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassRecord {
    /// Its class mirror.
    pub object: ObjectId,
    /// Java source name: `java.util.HashMap$Node`, `java.lang.Object[]`.
    pub name: String,
    /// Its loader; `None` for the boot loader, or if the walk did not meet the loader.
    pub loader: Option<ObjectId>,
    /// Its superclass; `None` for `java.lang.Object`, interfaces and primitives.
    pub superclass: Option<ObjectId>,
    /// The interfaces it declares, in order.
    pub interfaces: Vec<ObjectId>,
    /// Whether it is an interface (its field indexes start elsewhere).
    pub is_interface: bool,
    /// The fields it declares, in the order of `GetClassFields`; empty if the class is not prepared.
    pub fields: Vec<FieldRecord>,
}

/// One declared field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldRecord {
    /// Its name.
    pub name: String,
    /// Its JVM descriptor: `I`, `Ljava/lang/String;`, `[Ljava/lang/Object;`.
    pub descriptor: String,
    /// Whether it is static.
    pub is_static: bool,
    /// Whether it is final: an array in it is never replaced.
    pub is_final: bool,
}

/// A live thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadRecord {
    /// Its `java.lang.Thread` object.
    pub object: ObjectId,
    /// Its name.
    pub name: String,
}

/// A method that a stack root names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MethodRecord {
    /// Its id in root records.
    pub id: MethodId,
    /// Declaring class and method, for instance `com.example.Shop.main`.
    pub name: String,
}
