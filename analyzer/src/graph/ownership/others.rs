//! References from larger numbers to smaller ones: the only ones that the search for dominators needs late. They come
//! in the order of their referrers, more or less, and are needed in the order of their referees, from the largest down.
//! So they are stored by stretches of referees, and within a stretch as distances from one reference to the next.

use crate::graph::dominators::Incoming;

/// Number of bits of a referee's number within its stretch. The references of one stretch are sorted at a time.
const STRETCH_BITS: u32 = 14;
const STRETCH: usize = 1 << STRETCH_BITS;
/// Bytes of a piece; each stretch has at most one that is not full.
const PIECE: usize = 1 << 12;
/// Most bytes of a reference: five of the head, two of the referee.
const LONGEST: usize = 7;
/// A head in which nothing changes: it fills the end of a piece, for a reference is not stored twice in a row.
const END: u8 = SAME;
/// Set in a head if the referee is that of the reference before.
const SAME: u8 = 1;
/// Set in a byte of a head if another one follows.
const MORE: u8 = 1 << 7;

/// References by stretch. A head has the distance between referrers, seven bits a byte; then follows the referee, if it
/// is another one. About two bytes each.
pub(super) struct Others {
    stretches: Vec<Stretch>,
    /// The bytes of all pieces.
    bytes: Vec<u8>,
}

/// The references to one stretch of referees.
#[derive(Clone, Default)]
struct Stretch {
    /// Indexes of the pieces.
    pieces: Vec<u32>,
    /// Bytes used in the last piece.
    used: usize,
    latest: Reference,
}

/// A referee by its number within its stretch, and a referrer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Reference {
    referee: u16,
    referrer: u32,
}

impl Others {
    /// None; numbers are below `most`.
    pub(super) fn new(most: usize) -> Self {
        Self { stretches: vec![Stretch::default(); most.div_ceil(STRETCH)], bytes: Vec::new() }
    }

    /// Adds a reference. One of an object to itself is ignored.
    #[inline]
    pub(super) fn push(&mut self, referee: u32, referrer: u32) {
        let stretch = &mut self.stretches[(referee >> STRETCH_BITS) as usize];
        let reference = Reference { referee: (referee as usize % STRETCH) as u16, referrer };
        if referee == referrer || reference == stretch.latest {
            return;
        }
        if stretch.pieces.is_empty() || stretch.used + LONGEST > PIECE {
            stretch.begin_piece(&mut self.bytes);
        }
        let at = stretch.pieces[stretch.pieces.len() - 1] as usize * PIECE + stretch.used;
        stretch.used += reference.write(stretch.latest, &mut self.bytes[at..at + LONGEST]);
        stretch.latest = reference;
    }

    /// The references to one stretch, in the order in which they were added.
    fn of_stretch(&self, at: usize) -> References<'_> {
        References { others: self, pieces: self.stretches[at].pieces.iter(), rest: &[], latest: Reference::default() }
    }
}

impl Stretch {
    #[cold]
    fn begin_piece(&mut self, bytes: &mut Vec<u8>) {
        self.pieces.push((bytes.len() / PIECE) as u32);
        bytes.resize(bytes.len() + PIECE, END);
        self.used = 0;
    }
}

impl Reference {
    /// Writes it behind another one of its stretch; returns the number of bytes.
    #[inline]
    fn write(self, latest: Self, bytes: &mut [u8]) -> usize {
        let distance = self.referrer.wrapping_sub(latest.referrer) as i32;
        // The sign goes to the lowest bit, so that small distances in both directions have few bits.
        let distance = (distance << 1 ^ distance >> 31) as u32;
        let is_same = self.referee == latest.referee;
        let mut head = u64::from(distance) << 1 | u64::from(if is_same { SAME } else { 0 });
        let mut used = 1;
        while head >= u64::from(MORE) {
            bytes[used - 1] = head as u8 | MORE;
            head >>= 7;
            used += 1;
        }
        bytes[used - 1] = head as u8;
        if !is_same {
            bytes[used..used + 2].copy_from_slice(&self.referee.to_le_bytes());
            used += 2;
        }
        used
    }

    /// Reads the one behind `latest`; `None` at the end of the piece.
    #[inline]
    fn read(latest: Self, rest: &mut &[u8]) -> Option<Self> {
        let (mut head, mut shift) = (0_u64, 0);
        loop {
            let (&byte, behind) = rest.split_first()?;
            *rest = behind;
            head |= u64::from(byte & !MORE) << shift;
            shift += 7;
            if byte & MORE == 0 {
                break;
            }
        }
        if head == u64::from(END) {
            return None;
        }
        let mut referee = latest.referee;
        if head & u64::from(SAME) == 0 {
            let (bytes, behind) = rest.split_first_chunk()?;
            (referee, *rest) = (u16::from_le_bytes(*bytes), behind);
        }
        let distance = (head >> 1) as u32;
        let distance = (distance >> 1) ^ (distance & 1).wrapping_neg();
        Some(Self { referee, referrer: latest.referrer.wrapping_add(distance) })
    }
}

