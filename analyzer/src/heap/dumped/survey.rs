//! The first pass over a dump: the addresses of its objects.

use super::{DumpError, DumpSink, DumpSource, DumpedObject};
use crate::heap::Label;
use crate::heap::spread::{Scattered, Spread};
use rayon::prelude::*;
use rootbound_wire::graph::Address;

/// Number of bits by which arbitrary ids are shifted, so that they are at least eight apart.
const SHIFT: u32 = 3;

/// Addresses of the objects.
#[derive(Debug)]
pub(super) struct Survey {
    pub(super) spread: Spread,
    /// Number of objects in the dump.
    pub(super) described: u64,
    /// Number of bits by which ids are shifted to be eight apart.
    pub(super) shift: u32,
}

/// Reads all parts.
pub(super) fn survey<S: DumpSource>(source: &S) -> Result<Survey, DumpError<S::Error>> {
    let sight = look(source, 0)?;
    let (sight, shift) = if sight.is_crooked { (look(source, SHIFT)?, SHIFT) } else { (sight, 0) };
    Ok(Survey { spread: sight.spread, described: sight.described, shift })
}

/// Findings of one thread in a dump.
struct Sight {
    spread: Spread,
    described: u64,
    shift: u32,
    /// An id is no multiple of eight though none is shifted.
    is_crooked: bool,
    is_scattered: bool,
}

impl Sight {
    fn nothing(shift: u32, justifying_bytes: u64) -> Self {
        let mut spread = Spread::default();
        spread.justify(justifying_bytes as usize);
        Self { spread, described: 0, shift, is_crooked: false, is_scattered: false }
    }

    fn and(mut self, other: &Self) -> Result<Self, Scattered> {
        self.spread.merge(&other.spread)?;
        self.described += other.described;
        self.is_crooked |= other.is_crooked;
        Ok(self)
    }
}

impl DumpSink for Sight {
    const TAKES_REFERENCES: bool = false;

    #[inline]
    fn object(&mut self, object: DumpedObject) {
        self.described += 1;
        self.is_crooked |= self.shift == 0 && !object.id.is_multiple_of(8);
        let fits = object.id.leading_zeros() >= self.shift;
        // After an unaligned id the dump is surveyed again from the beginning.
        let is_noted = self.is_crooked || fits && self.spread.add(Address(object.id << self.shift)).is_ok();
        self.is_scattered |= !is_noted;
    }

    fn reference(&mut self, _label: Label, _referee: u64) {}
}

fn look<S: DumpSource>(source: &S, shift: u32) -> Result<Sight, DumpError<S::Error>> {
    let nothing = || Sight::nothing(shift, source.byte_len());
    let read = |mut sight: Sight, part: usize| {
        source.read_part(part, &mut sight).map_err(DumpError::Source)?;
        if sight.is_scattered { Err(DumpError::Scattered) } else { Ok(sight) }
    };
    // A few runs of parts only, for each has bits of its own until they are merged.
    let run = source.part_count().div_ceil(2 * rayon::current_num_threads()).max(1);
    (0..source.part_count())
        .into_par_iter()
        .with_min_len(run)
        .try_fold(nothing, read)
        .try_reduce(nothing, |one, other| Ok(one.and(&other)?))
}
