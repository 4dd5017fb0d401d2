//! How many watched JVMs run at once: more than a few, and each would be measured on a machine that has no time for it.

use std::sync::{Condvar, Mutex};

static USUAL: Slots = Slots::new(3);

/// So many JVMs may run at once.
pub struct Slots {
    free: Mutex<usize>,
    freed: Condvar,
}

/// The right to run one watched JVM; given back on drop.
pub struct Slot(&'static Slots);

/// Waits for a slot among those of the usual tests.
pub fn take() -> Slot {
    USUAL.take()
}

impl Slots {
    /// Room for so many.
    pub const fn new(at_once: usize) -> Self {
        Self { free: Mutex::new(at_once), freed: Condvar::new() }
    }

    /// Waits for a slot.
    pub fn take(&'static self) -> Slot {
        let mut free = self.free.lock().expect("no slot holder panics while it counts");
        while *free == 0 {
            free = self.freed.wait(free).expect("no slot holder panics while it counts");
        }
        *free -= 1;
        Slot(self)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        *self.0.free.lock().expect("no slot holder panics while it counts") += 1;
        self.0.freed.notify_one();
    }
}
