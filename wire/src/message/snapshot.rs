//! What a snapshot would cost, how it is made, and what it did cost.

use crate::ids::SnapshotId;
use serde::{Deserialize, Serialize};

/// How a capture is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum CaptureMethod {
    /// By address, in a forked child: the program stands still for the fork only.
    Fork,
    /// By address, while the program stands still.
    InProcess,
    /// By a tag on every object, while the program stands still.
    Tags,
}

/// What a capture would cost and what stands in its way. Unknown figures are `None`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Survey {
    /// When.
    pub at_ms: u64,
    /// Used heap, in bytes.
    pub used_bytes: u64,
    /// Committed heap.
    pub committed_bytes: u64,
    /// Heap limit.
    pub max_bytes: u64,
    /// Resident memory of the process.
    pub resident_bytes: Option<u64>,
    /// Size of its page tables, which a fork copies.
    pub page_table_bytes: Option<u64>,
    /// Memory that may still be used: of the machine or of the control group, whichever is less.
    pub headroom_bytes: Option<u64>,
    /// Why no child can be forked here; for people to read.
    pub fork_obstacle: Option<String>,
    /// Why no address can be read here.
    pub address_obstacle: Option<String>,
}

/// End of a mark.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MarkDone {
    /// The snapshot that the marks carry.
    pub snapshot: SnapshotId,
    /// When it ended.
    pub at_ms: u64,
    /// Objects that the iteration saw, or that paths were read through.
    pub objects: u64,
    /// Objects that bear a mark now.
    pub marked: u64,
    /// How long the program stood still for it; 0 for paths.
    pub pause_ms: f64,
    /// For paths: the numbers of planned marks that were not set, because a step led elsewhere. Ascending.
    pub missed: Vec<u32>,
    /// Why it was given up, if it was; the marks do not count then.
    pub failure: Option<String>,
}

/// End of a capture.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CaptureDone {
    /// Which capture.
    pub snapshot: SnapshotId,
    /// When it ended.
    pub at_ms: u64,
    /// How long the JVM call that stops the program took.
    pub pause_ms: f64,
    /// Records of the graph that were written; what arrived must be as many. 0 for tags.
    pub records: u64,
    /// References that the walk reported, those to classes included.
    pub references: u64,
    /// What the forked child cost.
    pub child: Option<ChildReceipt>,
    /// Most memory that the agent held for the capture at one moment, in bytes.
    pub agent_bytes: u64,
    /// `None`: complete. Otherwise why it was thrown away; the records sent so far are not a graph.
    pub failure: Option<String>,
}

/// What a forked child cost its parent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ChildReceipt {
    /// From the fork to the child's end.
    pub lifetime_ms: f64,
    /// Its processor time.
    pub cpu_ms: f64,
    /// Memory that only the child held at its end: pages that it or the parent wrote meanwhile, copied.
    pub private_bytes: Option<u64>,
    /// Pages that the parent touched anew or copied while the child lived.
    pub parent_faults: Option<u64>,
    /// Collections while the child lived.
    pub collections: u64,
    /// The longest of them: a collection that has to copy pages takes longer than others.
    pub longest_collection_ms: f64,
    /// Mean length of the collections before; `None` when there was none.
    pub usual_collection_ms: Option<f64>,
}
