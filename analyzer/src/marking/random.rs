//! Seeded random numbers, so that the same heap and seed give the same plan on every machine.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// The generator.
pub(super) struct Random(SplitMix64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(SplitMix64::seed_from_u64(seed))
    }

    /// True with a chance of `part` in `whole`, which is not 0.
    pub(super) fn chance(&mut self, part: u64, whole: u64) -> bool {
        // The high half of a product is as evenly distributed as the modulus, and needs no division.
        let below = (u128::from(self.0.next_u64()) * u128::from(whole)) >> 64;
        below < u128::from(part)
    }
}
