//! Random numbers, seeded by the probe so that a test can repeat a visit.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// The generator.
#[derive(Clone, Debug)]
pub struct Random(SplitMix64);

impl Random {
    /// Seeded.
    pub fn new(seed: u64) -> Self {
        Self(SplitMix64::seed_from_u64(seed.wrapping_mul(0xA076_1D64_78BD_642F)))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Uniform below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.unit() * bound as f64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    /// Which members are sampled depends on them, so a change would change reports.
    #[test]
    fn the_numbers_stay_the_same() {
        let mut random = Random::new(1);
        assert_eq!([random.bits(), random.bits()], [0x4396_D60D_BD85_37AF, 0xE98F_F1A0_396F_F552]);
    }
}
