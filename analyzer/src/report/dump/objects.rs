//! Report of `rootbound objects`.

use super::DumpFile;
use serde::Serialize;

/// A list of single objects.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ObjectsReport {
    /// [`super::SCHEMA`].
    pub schema: &'static str,
    /// `objects`.
    pub report: &'static str,
    /// The dump.
    pub dump: DumpFile,
    /// Objects of the dump.
    pub object_count: u64,
    /// Their shallow sizes in bytes.
    pub total_bytes: u64,
    /// Objects that the filters let through.
    pub chosen_count: u64,
    /// Their shallow sizes in bytes.
    pub chosen_bytes: u64,
    /// The order: `size`, `retained`, `subtree`, `descendants`, `depth`, `address` or `class`.
    pub sort: &'static str,
    /// The first of the chosen objects in that order.
    pub objects: Vec<ObjectLine>,
}

/// One object with all its figures.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ObjectLine {
    /// Its id in the dump.
    pub id: Option<String>,
    /// Its class; of a class mirror `class com.example.Shop`.
    pub class: String,
    /// Its own bytes.
    pub shallow_bytes: u64,
    /// Its retained size in bytes; 0 if no GC root reaches it.
    pub retained_bytes: u64,
    /// Shallow sizes in bytes of it and of all objects below it in the trees of `roots`.
    pub subtree_bytes: u64,
    /// Objects below it in these trees.
    pub descendant_count: u64,
    /// Objects on the longest path down these trees.
    pub maximum_depth: u64,
    /// The id of the root of `roots` that owns it.
    pub owner: Option<String>,
    /// Whether a GC root reaches it.
    pub is_reachable: bool,
}
