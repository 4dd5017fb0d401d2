//! Referents of `java.lang.ref` references. They are no edges of the graph, for such a reference keeps nothing alive. A
//! collection frees a referent unless another reference keeps it.

use super::ObjectIdx;

/// The referents of a heap's weak references, eight bytes each.
#[derive(Debug, Default)]
pub(super) struct Referents {
    /// Reference and referent, ascending by reference.
    pairs: Vec<(ObjectIdx, ObjectIdx)>,
}

impl Referents {
    /// From pairs of reference and referent in any order.
    pub(super) fn new(mut pairs: Vec<(ObjectIdx, ObjectIdx)>) -> Self {
        pairs.sort_unstable();
        Self { pairs }
    }

    /// The referent of a reference; `None` if it was cleared, or if the object is no weak reference.
    pub(super) fn of(&self, reference: ObjectIdx) -> Option<ObjectIdx> {
        let at = self.pairs.binary_search_by_key(&reference, |&(reference, _)| reference).ok()?;
        Some(self.pairs[at].1)
    }
}
