//! Probes: structures to visit repeatedly, and the results of the visits.

use super::MarkPlan;
use crate::ids::{ObjectId, ProbeId, SnapshotId};
use serde::{Deserialize, Serialize};

/// A traversal for the agent to repeat: LeakBot §5, "a set of traversals that detect certain updates".
///
/// The route is a small automaton over classes, learned from the capture. From the owner, a visit follows only these
/// fields, counts arrivals at the counting places, and reads nothing else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProbeSpec {
    /// Name of the probe.
    pub probe: ProbeId,
    /// The owner proxy, where each traversal starts.
    pub owner: OwnerRef,
    /// Places of the automaton; place 0 is that of the owner.
    pub places: Vec<RoutePlace>,
    /// Most objects that one visit may read.
    pub budget: u32,
    /// First sample bias, in (0, 1].
    pub bias: f32,
    /// Fields that may follow the size, the nearest first.
    pub counters: Vec<CounterSpec>,
    /// The kind of structure.
    pub shape: ProbeShape,
}

/// The kind of structure that a probe follows, which determines how its size is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ProbeShape {
    /// Each member is reachable by one path.
    Plain,
    /// Members are reachable by several paths each. A count must mark the visited objects, and only a count or a
    /// counter gives the size.
    Tangled,
    /// One array, at the last place of a route of single references. A longer one replaces it when it is full. Its
    /// length gives the size, or a counter that was observed to follow its fill.
    Buffer {
        /// Its length at an earlier snapshot, if that was different.
        length_before: Option<u32>,
    },
}

/// Most references that the agent reads in one visit for a mesh. Its count cannot be spread over several visits, for
/// marks exist only while it counts.
pub const MOST_TANGLED_READS: u32 = 32_768;

/// Members of the largest structure in which the agent recognises some of those that it met before. In larger ones the
/// additions and removals of a visit are its net change alone.
pub const MOST_RECOGNISED: u32 = 1 << 14;

/// A number near the owner that may follow the size of the structure. The agent compares it with its counts, and reads
/// it instead of counting once it has proved to follow. **The number itself is never sent**: the wire carries the
/// number of members that it stands for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CounterSpec {
    /// References to follow from the owner; empty: the number is the owner's own. [`RouteVia::StaticField`] may only be
    /// the first, [`RouteVia::ArrayElement`] and [`RouteVia::Slot`] may not occur.
    pub way: Vec<RouteVia>,
    /// The number.
    pub number: NumberField,
    /// Further parts of the number.
    pub cells: Option<CounterCells>,
    /// The place of the route whose objects each have such a number, `way` being followed from each: the candidate is
    /// the sum over all that the route reaches. `None`: the owner's number alone.
    pub summed_at: Option<u16>,
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
    /// Whether it is static; then it belongs to the class that is the owner.
    pub is_static: bool,
}

/// Parts of a striped counter: many threads add to one of many cells, and the number is the sum of all. A cell is an
/// object of a single `long`. The agent finds its field once there are cells, for often the JVM has not prepared their
/// class before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CounterCells {
    /// Field of the number's object that refers to the array of cells, or is null.
    pub array: RouteVia,
}

/// The means to find an owner again after the capture.
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

/// One place of a route: objects of one class (or of its subclasses) reached by the same step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoutePlace {
    /// Class mirror of the objects at this place; if the owner itself is a class mirror, that mirror.
    pub class: ObjectId,
    /// Whether an arrival here counts as one change proxy.
    pub counts: bool,
    /// Steps from here. Empty: the visit ends here.
    pub steps: Vec<RouteStep>,
}

/// One step of a route: read a reference, and continue at the first place in `to` whose class the referee is an
/// instance of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RouteStep {
    /// The reference to read.
    pub via: RouteVia,
    /// Candidate places by index into [`ProbeSpec::places`], most specific class first.
    pub to: Vec<u16>,
}

/// The reference that a step reads.
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
    /// A static field of the class at this place.
    StaticField {
        /// Its name.
        name: String,
        /// Its JVM descriptor.
        descriptor: String,
    },
    /// Every slot of the array at this place (or a sample of the slots).
    ArrayElement,
    /// One slot of the array at this place, by its index: for a node of a skip list only the lowest level.
    Slot(u32),
}

/// Result of a probe's installation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbeInstalled {
    /// Id of the probe.
    pub probe: ProbeId,
    /// `None`: it runs. Otherwise the reason why it cannot (owner gone, class or field not found).
    pub failure: Option<String>,
}

/// One visit of one probe.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProbeReport {
    /// Id of the probe.
    pub probe: ProbeId,
    /// Time at which the visit ended.
    pub at_ms: u64,
    /// Its result.
    pub outcome: VisitOutcome,
    /// Sample bias after the visit.
    pub bias: f32,
    /// Number of objects read during the visit.
    pub reads: u32,
    /// Duration of the visit, in microseconds.
    pub micros: u32,
}

/// Result of a visit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum VisitOutcome {
    /// The structure was read, wholly or by sample.
    Seen(Sighting),
    /// The owner has been collected: the region is gone.
    OwnerGone,
    /// The structure could not be read; holds the reason.
    Failed(String),
}

/// Size and change of a structure in one visit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sighting {
    /// Number of change proxies reached, counted or estimated.
    pub size: f64,
    /// Standard error of `size`; 0 if every one was counted.
    pub size_error: f64,
    /// Number of change proxies added since the last visit (estimate; at least the net growth).
    pub additions: f64,
    /// Number of change proxies removed since the last visit (estimate).
    pub removals: f64,
    /// Whether an object on the path from the owner to its members was replaced by another (a table that grew).
    pub relinked: bool,
    /// Length of the array on that path that holds each member in a slot of its own: the size cannot exceed it unless
    /// the array is replaced. `None` if there is no such array. For a buffer, the length of its array.
    pub slots: Option<u32>,
    /// The method by which the size was found.
    pub method: VisitMethod,
}

/// A counter that followed the size of a structure earlier, but no longer; it is never read again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CounterDropped {
    /// Id of the probe.
    pub probe: ProbeId,
    /// Time of the decision.
    pub at_ms: u64,
    /// Index into [`ProbeSpec::counters`].
    pub counter: u16,
    /// Whether visits had relied on it.
    pub was_trusted: bool,
}

/// Methods by which a visit finds the size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum VisitMethod {
    /// The whole structure was read in one visit.
    Full,
    /// Random slots of arrays, or random descents, extrapolated.
    Sampled,
    /// From the last known node of a chain onward, and at its head.
    Frontier,
    /// A number that has proved to follow the size.
    Counter {
        /// Index into [`ProbeSpec::counters`].
        counter: u16,
    },
    /// The slots of one array: the end of its fill, or random slots compared with their earlier contents. The error is
    /// that of the change since the first such visit.
    Slots,
    /// A whole count spread over several visits.
    Cursor,
    /// The length of a buffer's array, whether the array is full or not.
    Length,
}
