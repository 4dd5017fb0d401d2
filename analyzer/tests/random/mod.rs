//! Seeded random numbers for generated heaps: the same seed gives the same heap on every machine.
#![allow(dead_code)] // Each test uses its part.

/// SplitMix64 (Steele, Lea, Flood 2014).
pub struct Random(u64);

const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

impl Random {
    /// The seed is mixed, so that neighbouring seeds do not give shifted copies of one sequence.
    pub fn new(seed: u64) -> Self {
        Self(mix(seed.wrapping_add(STEP)))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mix(self.0)
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
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

fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
