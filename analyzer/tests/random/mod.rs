//! Seeded random numbers for generated heaps: the same seed gives the same heap on every machine.
#![allow(dead_code)] // Each test uses its part.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// The generator.
pub struct Random(SplitMix64);

impl Random {
    /// The seed is mixed, so that neighbouring seeds do not give shifted copies of one sequence.
    pub fn new(seed: u64) -> Self {
        Self(SplitMix64::seed_from_u64(SplitMix64::seed_from_u64(seed).next_u64()))
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.0.next_u64() % bound as u64) as usize
    }

    /// A number in [0, 1).
    pub fn unit(&mut self) -> f64 {
        self.below(1 << 20) as f64 / f64::from(1 << 20)
    }

    /// True in this percentage of cases.
    pub fn percent(&mut self, share: usize) -> bool {
        self.below(100) < share
    }
}
