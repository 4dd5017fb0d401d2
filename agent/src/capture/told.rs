//! What a walk has told already, in memory of fixed size: nothing here allocates once it is made. Forgetting is harmless,
//! a thing is told twice then.

use rootbound_wire::graph::Address;
use rootbound_wire::ids::ObjectId;

/// The addresses told lately: each has one place, and the next that needs it takes it.
pub struct Lately {
    places: Vec<u64>,
}

impl Lately {
    /// Room for so many addresses; a power of two.
    pub fn new(places: usize) -> Self {
        Self { places: vec![0; places.next_power_of_two().max(2)] }
    }

    /// Notes an address; whether it is news.
    #[inline]
    pub fn is_news(&mut self, address: Address) -> bool {
        let bits = self.places.len().trailing_zeros();
        let place = &mut self.places[(address.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - bits)) as usize];
        std::mem::replace(place, address.0) != address.0
    }

    /// Whether an address was noted lately.
    #[inline]
    pub fn knows(&self, address: Address) -> bool {
        let bits = self.places.len().trailing_zeros();
        self.places[(address.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - bits)) as usize] == address.0
    }
}

/// A set of the ids that were given before the walk, 1, 2, 3 …
pub struct Once {
    words: Vec<u64>,
}

impl Once {
    /// For ids up to `last`.
    pub fn new(last: u64) -> Self {
        Self { words: vec![0; last as usize / 64 + 1] }
    }

    /// Notes an id; whether it is news. Ids beyond the last are not.
    #[inline]
    pub fn is_news(&mut self, id: ObjectId) -> bool {
        let Some(word) = self.words.get_mut(id.0 as usize / 64) else { return false };
        let bit = 1 << (id.0 % 64);
        let is_news = *word & bit == 0;
        *word |= bit;
        is_news
    }
}

/// The size that instances of each class have as a rule: that of the first one seen.
pub struct Sizes {
    bytes: Vec<u64>,
}

/// What the rule says of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// It has made the rule.
    First,
    /// It keeps to it.
    Usual,
    /// It does not, or its class has no rule.
    Unusual,
}

impl Sizes {
    /// For classes with ids up to `last`.
    pub fn new(last: u64) -> Self {
        Self { bytes: vec![0; last as usize + 1] }
    }

    /// Notes an instance.
    #[inline]
    pub fn note(&mut self, class: Option<ObjectId>, bytes: u64) -> Size {
        let Some(rule) = class.and_then(|class| self.bytes.get_mut(class.0 as usize)) else { return Size::Unusual };
        match *rule {
            usual if usual == bytes => Size::Usual,
            0 => {
                *rule = bytes;
                Size::First
            }
            _ => Size::Unusual,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_told_is_no_news_until_it_is_forgotten() {
        let mut lately = Lately::new(2);
        assert!(lately.is_news(Address(8)) && !lately.is_news(Address(8)) && lately.knows(Address(8)));
        let others = (2..40).filter(|&address| lately.is_news(Address(8 * address))).count();
        assert_eq!((others, lately.is_news(Address(8))), (38, true));
    }

    #[test]
    fn each_id_is_news_once() {
        let mut once = Once::new(64);
        assert!(once.is_news(ObjectId(64)) && !once.is_news(ObjectId(64)) && once.is_news(ObjectId(1)));
        assert!(!once.is_news(ObjectId(1000)));
    }

    #[test]
    fn the_first_instance_makes_the_rule() {
        let mut sizes = Sizes::new(3);
        let class = Some(ObjectId(3));
        let seen = [(class, 24), (class, 24), (class, 32), (None, 24), (Some(ObjectId(4)), 24)];
        let seen = seen.map(|(class, bytes)| sizes.note(class, bytes));
        assert_eq!(seen, [Size::First, Size::Usual, Size::Unusual, Size::Unusual, Size::Unusual]);
    }
}
