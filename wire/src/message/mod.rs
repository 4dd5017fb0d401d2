//! The agent's reports ([`FromAgent`]) and the analyzer's commands ([`ToAgent`]).
//!
//! Times are milliseconds since the agent was loaded (`at_ms`), taken from a monotonic clock. The agent obeys and
//! reports; every decision is the analyzer's.

mod heads;
mod marking;
mod probe;
mod records;
mod sampling;
mod snapshot;
mod state;

pub use crate::objects::{Mark, ReferenceLabel};
pub use heads::{HeadsHeld, HeadsRead, MOST_HEADS};
pub use marking::{MOST_ALIKE_LOCALS, MarkPlan, MarkStep, PathField, PathVia};
pub use probe::{
    CounterCells, CounterDropped, CounterSpec, MOST_RECOGNISED, MOST_TANGLED_READS, NumberField, OwnerRef,
    ProbeInstalled, ProbeReport, ProbeShape, ProbeSpec, RoutePlace, RouteStep, RouteVia, Sighting, VisitMethod,
    VisitOutcome,
};
pub use records::{
    ClassRecord, FieldRecord, MethodRecord, ObjectRecord, ReferenceRecord, RootKind, RootRecord, ThreadRecord,
};
pub use sampling::{AllocationSites, ProbeSites, SampledSite, SamplingOrder, SamplingReceipt, SiteBasis, SiteFrame};
pub use snapshot::{
    CaptureDone, CaptureFault, CaptureMethod, ChildReceipt, MarkDone, MethodSurvey, SnapshotRequest, Survey,
};
pub use state::{GcFinished, GoodbyeReason, Heartbeat, Hello, Platform};

use crate::graph::Chunk;
use crate::ids::{ProbeId, SnapshotId};
use serde::{Deserialize, Serialize};

/// Agent → analyzer. A connection and a recording begin with [`FromAgent::Hello`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum FromAgent {
    /// Identity of the agent and its JVM. First message of every connection.
    Hello(Hello),
    /// Cost of a capture, and its obstacles; see [`ToAgent::Survey`].
    Survey(Survey),
    /// Marks (T1) have been set; see [`ToAgent::Mark`] and [`ToAgent::MarkPaths`].
    MarkDone(MarkDone),
    /// A capture begins; all messages up to [`FromAgent::CaptureDone`] of the same snapshot belong to it.
    CaptureStarted {
        /// Id of the capture.
        snapshot: SnapshotId,
        /// Time at which it began.
        at_ms: u64,
        /// Its method. Methods by address send [`FromAgent::Graph`], the one by tags sends objects, references and
        /// roots.
        method: CaptureMethod,
    },
    /// A part of the graph of the running capture, by address. The chunks of a capture come in their order.
    Graph(Chunk),
    /// Objects of the running capture by tags, each exactly once, in the order of first sight.
    Objects(Vec<ObjectRecord>),
    /// References of the running capture. Both ends are reported as objects somewhere in the same capture.
    References(Vec<ReferenceRecord>),
    /// GC roots of the running capture.
    Roots(Vec<RootRecord>),
    /// Classes of the running capture, each exactly once, sent after the walk.
    Classes(Vec<ClassRecord>),
    /// Threads of the running capture by their objects, sent after the walk.
    Threads(Vec<ThreadRecord>),
    /// Methods named by stack roots of the running capture, sent after the walk.
    Methods(Vec<MethodRecord>),
    /// The capture is over: complete, or thrown away with a reason.
    CaptureDone(CaptureDone),
    /// Garbage collections finished since the last such message.
    GcFinished(GcFinished),
    /// Result of one [`ToAgent::InstallProbes`].
    ProbesInstalled {
        /// Time of the installation.
        at_ms: u64,
        /// One entry for every requested probe.
        results: Vec<ProbeInstalled>,
        /// Length of the pause to find owners by [`PathVia::OnlyInstance`] and [`PathVia::Local`], in milliseconds; 0
        /// without any.
        pause_ms: f64,
    },
    /// One visit of one probe.
    ProbeReport(ProbeReport),
    /// The agent's own state, about every five seconds.
    Heartbeat(Heartbeat),
    /// A contained error in the agent; for people to read.
    Problem {
        /// Time of the error.
        at_ms: u64,
        /// Text of the error.
        text: String,
    },
    /// The JVM is going down, or the analyzer asked the agent to leave; nothing follows on this connection.
    Goodbye {
        /// Time of the message.
        at_ms: u64,
        /// Reason of the end.
        reason: GoodbyeReason,
    },
    /// A number on which a probe relied, or was about to rely, contradicts a count.
    CounterDropped(CounterDropped),
    /// The platform's own counters, with every regular heartbeat.
    Platform(Platform),
    /// Known allocation sites of members of growing structures; see [`ToAgent::SampleAllocations`].
    AllocationSites(AllocationSites),
    /// Result of one [`ToAgent::HoldHeads`].
    HeadsHeld(HeadsHeld),
    /// Within a capture by address, after its graph: which held heads live. Not sent where none is held, or where
    /// their handles were not resolved, because the collector was marking.
    HeadsRead(HeadsRead),
}

