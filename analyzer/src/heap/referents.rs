//! What references of `java.lang.ref` refer to: no edge of the graph, for it keeps nothing alive, but whether something
//! else does tells what a collection will let go.

use super::ObjectIdx;

/// The referents of a heap's weak references, eight bytes each.
#[derive(Debug, Default)]
pub(super) struct Referents {
    /// Reference and referent, by rising reference.
    pairs: Vec<(ObjectIdx, ObjectIdx)>,
}

impl Referents {
    /// From pairs of reference and referent in any order.
    pub(super) fn new(mut pairs: Vec<(ObjectIdx, ObjectIdx)>) -> Self {
        pairs.sort_unstable();
        Self { pairs }
    }

    /// What a reference refers to; `None` where it was cleared, or is no weak reference.
    pub(super) fn of(&self, reference: ObjectIdx) -> Option<ObjectIdx> {
        let at = self.pairs.binary_search_by_key(&reference, |&(reference, _)| reference).ok()?;
        Some(self.pairs[at].1)
    }
}
