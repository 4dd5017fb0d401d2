//! Facts about an object that messages and the stream of a capture share: the position of a reference in it, and its
//! mark.

use serde::{Deserialize, Serialize};

/// Meaning of a mark on an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mark {
    /// Set by an iteration: number of objects of its class that the object stands for (1 if every one was marked).
    StandsFor(u32),
    /// Set by a path: number of the mark in its [`MarkPlan`](crate::message::MarkPlan).
    Planned(u32),
}

/// The position of a reference in its referrer. Field indexes are JVMTI's (interfaces, superclasses, the class).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ReferenceLabel {
    /// Instance field by its JVMTI index.
    Field(u32),
    /// Static field by its JVMTI index; the referrer is a class mirror.
    StaticField(u32),
    /// An element of an array of references, by its index.
    ArrayElement(u32),
    /// From an object to its class mirror.
    Class,
    /// From a class mirror to its loader.
    ClassLoader,
    /// From a class mirror to its superclass's mirror.
    Superclass,
    /// From a class mirror to an interface's mirror.
    Interface,
    /// From a class mirror through its constant pool.
    ConstantPool,
    /// Signers, protection domain, and kinds that a later JVM may add.
    Other,
}
