//! Tracking: visits of structures by JNI reads from the agent's own thread. No heap function, no safepoint, ever.
//!
//! Reading order: [`reader`] (what a visit may do), [`route`] (the automaton), [`full`], [`sampled`], [`frontier`]
//! (the three ways to count), [`memory`] (one probe over its visits), [`bias`] and [`random`], [`live`] (the JVM as a
//! reader), [`tracker`] (installation and the tick).

pub mod bias;
pub mod frontier;
pub mod full;
pub mod live;
pub mod memory;
pub mod random;
pub mod reader;
pub mod route;
pub mod sampled;
pub mod tracker;

#[cfg(test)]
mod fake_heap;
