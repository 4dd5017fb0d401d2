//! The expected size of a referee: that of the object to which the last reference from the same place of the same class
//! led. Nodes of a map refer to keys of one size, and those to arrays of few sizes, so most sizes take no byte.
//!
//! Writer and reader keep the same table for each chunk. If two places share an entry, sizes are written more often,
//! and stay right.

use super::{Shape, kind};
use crate::ids::ObjectId;

const ENTRIES: usize = 256;

/// A [`Shape`] as two numbers that stay in registers. The writer codes millions a second. A shape assembled in memory
/// part by part and loaded whole would make the processor wait for the parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Size {
    pub(super) bytes: u64,
    /// Number of elements; a value beyond 32 bits means that it is no array.
    length: u64,
}

impl Size {
    #[inline(always)]
    pub(super) const fn of(shape: Shape) -> Self {
        match shape {
            Shape::Bytes(bytes) => Self { bytes, length: u64::MAX },
            Shape::Array { bytes, length } => Self { bytes, length: length as u64 },
        }
    }

    #[inline(always)]
    pub(super) fn length(self) -> Option<u32> {
        u32::try_from(self.length).ok()
    }

    #[inline]
    pub(super) fn shape(self) -> Shape {
        let bytes = self.bytes;
        self.length().map_or(Shape::Bytes(bytes), |length| Shape::Array { bytes, length })
    }
}

/// The latest sizes in one chunk.
#[derive(Debug)]
pub(super) struct Expected {
    entries: [Size; ENTRIES],
    /// Base index of the entries of the current object's class.
    class: usize,
}

impl Expected {
    pub(super) const fn new() -> Self {
        Self { entries: [Size::of(Shape::Bytes(0)); ENTRIES], class: 0 }
    }

    /// Announces references of an object of this class; for a resumed object the class is not known.
    #[inline]
    pub(super) fn begin(&mut self, class: Option<ObjectId>) {
        self.class = class.map_or(0, |class| class.0 as usize).wrapping_mul(37);
    }

    /// The expected size for a reference, by its kind, and its index if it is a field's.
    #[inline(always)]
    pub(super) fn of(&mut self, of: u8, index: u32) -> &mut Size {
        let place = if of == kind::ELEMENT { 0 } else { index as usize };
        let at = self.class.wrapping_add(usize::from(of) << 5).wrapping_add(place);
        &mut self.entries[at % ENTRIES]
    }
}
