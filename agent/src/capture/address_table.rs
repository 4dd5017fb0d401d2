//! The addresses of a capture's named objects during the pause: a table from addresses to names. It is made before the
//! walk and filled from the handles when the walk begins. Inside heap callbacks: no allocation, no lock, no call to
//! the JVM.

use rootbound_wire::graph::Address;
use rootbound_wire::ids::ObjectId;

/// An open-addressed table, less than half full.
pub struct AddressTable {
    /// Address and id; address 0 is a free place.
    places: Vec<(u64, u32)>,
    shift: u32,
    distinct: u64,
}

impl AddressTable {
    /// Creates a table with room for `objects` objects.
    pub fn new(objects: u64) -> Self {
        let places = (2 * objects as usize + 2).next_power_of_two();
        Self { places: vec![(0, 0); places], shift: 64 - places.trailing_zeros(), distinct: 0 }
    }

    /// Inserts the object at this address. Beyond the room that was made nothing is inserted.
    pub fn insert(&mut self, object: Address, id: ObjectId) {
        if (self.distinct as usize + 1) * 2 > self.places.len() {
            return;
        }
        let at = self.find(object);
        self.distinct += u64::from(self.places[at].0 == 0);
        self.places[at] = (object.0, id.0 as u32);
    }

    /// The name of the object at this address.
    #[inline]
    pub fn id(&self, object: Address) -> Option<ObjectId> {
        let (_, id) = self.places[self.find(object)];
        (id != 0).then_some(ObjectId(u64::from(id)))
    }

    /// Memory that it holds.
    pub fn bytes(&self) -> u64 {
        (self.places.len() * size_of::<(u64, u32)>()) as u64
    }

    /// Number of objects inserted.
    pub fn distinct(&self) -> u64 {
        self.distinct
    }

    /// The index of its entry, or of the free one where it would be.
    #[inline]
    fn find(&self, object: Address) -> usize {
        let mut at = (object.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize;
        while self.places[at].0 != object.0 && self.places[at].0 != 0 {
            at = (at + 1) & (self.places.len() - 1);
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_found_where_they_were_inserted_and_nowhere_else() {
        for count in [0, 1, 2, 7, 1000] {
            let mut known = AddressTable::new(count);
            (1..=count).for_each(|id| known.insert(Address((id * 8) << 20), ObjectId(id)));
            for id in 1..=count {
                assert_eq!(known.id(Address((id * 8) << 20)), Some(ObjectId(id)));
                assert_eq!(known.id(Address(((id * 8) << 20) ^ 8)), None);
            }
            assert_eq!((known.distinct(), known.id(Address(8))), (count, None));
        }
    }

    #[test]
    fn an_address_that_is_inserted_twice_counts_once() {
        let mut known = AddressTable::new(2);
        known.insert(Address(16), ObjectId(1));
        known.insert(Address(16), ObjectId(2));
        assert_eq!((known.distinct(), known.id(Address(16))), (1, Some(ObjectId(2))));
    }

    #[test]
    fn objects_beyond_the_room_are_not_inserted() {
        let mut known = AddressTable::new(1);
        (1..100).for_each(|id| known.insert(Address(8 * id), ObjectId(id)));
        assert!(known.distinct() < 4 && known.id(Address(8 * 99)).is_none());
    }
}
