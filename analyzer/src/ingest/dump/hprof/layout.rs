//! The object layout of the JVM that wrote a dump, deduced from its addresses ([`Evidence`]).
//!
//! * *Alignment*: the common divisor of all ids.
//! * *Header*: an array has its length behind the header, and its elements behind that. The least distance of the next
//!   object from the end of narrow elements gives their offset: 12 after compact headers (or in 32 bits), 16 with
//!   compressed classes, otherwise 20, or 24 up to JDK 22 (JDK-8139457).
//! * *References*: four bytes or eight, whichever makes more arrays of references end where the next object begins.
//! * *Instances*: fields are laid out as HotSpot does it, gaps filled from JDK 15 on (JDK-8237767). Fields that the JVM
//!   injects and padding of `@Contended` are in no dump; the distance to the next object reveals them.

use super::evidence::{Evidence, Excess, Gap};

/// Sizes of headers, references and alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    header: u64,
    pub(super) reference: u64,
    alignment: u64,
    /// Offset of the narrow elements of an array.
    narrow_base: u64,
    /// Whether fields fill the gaps of superclasses.
    pub(super) fills_gaps: bool,
}

/// The fields that a class declares, by width.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Declared {
    pub(super) references: u32,
    /// Number of primitive fields of one, two, four and eight bytes.
    pub(super) primitives: [u32; 4],
}

impl Declared {
    /// The fields without references and fields of eight bytes.
    fn narrow(self) -> Self {
        let [one, two, four, _] = self.primitives;
        Self { references: 0, primitives: [one, two, four, 0] }
    }
}

/// Compressed references exist only for addresses up to this.
const COMPRESSED: u64 = 32 << 30;
/// Most bytes that the JVM may add to the fields of a dump: injected fields, and padding on two sides.
const MOST_HIDDEN: i64 = 512;
/// Number of equal distances that excludes an accident.
const MANY: u32 = 50;

impl Layout {
    /// The layout that agrees with the addresses.
    pub(super) fn deduced(evidence: &Evidence, id_bytes: usize, fills_gaps: bool) -> Self {
        let narrow = least_common(&evidence.narrow);
        let (header, narrow_base) = match narrow {
            Some(12..16) => (8, 12),
            Some(20..24) => (16, 20),
            Some(24..) => (16, 24),
            None if id_bytes == 4 => (8, 12),
            _ => (12, 16),
        };
        let votes = evidence.references.map(|excess| {
            let within = (header + 4) as usize..(header + 4 + 16) as usize;
            excess[within].iter().map(|&count| u64::from(count)).sum::<u64>()
        });
        let is_narrow = match votes {
            _ if id_bytes == 4 => true,
            [0, 0] => evidence.all_ids < COMPRESSED,
            [narrow, wide] => narrow >= wide,
        };
        let alignment = 1 << evidence.all_ids.trailing_zeros().clamp(3, 8);
        Self { header, reference: if is_narrow { 4 } else { 8 }, alignment, narrow_base, fills_gaps }
    }

    /// Shallow size of an array.
    #[inline]
    pub(super) fn array_bytes(&self, width: u64, length: u32) -> u64 {
        let base = if width < 8 { self.narrow_base } else { self.narrow_base.next_multiple_of(8) };
        (base + width * u64::from(length)).next_multiple_of(self.alignment)
    }

    /// Rounds up to whole words of the heap.
    pub(super) fn aligned(&self, bytes: u64) -> u64 {
        bytes.next_multiple_of(self.alignment)
    }

    /// Shallow size of an instance of which only the bytes of its fields are known.
    pub(super) fn instance_bytes(&self, field_bytes: u64) -> u64 {
        self.aligned(self.header + field_bytes)
    }

    /// Shallow size of the instances of a class whose superclasses and itself, from the top, declare these fields.
    pub(super) fn bytes(&self, declared: impl Iterator<Item = Declared>) -> u64 {
        let mut placed = Placed { end: self.header, gaps: Vec::new() };
        for class in declared {
            if self.fills_gaps { placed.filling(class, self.reference) } else { placed.apart(class, self.reference) }
        }
        self.aligned(placed.end)
    }

