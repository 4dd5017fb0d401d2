//! Probes: what to visit again and again, and what the visits saw.

use super::MarkPlan;
use crate::ids::{ObjectId, ProbeId, SnapshotId};
use serde::{Deserialize, Serialize};

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
    /// Fields that may tell the size, the nearest first.
    pub counters: Vec<CounterSpec>,
    /// What kind of structure it is.
    pub shape: ProbeShape,
}

/// What kind of structure a probe follows, and so what tells its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ProbeShape {
    /// Each member is reached on one way.
    Plain,
    /// Members are reached on several ways each: a count must mark where it has been, and nothing but a count or a counter
    /// tells the size.
    Tangled,
    /// One array of primitive values, at the last place of a route of single references, that is replaced by a longer one
    /// when it is full. Its length tells the size, or a counter that was seen to follow how far it is filled.
    Buffer {
        /// Its length at an earlier snapshot, where that was another.
        length_before: Option<u32>,
    },
}

/// Most references that the agent reads in one visit for a tangled structure, whose count cannot be spread over several:
/// marks stand only while it counts.
pub const MOST_TANGLED_READS: u32 = 32_768;

/// A number near the owner that may follow the size of the structure. The agent compares it with what it counts, and
/// reads it instead of counting once it has proved to follow. **The number itself is never told**: what crosses the
/// wire is the number of members that it stands for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CounterSpec {
    /// References to follow from the owner; empty: the number is the owner's own. [`RouteVia::StaticField`] stands at
    /// the beginning alone, [`RouteVia::ArrayElement`] and [`RouteVia::Slot`] nowhere.
    pub way: Vec<RouteVia>,
    /// The number.
    pub number: NumberField,
    /// Further parts of it.
    pub cells: Option<CounterCells>,
}

/// A field of descriptor `I` or `J`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NumberField {
    /// Mirror of the class that declares it.
    pub declaring: ObjectId,
    /// Its name.
    pub name: String,
    /// Its JVM descriptor.
    pub descriptor: String,
    /// Whether it is static; then it belongs to an owner that is its class.
    pub is_static: bool,
}

/// Parts of a striped counter: many threads add to one of many cells, and the number is the sum of all. A cell is an object
/// of a single `long`; which field that is, the agent sees when there are cells, for often the JVM has not prepared their
/// class before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CounterCells {
    /// Field of the number's object that refers to the array of cells, or to nothing.
    pub array: RouteVia,
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
    /// One slot of the array that stands at this place, by its index: of a skip list's node the lowest level alone.
    Slot(u32),
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
    /// Length of the array on that way that holds each member in a slot of its own: the size cannot pass it unless the
    /// array is replaced. `None` where there is no such array. Of a buffer the length of its array.
    pub slots: Option<u32>,
    /// How the size was found.
    pub method: VisitMethod,
}

/// A counter that followed the size of a structure once, and does no more; it is never read again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CounterDropped {
    /// Which probe.
    pub probe: ProbeId,
    /// When.
    pub at_ms: u64,
    /// Index into [`ProbeSpec::counters`].
    pub counter: u16,
    /// Whether visits had relied on it.
    pub was_trusted: bool,
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
    /// A number that has proved to follow the size.
    Counter {
        /// Index into [`ProbeSpec::counters`].
        counter: u16,
    },
    /// The slots of one array: where its fill ends, or random ones compared with what they held before. The error is
    /// that of the change since the first such visit.
    Slots,
    /// A whole count spread over several visits.
    Cursor,
    /// The length of a buffer's array, whether it is full or not.
    Length,
}
