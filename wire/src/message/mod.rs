//! What the agent tells ([`FromAgent`]) and what it is asked to do ([`ToAgent`]).
//!
//! Times are milliseconds since the agent was loaded (`at_ms`), taken from a monotonic clock. The agent obeys and
//! reports; every decision is the analyzer's.

mod marking;
mod probe;
mod records;
mod sampling;
mod snapshot;
mod state;

pub use crate::objects::{Mark, ReferenceLabel};
pub use marking::{MOST_ALIKE_LOCALS, MarkPlan, MarkStep, PathField, PathVia};
pub use probe::{
    CounterCells, CounterDropped, CounterSpec, MOST_TANGLED_READS, NumberField, OwnerRef, ProbeInstalled, ProbeReport,
    ProbeShape, ProbeSpec, RoutePlace, RouteStep, RouteVia, Sighting, VisitMethod, VisitOutcome,
};
pub use records::{
    ClassRecord, FieldRecord, MethodRecord, ObjectRecord, ReferenceRecord, RootKind, RootRecord, ThreadRecord,
};
pub use sampling::{AllocationSites, ProbeSites, SampledSite, SamplingOrder, SamplingReceipt, SiteBasis, SiteFrame};
pub use snapshot::{CaptureDone, CaptureFault, CaptureMethod, ChildReceipt, MarkDone, MethodSurvey, Survey};
pub use state::{GcFinished, GoodbyeReason, Heartbeat, Hello, Platform};

use crate::graph::Chunk;
use crate::ids::{ProbeId, SnapshotId};
use serde::{Deserialize, Serialize};

/// Agent → analyzer. A connection and a recording begin with [`FromAgent::Hello`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum FromAgent {
    /// Who is speaking. First message of every connection.
    Hello(Hello),
    /// What a capture would cost and what stands in its way; see [`ToAgent::Survey`].
    Survey(Survey),
    /// Marks (T1) have been set; see [`ToAgent::Mark`] and [`ToAgent::MarkPaths`].
    MarkDone(MarkDone),
    /// A capture begins; what follows up to [`FromAgent::CaptureDone`] of the same snapshot belongs to it.
    CaptureStarted {
        /// Which capture.
        snapshot: SnapshotId,
        /// When it began.
        at_ms: u64,
        /// How it is made. Methods by address send [`FromAgent::Graph`], the tagging one objects, references and roots.
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
    /// What became of the probes of one [`ToAgent::InstallProbes`].
    ProbesInstalled {
        /// When.
        at_ms: u64,
        /// One entry for every probe asked for.
        results: Vec<ProbeInstalled>,
        /// How long the program stood still to find owners by [`PathVia::Sole`] and [`PathVia::Local`]; 0 without any.
        pause_ms: f64,
    },
    /// One visit of one probe.
    ProbeReport(ProbeReport),
    /// The agent's own state, about every five seconds.
    Heartbeat(Heartbeat),
    /// Something went wrong in the agent and was contained; for people to read.
    Problem {
        /// When.
        at_ms: u64,
        /// What.
        text: String,
    },
    /// The JVM is going down, or the agent was told to leave; nothing follows on this connection.
    Goodbye {
        /// When.
        at_ms: u64,
        /// Why.
        reason: GoodbyeReason,
    },
    /// A number that a probe relied on, or was about to, contradicts what was counted.
    CounterDropped(CounterDropped),
    /// The platform's own counters, with every regular heartbeat.
    Platform(Platform),
    /// Where members of growing structures are allocated, as far as it is known; see [`ToAgent::SampleAllocations`].
    AllocationSites(AllocationSites),
}

/// Analyzer → agent. The first is [`ToAgent::Welcome`] or [`ToAgent::Refuse`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ToAgent {
    /// The analyzer accepts the connection; the agent may act on what follows.
    Welcome,
    /// The analyzer does not want this JVM; the agent closes and goes dormant.
    Refuse {
        /// Why, for people to read.
        reason: String,
    },
    /// Look at the heap's size, the memory and the limits, and tell. Stops nothing.
    Survey,
    /// T1 by one iteration over the heap, which stops the program: mark objects so that a later capture can tell that
    /// they existed.
    Mark {
        /// The snapshot that the marks will carry.
        snapshot: SnapshotId,
        /// Marks to set at most, spread over the classes: rare classes wholly, populous ones at random. `None`: all
        /// objects.
        budget: Option<u32>,
        /// The iteration gives up after this; 0: never.
        abort_after_ms: u32,
    },
    /// T1 without any stop: reach objects of the latest capture by their paths, with JNI reads, and mark them. Earlier
    /// marks and the ids of that capture are cleared afterwards.
    MarkPaths {
        /// The snapshot that the marks will carry: the capture that the plan was made from.
        snapshot: SnapshotId,
        /// Where to go and what to mark.
        plan: MarkPlan,
        /// No search for the beginnings of paths that stops the program is made when it is forecast to take longer; 0: no
        /// bound.
        most_stop_ms: u32,
    },
    /// Walk the whole reference graph and send it. Probes that are installed run on.
    Capture {
        /// The name of the capture.
        snapshot: SnapshotId,
        /// How.
        method: CaptureMethod,
        /// Where the walk stops the program, it gives up after this; 0: never.
        abort_after_ms: u32,
        /// A forked child that has not finished after this is ended; 0: the agent's own bound, which holds in any case.
        deadline_ms: u32,
        /// Whether a fork leaves out the free parts of the heap, where the agent knows them.
        leave_out: bool,
    },
    /// Turn the owners into weak global references, then run these probes and those of the earlier ones that are to be
    /// kept, one a tick and five more while they read little; all others end. Tags of the capture and marks are
    /// cleared, unless `keep_tags`: then [`ToAgent::MarkPaths`] follows.
    InstallProbes {
        /// The capture whose object ids the probes use.
        snapshot: SnapshotId,
        /// Time between two visits of any probes.
        tick_ms: u32,
        /// The probes, the most suspicious region's first.
        probes: Vec<ProbeSpec>,
        /// Earlier probes that go on as they are.
        keep: Vec<ProbeId>,
        /// Let the ids of the capture live on.
        keep_tags: bool,
        /// As in [`ToAgent::MarkPaths`].
        most_stop_ms: u32,
    },
    /// Ranks and trends react: set sample biases (clamped to the agent's floor and to 1).
    SetBias {
        /// New biases.
        biases: Vec<(ProbeId, f32)>,
    },
    /// Clear everything and leave the JVM alone for good.
    Detach,
    /// Sample allocations of the members of these structures for a while. While a window is open, it goes on with these
    /// structures instead.
    SampleAllocations(SamplingOrder),
}

impl ToAgent {
    /// A capture by tags without bounds.
    #[must_use]
    pub fn capture_by_tags(snapshot: SnapshotId) -> Self {
        Self::Capture { snapshot, method: CaptureMethod::Tags, abort_after_ms: 0, deadline_ms: 0, leave_out: false }
    }
}
