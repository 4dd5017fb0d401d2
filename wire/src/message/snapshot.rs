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
    /// Size of its page tables.
    pub page_table_bytes: Option<u64>,
    /// Resident memory that a fork would share with its child: all but the free parts of the heap that it leaves out. The
    /// page tables of this are what a fork copies.
    pub forked_bytes: Option<u64>,
    /// Memory that may still be used: of the machine or of a control group, whichever is less, without the margin that
    /// the agent leaves to the program.
    pub headroom_bytes: Option<u64>,
    /// A capture in a forked child.
    pub fork: MethodSurvey,
    /// A capture in process.
    pub in_process: MethodSurvey,
    /// A capture by tags.
    pub tags: MethodSurvey,
    /// A mark by an iteration over the heap.
    pub iteration: MethodSurvey,
}

/// What one method would take of the program, and what stands in its way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MethodSurvey {
    /// Memory that it may take at most, beside what the program holds already.
    pub need_bytes: u64,
    /// Why it cannot be used here; for people to read.
    pub obstacle: Option<String>,
}

impl Survey {
    /// What the survey says of a method of capture.
    #[must_use]
    pub fn of(&self, method: CaptureMethod) -> &MethodSurvey {
        match method {
            CaptureMethod::Fork => &self.fork,
            CaptureMethod::InProcess => &self.in_process,
            CaptureMethod::Tags => &self.tags,
        }
    }
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
    /// The kind of failure, for decisions. `None` when it is complete, or when the data alone tell that it failed.
    pub fault: Option<CaptureFault>,
    /// What else there is to say of it; for people to read.
    pub remark: Option<String>,
}

/// Kinds of failure of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CaptureFault {
    /// Refused before anything was begun.
    Refused,
    /// The forked child ended by itself, or worked without getting on. What ended it would end the program, too.
    ChildDied,
    /// Somebody else killed the child: most likely the kernel, because memory ran out.
    ChildKilled,
    /// The child waits for a lock that another thread held when it was forked.
    ChildStuck,
    /// The agent ended the child for the program's sake: memory became short, or it took too long.
    ChildEnded,
    /// The walk stopped the program for as long as it may.
    TooLong,
    /// Nobody reads what is written.
    NoReader,
    /// Anything else.
    Other,
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
    /// Memory of the heap that was left out of the fork, in bytes of addresses: free parts, and the insides of arrays of
    /// primitive values. 0: a plain fork.
    pub left_out_bytes: u64,
    /// Stretches of it.
    pub left_out_ranges: u32,
    /// The part of the stop that leaving out took.
    pub left_out_ms: f64,
    /// How long the fork waited for the end of a collection, while the program ran.
    pub waited_ms: f64,
    /// Pages that the child copied so that the program, which writes widely, need not, in bytes.
    pub copied_ahead_bytes: u64,
    /// Huge pages of the program that the capture split, in bytes. `None` where the kernel has none or does not tell.
    pub huge_pages_split_bytes: Option<u64>,
    /// Of these what was put together again.
    pub huge_pages_restored_bytes: Option<u64>,
}
