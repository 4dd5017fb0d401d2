//! Gating functions (LeakBot §3.4): "a superposition of cubic exponential gating functions to implement either
//! high-pass, low-pass, or band-pass filters".
//!
//! A gate is agnostic (1) if its attribute is no evidence against a candidate, and falls to `worst` at the bad extreme.
//! It is never above 1: no attribute alone is evidence for a candidate.

/// Shape and constants of one gate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gate {
    /// 1 at 0, `worst` far above `scale`.
    LowPass {
        /// Value at which the gate has fallen by 63 %.
        scale: f64,
        /// Value at the bad extreme.
        worst: f64,
    },
    /// `worst` at 0, 1 far above `scale`.
    HighPass {
        /// Value at which the gate has risen by 63 %.
        scale: f64,
        /// Value at the bad extreme.
        worst: f64,
    },
    /// `worst_low` at 0, 1 between the two scales, `worst_high` far above `high`.
    BandPass {
        /// Value at which the gate has risen by 63 %.
        low: f64,
        /// Value at which it has fallen by 63 %.
        high: f64,
        /// Value at 0.
        worst_low: f64,
        /// Value at the upper extreme.
        worst_high: f64,
    },
}

impl Gate {
    /// The gated value of an attribute `x` ≥ 0.
    pub fn pass(self, x: f64) -> f64 {
        match self {
            Self::LowPass { scale, worst } => between(worst, cubic(x / scale)),
            Self::HighPass { scale, worst } => between(worst, 1.0 - cubic(x / scale)),
            Self::BandPass { low, high, worst_low, worst_high } => {
                let rising = between(worst_low, 1.0 - cubic(x / low));
                let falling = between(worst_high, cubic(x / high));
                rising + falling - 1.0
            }
        }
    }
}

/// exp(−x³): flat around 0, steep around 1.
fn cubic(x: f64) -> f64 {
    (-x.powi(3)).exp()
}

/// From `worst` (at 0) to 1 (at 1).
fn between(worst: f64, share: f64) -> f64 {
    worst + (1.0 - worst) * share
}

/// The constants of G1–G9, and the reasons for them (docs/ranking.md lists the cases).
pub mod table {
    use super::Gate;

    /// G1, on-stack ownership: new owned objects that stacks hold, as a share of the fringe. The curve is as sharp as
    /// the paper's: if stacks hold a fifth of the growth, the growth is work in progress.
    pub const ON_STACK_OWNERSHIP: Gate = Gate::LowPass { scale: 0.2, worst: -3.0 };
    /// G2, on-stack reachability: 1 for a new object that only stacks reach, less if it is old or otherwise reached. An
    /// object that outlived T1 is not transient, whatever holds it.
    pub const ON_STACK_REACHABILITY: Gate = Gate::LowPass { scale: 0.6, worst: -3.0 };
    /// G3, number of objects owned, log10: ten objects are hardly a structure, a hundred are one.
    pub const OWNED_COUNT: Gate = Gate::HighPass { scale: 1.3, worst: -0.5 };
    /// G3, bytes owned, log10.
    pub const OWNED_BYTES: Gate = Gate::HighPass { scale: 3.0, worst: 0.0 };
    /// G4, new objects owned, log10(1 + n): three leaked editors must still count (§3.6).
    pub const NEW_OWNERSHIP: Gate = Gate::HighPass { scale: 0.9, worst: -0.5 };
    /// G5, object arrays as a share of objects owned: none is less likely, mostly arrays is unlikely.
    pub const ARRAY_OWNERSHIP: Gate = Gate::BandPass { low: 1e-5, high: 0.6, worst_low: 0.3, worst_high: -1.0 };
    /// G6, objects on the fringe, log10(1 + n).
    pub const FRINGE_OWNERSHIP: Gate = Gate::HighPass { scale: 0.9, worst: -0.5 };
    /// G7, share of the most frequent type on the fringe: below a quarter it is a general-purpose structure.
    pub const FRINGE_UNIFORMITY: Gate = Gate::HighPass { scale: 0.3, worst: -1.5 };
    /// G8, share of new objects whose type was owned before: "strongly discount".
    pub const DATATYPE_INTERSECTION: Gate = Gate::HighPass { scale: 0.4, worst: -3.0 };
    /// G9, share of owned objects with a dominance frontier. Gentle: doubly linked lists and references to shared
    /// constants give objects a frontier without embedding them in anything.
    pub const DOMINANCE_FRONTIER: Gate = Gate::LowPass { scale: 0.9, worst: -0.5 };
}
