//! The ranking of the latest analysis as a whole (LeakBot §3): the objects that each step left.

use serde::{Deserialize, Serialize};

/// The leakroot above which LeakBot analyses a candidate off line (Appendix B). Of a program without a leak no
/// candidate is above it (§3.6).
pub const OFF_LINE_THRESHOLD: f64 = 0.4;

/// Figures of one ranking.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Ranking {
    /// Objects left after each binary metric.
    pub survivors: Survivors,
    /// [`OFF_LINE_THRESHOLD`].
    pub threshold: f64,
    /// Candidates whose leakroot is above it.
    pub above_threshold: u64,
}

/// Objects left after each binary metric, cumulatively (the paper's Tables 3 and 4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Survivors {
    /// Reachable objects.
    pub objects: u64,
    /// After S1: no leaves.
    pub s1: u64,
    /// After S2: no arrays.
    pub s2: u64,
    /// After S3: no internal nodes of single-entry regions.
    pub s3: u64,
    /// After S4: no objects that own nothing.
    pub s4: u64,
    /// After T1: old and new objects owned.
    pub t1: u64,
    /// After T2: not only new arrays.
    pub t2: u64,
    /// After T3: objects on the fringe owned.
    pub t3: u64,
    /// After T4: a type among the old and the new objects owned. These are the candidates.
    pub t4: u64,
}
