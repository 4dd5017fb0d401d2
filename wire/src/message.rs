//! What the agent tells ([`FromAgent`]) and what it is asked to do ([`ToAgent`]).
//!
//! Times are milliseconds since the agent was loaded (`at_ms`), taken from a monotonic clock. The agent obeys and
//! reports; every decision is the analyzer's.

use crate::graph::Chunk;
use crate::ids::{MethodId, ObjectId, ProbeId, SnapshotId};
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
        /// How long the program stood still to find owners by [`PathVia::Sole`]; 0 without any.
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
    },
    /// T1 without any stop: reach objects of the latest capture by their paths, with JNI reads, and mark them. Earlier
    /// marks and the ids of that capture are cleared afterwards.
    MarkPaths {
        /// The snapshot that the marks will carry: the capture that the plan was made from.
        snapshot: SnapshotId,
        /// Where to go and what to mark.
        plan: MarkPlan,
    },
    /// Walk the whole reference graph and send it. Probes that are installed run on.
    Capture {
        /// The name of the capture.
        snapshot: SnapshotId,
        /// How.
        method: CaptureMethod,
        /// Where the walk stops the program, it gives up after this; 0: never.
        abort_after_ms: u32,
        /// A forked child that has not finished after this is ended; 0: the agent's own bound.
        deadline_ms: u32,
    },
    /// Turn the owners into weak global references, then run these probes and those of the earlier ones that are to be
    /// kept, at most one a tick; all others end. Tags of the capture and marks are cleared, unless `keep_tags`: then
    /// [`ToAgent::MarkPaths`] follows.
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
    },
    /// Ranks and trends react: set sample biases (clamped to the agent's floor and to 1).
    SetBias {
        /// New biases.
        biases: Vec<(ProbeId, f32)>,
    },
    /// Clear everything and leave the JVM alone for good.
    Detach,
}

/// The first message: the JVM, as far as names go.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hello {
    /// Process id as the JVM's own process sees it.
    pub pid: u32,
    /// For instance `OpenJDK 64-Bit Server VM 17.0.15`.
    pub vm: String,
    /// `Serial`, `Parallel`, `G1`, `ZGC`, `Shenandoah`, or `unknown`.
    pub gc: String,
    /// Main class or jar name, without arguments; empty when the JVM does not tell.
    pub main: String,
    /// Version of the agent's build.
    pub agent_version: String,
    /// Why this JVM cannot be captured (for instance no `can_tag_objects`); `None` when it can.
    pub incapable: Option<String>,
    /// Shared secret for TCP beyond loopback; empty on Unix sockets.
    pub token: String,
}

impl ToAgent {
    /// A capture by tags without bounds.
    #[must_use]
    pub fn capture_by_tags(snapshot: SnapshotId) -> Self {
        Self::Capture { snapshot, method: CaptureMethod::Tags, abort_after_ms: 0, deadline_ms: 0 }
    }
}

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

/// What a mark on an object stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mark {
    /// Set by an iteration: the object stands for so many of its class (1 when every one was marked).
    StandsFor(u32),
    /// Set by a path: number of the mark in its [`MarkPlan`].
    Planned(u32),
}

/// Which objects to mark and how to reach them: a tree of steps, of which each begins where its parent arrived.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MarkPlan {
    /// Mirrors of the classes that steps name.
    pub classes: Vec<ObjectId>,
    /// The fields that steps name.
    pub fields: Vec<PathField>,
    /// The steps; a parent stands before its children.
    pub steps: Vec<MarkStep>,
}

/// A field on a path, by its declaring class (index into [`MarkPlan::classes`]), name and descriptor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathField {
    /// Class that declares it.
    pub declaring: u32,
    /// Its name.
    pub name: String,
    /// Its JVM descriptor.
    pub descriptor: String,
    /// Whether it is static.
    pub is_static: bool,
}

/// One step of a [`MarkPlan`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MarkStep {
    /// The step whose object this one begins at; unused by [`PathVia::Class`] and [`PathVia::Thread`].
    pub parent: u32,
    /// What is read.
    pub via: PathVia,
    /// The class that the object arrived at must have, exactly (index into [`MarkPlan::classes`]); a step that arrives
    /// at another, or at nothing, is missed with all that begin at it.
    pub class: u32,
    /// Number of the mark to set there, from 1 on; 0: none.
    pub mark: u32,
}

/// What a step of a path reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PathVia {
    /// Nothing: the path begins at the mirror of a class (index into [`MarkPlan::classes`]).
    Class(u32),
    /// Nothing: the path begins at a thread of the capture.
    Thread(ObjectId),
    /// Nothing: the path begins at the only instance of a class (index into [`MarkPlan::classes`]). For structures that
    /// hang from local variables or JNI references alone. Finding it takes an iteration over the heap, which stops the
    /// program; all such steps of one message share it.
    Sole(u32),
    /// A field (index into [`MarkPlan::fields`]), so many times in a row (at least once).
    Field {
        /// Which.
        field: u32,
        /// How many times; all but the last arrive at objects that have the field as well.
        times: u32,
    },
    /// One element of an array of references.
    Element(u32),
}

