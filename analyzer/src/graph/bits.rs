//! A set of small numbers, one bit each.

/// A fixed-size set of numbers below its length.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    /// The empty set of numbers below `len`.
    pub fn new(len: usize) -> Self {
        Self { words: vec![0; len.div_ceil(64)] }
    }

    /// Adds a number; returns whether it is new to the set.
    #[inline]
    pub fn insert(&mut self, at: usize) -> bool {
        let (word, bit) = (&mut self.words[at / 64], 1 << (at % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// Takes a number out.
    #[inline]
    pub fn remove(&mut self, at: usize) {
        self.words[at / 64] &= !(1 << (at % 64));
    }

    /// Whether the number is in the set.
    #[inline]
    pub fn contains(&self, at: usize) -> bool {
        self.words[at / 64] & (1 << (at % 64)) != 0
    }

    /// Count of numbers in the set.
    pub fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }
}
