//! Chains, which can be read from one end only.
//!
//! [`chained`] over [`frontier`], [`chain_walk`] and [`looks`].

pub mod chain_walk;
pub mod chained;
pub mod frontier;
pub mod looks;
