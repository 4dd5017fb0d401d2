//! Report of `rootbound holders`.

use super::{DumpFile, ObjectLine, reference_or_nothing};
use crate::naming::{Kind, Reference};
use serde::Serialize;

/// Referrers of objects.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct HoldersReport {
    /// [`super::SCHEMA`].
    pub schema: &'static str,
    /// `holders`.
    pub report: &'static str,
    /// The dump.
    pub dump: DumpFile,
    /// The objects, as typed.
    pub of: String,
    /// Number of the objects.
    pub object_count: u64,
    /// Their shallow sizes in bytes.
    pub bytes: u64,
    /// Those to which some object refers; the others have at most GC roots.
    pub held_count: u64,
    /// References to them.
    pub reference_count: u64,
    /// Objects that have these references.
    pub holder_count: u64,
    /// Kinds of reference, with those that `--limit` left out.
    pub kind_count: u64,
    /// Kinds of reference, by the number of references.
    pub holders: Vec<HolderLine>,
    /// GC roots that refer to the objects directly.
    pub gc_roots: Vec<RootCount>,
    /// Roots of `roots` that own the objects, with those that `--limit` left out.
    pub owner_count: u64,
    /// Roots of `roots` that own the objects, by the number of objects.
    pub owners: Vec<OwnerLine>,
    /// The object, if it is a single one.
    pub object: Option<ObjectFacts>,
}

/// References by one field, or by the slots of arrays of one class.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct HolderLine {
    /// Class of the referrers; of class mirrors the class for which they stand.
    pub class: String,
    /// Whether the referrers are class mirrors: the field is static, or the reference is the JVM's.
    pub is_class: bool,
    /// The reference: `.next`, `[*]`.
    #[serde(serialize_with = "reference_or_nothing")]
    pub reference: Option<Reference>,
    /// The class that declares the field; empty for elements.
    pub declared_by: String,
    /// Referrers.
    pub holder_count: u64,
    /// Their references.
    pub reference_count: u64,
    /// The id of the first referrer.
    pub example: Option<String>,
}

/// Equal GC roots.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RootCount {
    /// The root in words.
    pub root: String,
    /// Their number.
    pub count: u64,
}

/// A root of `roots` and the objects that it owns.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct OwnerLine {
    /// The id of the root.
    pub id: Option<String>,
    /// Its class; of a class mirror `class com.example.Shop`.
    pub class: String,
    /// `pure` or `artificial`.
    pub kind: &'static str,
    /// Number of the objects that it owns.
    pub object_count: u64,
}

/// One object with its references.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ObjectFacts {
    /// Its figures.
    pub object: ObjectLine,
    /// References to it, with those that `--limit` left out.
    pub incoming_count: u64,
    /// References to it.
    pub incoming: Vec<ReferenceLine>,
    /// References of it, with those that `--limit` left out.
    pub outgoing_count: u64,
    /// References of it.
    pub outgoing: Vec<ReferenceLine>,
}

/// One reference.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ReferenceLine {
    /// The reference: `.next`, `[17]`.
    #[serde(serialize_with = "reference_or_nothing")]
    pub reference: Option<Reference>,
    /// Whether it is a soft one: of a `java.lang.ref.Reference` to its referent.
    pub is_soft: bool,
    /// The class of the other object, or the class that it is the mirror of.
    pub class: String,
    /// Kind of the other object.
    pub kind: Kind,
    /// The id of the other object.
    pub id: Option<String>,
    /// Its own bytes.
    pub shallow_bytes: u64,
}
