//! Addresses and ids that a walk has reported already, in memory of fixed size: nothing here allocates once it is
//! made. Forgetting is harmless: the record is written twice then.

use rootbound_wire::graph::Address;
use rootbound_wire::ids::ObjectId;

/// The addresses reported recently. Each has one place, and the next address with that place replaces it.
pub struct RecentAddresses {
    places: Vec<u64>,
}

impl RecentAddresses {
    /// Creates a table with room for `places` addresses, rounded up to a power of two.
    pub fn new(places: usize) -> Self {
        Self { places: vec![0; places.next_power_of_two().max(2)] }
    }

    /// Inserts an address; `true` if it was not there.
    #[inline]
    pub fn insert(&mut self, address: Address) -> bool {
        let bits = self.places.len().trailing_zeros();
        let place = &mut self.places[(address.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - bits)) as usize];
        std::mem::replace(place, address.0) != address.0
    }
}

/// A set of the ids that were assigned before the walk, 1, 2, 3 …
pub struct SeenIds {
    words: Vec<u64>,
}

impl SeenIds {
    /// Creates a set for ids up to `last`.
    pub fn new(last: u64) -> Self {
        Self { words: vec![0; last as usize / 64 + 1] }
    }

    /// Inserts an id; `true` if it was not there. Ids beyond the last are ignored and return `false`.
    #[inline]
    pub fn insert(&mut self, id: ObjectId) -> bool {
        let Some(word) = self.words.get_mut(id.0 as usize / 64) else { return false };
        let bit = 1 << (id.0 % 64);
        let is_unseen = *word & bit == 0;
        *word |= bit;
        is_unseen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_inserted_once_until_it_is_forgotten() {
        let mut recent = RecentAddresses::new(2);
        assert!(recent.insert(Address(8)) && !recent.insert(Address(8)));
        let others = (2..40).filter(|&address| recent.insert(Address(8 * address))).count();
        assert_eq!((others, recent.insert(Address(8))), (38, true));
    }

    #[test]
    fn each_id_is_inserted_once() {
        let mut seen = SeenIds::new(64);
        assert!(seen.insert(ObjectId(64)) && !seen.insert(ObjectId(64)) && seen.insert(ObjectId(1)));
        assert!(!seen.insert(ObjectId(1000)));
    }
}
