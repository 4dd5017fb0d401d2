//! The parts of a heap that hold no object, from the bounds of its regions: a pass over the JVM's table, in memory
//! made beforehand, so that it may run while the world is stopped. Contradictory values are rejected: bounds out of
//! order or outside the heap mean that nothing is free.

use super::layout::{HeapLayout, Units, Use};
use super::own_memory::Memory;
use std::ops::Range;

/// Ranges at most. Each costs the kernel a mapping and some microseconds.
pub const MOST_RANGES: usize = 512;
/// Smaller ranges are not worth their mapping (measured: docs/overhead.md).
const LEAST_BYTES: u64 = 256 << 10;
/// Parts in use that are no farther apart count as one.
const NEAR_BYTES: u64 = 64 << 10;
/// Most stretches in use; of more, the first of the table are not reported.
const MOST_STRETCHES: usize = 256;
const WORD: usize = 8;
/// The bytes of a region that hold all fields of interest, at most.
const MOST_PART: usize = 512;

/// Finds out how long the array of primitive values is that begins where an object larger than a region does.
pub trait Arrays {
    /// Its bytes, or a few less; `None` for an object of another kind.
    fn primitive_bytes(&self, address: u64) -> Option<u64>;
}

/// No array is known to be one.
pub struct NoArrays;

impl Arrays for NoArrays {
    fn primitive_bytes(&self, _address: u64) -> Option<u64> {
        None
    }
}

/// The reason why nothing is known to be free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableFault {
    /// Its memory cannot be read.
    #[error("the heap's table cannot be read")]
    Unreadable,
    /// Bounds out of order, or outside the heap.
    #[error("the heap's table contradicts itself")]
    Contradiction,
}

/// The free parts of one heap, with all the memory that a pass needs.
pub struct Free {
    layout: HeapLayout,
    /// Borders lie on multiples of this.
    grain: u64,
    table: Vec<u8>,
    parts: Vec<u8>,
    /// The bytes of a part that are read: from, length.
    window: (u64, usize),
    ranges: Vec<Range<u64>>,
    /// Bytes between bottom and top of all parts that are in use.
    used: u64,
    /// Stretches of pages that hold objects.
    in_use: Vec<Range<u64>>,
}

/// The fields of one part.
#[derive(Clone, Copy)]
struct Part {
    bottom: u64,
    top: u64,
    end: u64,
    used_for: i32,
}

impl Free {
    /// For a heap of that layout; `grain` is a power of two. `None` when its parts are too large to be read.
    pub fn new(layout: HeapLayout, grain: u64) -> Option<Self> {
        let offsets = || layout.bounds.iter().copied().chain(layout.used_for.map(|used_for| used_for.at));
        let (from, to) = (offsets().min()?, offsets().max()? + WORD as u64);
        let length = usize::try_from(to - from).ok().filter(|&length| length <= MOST_PART)?;
        let count = layout.count();
        Some(Self {
            window: (from, length),
            table: vec![0; count * WORD],
            parts: vec![0; count * length],
            ranges: Vec::with_capacity(MOST_RANGES),
            used: 0,
            in_use: Vec::with_capacity(MOST_STRETCHES),
            layout,
            grain,
        })
    }

    /// The layout of this heap.
    pub fn layout(&self) -> &HeapLayout {
        &self.layout
    }

    /// Bytes between bottom and top of the parts in use, as of the last reading.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// The free ranges of the last reading, in the order of addresses.
    pub fn ranges(&self) -> &[Range<u64>] {
        &self.ranges
    }

    /// Stretches of pages that hold objects, as of the last reading, young objects first; without the insides of
    /// arrays of primitive values.
    pub fn in_use(&self) -> &[Range<u64>] {
        &self.in_use
    }

    /// Memory that it holds.
    pub fn held_bytes(&self) -> u64 {
        (self.table.len() + self.parts.len() + (MOST_RANGES + MOST_STRETCHES) * size_of::<Range<u64>>()) as u64
    }

