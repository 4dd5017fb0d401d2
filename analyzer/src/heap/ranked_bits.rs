//! Bits with a fast count of the set bits before any of them: G. Jacobson, *Space-efficient static trees and graphs*
//! (1989), with one count for every 64 bits.

use super::MAX_OBJECTS;

/// A fixed set of numbers, and the rank of each among them.
#[derive(Debug, Default)]
pub struct RankedBits {
    words: Vec<u64>,
    /// By word: number of bits set before it.
    ranks: Vec<u32>,
    count: u32,
}

impl RankedBits {
    /// Makes the set. `None` if it has more numbers than a heap has objects.
    pub fn new(words: Vec<u64>) -> Option<Self> {
        let mut count = 0u64;
        let ranks = words.iter().map(|word| (count, count += u64::from(word.count_ones())).0 as u32).collect();
        let count = u32::try_from(count).ok().filter(|&count| count < MAX_OBJECTS)?;
        Some(Self { words, ranks, count })
    }

    /// Number of numbers in the set.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The number with a given rank, counted from 0.
    pub fn number(&self, place: u32) -> Option<usize> {
        let at = self.ranks.partition_point(|&rank| rank <= place).checked_sub(1)?;
        let mut word = self.words[at];
        for _ in self.ranks[at]..place {
            word &= word.checked_sub(1)?;
        }
        (word != 0).then(|| at * 64 + word.trailing_zeros() as usize)
    }

    /// Count of smaller numbers in the set; `None` if this one is not in it.
    #[inline]
    pub fn place(&self, number: usize) -> Option<u32> {
        let (at, bit) = (number / 64, number % 64);
        let word = *self.words.get(at)?;
        (word >> bit & 1 == 1).then(|| self.ranks[at] + (word & ((1 << bit) - 1)).count_ones())
    }
}
