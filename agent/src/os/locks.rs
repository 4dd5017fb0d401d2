//! A lock of the JVM's that some native thread held when a child was forked. That thread does not run in the child, so
//! the lock is never released there, and the child waits for ever. Where such a lock was seen once, later forks are
//! made while the agent holds it, as libc does with the locks of malloc; then both sides release it.
//!
//! The lock is recognized by the address at which the child waits: the word of a `pthread_mutex_t` of the plain kind,
//! whose owner is a thread of this process. It is requested for a bounded time, and the fork is made without it if
//! that passes.

use super::own::read_places;
use std::time::Duration;

/// Words of a mutex of glibc and of musl: lock, count, owner; the kind stands behind the number of users.
const WORDS: usize = 5;
/// The kind of a plain mutex.
const PLAIN: u32 = 0;
/// Longer than a thread keeps such a lock, by far.
const PATIENCE: Duration = Duration::from_millis(20);
/// Locks that are remembered.
const MOST: usize = 4;

/// The locks that children waited for.
#[derive(Clone, Copy, Debug, Default)]
pub struct KnownLocks {
    addresses: [u64; MOST],
    count: usize,
}

/// Locks that are held around a fork.
pub(crate) struct HeldLocks {
    addresses: [u64; MOST],
    count: usize,
}

/// The fields of a mutex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Words {
    lock: u32,
    owner: u32,
    kind: u32,
}

impl Words {
    /// Of glibc's layout on 64 bits: `int lock; unsigned count; int owner; unsigned nusers; int kind`.
    fn at(address: u64) -> Option<Self> {
        let mut bytes = [0; WORDS * 4];
        let length = bytes.len();
        let is_aligned = address != 0 && address.is_multiple_of(8);
        (is_aligned && read_places([address], length, &mut bytes)).then(|| {
            let word = |at: usize| bytes[at * 4..][..4].try_into().map_or(0, u32::from_ne_bytes);
            Self { lock: word(0), owner: word(2), kind: word(4) }
        })
    }
}

impl KnownLocks {
    /// A child waits at `address`. `owner_in_child` is the owner's number there; it must be a thread of this process.
    /// Returns whether the lock will be taken before further forks.
    pub fn learn(&mut self, address: u64) -> bool {
        let is_known = self.addresses[..self.count].contains(&address);
        let is_plain = Words::at(address).is_some_and(|words| words.kind == PLAIN && words.lock <= 2);
        if is_known || !is_plain || self.count == MOST || !cfg!(all(target_env = "gnu", target_pointer_width = "64")) {
            return false;
        }
        self.addresses[self.count] = address;
        self.count += 1;
        true
    }

    /// Takes those that come free in time.
    ///
    /// # Safety
    /// On the thread that forks, with the world stopped. Each address was seen to be a live plain mutex, and those of
    /// the JVM's that a walk takes exist as long as the process.
    pub(crate) unsafe fn take(&self) -> HeldLocks {
        let mut held = HeldLocks { addresses: [0; MOST], count: 0 };
        for &address in &self.addresses[..self.count] {
            let still_plain = Words::at(address).is_some_and(|words| words.kind == PLAIN);
            // SAFETY: as the caller's.
            if still_plain && unsafe { locked_in_time(address) } {
                held.addresses[held.count] = address;
                held.count += 1;
            }
        }
        held
    }
}

impl HeldLocks {
    /// # Safety
    /// Once on each side of the fork, by the thread that took them, or its copy.
    pub(crate) unsafe fn give_back(&self) {
        for &address in &self.addresses[..self.count] {
            // SAFETY: as the caller's. A plain mutex does not check which thread unlocks it.
            unsafe { libc::pthread_mutex_unlock(address as usize as *mut libc::pthread_mutex_t) };
        }
    }
}

/// # Safety
/// As [`KnownLocks::take`].
unsafe fn locked_in_time(address: u64) -> bool {
    let mutex = address as usize as *mut libc::pthread_mutex_t;
    let mut until = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the time is ours; the mutex is live.
    unsafe {
        libc::clock_gettime(libc::CLOCK_REALTIME, &mut until);
        let nanoseconds = until.tv_nsec + PATIENCE.as_nanos() as libc::c_long;
        (until.tv_sec, until.tv_nsec) = (until.tv_sec + nanoseconds / 1_000_000_000, nanoseconds % 1_000_000_000);
        libc::pthread_mutex_timedlock(mutex, &until) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_mutex_is_learned_once_and_held_around_a_fork() {
        // SAFETY: an initialised mutex is zeros.
        let mutex: Box<libc::pthread_mutex_t> = Box::new(unsafe { std::mem::zeroed() });
        let address = std::ptr::from_ref(&*mutex) as u64;
        let mut known = KnownLocks::default();
        assert!(known.learn(address) && !known.learn(address));
        assert!(!known.learn(8), "nothing lies there");
        let is_free = || Words::at(address).is_some_and(|words| words.lock == 0);
        // SAFETY: the mutex exists, and this thread does both.
        unsafe {
            let held = known.take();
            assert!(!is_free());
            assert_eq!(known.take().count, 0, "it did not come free in time");
            held.give_back();
        }
        assert!(is_free());
    }
}
