//! Heads of data structures that the agent holds by weak handles, so that later captures find them again.

use crate::ids::SnapshotId;
use serde::{Deserialize, Serialize};

/// Most heads that one connection may hold.
pub const MOST_HEADS: usize = 1024;

/// Result of [`ToAgent::HoldHeads`](super::ToAgent::HoldHeads).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HeadsHeld {
    /// The capture from which they were chosen.
    pub snapshot: SnapshotId,
    /// Time at which the work ended.
    pub at_ms: u64,
    /// Number of heads that the agent holds now.
    pub held: u32,
    /// Numbers of the plan whose heads were not reached.
    pub missed: Vec<u32>,
    /// The reason why the plan was not followed. The heads to keep are kept all the same.
    pub failure: Option<String>,
}

/// The held heads at a capture by address. Those that live are in its graph, as far as GC roots reach them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HeadsRead {
    /// The capture.
    pub snapshot: SnapshotId,
    /// Numbers of the heads whose handles were resolved.
    pub live: Vec<u32>,
    /// Numbers of the heads that have been collected. Their handles are gone.
    pub dead: Vec<u32>,
}
