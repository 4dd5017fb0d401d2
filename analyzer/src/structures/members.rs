//! Members and leaves of structures on demand: they are not stored, but found by another walk.

use super::walk::Walker;
use super::{Layout, Measured, Reach};
use crate::heap::{Heap, ObjectIdx};

/// The structures of some heads together: both sizes and the deep leaves, from one walk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Whole {
    /// Their own size.
    pub own: Measured,
    /// The same with all structures within.
    pub deep: Measured,
    /// The deep leaves, in the order of the walk.
    pub leaves: Vec<ObjectIdx>,
}

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

    /// The size of the structures of these heads together, and with all structures within.
    pub fn measure_both(&mut self, heads: &[ObjectIdx]) -> [Measured; 2] {
        let own = self.0.own(heads, u64::MAX, &mut |_| {}).unwrap_or_default();
        let deep = self.0.contained(u64::MAX, &mut |_| {}).unwrap_or_default();
        [own.into(), deep.into()]
    }

    /// Both sizes and the deep leaves.
    pub fn whole(&mut self, heads: &[ObjectIdx]) -> Whole {
        let mut leaves = Vec::new();
        let own = self.0.own(heads, u64::MAX, &mut |object| leaves.push(object)).unwrap_or_default();
        let deep = self.0.contained(u64::MAX, &mut |object| leaves.push(object)).unwrap_or_default();
        leaves.retain(|&object| !self.0.has_followed(object));
        Whole { own: own.into(), deep: deep.into(), leaves }
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

    /// For each of the `asked` objects whether it is a head or an inner object of the structures of these heads, and
    /// whether it is one of them or of all structures within.
    pub fn inner(&mut self, heads: &[ObjectIdx], asked: &[ObjectIdx]) -> Vec<[bool; 2]> {
        let followed =
            |walker: &Walker<'_>| -> Vec<bool> { asked.iter().map(|&object| walker.has_followed(object)).collect() };
        self.0.own(heads, u64::MAX, &mut |_| {});
        let own = followed(&self.0);
        self.0.contained(u64::MAX, &mut |_| {});
        own.into_iter().zip(followed(&self.0)).map(|(own, deep)| [own, deep]).collect()
    }

    /// Heads within the structures of these heads that are not among them.
    pub fn contained(&mut self, heads: &[ObjectIdx], reach: Reach) -> Vec<ObjectIdx> {
        self.0.all(heads, reach, &mut |_| {});
        self.0.met().to_vec()
    }
}
