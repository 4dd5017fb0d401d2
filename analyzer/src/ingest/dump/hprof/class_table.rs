//! From the ids of classes to their places: open addressing, for it is asked once an object.

/// Places by id.
#[derive(Debug)]
pub(super) struct ClassTable {
    /// Id and place; an id of 0 is an empty slot. A power of two of them, at least twice as many as there are classes.
    slots: Vec<(u64, u32)>,
    shift: u32,
}

impl ClassTable {
    /// For so many classes.
    pub(super) fn with_capacity(classes: usize) -> Self {
        let slots = (2 * classes).next_power_of_two().max(16);
        Self { slots: vec![(0, 0); slots], shift: 64 - slots.trailing_zeros() }
    }

    /// Notes a class, unless its id stands there already or is 0.
    pub(super) fn insert(&mut self, id: u64, place: u32) {
        let slot = self.slot(id);
        if id != 0 && self.slots[slot].0 == 0 {
            self.slots[slot] = (id, place);
        }
    }

    /// The place of a class; that of the unknown one, 0, where there is no such class.
    #[inline]
    pub(super) fn place(&self, id: u64) -> u32 {
        self.slots[self.slot(id)].1
    }

    /// Where the id stands or would stand. Half of the slots are empty, so there is one.
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
        let mut table = ClassTable::with_capacity(1000);
        (1..=1000).for_each(|at| table.insert(u64::from(at) * 8, at));
        table.insert(8, 77);
        assert!((1..=1000).all(|at| table.place(u64::from(at) * 8) == at));
        assert_eq!((table.place(0), table.place(4), table.place(u64::MAX)), (0, 0, 0));
    }
}
