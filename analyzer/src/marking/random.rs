//! Seeded random numbers, so that the same heap and seed give the same plan on every machine.

/// SplitMix64 (Steele, Lea, Flood 2014).
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// True with a chance of `part` in `whole`, which is not 0.
    pub(super) fn chance(&mut self, part: u64, whole: u64) -> bool {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        // The high half of a product is as evenly distributed as the modulus, and needs no division.
        let below = (u128::from(bits ^ (bits >> 31)) * u128::from(whole)) >> 64;
        below < u128::from(part)
    }
}
