//! What looks at both ends of a chain are worth between two counts of it. Reads nothing.
//!
//! A look does not see who comes in the middle, or leaves there. How much that is the next count shows: of a list that is
//! kept in order, or of a skip list's nodes, the ends tell next to nothing, and of a cache that drops a node for each that
//! it takes only the half that comes.

/// Growth beside what was seen that is left unsaid: one in so many of that.
const UNSAID_SHARE: f64 = 8.0;

/// The looks since the last count.
#[derive(Default)]
pub struct EndChecks {
    /// Additions seen.
    seen: f64,
    /// Share of those before the last count that it did not find again, in [0, 1].
    unseen: f64,
    /// Whether the last count found about as many members as the looks before it said; `None` before there were two.
    see_all: Option<bool>,
}

impl EndChecks {
    /// So many came at the ends.
    pub fn add(&mut self, count: f64) {
        self.seen += count;
    }

    /// After a count that was exact, as the one before it was: what there should have been by the looks, and what was.
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

    /// Of the additions seen, how many have probably left again.
    pub fn expected_losses(&self) -> f64 {
        self.unseen * self.seen
    }

    /// Whether the size is known by them: that nothing comes at the ends says nothing yet of a chain that was counted once.
    pub fn is_reliable(&self) -> bool {
        self.see_all.unwrap_or(self.seen > 0.0)
    }
}
