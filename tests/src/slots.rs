//! Limit on the number of watched JVMs at one time: with more than a few, each would be measured on an overloaded
//! machine.

use std::sync::{Condvar, Mutex};

/// Most tests wait for their program's growth: sixteen at a time kept 28 % of two processors busy.
static USUAL: Slots = Slots::new(16);
/// Places of a program that keeps a processor busy.
const BUSY: usize = 4;

/// A limited number of JVMs that may run at the same time.
pub struct Slots {
    places: usize,
    taken: Mutex<Taken>,
    freed: Condvar,
}

#[derive(Debug)]
struct Taken {
    count: usize,
    /// Number of tests that wait to be alone: no other begins meanwhile.
    waiting_alone: usize,
}

/// The right to run one watched JVM, or to run it alone; returned on drop.
pub struct Slot {
    slots: &'static Slots,
    places: usize,
}

/// Waits for a slot among those of the usual tests.
pub fn take() -> Slot {
    USUAL.take()
}

/// Likewise, for a program that keeps a processor busy.
pub fn take_busy() -> Slot {
    USUAL.take_places(BUSY)
}

/// Waits until none of the usual tests runs, and blocks them.
pub fn alone() -> Slot {
    USUAL.alone()
}

impl Slots {
    /// Slots for `at_once` JVMs.
    pub const fn new(at_once: usize) -> Self {
        let taken = Mutex::new(Taken { count: 0, waiting_alone: 0 });
        Self { places: at_once, taken, freed: Condvar::new() }
    }

    /// Waits for a slot.
    pub fn take(&'static self) -> Slot {
        self.take_places(1)
    }

    /// Waits for as many places, which are returned together.
    fn take_places(&'static self, places: usize) -> Slot {
        let mut taken = self.taken.lock().expect("no slot holder panics while it counts");
        while taken.count + places > self.places || taken.waiting_alone > 0 {
            taken = self.freed.wait(taken).expect("no slot holder panics while it counts");
        }
        taken.count += places;
        Slot { slots: self, places }
    }

    /// Waits until all slots are free.
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
