//! The reports on heap dumps, `rootbound.dump/1`: plain values, filled by [`crate::dump_reports`]. Fields are added,
//! never renamed. Shares are of the reachable heap, in [0, 1]; ids are hexadecimal, as other tools show them.

mod holders;
mod objects;
mod paths;

pub use holders::{HolderLine, HoldersReport, ObjectFacts, OwnerLine, ReferenceLine, RootCount};
pub use objects::{ObjectLine, ObjectsReport};
pub use paths::{PathsReport, WayLine};

use crate::naming::named::named;
use crate::naming::{Kind, Reference};
use serde::{Serialize, Serializer};

/// Name and version of the contract.
pub const SCHEMA: &str = "rootbound.dump/1";

/// Facts about the dump that every report states.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct DumpFile {
    /// Its path, as the user named it.
    pub file: String,
    /// Its format.
    pub format: String,
    /// Parts that could not be read, and remarks for the reader.
    pub notes: Vec<String>,
}

/// Report of `rootbound analyze` and `rootbound suspects`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct AnalysisReport {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// `analysis`.
    pub report: &'static str,
    /// The dump.
    pub dump: DumpFile,
    /// The answer in one sentence.
    pub verdict: String,
    /// Index of the suspect that the verdict is about.
    pub verdict_suspect: Option<usize>,
    /// Size of the heap.
    pub totals: Totals,
    /// HeapLens's suspects, in the order of its phases.
    pub suspects: Vec<SuspectRow>,
    /// Objects with the largest retained sizes, pass-throughs left out.
    pub largest_retainers: Vec<Held>,
    /// Big drops: objects at which memory fans out.
    pub big_drops: Vec<Held>,
    /// Classes with reachable instances.
    pub classes: Vec<ClassLine>,
    /// Number of classes, with those that `--limit` left out.
    pub class_count: usize,
}

/// Size of the heap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Totals {
    /// Objects of the dump.
    pub object_count: u64,
    /// Their shallow sizes in bytes.
    pub total_bytes: u64,
    /// Objects that a GC root reaches.
    pub reachable_count: u64,
    /// Their shallow sizes in bytes: the base of all shares.
    pub reachable_bytes: u64,
    /// The other objects: garbage that was not collected yet.
    pub unreachable_count: u64,
    /// Their shallow sizes in bytes.
    pub unreachable_bytes: u64,
    /// References, weak ones left out.
    pub reference_count: u64,
    /// Loaded classes.
    pub class_count: u64,
    /// GC roots.
    pub root_count: u64,
    /// Threads.
    pub thread_count: u64,
}

/// One suspect.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SuspectRow {
    /// 1, 3 or 4: which of HeapLens's phases found it; 3 for static fields, too.
    pub phase: u8,
    /// Kind of suspect.
    pub kind: SuspectKind,
    /// `HIGH` or `MEDIUM`.
    pub severity: &'static str,
    /// Its retained size in bytes.
    pub retained_bytes: u64,
    /// Its retained size as a share.
    pub share: f64,
    /// Index of the nearest suspect that dominates it.
    pub within: Option<usize>,
    /// Equal for suspects that an object below the GC roots dominates together. Suspects of different groups are
    /// independent of one another. `None` for phase 4.
    pub group: Option<usize>,
    /// The reason why such suspects stay, and the change that helps.
    pub advice: String,
    /// Phases 1 and 3: the loader or the object.
    pub object: Option<Held>,
    /// Phase 1: whether every program has this loader.
    pub is_built_in: bool,
    /// Phase 2: where below the loader memory fans out.
    pub accumulation: Option<Held>,
    /// Phase 4: the class.
    pub class: Option<String>,
    /// Phase 4: its reachable instances.
    pub instance_count: Option<u64>,
    /// Phase 4: bytes that they retain and no other suspect does.
    pub beyond_bytes: Option<u64>,
    /// Phase 4: the instance that retains most.
    pub example: Option<Held>,
}

