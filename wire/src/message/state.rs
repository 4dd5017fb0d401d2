//! The state of the JVM and of the agent in it.

use serde::{Deserialize, Serialize};

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

/// The platform's own counters: what the process holds beside its heap. `None` where the platform does not tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Platform {
    /// When.
    pub at_ms: u64,
    /// Resident memory of the process.
    pub resident_bytes: Option<u64>,
    /// Memory that no file of a disk stands behind, resident or swapped out: heap, metaspace, code, stacks, what was
    /// allocated natively.
    pub anonymous_bytes: Option<u64>,
    /// Of the anonymous memory what the heap has touched; all shared memory where the heap lies in such. A large heap is
    /// looked at in parts, so this may be some samples old.
    pub heap_resident_bytes: Option<u64>,
    /// Metaspace in use, the compressed class space included, as of the latest collection.
    pub metaspace_bytes: Option<u64>,
    /// Committed memory that may be executed and written: the code cache.
    pub code_bytes: Option<u64>,
    /// Live platform threads.
    pub threads: Option<u64>,
    /// Loaded classes.
    pub classes: Option<u64>,
    /// Memory reserved by direct buffers.
    pub direct_bytes: Option<u64>,
    /// Files mapped to be shared: mapped buffers, and the JVM's own, which stay as they are.
    pub mapped_bytes: Option<u64>,
}

/// Why a connection ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GoodbyeReason {
    /// The JVM is exiting.
    VmDeath,
    /// The analyzer asked the agent to leave.
    Detached,
}
