//! Allocation sampling (JEP 331): who adds the members of structures that grow.

use crate::ids::ProbeId;
use serde::{Deserialize, Serialize};

/// Which members to sample, and for how long. The agent has bounds of its own, below which it clamps these.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SamplingOrder {
    /// Probes of the structures, the most important first.
    pub probes: Vec<ProbeId>,
    /// Length of the window in milliseconds, counted from now.
    pub window_ms: u32,
}

/// What sampling has found so far; the latest message of a window replaces those before it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AllocationSites {
    /// When.
    pub at_ms: u64,
    /// Whether the window is over: the event is switched off, and the capability given back.
    pub is_over: bool,
    /// Why nothing could be sampled, if so (another agent holds the capability).
    pub refusal: Option<String>,
    /// One entry for each probe that was ordered and is still there.
    pub probes: Vec<ProbeSites>,
    /// What it cost.
    pub receipt: SamplingReceipt,
}

/// Where the members of one structure were allocated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbeSites {
    /// The probe of the structure.
    pub probe: ProbeId,
    /// How the samples are known to be members.
    pub basis: SiteBasis,
    /// Samples that the shares are taken of.
    pub samples: u32,
    /// The most frequent stacks.
    pub sites: Vec<SampledSite>,
}

/// How sampled objects are known to be members of a structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SiteBasis {
    /// They were met inside it.
    Found,
    /// The structure is too large to be looked through: they are of its members' classes, were met in no other
    /// structure, and outlived at least two collections.
    Survived,
}

/// One stack with the samples that were allocated there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SampledSite {
    /// How many.
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
    /// Name of the source file, when the class tells.
    pub file: Option<String>,
    /// Line in it, when the class tells.
    pub line: Option<u32>,
    /// Whether the class is the application's: its loader is neither the boot nor the platform loader.
    pub is_application: bool,
}

/// What a sampling window cost the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SamplingReceipt {
    /// Time since the window began, in milliseconds.
    pub window_ms: u64,
    /// Allocations that the JVM reported, of all classes.
    pub events: u64,
    /// Those of the members' classes of which a stack was taken.
    pub samples: u64,
    /// Those of the members' classes for which there was no room or no time.
    pub dropped: u64,
    /// Time that the program's threads spent in the agent's callback, all together, in microseconds.
    pub callback_us: u64,
    /// Time that the agent's own thread spent looking for samples inside the structures, in microseconds.
    pub search_us: u64,
    /// Mean of bytes between two reports of the JVM: now, and the least in this window.
    pub interval_bytes: u32,
    /// The least of it in this window; 0: every allocation.
    pub least_interval_bytes: u32,
    /// Tags that stand on samples.
    pub tags: u32,
}
