//! Old and new (LeakBot §3.2, *age*) as weights: how much of an object is new, in [0, 1].
//!
//! Where every object was marked, a weight is 0 or 1, and all figures are LeakBot's. Where few were, an unmarked object
//! is as new as its group is on average ([`super::newness`]).
//!
//! One correction: "when adding to an `ArrayList`, the underlying array is a transient object" (§5): a structure that
//! outgrew its array between two snapshots holds a new array with all the old members in it. Taken literally, none of
//! the members that were added would be on the fringe then, the new array alone would. So an object array that a field
//! of an old object holds is old: it is a part of that object. So is what wraps such an array ([`super::replaced`]).

use super::newness::Newness;
use super::replaced::{replaced_parts, transient};
use super::{BitSet, DominatorTree, Referrers};
use crate::heap::{Heap, ObjectIdx};

/// How new each object is.
#[derive(Debug)]
pub struct Ages {
    /// Objects that are new, or may be.
    new: BitSet,
    /// What structures replace as they grow.
    transient: BitSet,
    /// Where ages are estimates.
    estimated: Option<Newness>,
}

impl Ages {
    /// Ages from the generations of the heap where they are exact, and from its marks where these are a sample.
    pub fn new(heap: &Heap, referrers: &Referrers, dominators: &DominatorTree) -> Self {
        if Newness::is_needed(heap) {
            Self::estimated(heap, referrers, dominators)
        } else {
            Self::exact(heap, referrers)
        }
    }

    /// Takes the generations of the heap, arrays corrected.
    pub fn exact(heap: &Heap, referrers: &Referrers) -> Self {
        let mut new = BitSet::new(heap.object_count());
        for object in heap.objects() {
            if heap.is_new(object) && !is_backing_array_of_old(heap, referrers, object) {
                new.insert(object.at());
            }
        }
        let replaced = replaced_parts(heap, referrers, |object| if new.contains(object.at()) { 1.0 } else { 0.0 });
        for part in &replaced {
            new.remove(part.at());
            let arrays = heap.references().of(*part).iter().filter(|&&part| heap.is_object_array(part));
            arrays.for_each(|array| new.remove(array.at()));
        }
        Self { new, transient: transient(heap, referrers, &replaced), estimated: None }
    }

    /// Takes objects without a mark for as new as their groups. With every object marked, the same as [`Self::exact`].
    pub fn estimated(heap: &Heap, referrers: &Referrers, dominators: &DominatorTree) -> Self {
        let (newness, replaced) = Newness::new(heap, referrers, dominators);
        let mut new = BitSet::new(heap.object_count());
        for object in heap.objects().filter(|&object| newness.of(object) > 0.0) {
            new.insert(object.at());
        }
        Self { new, transient: transient(heap, referrers, &replaced), estimated: Some(newness) }
    }

    /// Whether the object is of the latest generation, or may be: [`Self::newness`] is above 0.
    #[inline]
    pub fn is_new(&self, object: ObjectIdx) -> bool {
        self.new.contains(object.at())
    }

    /// Whether structures replace such an object as they grow: arrays of references, and what wraps them.
    #[inline]
    pub fn is_transient(&self, heap: &Heap, object: ObjectIdx) -> bool {
        heap.is_array(object) || self.transient.contains(object.at())
    }

    /// How probably the object is of the latest generation, in [0, 1].
    #[inline]
    pub fn newness(&self, object: ObjectIdx) -> f64 {
        match &self.estimated {
            None => f64::from(u8::from(self.is_new(object))),
            Some(newness) => newness.of(object),
        }
    }

    /// How much of the newness its holder, which may be new itself, does not explain; 1 where ages are exact.
    #[inline]
    pub fn unexplained(&self, object: ObjectIdx) -> f64 {
        self.estimated.as_ref().map_or(1.0, |newness| newness.unexplained(object))
    }

    /// What the object adds to the variance of a sum of [`Self::newness`].
    #[inline]
    pub fn variance(&self, object: ObjectIdx) -> f64 {
        self.estimated.as_ref().map_or(0.0, |newness| newness.variance_of(object))
    }

    /// Whether ages are estimates.
    pub fn are_estimated(&self) -> bool {
        self.estimated.is_some()
    }
}

fn is_backing_array_of_old(heap: &Heap, referrers: &Referrers, object: ObjectIdx) -> bool {
    heap.is_object_array(object)
        && referrers.of(object).iter().any(|&holder| !heap.is_new(holder) && !heap.is_array(holder))
}
