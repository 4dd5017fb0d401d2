//! How many watched JVMs run at once: more than a few, and each would be measured on a machine that has no time for it.

use std::sync::{Condvar, Mutex};

const AT_ONCE: usize = 3;

static FREE: Mutex<usize> = Mutex::new(AT_ONCE);
static FREED: Condvar = Condvar::new();

/// The right to run one watched JVM; given back on drop.
pub struct Slot(());

/// Waits for a slot.
pub fn take() -> Slot {
    let mut free = FREE.lock().expect("no slot holder panics while it counts");
    while *free == 0 {
        free = FREED.wait(free).expect("no slot holder panics while it counts");
    }
    *free -= 1;
    Slot(())
}

impl Drop for Slot {
    fn drop(&mut self) {
        *FREE.lock().expect("no slot holder panics while it counts") += 1;
        FREED.notify_one();
    }
}
