//! The size that one method found in one visit, and how far it may be off. Reads nothing.

use rootbound_wire::message::VisitMethod;

/// The size of a structure as one visit observed it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observation {
    /// Members.
    pub size: f64,
    /// Standard error of `size`, in members; infinite while the size is unknown.
    pub error: f64,
    /// The turnover since the last observation, where the method shows it.
    pub turnover: Option<Turnover>,
    /// The method.
    pub method: VisitMethod,
}

/// Members that came and left between two observations.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Turnover {
    /// Members added (estimate, at least the net growth).
    pub additions: f64,
    /// Members removed (estimate).
    pub removals: f64,
}

impl Turnover {
    /// A net change alone: what came and left in the meantime is not known.
    pub fn net(change: f64) -> Self {
        Self { additions: change.max(0.0), removals: (-change).max(0.0) }
    }
}

impl Observation {
    /// A size with its standard error, in members.
    pub fn new(size: f64, error: f64, method: VisitMethod) -> Self {
        Self { size, error, turnover: None, method }
    }

    /// The last known size while a method has found no other.
    pub fn unknown(last: f64, method: VisitMethod) -> Self {
        Self::new(last, f64::INFINITY, method)
    }

    /// The same with the turnover that the method shows.
    pub fn with(self, turnover: impl Into<Option<Turnover>>) -> Self {
        Self { turnover: turnover.into(), ..self }
    }

    /// Whether the size is known at all.
    pub fn is_known(&self) -> bool {
        self.error.is_finite()
    }

    /// Whether both sizes differ by more than this number of standard errors of their difference, and this share of the
    /// larger one.
    pub fn differs(&self, other: &Self, errors: f64, share: f64) -> bool {
        let allowed = errors * libm::hypot(self.error, other.error) + share * self.size.max(other.size);
        self.is_known() && other.is_known() && (self.size - other.size).abs() > allowed
    }
}
