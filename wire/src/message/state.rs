//! The state of the JVM and of the agent in it.

use serde::{Deserialize, Serialize};

/// The first message: the names that describe the JVM.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hello {
    /// Process id as the JVM's own process sees it.
    pub pid: u32,
    /// For instance `OpenJDK 64-Bit Server VM 17.0.15`.
    pub vm: String,
    /// `Serial`, `Parallel`, `G1`, `ZGC`, `Shenandoah`, or `unknown`.
    pub gc: String,
    /// Main class or jar name, without arguments; empty if the JVM does not report it.
    pub main: String,
    /// Version of the agent's build.
    pub agent_version: String,
    /// The reason why this JVM cannot be captured (for instance no `can_tag_objects`); `None` if it can.
    pub incapable: Option<String>,
    /// Time at which the agent was loaded, in milliseconds since 1970: the moment at which all `at_ms` are 0. With the
    /// process id it identifies one life of the program.
    pub loaded_unix_ms: u64,
}

/// State of the heap just after garbage collections.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GcFinished {
    /// Time of the agent's measurement.
    pub at_ms: u64,
    /// Number of collections since the JVM started to report them.
    pub collections: u64,
    /// Used bytes just after a collection: live objects, and those allocated or left uncollected until the measurement.
    pub used_bytes: u64,
    /// Committed heap, in bytes.
    pub committed_bytes: u64,
    /// Heap limit, in bytes.
    pub max_bytes: u64,
}

/// The agent's own state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heartbeat {
    /// Time of the heartbeat.
    pub at_ms: u64,
    /// Number of messages dropped because the queue was full, since the connection began.
    pub dropped_events: u64,
    /// Processor time of the agent's threads since it was loaded, in milliseconds.
    pub agent_cpu_ms: u64,
    /// Number of existing tags of marks and captures.
    pub tags_standing: u64,
    /// Number of tags on members that probes remember; bounded for each probe.
    pub member_tags: u64,
}

/// The platform's own counters: the memory and other resources of the process in addition to its heap. `None` if the
/// platform does not report a figure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Platform {
    /// Time of the measurement.
    pub at_ms: u64,
    /// Resident memory of the process, in bytes.
    pub resident_bytes: Option<u64>,
    /// Memory without a file on disk, in bytes, resident or swapped out: heap, metaspace, code, stacks, native
    /// allocations.
    pub anonymous_bytes: Option<u64>,
    /// The part of the anonymous memory that the heap has touched, in bytes; all shared memory if the heap lies there.
    /// A large heap is measured in parts, so this may be some samples old.
    pub heap_resident_bytes: Option<u64>,
    /// Metaspace in use, in bytes, including the compressed class space, as of the latest collection.
    pub metaspace_bytes: Option<u64>,
    /// Committed memory that is executable and writable, in bytes: the code cache.
    pub code_bytes: Option<u64>,
    /// Number of live platform threads.
    pub threads: Option<u64>,
    /// Number of loaded classes.
    pub classes: Option<u64>,
    /// Memory reserved by direct buffers, in bytes.
    pub direct_bytes: Option<u64>,
    /// Files mapped as shared memory, in bytes: mapped buffers, and the JVM's own, which stay constant.
    pub mapped_bytes: Option<u64>,
    /// Memory limit of the control group above the process that has the least left, in bytes: the container's limit.
    pub limit_bytes: Option<u64>,
    /// Memory of that group that counts against its limit, in bytes, without page cache that can be dropped.
    pub limit_used_bytes: Option<u64>,
}

/// Reasons why a connection ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GoodbyeReason {
    /// The JVM is exiting.
    VmDeath,
    /// The analyzer asked the agent to leave.
    Detached,
}
