//! The addresses of a dump's objects. The first pass over it finds them, unless opening the dump did so already.

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
    let found = match source.take_addresses().filter(|found| !found.is_scattered) {
        Some(found) => found,
        None => look(source, 0)?,
    };
    let (found, shift) = if found.is_crooked { (look(source, SHIFT)?, SHIFT) } else { (found, 0) };
    Ok(Survey { spread: found.spread, described: found.described, shift })
}

/// The addresses that one thread has found in a dump.
#[derive(Debug)]
pub struct Addresses {
    spread: Spread,
    described: u64,
    shift: u32,
    /// An id is no multiple of eight though none is shifted.
    is_crooked: bool,
    is_scattered: bool,
}

impl Addresses {
    /// None, of a dump of this length in bytes: it bounds their memory.
    pub fn none_of(byte_len: u64) -> Self {
        Self::shifted(0, byte_len)
    }

    fn shifted(shift: u32, byte_len: u64) -> Self {
        let mut spread = Spread::default();
        spread.justify(byte_len as usize);
        Self { spread, described: 0, shift, is_crooked: false, is_scattered: false }
    }

    /// Adds the id of an object that [`DumpSource::read_part`] reports.
    #[inline]
    pub fn add(&mut self, id: u64) {
        self.described += 1;
        self.is_crooked |= self.shift == 0 && !id.is_multiple_of(8);
        let fits = id.leading_zeros() >= self.shift;
        // After an unaligned id the dump is surveyed again from the beginning.
        let is_noted = self.is_crooked || fits && self.spread.add(Address(id << self.shift)).is_ok();
        self.is_scattered |= !is_noted;
    }

    /// Number of objects added.
    pub fn count(&self) -> u64 {
        self.described
    }

    /// Adds those of another thread.
    pub fn join(&mut self, other: &Self) {
        self.is_scattered |= other.is_scattered || self.spread.merge(&other.spread).is_err();
        self.described += other.described;
        self.is_crooked |= other.is_crooked;
    }

    fn checked(self) -> Result<Self, Scattered> {
        if self.is_scattered { Err(Scattered) } else { Ok(self) }
    }
}

impl DumpSink for Addresses {
    const TAKES_REFERENCES: bool = false;

    #[inline]
    fn object(&mut self, object: DumpedObject) {
        self.add(object.id);
    }

    fn reference(&mut self, _label: Label, _referee: u64) {}
}

fn look<S: DumpSource>(source: &S, shift: u32) -> Result<Addresses, DumpError<S::Error>> {
    let nothing = || Addresses::shifted(shift, source.byte_len());
    let read = |mut found: Addresses, part: usize| {
        source.read_part(part, &mut found).map_err(DumpError::Source)?;
        Ok(found.checked()?)
    };
    let join = |mut one: Addresses, other: Addresses| {
        one.join(&other);
        Ok(one.checked()?)
    };
    // A few runs of parts only, for each has bits of its own until they are merged.
    let run = source.part_count().div_ceil(2 * rayon::current_num_threads()).max(1);
    (0..source.part_count()).into_par_iter().with_min_len(run).try_fold(nothing, read).try_reduce(nothing, join)
}