named! {
    /// Kinds of suspect.
    #[derive(Default)]
    pub enum SuspectKind {
        /// A class loader (phase 1).
        Loader = "class loader",
        /// The object of a thread (phase 3).
        Thread = "thread",
        /// A class, by its static fields (in addition to phase 3).
        Statics = "static fields",
        /// An object with several entries (phase 3).
        Collection = "collection",
        /// Any other object (phase 3).
        #[default]
        Object = "object",
        /// All instances of a class (phase 4).
        Class = "class",
    }
}

/// One object with a large retained size.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Held {
    /// Its id in the dump.
    pub id: Option<String>,
    /// Its class; of a class mirror `class com.example.Shop`.
    pub class: String,
    /// Kind of object.
    pub kind: Kind,
    /// Its place in one expression: `static com.example.Shop.active`. A part of a collection has the place of the
    /// collection.
    pub place: String,
    /// Whether the place ends with the class of the structure.
    #[serde(skip)]
    pub names_structure_class: bool,
    /// The class whose static field the place begins with, if it begins with one.
    #[serde(skip)]
    pub static_of: Option<String>,
    /// Class of the structure that is at this place: the collection where the object is a part of one.
    pub structure_class: String,
    /// Retained size of that structure in bytes, the object included.
    pub structure_bytes: u64,
    /// 1, or the number of nodes of the chain that begins with the object and is taken as one.
    pub node_count: u64,
    /// Its own bytes.
    pub shallow_bytes: u64,
    /// Its retained size in bytes.
    pub retained_bytes: u64,
    /// Its retained size as a share.
    pub share: f64,
    /// Retained size in bytes of the largest object below it.
    pub largest_child_bytes: u64,
    /// Difference of the two retained sizes.
    pub drop_bytes: u64,
    /// Its contents.
    pub contents: Option<Contents>,
    /// A shortest path from a GC root.
    pub root_path: Way,
}

/// Contents of an object.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Contents {
    /// Objects that it dominates immediately.
    pub child_count: u64,
    /// Number of its entries: its children of the class that retains most, with the equal nodes chained to them.
    pub entry_count: u64,
    /// Classes from the entries down to the objects that they carry.
    pub classes: Vec<String>,
}

/// A path from a GC root.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Way {
    /// The root in words: `JNI global reference`, `local variable of com.example.Shop.main (thread "main")`; empty
    /// where no root reaches the object.
    pub root: String,
    /// The objects from the one that the root refers to.
    pub steps: Vec<Step>,
}

/// One object of a path.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Step {
    /// Reference to it: `.orders`, `[17]`; empty for the first.
    #[serde(serialize_with = "reference_or_nothing")]
    pub reference: Option<Reference>,
    /// The class that declares that field; empty for elements.
    pub declared_by: String,
    /// Its class, or the class that it is the mirror of.
    pub class: String,
    /// Kind of object.
    pub kind: Kind,
    /// The thread's name.
    pub thread: Option<String>,
    /// Its id in the dump.
    pub id: Option<String>,
    /// The number of the planned mark that it bears in a recording.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<u32>,
}

/// One class.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ClassLine {
    /// Its name.
    pub class: String,
    /// Its loader, where that is not the boot loader.
    pub loader: Option<String>,
    /// The loader's id in the dump: two classes of one name have two loaders.
    pub loader_id: Option<String>,
    /// Reachable instances.
    pub instance_count: u64,
    /// Their own bytes.
    pub shallow_bytes: u64,
    /// The retained sizes of the instances added up, in bytes; nested instances count once. A lower bound.
    pub retained_bytes: u64,
    /// What all instances retain together, exactly; in addition what several of them keep. `None` where it was not
    /// measured.
    pub retained_together_bytes: Option<u64>,
    /// The better of both as a share.
    pub share: f64,
}