    /// Reads the table. Allocates nothing.
    ///
    /// # Errors
    /// The reason why nothing is known to be free.
    pub fn look(&mut self, memory: &impl Memory, arrays: &impl Arrays) -> Result<&[Range<u64>], TableFault> {
        self.ranges.clear();
        let count = self.read(memory).ok_or(TableFault::Unreadable)?;
        let mut least = LEAST_BYTES.max(self.grain);
        while !self.pass(count, least, arrays)? {
            least *= 2;
        }
        // Spaces come in no order of addresses, and the young ones first.
        self.ranges.sort_unstable_by_key(|range| range.start);
        if matches!(self.layout.units, Units::Table { .. }) {
            // G1 gives young objects the highest free regions, and old ones the lowest.
            self.in_use.reverse();
        }
        Ok(&self.ranges)
    }

    /// Reads the table and all existing parts; returns their number.
    fn read(&mut self, memory: &impl Memory) -> Option<usize> {
        match self.layout.units {
            Units::Spaces(spaces) => {
                for (word, space) in self.table.chunks_mut(WORD).zip(spaces) {
                    word.copy_from_slice(&space.to_ne_bytes());
                }
            }
            Units::Table { first, .. } => memory.read(first, &mut self.table)?,
        }
        let (from, length) = self.window;
        let pointers =
            || self.table.as_chunks::<WORD>().0.iter().map(|word| u64::from_ne_bytes(*word)).filter(|&at| at != 0);
        let count = pointers().count();
        memory.read_all(pointers().map(|at| at + from), length, &mut self.parts[..count * length])?;
        Some(count)
    }

    fn part(&self, number: usize) -> Part {
        let (from, length) = self.window;
        let bytes = &self.parts[number * length..][..length];
        let word = |at: u64| {
            let at = (at - from) as usize;
            bytes[at..at + WORD].try_into().map_or(0, u64::from_ne_bytes)
        };
        let [bottom, top, end] = self.layout.bounds.map(word);
        let used_for = self.layout.used_for.map_or(0, |used_for| word(used_for.at) as u32);
        Part { bottom, top, end, used_for: used_for.cast_signed() }
    }

    /// Gathers the ranges of at least that size. `false` when there are too many.
    fn pass(&mut self, count: usize, least: u64, arrays: &impl Arrays) -> Result<bool, TableFault> {
        self.ranges.clear();
        self.in_use.clear();
        self.used = 0;
        let mut open = 0..0;
        let mut inside_until = 0;
        for number in 0..count {
            let part = self.part(number);
            if !self.is_sound(&part) {
                return Err(TableFault::Contradiction);
            }
            let free = self.free_of(&part, arrays, &mut inside_until);
            self.note_in_use(part.bottom..part.top.min(free.start));
            if free.start == open.end {
                open.end = free.end;
            } else if free.start < free.end {
                if !self.keep(&open, least) {
                    return Ok(false);
                }
                open = free;
            }
        }
        Ok(self.keep(&open, least))
    }

    fn is_sound(&self, part: &Part) -> bool {
        let heap = &self.layout.heap;
        heap.start <= part.bottom && part.bottom <= part.top && part.top <= part.end && part.end <= heap.end
    }

    /// The range of a part that holds no object, or lies inside an array of primitive values, whose end is kept in
    /// `inside_until` for the parts that follow.
    fn free_of(&mut self, part: &Part, arrays: &impl Arrays, inside_until: &mut u64) -> Range<u64> {
        let (rest, none) = (part.top..part.end, part.end..part.end);
        let Some(Use { free, regular, humongous, .. }) = self.layout.used_for else {
            self.used += part.top - part.bottom;
            return rest;
        };
        if (free.0..=free.1).contains(&part.used_for) {
            return part.bottom..part.end;
        }
        self.used += part.top - part.bottom;
        match humongous {
            Some((starts, _)) if part.used_for == starts => {
                *inside_until = arrays.primitive_bytes(part.bottom).map_or(0, |bytes| part.bottom + bytes);
                // The page of its header stays.
                self.inside(part, part.bottom + self.grain, *inside_until).unwrap_or(rest)
            }
            Some((_, continues)) if part.used_for == continues => {
                self.inside(part, part.bottom, *inside_until).unwrap_or(rest)
            }
            _ if regular.is_none_or(|regular| part.used_for == regular) => rest,
            _ => none,
        }
    }

