//! Report of `rootbound structures`, one of `rootbound.dump/1`: the data structures of a heap (AntTracks §3.3.1).

use super::dump::DumpFile;
use super::growth::{Metrics, Size};
use super::language::LanguageReport;
use super::tree::TreeNode;
use serde::Serialize;

/// The data structure view of one dump.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct StructuresReport {
    /// [`super::dump::SCHEMA`].
    pub schema: &'static str,
    /// `structures`.
    pub report: &'static str,
    /// The dump.
    pub dump: DumpFile,
    /// The answer in one sentence.
    pub verdict: String,
    /// Objects that a GC root reaches, and their shallow sizes: the base of all shares.
    pub heap: Size,
    /// The descriptions in use.
    pub language: LanguageReport,
    /// Number of structures.
    pub counts: StructureCounts,
    /// Types of heads, in the requested order.
    pub types: Vec<TypeRow>,
    /// Number of types, with those that `--limit` left out.
    pub type_count: usize,
    /// Heads of one type at one place; the types refer to them.
    pub items: Vec<StructureItem>,
    /// The classification tree, with `--by` or `--containing`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tree: Vec<TreeNode>,
    /// Remarks for the reader.
    pub notes: Vec<String>,
}

/// Number of structures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StructureCounts {
    /// All structures.
    pub structures: u64,
    /// Those that no other structure owns.
    pub top_level: u64,
    /// Objects that are members of any structure.
    pub member_objects: u64,
    /// Their shallow sizes in bytes.
    pub member_bytes: u64,
    /// Structures without a size, for the limit of the search was reached.
    pub not_measured: u64,
}

/// Sizes of a group of structures; objects of several of them count once.
pub type Sizes = Metrics<Option<Size>>;

/// All structures with heads of one type.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TypeRow {
    /// The head's class; of a mirror `class com.example.Shop`.
    pub class: String,
    /// Their number.
    pub structures: u64,
    /// Deep leaves of all.
    pub leaves: u64,
    /// Their sizes.
    pub sizes: Sizes,
    /// Their retained size as a share of the reachable heap.
    pub share: f64,
    /// Their places: indexes into the report's items, those that retain most first.
    pub items: Vec<usize>,
    /// Number of places, with those that are not listed.
    pub place_count: usize,
}

/// The structures of one type at one place.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct StructureItem {
    /// The head's class.
    pub class: String,
    /// The place; of several heads the place of the one that retains most, with `[*]` for any slot of an array.
    pub place: String,
    /// The id of that head in the dump.
    pub id: Option<String>,
    /// Number of heads.
    pub alike: u64,
    /// Whether no other structure owns them.
    pub is_top_level: bool,
    /// Their sizes.
    pub sizes: Sizes,
    /// Their retained size as a share of the reachable heap.
    pub share: f64,
    /// Deep leaves.
    pub leaf_count: u64,
    /// The most frequent classes of these leaves.
    pub leaves: Vec<LeafRow>,
}

/// Leaves of one class.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LeafRow {
    /// Their class.
    pub class: String,
    /// Their number.
    pub count: u64,
    /// The bytes that only they keep alive.
    pub retained_bytes: Option<u64>,
}
