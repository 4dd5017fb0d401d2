//! The room that growth in the heap has: up to the limit of the heap, or to that of the container if it is nearer.

use crate::report::{Container, NearerLimit};

/// Growth that takes longer to fill the heap does not matter.
const HOURS_A_YEAR: f64 = 365.25 * 24.0;

/// The nearer limit of growth in the heap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Room {
    /// Bytes that the heap may take.
    pub(super) max_bytes: Option<u64>,
    /// Bytes of them that are free.
    pub(super) free_bytes: Option<u64>,
    pub(super) by: NearerLimit,
}

impl Room {
    /// A heap that grows touches pages, and the container's limit may be reached before the heap's.
    pub(super) fn of(max_bytes: Option<u64>, free_bytes: Option<u64>, container: Option<&Container>) -> Self {
        let nearer = container.zip(max_bytes).filter(|(container, max)| container.is_nearer_than(*max));
        match nearer.and_then(|(container, max)| Some((container.heap_room_bytes()?, max))) {
            Some((room, max)) => Self {
                max_bytes: Some(room),
                free_bytes: free_bytes.map(|free| room.saturating_sub(max.saturating_sub(free))),
                by: NearerLimit::Container,
            },
            None => Self { max_bytes, free_bytes, by: NearerLimit::Heap },
        }
    }
}

/// Whether growth by `bytes_per_hour` would take more than this number of years to fill a heap of this limit.
pub(super) fn takes_years(bytes_per_hour: f64, max_bytes: Option<u64>, years: f64) -> bool {
    max_bytes.is_some_and(|max| bytes_per_hour * HOURS_A_YEAR * years < max as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_reaches_the_nearer_limit_of_heap_and_container() {
        let container = Container { limit_bytes: 600, used_bytes: 450, beside_heap_bytes: Some(200) };
        let heap = Room::of(Some(300), Some(100), Some(&container));
        assert_eq!(heap, Room { max_bytes: Some(300), free_bytes: Some(100), by: NearerLimit::Heap });
        let nearer = Room::of(Some(500), Some(300), Some(&container));
        assert_eq!(nearer, Room { max_bytes: Some(400), free_bytes: Some(200), by: NearerLimit::Container });
        let over = Room::of(Some(500), Some(50), Some(&container));
        assert_eq!(over.free_bytes, Some(0), "more than the container has room for is live already");
        assert_eq!(Room::of(Some(300), None, None).by, NearerLimit::Heap);
    }
}