    /// The inside of an array from `from` on, as far as it lies in this part. The page in which the array ends stays:
    /// the JVM fills the region up with an object of its own, which begins there, and looks at all objects when a walk
    /// is over.
    fn inside(&self, part: &Part, from: u64, until: u64) -> Option<Range<u64>> {
        let end = if until < part.end { until & !(self.grain - 1) } else { part.end };
        (until > part.bottom).then(|| from.min(end)..end)
    }

    /// Adds a stretch, its borders moved outward, to the one before if that is near.
    fn note_in_use(&mut self, part: Range<u64>) {
        let (start, end) = (part.start & !(self.grain - 1), part.end.next_multiple_of(self.grain));
        if part.is_empty() {
            return;
        }
        match self.in_use.last_mut() {
            Some(last) if last.end <= start && start - last.end <= NEAR_BYTES => last.end = end,
            _ => {
                if self.in_use.len() == MOST_STRETCHES {
                    self.in_use.remove(0);
                }
                self.in_use.push(start..end);
            }
        }
    }

    /// Keeps a range, its borders moved inward, when it is large enough. `false` when there is no place for it.
    fn keep(&mut self, range: &Range<u64>, least: u64) -> bool {
        let (start, end) = (range.start.next_multiple_of(self.grain), range.end & !(self.grain - 1));
        if end.saturating_sub(start) < least {
            return true;
        }
        let has_place = self.ranges.len() < MOST_RANGES;
        if has_place {
            self.ranges.push(start..end);
        }
        has_place
    }
}

#[cfg(test)]
mod tests {
    use super::super::layout::Collector;
    use super::super::own_memory::Stretches;
    use super::*;

    const MB: u64 = 1 << 20;
    const HEAP: u64 = 0x7_0000_0000;
    const TABLE: u64 = 0x1000;
    const PARTS: u64 = 0x10_0000;
    /// Bottom, top, end, use.
    const BYTES_OF_PART: u64 = 32;
    const FREE: i32 = 0;
    const EDEN: i32 = 2;
    const STARTS: i32 = 4;
    const CONTINUES: i32 = 5;

    /// One array: its address and its bytes.
    struct Primitive(u64, u64);

    impl Arrays for Primitive {
        fn primitive_bytes(&self, address: u64) -> Option<u64> {
            (address == self.0).then_some(self.1)
        }
    }

    /// A heap of regions of a megabyte: the used bytes and the use of each. `None`: never used.
    fn heap(regions: &[Option<(u64, i32)>]) -> (Stretches, Free) {
        let (mut table, mut parts) = (Vec::new(), Vec::new());
        for (number, region) in (0..).zip(regions) {
            let bottom = HEAP + number * MB;
            let (used, used_for) = region.unwrap_or_default();
            let place = if region.is_some() { PARTS + number * BYTES_OF_PART } else { 0 };
            table.extend(place.to_ne_bytes());
            for word in [bottom, bottom + used, bottom + MB, used_for as u64] {
                parts.extend(word.to_ne_bytes());
            }
        }
        let count = regions.len() as u64;
        let used_for = Use { at: 24, free: (FREE, FREE), regular: None, humongous: Some((STARTS, CONTINUES)) };
        let layout = HeapLayout {
            collector: Collector::G1,
            heap: HEAP..HEAP + count * MB,
            units: Units::Table { first: TABLE, count },
            bounds: [0, 8, 16],
            used_for: Some(used_for),
        };
        (Stretches(vec![(TABLE, table), (PARTS, parts)]), Free::new(layout, 4096).expect("small parts"))
    }

