//! Tracking: visits of structures by JNI reads from the agent's own thread. No heap function, no safepoint, ever.
//!
//! Reading order: [`reading`] (operations of a visit, and the route), the methods to find a size: [`counter`],
//! [`full`], [`large`] and [`chain`]; [`members`] (which came and left), [`allowance`] (the number of reads),
//! [`failure`], [`structure`] (one probe over its visits: the cheapest method that serves) and [`schedule`] (when). To
//! follow one method, read `reading`, its folder, and `structure::memory`.

pub mod allowance;
pub mod chain;
pub mod counter;
pub mod failure;
pub mod full;
pub mod large;
pub mod members;
pub mod reading;
pub mod schedule;
pub mod structure;

#[cfg(test)]
mod tests;
