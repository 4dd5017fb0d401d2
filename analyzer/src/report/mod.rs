//! The report model: the facts of a run at one moment, in the words of the contract `rootbound.report/1`.
//!
//! Presenters read nothing else, and the engine decides on its values. The types mirror the JSON exactly; fields are
//! added, never renamed. Unknown values are `None` and become `null`, never guessed. [`Report::from_json`] reads a
//! report back. So an added field has a default, with which the reports of earlier versions are read.
//!
//! Reading order: [`Report`], then its parts: [`Status`], [`snapshot`] (marks, captures, their pauses and forecasts),
//! [`heap`] (the heap and the memory outside it), [`container`] (the limit of both), [`region`] (leak roots and
//! regions, with their [`trace`]), [`sites`] (allocation sites), [`ranking`], [`lives`] (recordings without an
//! analyzer), [`log`]; [`dump`] is the contract on one heap dump, [`rounds`] that on rounds of a scenario,
//! [`processes`] the list of JVMs.
//! `read` and `sentences` convert back from JSON and from sentences.

pub mod container;
pub mod dump;
pub mod growth;
pub mod heap;
pub mod language;
pub mod lives;
pub mod log;
mod note;
pub mod processes;
pub mod ranking;
mod read;
pub mod region;
pub mod rounds;
mod sentences;
pub mod sites;
pub mod snapshot;
mod status;
pub mod structures;
pub mod trace;
pub mod tree;

pub use crate::naming::{Fingerprint, Kind};
pub use crate::tracking::{Trend, Untracked};
pub use container::{Container, NearerLimit};
pub use heap::{HeapGrowth, Native, NativeKind};
pub use lives::{Life, LifeGrowth};
pub use log::{LogEntry, LogKind};
pub use note::Note;
pub use ranking::{Ranking, Survivors};
pub use read::ReadError;
pub use region::{ChangeProxy, Entry, LeakRoot, OwnerProxy, Region, RegionRoot, SizeProbe, Updates};
pub use sites::{AllocationSampling, AllocationSite, Basis, Frame};
pub use snapshot::{
    CaptureMethod, Child, Forecast, Identity, MarkMethod, Method, MethodForecast, Pauses, Snapshot, SnapshotKind, Stop,
    StopKind,
};
pub use status::{End, Status};
pub use trace::LeakTrace;

use crate::naming::named::named;
use serde::{Deserialize, Serialize};

/// The contract that this version writes and reads.
pub const SCHEMA: Contract = Contract::Report1;

named! {
    /// Name and version of a contract.
    pub enum Contract {
        /// The first version.
        Report1 = "rootbound.report/1",
    }
}

/// All results of a run on one JVM. Of its parts only [`Region::kept_by`] is in no JSON.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: Contract,
    /// The JVM that was watched; `None` when none connected.
    pub jvm: Option<Jvm>,
    /// Time from the agent's start to the last message, in seconds.
    pub duration_s: f64,
    /// The event that is waited for, or that ended the run. Its JSON is one sentence.
    pub status: Status,
    /// Marks and captures, in their order.
    pub snapshots: Vec<Snapshot>,
    /// All pauses that the agent caused.
    pub pauses: Pauses,
    /// Costs of the sampling of allocations; `None` when none was requested.
    pub sampling: Option<AllocationSampling>,
    /// The latest forecast of the costs of a capture.
    pub forecast: Option<Forecast>,
    /// Number of tags that the agent's snapshots keep set; `None` before the agent reported it.
    pub tags_standing: Option<u64>,
    /// Number of tags by which probes recognise some members; bounded for each region.
    pub member_tags: Option<u64>,
    /// The heap as a whole.
    pub heap: HeapGrowth,
    /// Memory of the process outside the heap; `None` before the platform's counters were reported.
    pub native: Option<Native>,
    /// Memory limit of the container; `None` where no control group has one, or before it was reported.
    #[serde(default)]
    pub container: Option<Container>,
    /// Classes that were loaded between the snapshots, by kind of name, the most first.
    #[serde(default)]
    pub new_classes: Vec<NewClasses>,
    /// The ranking as a whole; `None` before an analysis.
    #[serde(default)]
    pub ranking: Option<Ranking>,
    /// Candidate leak roots, the highest rank first (LeakBot §3).
    pub leak_roots: Vec<LeakRoot>,
    /// Co-evolving regions, the highest rank first (LeakBot §4, Figure 5).
    pub regions: Vec<Region>,
    /// The answer in one sentence.
    pub verdict: Verdict,
    /// The growth of data structures; `None` where it is not wanted, or there is only one capture.
    #[serde(default)]
    pub structures: Option<growth::GrowthReport>,
    /// The last visits and changes of sample biases, the latest last.
    #[serde(default)]
    pub log: Vec<LogEntry>,
    /// For recordings without an analyzer: the lives of the program that they show.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lives: Vec<Life>,
    /// Messages that the agent dropped because its queue was full.
    pub dropped_events: u64,
    /// Problems that were contained, for people to read.
    pub problems: Vec<String>,
}

/// The watched JVM.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Jvm {
    /// Process id.
    pub pid: u32,
    /// Name and version of the VM.
    pub vm: String,
    /// Name of the collector.
    pub gc: String,
    /// Main class or jar.
    pub main: String,
}

/// Classes that were loaded between two snapshots, whose names differ in numbers alone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct NewClasses {
    /// Their name, with `#` for each number.
    pub name: String,
    /// Class of their loader; `boot loader` for that of the JDK.
    pub loader: String,
    /// Number of them.
    pub count: u64,
}

/// The answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Verdict {
    /// Whether a structure grows without bound; `None` while that is not known.
    pub leaking: Option<bool>,
    /// Where memory grows; `None` while that is not known.
    pub growth: Option<GrowthPlace>,
    /// One sentence.
    pub summary: String,
}

named! {
    /// Where memory grows.
    pub enum GrowthPlace {
        /// In the heap.
        Heap = "heap",
        /// Outside the heap, and not in it.
        Native = "native",
        /// Nowhere.
        Nowhere = "none",
    }
}

#[cfg(test)]
pub(crate) mod samples;
