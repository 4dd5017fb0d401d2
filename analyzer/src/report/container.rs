//! The memory limit of the container that the JVM runs in, as far as its control groups state one.

use crate::naming::named::named;
use serde::{Deserialize, Serialize};

/// The container: the control group above the process that has the least memory left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Container {
    /// Its memory limit in bytes.
    pub limit_bytes: u64,
    /// Bytes that count against the limit, without page cache that can be dropped. All processes of it count.
    pub used_bytes: u64,
    /// The part of them that is not touched heap of this JVM: its other memory, and other processes. `None` where the
    /// touched part of the heap is not known.
    pub beside_heap_bytes: Option<u64>,
}

impl Container {
    /// Bytes that the heap can take before the container's limit is reached.
    #[must_use]
    pub fn heap_room_bytes(&self) -> Option<u64> {
        Some(self.limit_bytes.saturating_sub(self.beside_heap_bytes?))
    }

    /// Whether the container is full before a heap of this limit is. The kernel then ends a process in it.
    #[must_use]
    pub fn is_nearer_than(&self, max_heap_bytes: u64) -> bool {
        self.heap_room_bytes().is_some_and(|room| room < max_heap_bytes)
    }
}

named! {
    /// The limit that growth reaches first.
    pub enum NearerLimit {
        /// Of the heap: the program gets an `OutOfMemoryError`.
        Heap = "heap",
        /// Of the container: the kernel ends the program.
        Container = "container",
    }
}

// The macro that names the values derives no default.
#[allow(clippy::derivable_impls)]
impl Default for NearerLimit {
    fn default() -> Self {
        Self::Heap
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MB: u64 = 1 << 20;

    #[test]
    fn the_container_is_nearer_where_less_is_left_for_the_heap_than_it_may_take() {
        let container = Container { limit_bytes: 512 * MB, used_bytes: 300 * MB, beside_heap_bytes: Some(150 * MB) };
        assert_eq!(container.heap_room_bytes(), Some(362 * MB));
        assert!(container.is_nearer_than(400 * MB) && !container.is_nearer_than(256 * MB));
        let unknown = Container { beside_heap_bytes: None, ..container };
        assert!(!unknown.is_nearer_than(u64::MAX));
    }
}