/// Report of `rootbound roots`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RootsReport {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// `roots`.
    pub report: &'static str,
    /// The dump.
    pub dump: DumpFile,
    /// Objects.
    pub object_count: u64,
    /// Their shallow sizes in bytes.
    pub total_bytes: u64,
    /// Strong references.
    pub strong_count: u64,
    /// References of `java.lang.ref` to their referents; 0 where they were not followed.
    pub soft_count: u64,
    /// Whether they were followed.
    pub follows_soft: bool,
    /// Pure roots of the heap.
    pub pure_count: u64,
    /// Artificial roots of the heap.
    pub artificial_count: u64,
    /// The object with which the tree begins, where `--from` names one.
    pub from: Option<String>,
    /// Roots that the filters let through.
    pub chosen_count: u64,
    /// The first of the chosen roots.
    pub roots: Vec<RootLine>,
}

/// One root.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RootLine {
    /// Its id in the dump.
    pub id: Option<String>,
    /// Its class; of a class mirror `class com.example.Shop`.
    pub class: String,
    /// `pure` or `artificial`; `inner` for an object that `--from` names and that is no root.
    pub kind: &'static str,
    /// The id of the root that owns it; its own for a root.
    pub owner: Option<String>,
    /// The GC root that holds it directly; `None` where none does.
    pub gc_root: Option<String>,
    /// Objects that it owns.
    pub descendant_count: u64,
    /// Its own bytes.
    pub shallow_bytes: u64,
    /// Shallow sizes in bytes of the root and of all objects that it owns.
    pub subtree_bytes: u64,
    /// Objects on the longest path down.
    pub maximum_depth: u64,
    /// Its tree, if it was requested.
    pub tree: Option<Vec<TreeLine>>,
    /// Whether the limit of lines ended the tree.
    pub is_cut: bool,
}

/// One line of a tree.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TreeLine {
    /// Levels below the root.
    pub depth: u32,
    /// Reference from its parent; empty for the root.
    #[serde(serialize_with = "reference_or_nothing")]
    pub reference: Option<Reference>,
    /// Whether that reference is soft.
    pub is_soft: bool,
    /// Its class; empty where the line stands for several that are not shown.
    pub class: String,
    /// Its id in the dump.
    pub id: Option<String>,
    /// Objects below it; for a line that stands for several objects, their number.
    pub count: u64,
    /// Its own bytes; 0 for a line that stands for several objects.
    pub shallow_bytes: u64,
    /// Shallow sizes in bytes of the object and of all objects below it.
    pub subtree_bytes: u64,
    /// The reason why the objects below it are not listed here: it is `open` above, or `owned` by another parent.
    pub edge: Option<TreeEdge>,
    /// The id of the root that owns an `owned` object.
    pub owner: Option<String>,
}

named! {
    /// Reasons why the objects below an object are not listed below its line.
    pub enum TreeEdge {
        /// It stands above: a cycle.
        Open = "open",
        /// It stands below another parent.
        Owned = "owned",
    }
}

/// Report of `rootbound size`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SizeReport {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// `size`.
    pub report: &'static str,
    /// The dump.
    pub dump: DumpFile,
    /// Starts of the measurement, as typed.
    pub from: Vec<String>,
    /// Skipped objects, as typed.
    pub skip: Vec<String>,
    /// Whether class mirrors were skipped, as INSANE does.
    pub skips_class_mirrors: bool,
    /// Objects that the measurement began with.
    pub start_count: u64,
    /// Objects of the structure.
    pub object_count: u64,
    /// Their shallow sizes in bytes.
    pub bytes: u64,
    /// Objects that INSANE counts in addition, for it follows weak, soft, phantom and final references.
    pub unfollowed_count: u64,
    /// Their shallow sizes in bytes.
    pub unfollowed_bytes: u64,
    /// Objects that were skipped.
    pub skipped_count: u64,
    /// Lines by class.
    pub classes: Vec<SizeLine>,
    /// Number of classes, with those that `--limit` left out.
    pub class_count: usize,
}

/// One class of a structure.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SizeLine {
    /// Its name.
    pub class: String,
    /// Its instances.
    pub instance_count: u64,
    /// Their shallow sizes in bytes.
    pub bytes: u64,
}

fn reference_or_nothing<S: Serializer>(reference: &Option<Reference>, serializer: S) -> Result<S::Ok, S::Error> {
    match reference {
        Some(reference) => reference.serialize(serializer),
        None => serializer.serialize_str(""),
    }
}