    fn at(start: u64, end: u64) -> Range<u64> {
        HEAP + start..HEAP + end
    }

    #[test]
    fn neighbours_become_one_range_and_crumbs_none() {
        let (memory, mut free) =
            heap(&[Some((MB / 2 + 8, EDEN)), Some((7, FREE)), None, Some((MB - 4096, EDEN)), Some((0, FREE))]);
        let ranges = free.look(&memory, &NoArrays).expect("sound").to_vec();
        assert_eq!(ranges, [at(MB / 2 + 4096, 2 * MB), at(4 * MB - 4096, 5 * MB)]);
        assert_eq!(free.used(), MB / 2 + 8 + MB - 4096);
        assert_eq!(free.in_use(), [at(3 * MB, 4 * MB - 4096), at(0, MB / 2 + 4096)], "young first");
    }

    #[test]
    fn of_too_many_stretches_in_use_those_with_young_objects_are_kept() {
        let regions: Vec<_> = (0..MOST_STRETCHES + 2).map(|_| Some((MB / 2, EDEN))).collect();
        let (memory, mut free) = heap(&regions);
        free.look(&memory, &NoArrays).expect("sound");
        let last = (MOST_STRETCHES as u64 + 1) * MB;
        assert_eq!(free.in_use().len(), MOST_STRETCHES);
        assert_eq!(free.in_use().first(), Some(&at(last, last + MB / 2)));
        assert_eq!(free.in_use().last(), Some(&at(2 * MB, 2 * MB + MB / 2)));
    }

    #[test]
    fn the_inside_of_a_primitive_array_is_free_and_that_of_another_object_is_not() {
        let regions = [Some((MB, STARTS)), Some((MB, CONTINUES)), Some((MB, STARTS)), Some((MB, CONTINUES))];
        let (memory, mut free) = heap(&regions);
        assert_eq!(free.look(&memory, &Primitive(HEAP, 2 * MB)), Ok([at(4096, 2 * MB)].as_slice()));
        assert_eq!(free.in_use(), [at(2 * MB, 4 * MB), at(0, 4096)]);
        let filled_up = [(at(4096, MB + MB / 2), MB + MB / 2 + 16), (at(4096, MB), MB), (at(4096, MB), MB + 16)];
        for (inside, bytes) in filled_up {
            assert_eq!(free.look(&memory, &Primitive(HEAP, bytes)), Ok([inside].as_slice()), "an object follows");
        }
        let (alone, mut one) = heap(&[Some((MB, STARTS)), Some((MB, EDEN))]);
        assert_eq!(one.look(&alone, &Primitive(HEAP, 700 << 10)), Ok([at(4096, 700 << 10)].as_slice()));
        assert_eq!(free.look(&memory, &NoArrays), Ok([].as_slice()));
    }

    #[test]
    fn a_table_that_contradicts_itself_frees_nothing() {
        let (mut memory, mut free) = heap(&[Some((0, FREE)), Some((2 * MB, EDEN))]);
        assert!(free.look(&memory, &NoArrays).is_err());
        memory.0.truncate(1);
        assert!(free.look(&memory, &NoArrays).is_err());
    }

    #[test]
    fn of_too_many_ranges_the_large_ones_are_kept() {
        let small = [Some((MB / 2, EDEN)), Some((MB, EDEN))];
        let large = [Some((0, FREE)), Some((MB, EDEN))];
        let regions: Vec<_> = small.repeat(MOST_RANGES).into_iter().chain(large.repeat(3)).collect();
        let (memory, mut free) = heap(&regions);
        let ranges = free.look(&memory, &NoArrays).expect("sound");
        assert_eq!(ranges.len(), 3, "{ranges:?}");
        assert!(ranges.iter().all(|range| range.end - range.start == MB));
    }
}
