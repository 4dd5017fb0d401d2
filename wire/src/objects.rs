//! What messages and the stream of a capture both say of an object: where a reference stands in it, and its mark.

use serde::{Deserialize, Serialize};

/// What a mark on an object stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mark {
    /// Set by an iteration: the object stands for so many of its class (1 when every one was marked).
    StandsFor(u32),
    /// Set by a path: number of the mark in its [`MarkPlan`](crate::message::MarkPlan).
    Planned(u32),
}

/// Where in its referrer a reference stands. Field indexes count as JVMTI does (interfaces, superclasses, the class).
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
