//! Tracking: visits of structures by JNI reads from the agent's own thread. No heap function, no safepoint, ever.
//!
//! Reading order: [`reading`] (operations of a visit), [`route`] (the way through a structure, and one step along it),
//! [`observation`] (a size and its error), [`visit`], the methods to find a size: [`counter`], [`full`], [`large`] and
//! [`chain`]; [`members`] (which came and left), [`budget`] (the number of reads), [`cadence`] (the time of counts and
//! checks), [`failure`], [`structure`] (one probe over its visits: the planner) and [`schedule`] (when). To follow one
//! visit, read `structure::planner`, then the folder of its method.

pub mod budget;
pub mod cadence;
pub mod chain;
pub mod counter;
pub mod failure;
pub mod full;
pub mod large;
pub mod members;
pub mod observation;
pub mod reading;
pub mod route;
pub mod schedule;
pub mod structure;
pub mod visit;

#[cfg(test)]
mod tests;
