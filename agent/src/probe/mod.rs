//! Tracking: visits of structures by JNI reads from the agent's own thread. No heap function, no safepoint, ever.
//!
//! Reading order: [`reading`] (what a visit may do, and the route), the ways to see a size: [`counter`], [`full`], [`large`] and
//! [`chain`]; [`members`] (which came and left), [`allowance`] (how much may be read), [`structure`] (one probe over its visits:
//! the cheapest way that serves) and [`schedule`] (when). To follow one way to count, read `reading`, its folder, and
//! `structure::memory`.

pub mod allowance;
pub mod chain;
pub mod counter;
pub mod full;
pub mod large;
pub mod members;
pub mod reading;
pub mod schedule;
pub mod structure;

#[cfg(test)]
mod tests;
