//! Faults that tests plant in the agent, to prove that they are contained and found out. Only a library that is built
//! with the cargo feature `faults` has any, and options for them; in every other one these types are empty and do
//! nothing.

#[cfg(not(feature = "faults"))]
mod none;
#[cfg(feature = "faults")]
mod planted;

#[cfg(not(feature = "faults"))]
pub use none::{Corruption, FaultError, Faults, Panic};
#[cfg(feature = "faults")]
pub use planted::{Corruption, FaultError, Faults, Panic};

/// The places where a panic may be planted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A walk that marks.
    Mark,
    /// A walk that captures.
    Capture,
    /// A visit.
    Probe,
    /// The end of a collection.
    Gc,
    /// The start of the VM.
    VmInit,
    /// The event of a sampled allocation.
    Allocation,
}

/// A walk's treatment of the next references.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It records them.
    Record,
    /// It passes over them.
    Skip,
    /// It gives up, as if the JVM's stack had another layout.
    GiveUp,
}
