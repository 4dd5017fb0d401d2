//! Allocation sampling (JEP 331): the call stacks that allocate the members of growing structures.

use crate::ids::ProbeId;
use serde::{Deserialize, Serialize};

/// The members to sample, and the duration. The agent has bounds of its own, to which it clamps these.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SamplingOrder {
    /// Probes of the structures, the most important first.
    pub probes: Vec<ProbeId>,
    /// Length of the window in milliseconds, counted from now.
    pub window_ms: u32,
}

/// Results of sampling so far; the latest message of a window replaces those before it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AllocationSites {
    /// Time of the message.
    pub at_ms: u64,
    /// Whether the window is over: the event is disabled, and the capability relinquished.
    pub is_over: bool,
    /// The reason why nothing could be sampled, if so (another agent holds the capability).
    pub refusal: Option<String>,
    /// One entry for each ordered probe that still exists.
    pub probes: Vec<ProbeSites>,
    /// The cost of the window.
    pub receipt: SamplingReceipt,
}

/// Allocation sites of the members of one structure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbeSites {
    /// The probe of the structure.
    pub probe: ProbeId,
    /// The evidence that the samples are members.
    pub basis: SiteBasis,
    /// Number of samples from which the shares are computed.
    pub samples: u32,
    /// The most frequent stacks.
    pub sites: Vec<SampledSite>,
}

/// The evidence that sampled objects are members of a structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SiteBasis {
    /// They were met inside it.
    Found,
    /// The structure is too large to be searched. The samples have its members' classes, were met in no other
    /// structure, and outlived at least two collections.
    Survived,
}

/// One stack with its samples.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SampledSite {
    /// Number of samples.
    pub samples: u32,
    /// The stack, top first.
    pub frames: Vec<SiteFrame>,
}

/// One frame of a stack: a place in the program's code, without arguments or values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiteFrame {
    /// Java source name of the declaring class.
    pub class: String,
    /// Name of the method.
    pub method: String,
    /// Name of the source file, if the class holds it.
    pub file: Option<String>,
    /// Line in the source file, if the class holds it.
    pub line: Option<u32>,
    /// Whether it is a class of the application: its loader is neither the boot nor the platform loader.
    pub is_application: bool,
}

/// The cost of a sampling window for the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SamplingReceipt {
    /// Time since the window began, in milliseconds.
    pub window_ms: u64,
    /// Number of allocations that the JVM reported, of all classes.
    pub events: u64,
    /// Number of those of the members' classes for which a stack was recorded.
    pub samples: u64,
    /// Number of those of the members' classes for which there was no room or no time.
    pub dropped: u64,
    /// Time that the program's threads spent in the agent's callback, in total, in microseconds.
    pub callback_us: u64,
    /// Time that the agent's own thread spent searching for samples inside the structures, in microseconds.
    pub search_us: u64,
    /// Current mean number of bytes between two reports of the JVM.
    pub interval_bytes: u32,
    /// Least mean number of bytes between two reports in this window; 0: every allocation.
    pub least_interval_bytes: u32,
    /// Number of tags on samples.
    pub tags: u32,
}
