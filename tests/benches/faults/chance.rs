//! Random numbers that are the same in every run (splitmix64).

use std::time::Duration;

/// A row of numbers.
#[derive(Debug)]
pub struct Chance(u64);

impl Chance {
    /// The same row for the same seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A random number below `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % bound
    }

    /// A random time below `bound` milliseconds.
    pub fn milliseconds(&mut self, bound: u64) -> Duration {
        Duration::from_millis(self.below(bound))
    }
}
