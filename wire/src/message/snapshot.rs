//! Forecast cost, method and actual cost of a snapshot.

use crate::ids::SnapshotId;
use serde::{Deserialize, Serialize};

/// Methods of capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum CaptureMethod {
    /// By address, in a forked child: the program is paused only for the fork.
    Fork,
    /// By address, while the program is paused.
    InProcess,
    /// By a tag on every object, while the program is paused.
    Tags,
}

/// A snapshot that somebody asks for at a moment of their choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SnapshotRequest {
    /// T1, before an operation.
    Mark,
    /// T2, after it.
    Capture,
}

/// Cost of a capture, and its obstacles. Unknown figures are `None`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Survey {
    /// Time of the survey.
    pub at_ms: u64,
    /// Used heap, in bytes.
    pub used_bytes: u64,
    /// Committed heap, in bytes.
    pub committed_bytes: u64,
    /// Heap limit, in bytes.
    pub max_bytes: u64,
    /// Resident memory of the process, in bytes.
    pub resident_bytes: Option<u64>,
    /// Size of its page tables, in bytes.
    pub page_table_bytes: Option<u64>,
    /// Resident bytes that a fork would share with its child: all but the free parts of the heap that it leaves out.
    /// The page tables of this memory are copied by a fork.
    pub forked_bytes: Option<u64>,
    /// Bytes of memory that may still be used: of the machine or of a control group, whichever is less. The margin that
    /// the agent leaves to the program is deducted.
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

/// Cost of one method for the program, and its obstacle.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MethodSurvey {
    /// Most bytes that it may take, in addition to the memory that the program holds already.
    pub need_bytes: u64,
    /// The reason why it cannot be used here; for people to read.
    pub obstacle: Option<String>,
}

impl Survey {
    /// The survey of a method of capture.
    #[must_use]
    pub fn of(&self, method: CaptureMethod) -> &MethodSurvey {
        match method {
            CaptureMethod::Fork => &self.fork,
            CaptureMethod::InProcess => &self.in_process,
            CaptureMethod::Tags => &self.tags,
        }
    }
}

/// Result of a mark.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MarkDone {
    /// The snapshot that the marks carry.
    pub snapshot: SnapshotId,
    /// Time at which it ended.
    pub at_ms: u64,
    /// Number of objects that the iteration visited, or through which paths were read.
    pub objects: u64,
    /// Number of objects that bear a mark now.
    pub marked: u64,
    /// Length of its pause in milliseconds; 0 for paths.
    pub pause_ms: f64,
    /// For paths: the numbers of planned marks that were not set, because a step led elsewhere. Ascending.
    pub missed: Vec<u32>,
    /// The reason why it was abandoned, if it was; the marks do not count then.
    pub failure: Option<String>,
}

/// Result of a capture.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CaptureDone {
    /// Id of the capture.
    pub snapshot: SnapshotId,
    /// Time at which it ended.
    pub at_ms: u64,
    /// Duration in milliseconds of the JVM call that pauses the program.
    pub pause_ms: f64,
    /// Number of written records of the graph; the same number must arrive. 0 for tags.
    pub records: u64,
    /// Number of references that the walk reported, including those to classes.
    pub references: u64,
    /// The cost of the forked child.
    pub child: Option<ChildReceipt>,
    /// Most memory that the agent held for the capture at any moment, in bytes.
    pub agent_bytes: u64,
    /// `None`: complete. Otherwise the reason why it was discarded; the records sent so far are not a graph.
    pub failure: Option<String>,
    /// The kind of failure, for decisions. `None` if it is complete, or if only the data reveal the failure.
    pub fault: Option<CaptureFault>,
    /// A further remark; for people to read.
    pub remark: Option<String>,
}

/// Kinds of failure of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CaptureFault {
    /// Refused before the start.
    Refused,
    /// The forked child ended by itself, or ran without progress. The same cause would end the program, too.
    ChildDied,
    /// Another process killed the child: most likely the kernel, because memory ran out.
    ChildKilled,
    /// The child waits for a lock that another thread held during the fork.
    ChildStuck,
    /// The agent ended the child to protect the program: memory became short, or it took too long.
    ChildEnded,
    /// The walk reached the limit of its pause.
    TooLong,
    /// The reader of the stream is gone.
    NoReader,
    /// Anything else.
    Other,
    /// The records of a sound capture were left out of a recording, which is bounded.
    Thinned,
}

/// The cost of a forked child for its parent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ChildReceipt {
    /// Time from the fork to the child's end, in milliseconds.
    pub lifetime_ms: f64,
    /// Its processor time, in milliseconds.
    pub cpu_ms: f64,
    /// Bytes that only the child held at its end: copied pages that it or the parent wrote meanwhile.
    pub private_bytes: Option<u64>,
    /// Number of pages that the parent touched anew or copied while the child ran.
    pub parent_faults: Option<u64>,
    /// Number of collections while the child ran.
    pub collections: u64,
    /// Duration of the longest of them, in milliseconds: a collection that has to copy pages takes longer than others.
    pub longest_collection_ms: f64,
    /// Mean duration of the collections before, in milliseconds; `None` if there was none.
    pub usual_collection_ms: Option<f64>,
    /// Memory of the heap that was left out of the fork, in bytes of addresses: free parts, and the insides of arrays
    /// of primitive values. 0: a plain fork.
    pub left_out_bytes: u64,
    /// Number of stretches that were left out.
    pub left_out_ranges: u32,
    /// The part of the pause that leaving out took, in milliseconds.
    pub left_out_ms: f64,
    /// Time that the fork waited for the end of a collection, in milliseconds; the program ran meanwhile.
    pub waited_ms: f64,
    /// Bytes of pages that the child copied in advance, so that the program, which writes widely, need not.
    pub copied_ahead_bytes: u64,
    /// Huge pages of the program that the capture split, in bytes. `None` if the kernel has none or does not report
    /// them.
    pub huge_pages_split_bytes: Option<u64>,
    /// The part of these that was restored, in bytes.
    pub huge_pages_restored_bytes: Option<u64>,
}
