//! The methods that stack roots name, distinct, in an open-addressed table that its user provides: it never allocates,
//! and it may lie in memory shared with a forked child. When it is full or closed, further methods stay nameless.

use std::sync::atomic::{AtomicU64, Ordering};

/// Writes the table.
pub struct MethodSet<'t> {
    slots: &'t [AtomicU64],
    free: usize,
}

impl<'t> MethodSet<'t> {
    /// A set in a table of zeros, of which it fills one half.
    pub fn new(slots: &'t [AtomicU64]) -> Self {
        Self { slots, free: slots.len() / 2 }
    }

    /// From now on no method is added.
    pub fn close(&mut self) {
        self.free = 0;
    }

    /// Returns whether the method is in the set now.
    pub fn insert(&mut self, method: u64) -> bool {
        if method == 0 || self.slots.is_empty() {
            return false;
        }
        let mut at = (method.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize % self.slots.len();
        loop {
            match self.slots[at].load(Ordering::Relaxed) {
                0 => break,
                there if there == method => return true,
                _ => at = (at + 1) % self.slots.len(),
            }
        }
        if self.free == 0 {
            return false;
        }
        self.free -= 1;
        self.slots[at].store(method, Ordering::Relaxed);
        true
    }
}

/// The methods in a table.
pub fn methods(slots: &[AtomicU64]) -> Vec<u64> {
    slots.iter().map(|slot| slot.load(Ordering::Relaxed)).filter(|&method| method != 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Vec<AtomicU64> {
        (0..1 << 14).map(|_| AtomicU64::new(0)).collect()
    }

    #[test]
    fn methods_are_kept_once_and_bounded() {
        let slots = table();
        let mut set = MethodSet::new(&slots);
        assert!(set.insert(8) && set.insert(8) && !set.insert(0));
        set.close();
        assert!(set.insert(8) && !set.insert(16));
        assert_eq!(methods(&slots), [8]);
        let slots = table();
        let mut set = MethodSet::new(&slots);
        let kept = (1..20_000).filter(|&method| set.insert(method * 8)).count();
        assert_eq!(kept, slots.len() / 2);
    }
}
