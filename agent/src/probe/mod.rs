//! Tracking: visits of structures by JNI reads from the agent's own thread. No heap function, no safepoint, ever.
//!
//! Reading order: [`reader`] (what a visit may do), [`route`] (the automaton), the ways to see a size: [`counter`] over
//! [`span`], [`full`], for chains ([`chained`]) [`frontier`] over [`chain_walk`] and [`looks`], for what is wide ([`wide`])
//! [`slots`] and [`fill`], [`passes`] over [`cursor`], [`sampled`]; [`backoff`] (when counts are made for counters alone);
//! [`members`] (who came and left) and [`way`] (what was replaced), [`teller`] (what a visit says), [`memory`] (one probe
//! over its visits: the cheapest way that serves); [`tangled`] over [`marked`], where members are reached on several ways
//! each, [`buffer`] (one array of primitive values), and [`visitor`] (any of these); [`bias`], [`live`] and [`live_counter`] (the JVM as a reader),
//! [`names`] (what probes name, owners above all), [`install`], [`allowance`] (how much may be read), [`gate`] (when) and
//! [`tracker`] (the tick).

pub mod allowance;
pub mod backoff;
pub mod bias;
pub mod buffer;
pub mod chain_walk;
pub mod chained;
pub mod counter;
pub mod cursor;
pub mod fill;
pub mod frontier;
pub mod full;
pub mod gate;
pub mod install;
pub mod live;
pub mod live_counter;
pub mod looks;
pub mod marked;
pub mod members;
pub mod memory;
pub mod names;
pub mod passes;
pub mod reader;
pub mod route;
pub mod sampled;
pub mod slots;
pub mod span;
pub mod tangled;
pub mod teller;
pub mod tracker;
pub mod visit;
pub mod visitor;
pub mod way;
pub mod wide;

#[cfg(test)]
mod chain_tests;
#[cfg(test)]
mod count_tests;
#[cfg(test)]
mod counter_tests;
#[cfg(test)]
mod fake_heap;
#[cfg(test)]
mod member_tests;
#[cfg(test)]
mod rate_tests;
#[cfg(test)]
mod restless;
#[cfg(test)]
mod restless_tests;
#[cfg(test)]
mod tangled_tests;
