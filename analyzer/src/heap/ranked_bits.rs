//! Bits with a fast count of the set bits before any of them: G. Jacobson, *Space-efficient static trees and graphs*
//! (1989), with one count for every 64 bits.

use super::MAX_OBJECTS;

/// A fixed set of numbers, and the rank of each among them.
#[derive(Debug, Default)]
pub struct RankedBits {
    entries: Vec<Entry>,
    count: u32,
}

/// A word of bits next to its rank: a look-up touches one line of the cache. In 12 bytes, as if they were apart.
#[derive(Clone, Copy, Debug)]
struct Entry {
    low: u32,
    high: u32,
    /// Number of bits set before the word.
    rank: u32,
}

impl Entry {
    #[inline]
    fn word(self) -> u64 {
        u64::from(self.low) | u64::from(self.high) << 32
    }
}

impl RankedBits {
    /// Makes the set. `None` if it has more numbers than a heap has objects.
    pub fn new(words: &[u64]) -> Option<Self> {
        let mut count = 0u64;
        let entry = |&word: &u64| {
            let rank = count as u32;
            count += u64::from(word.count_ones());
            Entry { low: word as u32, high: (word >> 32) as u32, rank }
        };
        let entries = words.iter().map(entry).collect();
        let count = u32::try_from(count).ok().filter(|&count| count < MAX_OBJECTS)?;
        Some(Self { entries, count })
    }

    /// Number of numbers in the set.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The number with a given rank, counted from 0.
    pub fn number(&self, place: u32) -> Option<usize> {
        let at = self.entries.partition_point(|entry| entry.rank <= place).checked_sub(1)?;
        let mut word = self.entries[at].word();
        for _ in self.entries[at].rank..place {
            word &= word.checked_sub(1)?;
        }
        (word != 0).then(|| at * 64 + word.trailing_zeros() as usize)
    }

    /// Count of smaller numbers in the set; `None` if this one is not in it.
    #[inline]
    pub fn place(&self, number: usize) -> Option<u32> {
        let (at, bit) = (number / 64, number % 64);
        let entry = *self.entries.get(at)?;
        let word = entry.word();
        (word >> bit & 1 == 1).then(|| entry.rank + (word & ((1 << bit) - 1)).count_ones())
    }
}
