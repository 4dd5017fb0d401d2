//! An interval of whole numbers, both ends included. Pure arithmetic, saturating: a program's numbers may be anything.

/// From `low` to `high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The least.
    pub low: i64,
    /// The greatest; not below `low`.
    pub high: i64,
}

impl Span {
    /// One number.
    pub fn at(value: i64) -> Self {
        Self { low: value, high: value }
    }

    /// Everything within `by` of a number.
    pub fn around(value: i64, by: i64) -> Self {
        Self::at(value).widened(by)
    }

    /// The least span that holds both.
    pub fn hull(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// The distance between both; 0 where they meet.
    pub fn gap(self, other: Self) -> i64 {
        self.low.saturating_sub(other.high).max(other.low.saturating_sub(self.high)).max(0)
    }

    /// The numbers that both hold.
    pub fn intersection(self, other: Self) -> Option<Self> {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        (low <= high).then_some(Self { low, high })
    }

    /// Every difference of a number of this and a number of the other.
    pub fn minus(self, other: Self) -> Self {
        Self { low: self.low.saturating_sub(other.high), high: self.high.saturating_sub(other.low) }
    }

    /// Larger by this at both ends.
    pub fn widened(self, by: i64) -> Self {
        Self { low: self.low.saturating_sub(by), high: self.high.saturating_add(by) }
    }

    /// Distance of the ends.
    pub fn width(self) -> i64 {
        self.high.saturating_sub(self.low)
    }

    /// The number half-way.
    pub fn middle(self) -> i64 {
        self.low.midpoint(self.high)
    }

    /// Whether it holds the number.
    pub fn contains(self, value: i64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// Standard error of a number that lies anywhere within.
    pub fn standard_error(self) -> f64 {
        self.width() as f64 / 12.0_f64.sqrt()
    }
}
