//! Tracking: visits of structures by JNI reads from the agent's own thread. No heap function, no safepoint, ever.
//!
//! Reading order: [`reader`] (what a visit may do), [`route`] (the automaton), [`full`], [`sampled`], [`frontier`]
//! over [`chain_walk`] (the three ways to count), [`members`] (who came and left), [`memory`] (one probe over its visits),
//! [`bias`] and [`random`], [`live`] (the JVM as a reader), [`names`] (what probes name, owners above all), [`install`]
//! and [`tracker`] (the tick).

pub mod bias;
pub mod chain_walk;
pub mod frontier;
pub mod full;
pub mod install;
pub mod live;
pub mod members;
pub mod memory;
pub mod names;
pub mod random;
pub mod reader;
pub mod route;
pub mod sampled;
pub mod tracker;

#[cfg(test)]
mod chain_tests;
#[cfg(test)]
mod count_tests;
#[cfg(test)]
mod fake_heap;
#[cfg(test)]
mod member_tests;
