//! From the ids of classes to small numbers. It uses open addressing, for there is one look-up for every object.

/// Numbers by id.
#[derive(Debug)]
pub(super) struct ClassTable {
    /// Id and number; an id of 0 is an empty slot. The number of slots is a power of two, at least twice the number of
    /// classes.
    slots: Vec<(u64, u32)>,
    shift: u32,
    count: usize,
}

impl Default for ClassTable {
    fn default() -> Self {
        Self::with_slots(64)
    }
}

impl ClassTable {
    fn with_slots(slots: usize) -> Self {
        Self { slots: vec![(0, 0); slots], shift: 64 - slots.trailing_zeros(), count: 0 }
    }

    /// Adds a class, unless its id is present already or is 0.
    pub(super) fn insert(&mut self, id: u64, number: u32) {
        let slot = self.slot(id);
        if id == 0 || self.slots[slot].0 != 0 {
            return;
        }
        self.slots[slot] = (id, number);
        self.count += 1;
        if 2 * self.count > self.slots.len() {
            let mut larger = Self::with_slots(2 * self.slots.len());
            self.slots.iter().for_each(|&(id, number)| larger.insert(id, number));
            *self = larger;
        }
    }

    /// The number of a class; 0 if there is no such class.
    #[inline]
    pub(super) fn number(&self, id: u64) -> u32 {
        self.slots[self.slot(id)].1
    }

    /// Number of classes in the table.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Ids and numbers, in no order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, u32)> + '_ {
        self.slots.iter().copied().filter(|slot| slot.0 != 0)
    }

    /// The slot of the id, or the free slot where it belongs. Half of the slots are empty, so there is one.
    #[inline]
    fn slot(&self, id: u64) -> usize {
        let mut slot = (id.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize;
        loop {
            let there = self.slots[slot].0;
            if there == id || there == 0 {
                return slot;
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_is_found_and_no_other() {
        let mut table = ClassTable::default();
        (1..=1000).for_each(|at| table.insert(u64::from(at) * 8, at));
        table.insert(8, 77);
        assert!((1..=1000).all(|at| table.number(u64::from(at) * 8) == at));
        assert_eq!((table.number(0), table.number(4), table.number(u64::MAX)), (0, 0, 0));
        assert_eq!((table.count(), table.iter().count()), (1000, 1000));
    }
}
