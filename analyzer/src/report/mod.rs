//! The report model: what a run knows at one moment, in the words of the contract `rootbound.report/1`.
//!
//! Presenters read nothing else, and the engine decides on its values. The types mirror the JSON exactly; fields are
//! added, never renamed. Unknown values are `None` and become `null`, never guessed. [`Report::from_json`] reads a report
//! back. So a field that is added has a default, by which the reports of earlier versions are read.
//!
//! Reading order: [`Report`], then its parts: [`Status`], [`snapshot`] (marks, captures, their stops and forecasts), [`heap`] (the
//! heap and what is beside it), [`region`] (leak roots and regions, with their [`trace`]), [`sites`] (who adds);
//! [`dump`] is the contract on one heap dump. `read` and `sentences` are the way back, from JSON and from sentences.

pub mod dump;
pub mod heap;
mod note;
mod read;
pub mod region;
mod sentences;
pub mod sites;
pub mod snapshot;
mod status;
pub mod trace;

pub use crate::naming::{Fingerprint, Kind};
pub use crate::tracking::{Trend, Untracked};
pub use heap::{HeapGrowth, Native, NativeKind};
pub use note::Note;
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
        /// The first.
        Report1 = "rootbound.report/1",
    }
}

/// Everything that a run has to say about one JVM. Of its parts only [`Region::kept_by`] is in no JSON.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: Contract,
    /// The JVM that was watched; `None` when none was seen.
    pub jvm: Option<Jvm>,
    /// Time from the agent's start to the last message, in seconds.
    pub duration_s: f64,
    /// What is being waited for, or what ended the run. Its JSON is one sentence.
    pub status: Status,
    /// Marks and captures, in their order.
    pub snapshots: Vec<Snapshot>,
    /// Every stop that the agent caused.
    pub pauses: Pauses,
    /// What the sampling of allocations cost; `None` when none was asked for.
    pub sampling: Option<AllocationSampling>,
    /// The latest forecast of what a capture costs.
    pub forecast: Option<Forecast>,
    /// Tags that the agent's snapshots have standing; `None` before the agent told.
    pub tags_standing: Option<u64>,
    /// Tags by which probes know some members again; bounded for each region.
    pub member_tags: Option<u64>,
    /// The heap as a whole.
    pub heap: HeapGrowth,
    /// What the process holds beside the heap; `None` before the platform's counters were told.
    pub native: Option<Native>,
    /// Candidate leak roots, the highest rank first (LeakBot §3).
    pub leak_roots: Vec<LeakRoot>,
    /// Co-evolving regions, the highest rank first (LeakBot §4, Figure 5).
    pub regions: Vec<Region>,
    /// The answer in one sentence.
    pub verdict: Verdict,
    /// Messages that the agent dropped because its queue was full.
    pub dropped_events: u64,
    /// Things that went wrong and were contained, for people to read.
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

/// The answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Verdict {
    /// Whether a structure grows without bound; `None` while nobody can know.
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
        /// Beside the heap, and not in it.
        Native = "native",
        /// Nowhere.
        Nowhere = "none",
    }
}

#[cfg(test)]
pub(crate) mod samples;
