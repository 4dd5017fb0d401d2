//! Marks, captures and dumps: how each was made, what it cost, and every stop of the program.

use crate::naming::named::named;
use serde::{Deserialize, Serialize};
use std::fmt;

/// One mark, capture or dump.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Snapshot {
    /// Seconds since the agent's start.
    pub at_s: f64,
    /// What it is.
    pub kind: SnapshotKind,
    /// How it was made.
    pub method: Option<Method>,
    /// For captures: what identity was.
    pub identity: Option<Identity>,
    /// Objects seen.
    pub objects: Option<u64>,
    /// For marks: objects that bear one.
    pub marked: Option<u64>,
    /// For captures: references seen.
    pub references: Option<u64>,
    /// For captures: bytes of all objects seen.
    pub heap_bytes: Option<u64>,
    /// For marks by paths: chosen objects that were not where the capture had seen them.
    pub missed: Option<u64>,
    /// How long the program was paused. For marks by paths: for the capture that they were chosen from.
    pub pause_ms: f64,
    /// How long the pause was forecast to be.
    pub forecast_ms: Option<f64>,
    /// What the forked child cost.
    pub child: Option<Child>,
    /// Most memory that the agent held for it.
    pub agent_bytes: Option<u64>,
    /// Why no method that the program feels less was used, or what the snapshot was made for.
    pub reason: Option<String>,
    /// For dumps: the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// For dumps that are compared with an earlier one: share of the objects that stand where that one had one, by
    /// named path; their ages are inferred.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched: Option<f64>,
    /// Likewise: objects of the earlier dump for which none stands here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gone: Option<u64>,
    /// For captures: time from the end of the capture to regions, measured by whoever wrote this report.
    pub analysis_ms: Option<f64>,
    /// Why the capture was thrown away.
    pub failure: Option<String>,
    /// What else there is to say of a capture: for instance why its fork left nothing out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
}

impl Snapshot {
    /// A snapshot of that kind of which nothing else is known.
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

/// How a snapshot was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Method {
    /// Of a capture.
    Capture(CaptureMethod),
    /// Of a mark.
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
    /// What a snapshot is.
    #[derive(Default)]
    pub enum SnapshotKind {
        /// Objects that were there are marked.
        Mark = "mark",
        /// The heap, captured.
        #[default]
        Capture = "capture",
        /// A heap dump, read from a file.
        Dump = "dump",
    }
}

named! {
    /// How a heap is captured.
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
    /// How objects are marked.
    pub enum MarkMethod {
        /// By paths that lead to them.
        Paths = "paths",
        /// By an iteration over the heap.
        Iteration = "iteration",
    }
}

named! {
    /// By what a capture knows objects again.
    pub enum Identity {
        /// By their addresses.
        Address = "address",
        /// By their tags.
        Tag = "tag",
    }
}

named! {
    /// What the agent stopped the program for.
    pub enum StopKind {
        /// A fork.
        Fork = "fork",
        /// A capture by a walk.
        InProcess = "capture in process",
        /// A capture by tags.
        Tags = "capture by tags",
        /// Marks by paths that begin at what local variables refer to.
        PathBeginnings = "search for beginnings of paths",
        /// Marks by an iteration.
        Iteration = "mark by iteration",
        /// The installation of probes.
        Owners = "search for owners",
    }
}

/// What a forked child cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Child {
    /// From the fork to its end.
    pub lifetime_ms: f64,
    /// Its processor time.
    pub cpu_ms: f64,
    /// Memory that it alone held at its end: pages that it or the program wrote meanwhile, copied.
    pub private_bytes: Option<u64>,
    /// Pages that the program touched anew or copied while it lived.
    pub parent_faults: Option<u64>,
    /// Collections while it lived.
    pub collections: u64,
    /// The longest of them: a collection that has to copy pages takes longer than others.
    pub longest_collection_ms: f64,
    /// Mean length of the collections before.
    pub usual_collection_ms: Option<f64>,
    /// Free parts of the heap that the fork left out, in bytes of addresses.
    pub left_out_bytes: u64,
    /// How long the fork waited for the end of a collection, while the program ran.
    pub waited_ms: f64,
    /// Pages that it copied so that the program, which writes widely, need not, in bytes.
    pub copied_ahead_bytes: u64,
    /// Huge pages of the program that the capture split, in bytes.
    pub huge_pages_split_bytes: Option<u64>,
    /// Of these what was put together again.
    pub huge_pages_restored_bytes: Option<u64>,
}

/// One stop of the program that the agent caused.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Stop {
    /// Seconds since the agent's start.
    pub at_s: f64,
    /// What for.
    pub what: StopKind,
    /// How long.
    pub ms: f64,
}

/// The pause receipt.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Pauses {
    /// Stops caused.
    pub count: u32,
    /// Their sum.
    pub total_ms: f64,
    /// The longest.
    pub max_ms: f64,
    /// Each.
    pub stops: Vec<Stop>,
}

/// What a capture would cost, and how it would be made.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Forecast {
    /// Seconds since the agent's start.
    pub at_s: f64,
    /// Objects, estimated from the used heap.
    pub objects: u64,
    /// The method that would be used: the first without an obstacle.
    pub method: Option<CaptureMethod>,
    /// Every method, the least felt first.
    pub methods: Vec<MethodForecast>,
}

/// What a capture by one method would cost.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct MethodForecast {
    /// The method.
    pub method: CaptureMethod,
    /// The program's stop.
    pub pause_ms: f64,
    /// Until the capture is complete.
    pub duration_ms: f64,
    /// Memory beside the program's own, at most.
    pub memory_bytes: u64,
    /// Why it cannot or may not be used.
    pub obstacle: Option<String>,
}
