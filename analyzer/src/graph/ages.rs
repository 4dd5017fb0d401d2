//! Old and new (LeakBot §3.2, *age*) as weights in [0, 1].
//!
//! If every object was marked, a weight is 0 or 1, and all figures are LeakBot's. If only a sample was marked, an
//! unmarked object has the mean newness of its group ([`super::newness`]).
//!
//! One correction: "when adding to an `ArrayList`, the underlying array is a transient object" (§5). A structure that
//! outgrew its array between two snapshots holds a new array with all the old members in it. Literally, only the new
//! array would be on the fringe then, and none of the added members. So an object array that a field of an old object
//! holds counts as old: it is a part of that object. The same holds for the wrapper of such an array
//! ([`super::replaced`], [`super::wrappers`]).

use super::newness::Newness;
use super::replaced::{Known, Replaced, replaced_parts, transient};
use super::wrappers::wrappers;
use super::{BitSet, DominatorTree, Referrers};
use crate::heap::{ClassIdx, Heap, ObjectIdx};

/// The newness of each object.
#[derive(Debug)]
pub struct Ages {
    /// Objects that are new, or may be.
    new: BitSet,
    /// Objects that structures replace as they grow.
    transient: BitSet,
    /// Classes of nodes that are copied on change.
    copied: Vec<ClassIdx>,
    /// Estimates of ages, if marks are a sample.
    estimated: Option<Newness>,
}

impl Ages {
    /// Ages from the generations of the heap if these are exact, and from its marks if these are a sample.
    pub fn new(heap: &Heap, referrers: &Referrers, dominators: &DominatorTree) -> Self {
        if Newness::is_needed(heap) {
            Self::estimated(heap, referrers, dominators)
        } else {
            Self::exact(heap, referrers, |object| heap.is_new(object))
        }
    }

    /// Takes known ages, arrays corrected.
    pub fn exact(heap: &Heap, referrers: &Referrers, is_new: impl Fn(ObjectIdx) -> bool) -> Self {
        let mut new = BitSet::new(heap.object_count());
        for object in heap.objects() {
            if is_new(object) && !is_backing_array_of_old(heap, referrers, object, &is_new) {
                new.insert(object.at());
            }
        }
        let newness = |object: ObjectIdx| f64::from(u8::from(new.contains(object.at())));
        let replaced = replaced_parts(heap, referrers, Known { newness, stands_for: |_| None }, Vec::new());
        for part in &replaced.parts {
            new.remove(part.at());
            let arrays = heap.references().of(*part).iter().filter(|&&part| heap.is_object_array(part));
            arrays.for_each(|array| new.remove(array.at()));
        }
        Self::with(heap, referrers, new, replaced, None)
    }

    /// Gives objects without a mark the newness of their groups. If every object is marked, the result equals
    /// [`Self::exact`].
    pub fn estimated(heap: &Heap, referrers: &Referrers, dominators: &DominatorTree) -> Self {
        let (newness, replaced) = Newness::new(heap, referrers, dominators);
        let mut new = BitSet::new(heap.object_count());
        for object in heap.objects().filter(|&object| newness.of(object) > 0.0) {
            new.insert(object.at());
        }
        Self::with(heap, referrers, new, replaced, Some(newness))
    }

    fn with(heap: &Heap, referrers: &Referrers, new: BitSet, replaced: Replaced, estimated: Option<Newness>) -> Self {
        let mut transient = transient(heap, referrers, &replaced);
        for wrapper in wrappers(heap, referrers) {
            transient.insert(wrapper.at());
        }
        Self { new, transient, copied: replaced.copied, estimated }
    }

    /// Whether the object is of the latest generation, or may be: [`Self::newness`] is above 0.
    #[inline]
    pub fn is_new(&self, object: ObjectIdx) -> bool {
        self.new.contains(object.at())
    }

    /// Whether structures replace such an object as they grow: an array of references, or its wrapper.
    #[inline]
    pub fn is_transient(&self, heap: &Heap, object: ObjectIdx) -> bool {
        heap.is_array(object) || self.transient.contains(object.at())
    }

    /// Whether the object is a node of a structure that copies its nodes on change: a part of it, and never its gain.
    pub fn is_copied_node(&self, heap: &Heap, object: ObjectIdx) -> bool {
        self.copied.contains(&heap.class_of(object))
    }

    /// Probability that the object is of the latest generation, in [0, 1].
    #[inline]
    pub fn newness(&self, object: ObjectIdx) -> f64 {
        match &self.estimated {
            None => f64::from(u8::from(self.is_new(object))),
            Some(newness) => newness.of(object),
        }
    }

    /// Share of the newness that its holder, which may be new itself, does not explain; 1 if ages are exact.
    #[inline]
    pub fn unexplained(&self, object: ObjectIdx) -> f64 {
        self.estimated.as_ref().map_or(1.0, |newness| newness.unexplained(object))
    }

    /// The object's contribution to the variance of a sum of [`Self::newness`].
    #[inline]
    pub fn variance(&self, object: ObjectIdx) -> f64 {
        self.estimated.as_ref().map_or(0.0, |newness| newness.variance_of(object))
    }

    /// Whether ages are estimates.
    pub fn are_estimated(&self) -> bool {
        self.estimated.is_some()
    }
}

fn is_backing_array_of_old(
    heap: &Heap,
    referrers: &Referrers,
    object: ObjectIdx,
    is_new: impl Fn(ObjectIdx) -> bool,
) -> bool {
    heap.is_object_array(object) && referrers.of(object).iter().any(|&holder| !is_new(holder) && !heap.is_array(holder))
}