/// The references to one stretch.
struct References<'a> {
    others: &'a Others,
    pieces: std::slice::Iter<'a, u32>,
    /// The unread rest of a piece.
    rest: &'a [u8],
    latest: Reference,
}

impl Iterator for References<'_> {
    type Item = Reference;

    #[inline]
    fn next(&mut self) -> Option<Reference> {
        loop {
            if let Some(reference) = Reference::read(self.latest, &mut self.rest) {
                self.latest = reference;
                return Some(reference);
            }
            let piece = *self.pieces.next()? as usize;
            self.rest = &self.others.bytes[piece * PIECE..][..PIECE];
        }
    }
}

/// The references by referee, sorted as far as they are needed at the time.
pub(super) struct OtherReferrers {
    others: Others,
    /// The stretch that is sorted.
    stretch: usize,
    /// By referee of the stretch, and one more: where its referrers begin.
    begins: Vec<u32>,
    referrers: Vec<u32>,
}

impl OtherReferrers {
    pub(super) fn new(others: Others) -> Self {
        Self { others, stretch: usize::MAX, begins: Vec::new(), referrers: Vec::new() }
    }

    fn sort(&mut self, stretch: usize) {
        self.stretch = stretch;
        self.begins.clear();
        self.begins.resize(STRETCH + 1, 0);
        self.others.of_stretch(stretch).for_each(|each| self.begins[usize::from(each.referee)] += 1);
        let mut end = 0;
        for begin in &mut self.begins {
            end += *begin;
            *begin = end;
        }
        self.referrers.clear();
        self.referrers.resize(end as usize, 0);
        // Rows are filled from their ends, so that each entry finishes at its row's beginning.
        for Reference { referee, referrer } in self.others.of_stretch(stretch) {
            let begin = &mut self.begins[usize::from(referee)];
            *begin -= 1;
            self.referrers[*begin as usize] = referrer;
        }
    }
}

impl Incoming for OtherReferrers {
    #[inline]
    fn of(&mut self, number: u32) -> impl Iterator<Item = u32> {
        let (stretch, at) = ((number >> STRETCH_BITS) as usize, number as usize % STRETCH);
        if stretch != self.stretch {
            self.sort(stretch);
        }
        self.referrers[self.begins[at] as usize..self.begins[at + 1] as usize].iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn every_reference_is_found_at_its_referee() {
        let most = 5 * STRETCH + 17;
        let (mut others, mut expected) = (Others::new(most), BTreeMap::<u32, BTreeSet<u32>>::new());
        let mut add = |referee: u32, referrer: u32| {
            others.push(referee, referrer);
            expected.entry(referee).or_default().extend((referee != referrer).then_some(referrer));
        };
        // Near and far referrers in turns, so that references of all lengths end pieces; one referee has very many.
        for at in 0..40_000_u32 {
            let referee = at.wrapping_mul(2_654_435_761) % (most as u32 / 2);
            add(referee, most as u32 - 1 - at % 7);
            add(3, if at % 3 == 0 { most as u32 - 1 } else { 4 + at });
        }
        for (referee, referrer) in
            [(9, 9), (1, 32), (1, 64), (1, 0x7FFF_FFFE), (2, 3), (2, 0x7FFF_FFFF), (2, 3), (2, 3)]
        {
            add(referee, referrer);
        }
        let mut found = OtherReferrers::new(others);
        for number in (0..most as u32).rev() {
            let referrers: BTreeSet<u32> = found.of(number).collect();
            assert_eq!(referrers, expected.remove(&number).unwrap_or_default(), "of {number}");
        }
    }

    #[test]
    fn a_reference_takes_as_many_bytes_as_its_distance_needs() {
        let latest = Reference { referee: 7, referrer: 1000 };
        for (referee, referrer, bytes) in [
            (7, 1031, 1),
            (7, 969, 1),
            (7, 1033, 2),
            (8, 1000, 3),
            (8, 1032, 4),
            (7, u32::MAX >> 1, 5),
            (8, 1 << 30, 7),
        ] {
            let (reference, mut written) = (Reference { referee, referrer }, [END; LONGEST]);
            assert_eq!(reference.write(latest, &mut written), bytes, "{reference:?}");
            let mut rest = &written[..];
            assert_eq!(Reference::read(latest, &mut rest), Some(reference));
            assert_eq!(rest.len(), LONGEST - bytes);
        }
        assert_eq!(Reference::read(latest, &mut [END, 4, 4].as_slice()), None);
    }
}
