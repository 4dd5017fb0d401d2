//! How the JVM that wrote a dump lays objects out. HPROF says the size of a class's instances, but neither how long headers
//! and references are nor, hence, what an array takes.
//!
//! Header and references: those of six layouts are tried on all classes, and the one counts under which most classes have
//! just the size that their fields add up to (aligned as all sizes are). An array has its length behind the header, and
//! its elements behind that, aligned to their own width. In one case two JVMs differ: with a header of 16 bytes JDK 22
//! and older leave four bytes unused between a length and narrow elements (JDK-8139457). Then primitive arrays tell how far
//! they reach: for lengths that tell the two apart, the address of the object that follows.

use super::class_dump::ClassDump;
use super::walk::width;
use std::collections::HashMap;

/// Sizes of headers, references and alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    header: u64,
    pub(super) reference: u64,
    alignment: u64,
    /// Elements begin at multiples of eight, whatever their width.
    is_roomy: bool,
}

/// Header and reference, the commonest first: compressed references and classes, neither, compact headers (or 32 bits),
/// compressed classes, compressed references, compact headers in a large heap.
const TRIED: [(u64, u64); 6] = [(12, 4), (16, 8), (8, 4), (12, 8), (16, 4), (8, 8)];

/// How often objects that follow a primitive array said how far it reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ArrayVotes {
    roomy: u32,
    tight: u32,
    /// Where the latest array ends with and without unused bytes, if that differs.
    ends: Option<(u64, u64)>,
}

impl ArrayVotes {
    /// An object stands behind what was told last.
    #[inline]
    pub(super) fn object(&mut self, id: u64) {
        if let Some((roomy, tight)) = self.ends.take() {
            self.roomy += u32::from(id == roomy);
            self.tight += u32::from(id == tight);
        }
    }

    /// The latest object is such an array. With a header of 16 bytes its elements begin at 24 or at 20.
    #[inline]
    pub(super) fn array(&mut self, id: u64, kind: u8, length: u32) {
        let bytes = u64::from(length) * u64::from(width(kind).unwrap_or(8));
        if width(kind) != Some(8) && (1..=4).contains(&(bytes % 8)) {
            let end = |base: u64| id.wrapping_add((base + bytes).next_multiple_of(8));
            self.ends = Some((end(24), end(20)));
        }
    }

    pub(super) fn add(&mut self, other: Self) {
        self.roomy = self.roomy.saturating_add(other.roomy);
        self.tight = self.tight.saturating_add(other.tight);
    }
}

impl Layout {
    /// The layout under which these classes have the size they have.
    pub(super) fn deduced(classes: &[ClassDump], id_bytes: usize, votes: ArrayVotes) -> Self {
        let alignment = alignment(classes);
        let fields = field_bytes(classes);
        let by_id: HashMap<u64, usize> = classes.iter().zip(0..).map(|(class, at)| (class.id, at)).collect();
        let wholes: Vec<(u64, [u64; 2])> = classes
            .iter()
            .filter(|class| class.instance_bytes > 0)
            .map(|class| (u64::from(class.instance_bytes), inherited(class, classes, &by_id, &fields)))
            .collect();
        let agreeing = |&(header, reference): &(u64, u64)| {
            let size =
                |[references, others]: [u64; 2]| (header + references * reference + others).next_multiple_of(alignment);
            wholes.iter().filter(|(bytes, fields)| *bytes == size(*fields)).count()
        };
        let fits = |tried: &&(u64, u64)| tried.1 <= id_bytes as u64;
        // The first of several that agree equally often.
        let best =
            TRIED.iter().filter(fits).rev().max_by_key(|tried| agreeing(tried)).filter(|tried| agreeing(tried) > 0);
        let otherwise = if id_bytes == 4 { (8, 4) } else { TRIED[0] };
        let (header, reference) = best.copied().unwrap_or(otherwise);
        Self { header, reference, alignment, is_roomy: votes.roomy >= votes.tight }
    }

    /// Shallow size of an array.
    #[inline]
    pub(super) fn array_bytes(&self, width: u64, length: u32) -> u64 {
        let room = if self.is_roomy && self.header == 16 { 8 } else { width };
        let base = (self.header + 4).next_multiple_of(room);
        (base + width * u64::from(length)).next_multiple_of(self.alignment)
    }

    /// Shallow size of an instance with so many bytes of fields; for those whose class the dump does not describe.
    pub(super) fn instance_bytes(&self, references: u64, others: u64) -> u64 {
        (self.header + references * self.reference + others).next_multiple_of(self.alignment)
    }

    /// The same, in bytes.
    pub(super) fn aligned(&self, bytes: u64) -> u64 {
        bytes.next_multiple_of(self.alignment)
    }
}

/// What all sizes are multiples of; at least eight.
fn alignment(classes: &[ClassDump]) -> u64 {
    const FEW: usize = 20;
    let sizes = || classes.iter().map(|class| class.instance_bytes).filter(|&bytes| bytes > 0);
    let is_common = |alignment: u32| sizes().count() >= FEW && sizes().all(|bytes| bytes % alignment == 0);
    u64::from([256, 128, 64, 32, 16].into_iter().find(|&alignment| is_common(alignment)).unwrap_or(8))
}

/// Of each class the references that it declares, and the bytes of its other fields.
fn field_bytes(classes: &[ClassDump]) -> Vec<[u64; 2]> {
    let of_class = |class: &ClassDump| {
        class.fields.iter().fold([0, 0], |[references, others], &(_, kind)| match width(kind) {
            Some(bytes) => [references, others + u64::from(bytes)],
            None => [references + 1, others],
        })
    };
    classes.iter().map(of_class).collect()
}

/// The same with those of its superclasses. Ends on circular chains.
fn inherited(class: &ClassDump, classes: &[ClassDump], by_id: &HashMap<u64, usize>, fields: &[[u64; 2]]) -> [u64; 2] {
    const DEEPEST: usize = 1000;
    let chain = std::iter::successors(by_id.get(&class.id), |&&at| by_id.get(&classes[at].superclass));
    chain.take(DEEPEST).fold([0, 0], |sum, &at| [sum[0] + fields[at][0], sum[1] + fields[at][1]])
}
