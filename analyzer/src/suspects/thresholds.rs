//! Every number of the search for suspects, in one table. The first five are HeapLens's, from its page *Leak Detection
//! Algorithm*; percentages are of the reachable heap.

use super::Structure;

/// The table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    /// Phases 1 and 3: share of the heap above which a loader or an object is a suspect.
    pub suspect_share: f64,
    /// Phase 2: share of the parent's retained size above which the walk goes on to the largest child.
    pub walk_down_share: f64,
    /// Phase 3: share of an object's retained size above which its largest child makes it a pass-through.
    pub pass_through_share: f64,
    /// Phase 3: most suspects.
    pub individual_count: usize,
    /// Phase 4: share of the heap above which the instances of a class together are a suspect, if there is more than
    /// one.
    pub aggregate_share: f64,
    /// Severity: HIGH above this, MEDIUM up to it.
    pub high_share: f64,
    /// Least share of the heap that is listed by itself. It is ours, a tenth of a suspect's share: a structure of 25 MB
    /// next to one of 2 GB is still listed.
    pub shown_share: f64,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self {
            suspect_share: 0.05,
            walk_down_share: 0.80,
            pass_through_share: 0.90,
            individual_count: 10,
            aggregate_share: 0.10,
            high_share: 0.30,
            shown_share: 0.005,
        }
    }
}

/// Severity of a suspect, by the size that it retains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Up to 30 % of the heap.
    Medium,
    /// More than 30 % of the heap.
    High,
}

impl Severity {
    /// The name that HeapLens uses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Medium => "MEDIUM",
            Self::High => "HIGH",
        }
    }
}

impl Thresholds {
    /// The severity for a share of the reachable heap.
    pub fn severity(&self, share: f64) -> Severity {
        if share > self.high_share { Severity::High } else { Severity::Medium }
    }

    pub(super) fn is_pass_through(&self, structure: &Structure) -> bool {
        structure.largest_below_bytes as f64 > self.pass_through_share * structure.retained_bytes as f64
    }

    pub(super) fn least_shown_bytes(&self, reachable_bytes: u64) -> u64 {
        ((self.shown_share * reachable_bytes as f64) as u64).max(1)
    }
}