/// Analyzer → agent. The first is [`ToAgent::Welcome`] or [`ToAgent::Refuse`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ToAgent {
    /// The analyzer accepts the connection; the agent may act on later commands.
    Welcome,
    /// The analyzer does not want this JVM; the agent closes and goes dormant.
    Refuse {
        /// The reason, for people to read.
        reason: String,
    },
    /// Report the size of the heap, the memory and the limits. Causes no pause.
    Survey,
    /// T1 by one iteration over the heap, which pauses the program: mark objects, so that a later capture recognizes
    /// them as old.
    Mark {
        /// The snapshot that the marks will carry.
        snapshot: SnapshotId,
        /// Most marks to set, spread over the classes: rare classes wholly, populous ones at random. `None`: all
        /// objects.
        budget: Option<u32>,
        /// Time after which the iteration gives up, in milliseconds; 0: never.
        abort_after_ms: u32,
    },
    /// T1 without a pause: reach objects of the latest capture by their paths, with JNI reads, and mark them. Earlier
    /// marks and the ids of that capture are cleared afterwards.
    MarkPaths {
        /// The snapshot that the marks will carry: the capture that the plan was made from.
        snapshot: SnapshotId,
        /// The paths, and the objects to mark.
        plan: MarkPlan,
        /// Longest forecast pause, in milliseconds, for a search for the beginnings of paths; a longer search is not
        /// made. 0: no bound.
        most_stop_ms: u32,
    },
    /// Walk the whole reference graph and send it. Installed probes continue.
    Capture {
        /// The name of the capture.
        snapshot: SnapshotId,
        /// Its method.
        method: CaptureMethod,
        /// Longest walk that pauses the program, in milliseconds; it gives up after this. 0: never.
        abort_after_ms: u32,
        /// Time after which an unfinished forked child is ended, in milliseconds; 0: the agent's own bound, which holds
        /// in any case.
        deadline_ms: u32,
        /// Whether a fork leaves out the free parts of the heap, if the agent knows them.
        leave_out: bool,
    },
    /// Turn the owners into weak global references. Then run these probes and those of the earlier ones that are to be
    /// kept; all others end. One probe runs in each tick, and five more while they read little. Tags of the capture and
    /// marks are cleared, unless `keep_tags`: then [`ToAgent::MarkPaths`] follows.
    InstallProbes {
        /// The capture whose object ids the probes use.
        snapshot: SnapshotId,
        /// Time between two visits of any probes, in milliseconds.
        tick_ms: u32,
        /// The probes, that of the most suspicious region first.
        probes: Vec<ProbeSpec>,
        /// Earlier probes that continue unchanged.
        keep: Vec<ProbeId>,
        /// Whether the ids of the capture stay valid.
        keep_tags: bool,
        /// Longest pause, as in [`ToAgent::MarkPaths`].
        most_stop_ms: u32,
    },
    /// Adjust to ranks and trends: set sample biases (clamped to the agent's floor and to 1).
    SetBias {
        /// New biases.
        biases: Vec<(ProbeId, f32)>,
    },
    /// Clear all tags and references, and stay dormant for good.
    Detach,
    /// Sample allocations of the members of these structures for a while. If a window is open, it continues with these
    /// structures instead.
    SampleAllocations(SamplingOrder),
    /// For recordings only, never sent: somebody asked the analyzer for this snapshot, and the [`ToAgent::Survey`] that
    /// follows leads to it. An agent ignores it.
    Requested(SnapshotRequest),
    /// Hold these objects of a capture by weak global references, without a tag and without a pause, so that later
    /// captures by address find them again. Its ids must still be valid: before [`ToAgent::MarkPaths`] and
    /// [`ToAgent::InstallProbes`] of the same capture. Beginnings that take a pause are missed. At most [`MOST_HEADS`]
    /// heads are held.
    HoldHeads {
        /// The capture whose ids the plan uses.
        snapshot: SnapshotId,
        /// Numbers of heads that are held already and stay so; all others are let go first.
        keep: Vec<u32>,
        /// The paths. The number of a step's mark is that of its head, and no number of a head that stays.
        plan: MarkPlan,
    },
}

impl ToAgent {
    /// A command for a capture by tags without bounds.
    #[must_use]
    pub fn capture_by_tags(snapshot: SnapshotId) -> Self {
        Self::Capture { snapshot, method: CaptureMethod::Tags, abort_after_ms: 0, deadline_ms: 0, leave_out: false }
    }
}
