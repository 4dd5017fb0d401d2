//! Marks, captures and dumps: method and costs of each, and every pause of the program.

use crate::naming::named::named;
use serde::{Deserialize, Serialize};
use std::fmt;

/// One mark, capture or dump.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Snapshot {
    /// Seconds since the agent's start.
    pub at_s: f64,
    /// Kind of snapshot.
    pub kind: SnapshotKind,
    /// Method by which it was made.
    pub method: Option<Method>,
    /// For captures: kind of identity.
    pub identity: Option<Identity>,
    /// Number of objects in it.
    pub objects: Option<u64>,
    /// For marks: objects that bear one.
    pub marked: Option<u64>,
    /// For captures: number of references.
    pub references: Option<u64>,
    /// For captures: bytes of all objects.
    pub heap_bytes: Option<u64>,
    /// For marks by paths: chosen objects that were not at the places at which the capture had found them.
    pub missed: Option<u64>,
    /// Pause of the program in milliseconds. For marks by paths: the pause of the capture from which they were chosen.
    pub pause_ms: f64,
    /// Forecast of the pause, in milliseconds.
    pub forecast_ms: Option<f64>,
    /// Costs of the forked child.
    pub child: Option<Child>,
    /// Most memory that the agent held for it, in bytes.
    pub agent_bytes: Option<u64>,
    /// Reason why no method that the program feels less was used, or for which the snapshot was made.
    pub reason: Option<String>,
    /// Whether somebody asked for it, by a key, by `rootbound mark|capture`, or from Java.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub on_request: bool,
    /// For dumps: the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// For dumps that are compared with an earlier one: share of the objects whose named path leads to an object in the
    /// earlier dump, too. Their ages are inferred.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched: Option<f64>,
    /// Likewise: number of objects of the earlier dump that have no counterpart in this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gone: Option<u64>,
    /// For captures: time from the end of the capture to regions, measured by the analyzer that wrote this report.
    pub analysis_ms: Option<f64>,
    /// Reason why the capture was rejected.
    pub failure: Option<String>,
    /// A remark on a capture: for instance why its fork left nothing out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
}

impl Snapshot {
    /// A snapshot of that kind with no other data.
    #[must_use]
    pub fn new(kind: SnapshotKind) -> Self {
        Self { kind, ..Self::default() }
    }

    /// Whether it is a capture by a forked child.
    #[must_use]
    pub fn is_forked(&self) -> bool {
        self.method == Some(Method::Capture(CaptureMethod::Fork))
    }
}

/// Method of a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Method {
    /// Method of a capture.
    Capture(CaptureMethod),
    /// Method of a mark.
    Mark(MarkMethod),
}

impl fmt::Display for Method {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Capture(method) => method.fmt(formatter),
            Self::Mark(method) => method.fmt(formatter),
        }
    }
}

named! {
    /// Kind of snapshot.
    #[derive(Default)]
    pub enum SnapshotKind {
        /// A mark of objects that exist.
        Mark = "mark",
        /// The heap, captured.
        #[default]
        Capture = "capture",
        /// A heap dump, read from a file.
        Dump = "dump",
    }
}

named! {
    /// Method of a capture.
    pub enum CaptureMethod {
        /// By a forked child.
        Fork = "fork",
        /// By a walk in the program.
        InProcess = "in-process",
        /// By a walk in the program that tags every object.
        Tags = "tags",
    }
}

named! {
    /// Method of marking objects.
    pub enum MarkMethod {
        /// By paths that lead to them.
        Paths = "paths",
        /// By an iteration over the heap.
        Iteration = "iteration",
    }
}

named! {
    /// Identity by which a capture recognises objects.
    pub enum Identity {
        /// By their addresses.
        Address = "address",
        /// By their tags.
        Tag = "tag",
    }
}

named! {
    /// Purpose for which the agent paused the program.
    pub enum StopKind {
        /// A fork.
        Fork = "fork",
        /// A capture by a walk.
        InProcess = "capture in process",
        /// A capture by tags.
        Tags = "capture by tags",
        /// Marks by paths that begin at objects to which local variables refer.
        PathBeginnings = "search for beginnings of paths",
        /// Marks by an iteration.
        Iteration = "mark by iteration",
        /// The installation of probes.
        Owners = "search for owners",
    }
}

/// Costs of a forked child.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Child {
    /// Time from the fork to its end, in milliseconds.
    pub lifetime_ms: f64,
    /// Its processor time, in milliseconds.
    pub cpu_ms: f64,
    /// Bytes that it alone held at its end: copies of the pages that it or the program wrote meanwhile.
    pub private_bytes: Option<u64>,
    /// Pages that the program first touched or copied during its lifetime.
    pub parent_faults: Option<u64>,
    /// Number of collections during its lifetime.
    pub collections: u64,
    /// The longest of them, in milliseconds: a collection that has to copy pages takes longer than others.
    pub longest_collection_ms: f64,
    /// Mean length of the earlier collections, in milliseconds.
    pub usual_collection_ms: Option<f64>,
    /// Free parts of the heap that the fork left out, in bytes of addresses.
    pub left_out_bytes: u64,
    /// Time in milliseconds that the fork waited for the end of a collection, while the program ran.
    pub waited_ms: f64,
    /// Pages that it copied so that the program, which writes widely, does not have to, in bytes.
    pub copied_ahead_bytes: u64,
    /// Huge pages of the program that the capture split, in bytes.
    pub huge_pages_split_bytes: Option<u64>,
    /// Bytes of these that were restored as huge pages.
    pub huge_pages_restored_bytes: Option<u64>,
}

/// One pause of the program that the agent caused.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Stop {
    /// Seconds since the agent's start.
    pub at_s: f64,
    /// Purpose.
    pub what: StopKind,
    /// Duration in milliseconds.
    pub ms: f64,
}

/// The pause receipt.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Pauses {
    /// Number of pauses.
    pub count: u32,
    /// Their sum in milliseconds.
    pub total_ms: f64,
    /// The longest in milliseconds.
    pub max_ms: f64,
    /// Each pause.
    pub stops: Vec<Stop>,
}

/// Costs and method of a capture, before it is made.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Forecast {
    /// Seconds since the agent's start.
    pub at_s: f64,
    /// Objects, estimated from the used heap.
    pub objects: u64,
    /// The method that would be used: the first without an obstacle.
    pub method: Option<CaptureMethod>,
    /// Every method, the one that the program feels least first.
    pub methods: Vec<MethodForecast>,
}

/// Costs of a capture by one method.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct MethodForecast {
    /// The method.
    pub method: CaptureMethod,
    /// Pause of the program, in milliseconds.
    pub pause_ms: f64,
    /// Time until the capture is complete, in milliseconds.
    pub duration_ms: f64,
    /// Memory in addition to the program's own, in bytes, at most.
    pub memory_bytes: u64,
    /// Reason why it cannot or may not be used.
    pub obstacle: Option<String>,
}