    /// The end of static fields that begin at `begin`. Up to JDK 14 references come first.
    pub(super) fn behind(&self, begin: u64, statics: Declared) -> u64 {
        let mut placed = Placed { end: begin, gaps: Vec::new() };
        if !self.fills_gaps {
            placed.append(statics.references, self.reference);
            placed.append(statics.primitives[3], 8);
            placed.gaps.clear();
        }
        placed.filling(if self.fills_gaps { statics } else { statics.narrow() }, self.reference);
        self.aligned(placed.end)
    }

    /// Bytes of an instance beyond its known fields, from the distance to the next object. `None` if the distance is no
    /// evidence: for a single instance, or for few if objects are not in the order of their addresses.
    pub(super) fn hidden(&self, of_fields: u64, gap: Gap, is_ordered: bool) -> Option<i64> {
        let hidden = gap.least as i64 - of_fields as i64;
        let is_agreed = 4 * u64::from(gap.agreeing) >= 3 * u64::from(gap.seen);
        let are_enough = gap.seen >= if is_ordered { 2 } else { MANY };
        // Objects do not overlap, whatever their fields; and no object fits into a gap of eight bytes.
        (hidden < 0 || hidden == 8 && is_ordered || hidden <= MOST_HIDDEN && is_agreed && are_enough).then_some(hidden)
    }
}

/// The least excess that is too frequent for an accident.
fn least_common(excess: &Excess) -> Option<usize> {
    let all: u64 = excess.iter().map(|&count| u64::from(count)).sum();
    excess.iter().position(|&count| count > 0 && 200 * u64::from(count) >= all)
}

/// Fields in their places.
struct Placed {
    end: u64,
    /// Unused bytes before the end: offset and length.
    gaps: Vec<(u64, u64)>,
}

impl Placed {
    /// Layout from JDK 15 on: large fields first, references last, each in the smallest gap that it fits in.
    fn filling(&mut self, class: Declared, reference: u64) {
        let [one, two, four, eight] = class.primitives;
        for (count, width) in [(eight, 8), (four, 4), (two, 2), (one, 1), (class.references, reference)] {
            let mut left = count;
            while left > 0 && self.fill(width) {
                left -= 1;
            }
            self.append(left, width);
        }
    }

    /// Layout up to JDK 14: the fields of each class behind those of its superclass, which end at a whole reference.
    /// Only the gap before the first field of eight bytes is filled.
    fn apart(&mut self, class: Declared, reference: u64) {
        let [mut one, mut two, mut four, eight] = class.primitives;
        let mut references = class.references;
        if eight > 0 {
            let gap = self.end.next_multiple_of(8) - self.end;
            let mut left = gap;
            for (count, width) in [(&mut four, 4), (&mut two, 2), (&mut one, 1), (&mut references, reference)] {
                let fitting = (left / width).min(u64::from(*count)).min(if width == 4 { 1 } else { u64::MAX });
                *count -= fitting as u32;
                left -= fitting * width;
            }
            self.end += gap;
        }
        for (count, width) in [(eight, 8), (four, 4), (two, 2), (one, 1), (references, reference)] {
            self.append(count, width);
        }
        self.end = self.end.next_multiple_of(reference);
        self.gaps.clear();
    }

    fn append(&mut self, count: u32, width: u64) {
        if count > 0 {
            let from = self.end.next_multiple_of(width);
            if from > self.end {
                self.gaps.push((self.end, from - self.end));
            }
            self.end = from + u64::from(count) * width;
        }
    }

    /// Puts one field into a gap.
    fn fill(&mut self, width: u64) -> bool {
        let fits = |&(at, bytes): &(u64, u64)| at.next_multiple_of(width) + width <= at + bytes;
        let fitting = self.gaps.iter().enumerate().filter(|(_, gap)| fits(gap)).min_by_key(|(_, gap)| gap.1);
        let Some((place, &(at, bytes))) = fitting else { return false };
        let from = at.next_multiple_of(width);
        self.gaps.swap_remove(place);
        let rest = [(at, from - at), (from + width, at + bytes - from - width)];
        self.gaps.extend(rest.into_iter().filter(|gap| gap.1 > 0));
        true
    }
}
