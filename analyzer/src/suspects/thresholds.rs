//! Every number of the search for suspects, in one table. The first five are HeapLens's, from its page *Leak Detection
//! Algorithm*; percentages are of the reachable heap.

use super::Structure;

/// The table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    /// Phases 1 and 3: a loader or an object that retains more is a suspect.
    pub suspect_share: f64,
    /// Phase 2: while the largest child retains more of what its parent does, the walk goes on to it.
    pub walk_down_share: f64,
    /// Phase 3: an object whose largest child retains more of it is only on the way to that child.
    pub pass_through_share: f64,
    /// Phase 3: no more suspects than this.
    pub individual_count: usize,
    /// Phase 4: a class whose instances together retain more is a suspect, if it has more than one.
    pub aggregate_share: f64,
    /// Severity: HIGH above this, MEDIUM up to it.
    pub high_share: f64,
    /// What retains less is never shown by itself: ours, a tenth of what makes a suspect. A structure of 25 MB beside one
    /// of 2 GB is still there.
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

/// How much a suspect keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Up to 30 %.
    Medium,
    /// More.
    High,
}

impl Severity {
    /// As HeapLens writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Medium => "MEDIUM",
            Self::High => "HIGH",
        }
    }
}

impl Thresholds {
    /// Of a share of the reachable heap.
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
