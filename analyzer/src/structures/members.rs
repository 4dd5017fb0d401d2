//! Members and leaves of structures on demand: they are not stored, but found by another walk.

use super::walk::Walker;
use super::{Layout, Measured, Reach};
use crate::heap::{Heap, ObjectIdx};

/// Walks over structures of one heap; 4 bytes an object.
#[derive(Debug)]
pub struct Members<'a>(Walker<'a>);

impl<'a> Members<'a> {
    /// For any number of walks.
    pub fn new(heap: &'a Heap, layout: &'a Layout) -> Self {
        Self(Walker::new(heap, layout))
    }

    /// The size of the structures of these heads together: each member counts once.
    pub fn measure(&mut self, heads: &[ObjectIdx], reach: Reach) -> Measured {
        self.0.all(heads, reach, &mut |_| {}).into()
    }

    /// All members of the structures of these heads, each once, in the order of the walk.
    pub fn of(&mut self, heads: &[ObjectIdx], reach: Reach) -> Vec<ObjectIdx> {
        let mut members = Vec::new();
        self.0.all(heads, reach, &mut |object| members.push(object));
        members
    }

    /// Their leaves (AntTracks §3.2.3): members that no member follows, and no head of these. Own leaves include heads
    /// within the structures; deep leaves are those of the structures within instead.
    pub fn leaves(&mut self, heads: &[ObjectIdx], reach: Reach) -> Vec<ObjectIdx> {
        let mut leaves = self.of(heads, reach);
        leaves.retain(|&object| !self.0.has_followed(object));
        leaves
    }

    /// Heads within the structures of these heads that are not among them.
    pub fn contained(&mut self, heads: &[ObjectIdx], reach: Reach) -> Vec<ObjectIdx> {
        self.0.all(heads, reach, &mut |_| {});
        self.0.met().to_vec()
    }
}
