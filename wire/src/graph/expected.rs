//! The size that a referee is expected to have: that of the object which the last reference from the same place of the same
//! class led to. Nodes of a map refer to keys of one size, and those to arrays of few sizes, so most sizes take no byte.
//!
//! Writer and reader keep the same table for each chunk. Where two places share an entry, sizes are told more often, and
//! stay right.

use super::{Shape, kind};
use crate::ids::ObjectId;

const ENTRIES: usize = 256;

/// A [`Shape`] as two numbers that stay in registers. The writer codes millions a second, and a shape that is put together in
/// memory part by part and loaded whole makes the processor wait for the parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Size {
    pub(super) bytes: u64,
    /// Elements; beyond 32 bits it is no array.
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

/// The sizes met last in one chunk.
#[derive(Debug)]
pub(super) struct Expected {
    entries: [Size; ENTRIES],
    /// Where the entries of the present object's class begin.
    class: usize,
}

impl Expected {
    pub(super) const fn new() -> Self {
        Self { entries: [Size::of(Shape::Bytes(0)); ENTRIES], class: 0 }
    }

    /// References of an object of this class follow; of an object that goes on the class is not told.
    #[inline]
    pub(super) fn begin(&mut self, class: Option<ObjectId>) {
        self.class = class.map_or(0, |class| class.0 as usize).wrapping_mul(37);
    }

    /// What is expected of a reference: its kind, and its index if it is a field's.
    #[inline(always)]
    pub(super) fn of(&mut self, of: u8, index: u32) -> &mut Size {
        let place = if of == kind::ELEMENT { 0 } else { index as usize };
        let at = self.class.wrapping_add(usize::from(of) << 5).wrapping_add(place);
        &mut self.entries[at % ENTRIES]
    }
}