/// One object at first sight. Class mirrors, arrays, threads and plain objects alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectRecord {
    /// Its identity inside this snapshot. The tagging capture numbers objects 1, 2, 3 … in the order it sends them.
    pub id: ObjectId,
    /// Class mirror of its class; `None` when not yet known, then a [`ReferenceLabel::Class`] reference gives it.
    pub class: Option<ObjectId>,
    /// Shallow size in bytes, as the JVM reports it.
    pub shallow_bytes: u64,
    /// Number of elements, for arrays.
    pub array_length: Option<u32>,
    /// Snapshot that first saw the object: an earlier one (it bore its mark), or this one (the object is new).
    pub first_seen: SnapshotId,
    /// The mark that it bore.
    pub mark: Option<Mark>,
}

/// One reference from `referrer` to `referee`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReferenceRecord {
    /// The object that holds the reference.
    pub referrer: ObjectId,
    /// The object that it points to.
    pub referee: ObjectId,
    /// Where in the referrer it stands.
    pub label: ReferenceLabel,
}

/// Where in its referrer a reference stands. Field indexes count as JVMTI does (interfaces, superclasses, the class).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ReferenceLabel {
    /// Instance field by its JVMTI index.
    Field(u32),
    /// Static field by its JVMTI index; the referrer is a class mirror.
    StaticField(u32),
    /// An element of an array of references, by its index.
    ArrayElement(u32),
    /// From an object to its class mirror.
    Class,
    /// From a class mirror to its loader.
    ClassLoader,
    /// From a class mirror to its superclass's mirror.
    Superclass,
    /// From a class mirror to an interface's mirror.
    Interface,
    /// From a class mirror through its constant pool.
    ConstantPool,
    /// Signers, protection domain, and kinds that a later JVM may add.
    Other,
}

/// One GC root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RootRecord {
    /// The object that the root refers to.
    pub object: ObjectId,
    /// What refers to it from outside the heap.
    pub kind: RootKind,
}

/// Kinds of GC root (LeakBot §3.2), with what the JVM tells about each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RootKind {
    /// A JNI global reference.
    JniGlobal,
    /// A class of the boot loader.
    SystemClass,
    /// A monitor that is held.
    Monitor,
    /// A local variable or operand of a Java frame. `thread` is the thread object when known, `depth` counts frames
    /// from the top (0 is the frame that runs).
    StackLocal {
        /// The thread's object.
        thread: Option<ObjectId>,
        /// Frames from the top.
        depth: u32,
        /// The frame's method.
        method: Option<MethodId>,
    },
    /// A JNI local reference of a native frame.
    JniLocal {
        /// The thread's object.
        thread: Option<ObjectId>,
        /// Frames from the top.
        depth: u32,
    },
    /// A live thread's object.
    Thread,
    /// Anything else.
    Other,
}

/// One class, with the fields it declares itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassRecord {
    /// Its class mirror.
    pub object: ObjectId,
    /// Java source name: `java.util.HashMap$Node`, `java.lang.Object[]`.
    pub name: String,
    /// Its loader; `None` for the boot loader, or when the loader was not seen by the walk.
    pub loader: Option<ObjectId>,
    /// Its superclass; `None` for `java.lang.Object`, interfaces and primitives.
    pub superclass: Option<ObjectId>,
    /// The interfaces it declares, in order.
    pub interfaces: Vec<ObjectId>,
    /// Whether it is an interface (its field indexes start elsewhere).
    pub is_interface: bool,
    /// The fields it declares, in the order of `GetClassFields`; empty when the class is not prepared.
    pub fields: Vec<FieldRecord>,
}

/// One declared field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldRecord {
    /// Its name.
    pub name: String,
    /// Its JVM descriptor: `I`, `Ljava/lang/String;`, `[Ljava/lang/Object;`.
    pub descriptor: String,
    /// Whether it is static.
    pub is_static: bool,
}

/// A live thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadRecord {
    /// Its `java.lang.Thread` object.
    pub object: ObjectId,
    /// Its name.
    pub name: String,
}

/// A method that a stack root names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MethodRecord {
    /// The id that roots carry.
    pub id: MethodId,
    /// Declaring class and method, for instance `com.example.Shop.main`.
    pub name: String,
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
}

/// State of the heap just after garbage collections.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GcFinished {
    /// When the agent looked.
    pub at_ms: u64,
    /// Collections since the JVM started to report them.
    pub collections: u64,
    /// Used bytes just after: live objects and what was allocated or left uncollected until the agent looked.
    pub used_bytes: u64,
    /// Committed heap.
    pub committed_bytes: u64,
    /// Heap limit.
    pub max_bytes: u64,
}

