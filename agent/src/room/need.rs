//! The memory that each method of a snapshot takes, at most. Arithmetic on figures; reads nothing.

/// Buffers of the agent: a ring, chunks under way, tables.
const AGENT_BYTES: u64 = 64 << 20;
/// Side bitmap of a walk since JDK 19, and of every walk of collectors that traverse the heap: a bit for a word.
const MARK_BITS_SHARE: u64 = 64;
/// Bytes on the stack of a walk for each element of the widest array: a word, and half of it again while it grows to
/// the next power of two.
const STACK_BYTES_AN_ELEMENT: u64 = 16;
/// In a child a walk that takes more is ended by the watchdog; so there the widest array is taken for a likely one.
const LIKELY_ARRAY_SHARE: (u64, u64) = (1, 8);
/// An array of n elements with n small objects takes 20 n bytes, of which 16 n may stand on the walk's stack. (Elements
/// that refer to few objects take more: where the widest array is known, it counts.)
const WIDEST_ARRAY_SHARE: (u64, u64) = (4, 5);
/// Native memory of one tag.
const TAG_BYTES: u64 = 75;
/// The least that objects take in the mean, so the most of them: tags are for all.
const LEAST_BYTES_AN_OBJECT: u64 = 24;
/// Marks of an iteration.
const ITERATION_MARKS: u64 = 200_000;

/// The figures of a heap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Heap {
    /// Used bytes.
    pub used: u64,
    /// Used bytes right after a collection, when forks are made there; otherwise the bytes in use.
    pub used_behind: u64,
    /// The most it may have.
    pub max: u64,
    /// Resident bytes of it; the committed bytes where these are unknown.
    pub resident: u64,
    /// Elements of the widest array of references, where it has been seen.
    pub widest_array: Option<u64>,
    /// Whether a fork leaves out what is free.
    pub leaves_out: bool,
}

impl Heap {
    /// Native memory that the JVM's own walk takes, when an array of that share of the heap has not been seen.
    fn walk(&self, used: u64, (part, of): (u64, u64)) -> u64 {
        let unseen = used / of * part;
        let stack =
            self.widest_array.map_or(unseen, |elements| unseen.min(elements.saturating_mul(STACK_BYTES_AN_ELEMENT)));
        self.max / MARK_BITS_SHARE + stack
    }

    /// A forked child: its walk, and a copy of each page that it shares and the program writes.
    pub fn fork(&self) -> u64 {
        let shared = if self.leaves_out { self.used_behind } else { self.used.max(self.resident) };
        AGENT_BYTES + self.walk(self.used_behind, LIKELY_ARRAY_SHARE) + shared
    }

    /// A walk in the program.
    pub fn in_process(&self) -> u64 {
        AGENT_BYTES + self.walk(self.used, WIDEST_ARRAY_SHARE)
    }

    /// A walk that tags every object.
    pub fn tags(&self) -> u64 {
        self.in_process() + self.used / LEAST_BYTES_AN_OBJECT * TAG_BYTES
    }

    /// An iteration that marks a bounded number of objects. Collectors that move objects while the program runs
    /// traverse the heap for it.
    pub fn iteration(&self) -> u64 {
        self.walk(self.used, WIDEST_ARRAY_SHARE) + ITERATION_MARKS * TAG_BYTES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAP: Heap = Heap {
        used: 500 << 20,
        used_behind: 500 << 20,
        max: 1 << 30,
        resident: 900 << 20,
        widest_array: Some(1 << 20),
        leaves_out: false,
    };

    #[test]
    fn a_walk_needs_a_stack_for_the_widest_array() {
        let walk = |heap: Heap| heap.in_process() - AGENT_BYTES;
        assert_eq!(walk(HEAP), (16 << 20) + (16 << 20));
        let unseen = Heap { widest_array: None, ..HEAP };
        assert_eq!(walk(unseen), (16 << 20) + (400 << 20));
        let small = Heap { used: 10 << 20, ..HEAP };
        assert_eq!(walk(small), (16 << 20) + (8 << 20), "no array is larger than the heap");
    }

    #[test]
    fn a_child_copies_resident_pages_and_fewer_where_free_ones_are_left_out() {
        assert_eq!(HEAP.fork() - HEAP.in_process(), 900 << 20);
        let spared = Heap { leaves_out: true, ..HEAP };
        assert_eq!(spared.fork() - HEAP.in_process(), 500 << 20);
        let behind = Heap { used_behind: 100 << 20, ..spared };
        assert!(behind.fork() < spared.fork() - (400 << 20), "behind a collection little is in use");
    }

    #[test]
    fn tags_take_the_most() {
        assert!(HEAP.tags() > HEAP.in_process() + HEAP.used);
        assert!(HEAP.iteration() < HEAP.in_process());
    }
}
