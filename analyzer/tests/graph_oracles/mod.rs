//! The graph algorithms against brute force: whatever they compute near-linearly is computed here again as its
//! definition says, on hundreds of small random heaps with cycles, self references, parallel references, several
//! roots and unreachable parts.

mod brute_force;
mod dominated;
mod dominators;
mod entries;
mod long_structures;
mod ownership;
mod paths;
pub mod random_heap;
mod reachability;
mod regions_and_ages;
mod structures;
mod weighted_ages;
