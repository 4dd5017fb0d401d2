//! The size that a referee is expected to have: that of the object which the last reference from the same place of the same
//! class led to. Nodes of a map refer to keys of one size, and those to arrays of few sizes, so most sizes take no byte.
//!
//! Writer and reader keep the same table for each chunk. Where two places share an entry, sizes are told more often, and
//! stay right.

use super::{Shape, kind};
use crate::ids::ObjectId;

const ENTRIES: usize = 256;

/// The sizes met last in one chunk.
#[derive(Debug)]
pub(super) struct Expected {
    entries: [Shape; ENTRIES],
    /// Where the entries of the present object's class begin.
    class: usize,
}

impl Expected {
    pub(super) const fn new() -> Self {
        Self { entries: [Shape::Bytes(0); ENTRIES], class: 0 }
    }

    /// References of an object of this class follow; of an object that goes on the class is not told.
    #[inline]
    pub(super) fn begin(&mut self, class: Option<ObjectId>) {
        self.class = class.map_or(0, |class| class.0 as usize).wrapping_mul(37);
    }

    /// What is expected of a reference: its kind, and its index if it is a field's.
    #[inline]
    pub(super) fn of(&mut self, of: u8, index: u32) -> &mut Shape {
        let place = if of == kind::ELEMENT { 0 } else { index as usize };
        let at = self.class.wrapping_add(usize::from(of) << 5).wrapping_add(place);
        &mut self.entries[at % ENTRIES]
    }
}
