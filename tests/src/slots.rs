//! How many watched JVMs run at once: more than a few, and each would be measured on a machine that has no time for it.

use std::sync::{Condvar, Mutex};

static USUAL: Slots = Slots::new(6);

/// So many JVMs may run at once.
pub struct Slots {
    places: usize,
    taken: Mutex<Taken>,
    freed: Condvar,
}

#[derive(Debug)]
struct Taken {
    count: usize,
    /// How many wait to be alone: nobody else begins meanwhile.
    waiting_alone: usize,
}

/// The right to run one watched JVM, or to run it alone; given back on drop.
pub struct Slot {
    slots: &'static Slots,
    places: usize,
}

/// Waits for a slot among those of the usual tests.
pub fn take() -> Slot {
    USUAL.take()
}

/// Waits until none of the usual tests runs, and keeps them from beginning.
pub fn alone() -> Slot {
    USUAL.alone()
}

impl Slots {
    /// Room for so many.
    pub const fn new(at_once: usize) -> Self {
        let taken = Mutex::new(Taken { count: 0, waiting_alone: 0 });
        Self { places: at_once, taken, freed: Condvar::new() }
    }

    /// Waits for a slot.
    pub fn take(&'static self) -> Slot {
        let mut taken = self.taken.lock().expect("no slot holder panics while it counts");
        while taken.count == self.places || taken.waiting_alone > 0 {
            taken = self.freed.wait(taken).expect("no slot holder panics while it counts");
        }
        taken.count += 1;
        Slot { slots: self, places: 1 }
    }

    /// Waits until nobody else has one.
    pub fn alone(&'static self) -> Slot {
        let mut taken = self.taken.lock().expect("no slot holder panics while it counts");
        taken.waiting_alone += 1;
        while taken.count > 0 {
            taken = self.freed.wait(taken).expect("no slot holder panics while it counts");
        }
        taken.waiting_alone -= 1;
        taken.count = self.places;
        Slot { slots: self, places: self.places }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.slots.taken.lock().expect("no slot holder panics while it counts").count -= self.places;
        self.slots.freed.notify_all();
    }
}
