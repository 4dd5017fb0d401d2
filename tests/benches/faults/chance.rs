//! Random numbers that are the same in every run.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::time::Duration;

/// A row of numbers.
#[derive(Debug)]
pub struct Chance(SplitMix64);

impl Chance {
    /// The same row for the same seed.
    pub fn new(seed: u64) -> Self {
        Self(SplitMix64::seed_from_u64(seed))
    }

    /// A random number below `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0.next_u64() % bound
    }

    /// A random time below `bound` milliseconds.
    pub fn milliseconds(&mut self, bound: u64) -> Duration {
        Duration::from_millis(self.below(bound))
    }
}