/// The agent's own state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heartbeat {
    /// When.
    pub at_ms: u64,
    /// Messages dropped because the queue was full, since the connection began.
    pub dropped_events: u64,
    /// Processor time of the agent's threads since it was loaded.
    pub agent_cpu_ms: u64,
    /// Tags of marks and captures that stand now.
    pub tags_standing: u64,
    /// Tags on members that probes remember; a bounded number for each probe.
    pub member_tags: u64,
}

/// Why a connection ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GoodbyeReason {
    /// The JVM is exiting.
    VmDeath,
    /// The analyzer asked the agent to leave.
    Detached,
}

/// A traversal for the agent to repeat: LeakBot §5, "a set of traversals that detect certain updates".
///
/// The route is a small automaton over classes, learned from the capture: from the owner follow only these fields,
/// count arrivals at the counting places, visit nothing else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProbeSpec {
    /// Name of the probe.
    pub probe: ProbeId,
    /// The owner-proxy, where each traversal starts.
    pub owner: OwnerRef,
    /// Places of the automaton; place 0 is where the owner stands.
    pub places: Vec<RoutePlace>,
    /// Most objects that one visit may read.
    pub budget: u32,
    /// First sample bias, in (0, 1].
    pub bias: f32,
}

/// How an owner is found again after the capture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum OwnerRef {
    /// It bears a tag: an id of the capture.
    Id(ObjectId),
    /// It bears the mark of that number, which the plan of that snapshot set.
    Marked {
        /// The snapshot that the mark carries.
        first_seen: SnapshotId,
        /// Its number.
        number: u32,
    },
    /// By its path from a class or a thread; the last step of the plan arrives at it.
    Path(MarkPlan),
}

/// One place of a route: objects of one class (or of its subclasses) reached the same way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoutePlace {
    /// Class mirror of the objects that stand here; for the owner that is itself a class mirror, that mirror.
    pub class: ObjectId,
    /// Whether an arrival here counts as one change-proxy.
    pub counts: bool,
    /// Where to go on from here. Empty: the visit ends here.
    pub steps: Vec<RouteStep>,
}

/// One step of a route: read a reference, and go on at the first of `to` whose class the referee is an instance of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RouteStep {
    /// What to read.
    pub via: RouteVia,
    /// Candidate places by index into [`ProbeSpec::places`], most specific class first.
    pub to: Vec<u16>,
}

/// What a step reads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum RouteVia {
    /// An instance field, by its declaring class, name and descriptor.
    Field {
        /// Mirror of the class that declares it.
        declaring: ObjectId,
        /// Its name.
        name: String,
        /// Its JVM descriptor.
        descriptor: String,
    },
    /// A static field of the class that stands at this place.
    StaticField {
        /// Its name.
        name: String,
        /// Its JVM descriptor.
        descriptor: String,
    },
    /// Every slot of the array that stands at this place (or a sample of the slots).
    ArrayElement,
}

/// What became of a probe at its installation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbeInstalled {
    /// Which probe.
    pub probe: ProbeId,
    /// `None`: it runs. Otherwise why it cannot (owner gone, class or field not found).
    pub failure: Option<String>,
}

/// One visit of one probe.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProbeReport {
    /// Which probe.
    pub probe: ProbeId,
    /// When the visit ended.
    pub at_ms: u64,
    /// What it saw.
    pub outcome: VisitOutcome,
    /// Sample bias after the visit.
    pub bias: f32,
    /// Objects read during the visit.
    pub reads: u32,
    /// Time the visit took, in microseconds.
    pub micros: u32,
}

/// What a visit saw.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum VisitOutcome {
    /// The structure was read, wholly or by sample.
    Seen(Sighting),
    /// The owner has been collected: the region is gone.
    OwnerGone,
    /// The structure could not be read; says why.
    Failed(String),
}

/// Size and change of a structure, as one visit saw them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sighting {
    /// Number of change-proxies reached, counted or estimated.
    pub size: f64,
    /// Standard error of `size`; 0 when every one was counted.
    pub size_error: f64,
    /// Change-proxies added since the last visit (estimate; at least the net growth).
    pub additions: f64,
    /// Change-proxies removed since the last visit (estimate).
    pub removals: f64,
    /// Whether an object on the way from the owner to its members was replaced by another (a table that grew).
    pub relinked: bool,
    /// How the size was found.
    pub method: VisitMethod,
}

/// How a visit found the size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum VisitMethod {
    /// The whole structure was read in one visit.
    Full,
    /// Random slots of arrays, or random descents, extrapolated.
    Sampled,
    /// From the last node known of a chain onward, and at its head.
    Frontier,
}
