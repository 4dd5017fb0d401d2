//! End checks: how far checks at both ends of a chain can be relied on between two counts of it. Reads nothing.
//!
//! An end check does not see members that come or leave in the middle; the next count shows their number. In a sorted
//! list, or among a skip list's nodes, the ends show next to nothing. In a cache that drops a node for each new one
//! they show only the new ones.

/// Unseen growth that is tolerated: one in this number of the seen growth.
const UNSAID_SHARE: f64 = 8.0;

/// The end checks since the last count.
#[derive(Default)]
pub struct EndChecks {
    /// Additions seen.
    seen: f64,
    /// Share of those before the last count that it did not find again, in [0, 1].
    unseen: f64,
    /// Whether the last count found about as many members as the checks before it predicted; `None` before there were
    /// two.
    see_all: Option<bool>,
}

impl EndChecks {
    /// Adds this number of members that came at the ends.
    pub fn add(&mut self, count: f64) {
        self.seen += count;
    }

    /// Calibrates after a count that was exact, as the one before it was: compares the size expected by the checks
    /// with the count.
    pub fn calibrate(&mut self, expected: f64, counted: f64) {
        let missed = counted - expected;
        if self.seen > 0.0 {
            self.unseen = (-missed / self.seen).clamp(0.0, 1.0);
        }
        self.see_all = Some(if self.seen > 0.0 { missed <= self.seen / UNSAID_SHARE } else { missed == 0.0 });
    }

    /// A count has ended.
    pub fn begin_anew(&mut self) {
        self.seen = 0.0;
    }

    /// Number of the seen additions that have probably left again.
    pub fn expected_losses(&self) -> f64 {
        self.unseen * self.seen
    }

    /// Whether the size is known by end checks. Where nothing comes at the ends, that proves nothing of a chain that
    /// was counted once.
    pub fn is_reliable(&self) -> bool {
        self.see_all.unwrap_or(self.seen > 0.0)
    }
}
