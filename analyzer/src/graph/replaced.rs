//! Parts that a structure made anew when it outgrew them, wrapper and all.
//!
//! A structure whose array is wrapped in an object of its own (`AtomicReferenceArray`, the page of a tree) replaces both
//! when it grows. The new wrapper holds a new array with the old members in it. Taken literally the wrapper alone were on
//! the fringe, one a structure, and nothing that was added. So it is old, with its array: it stands where another stood.
//! Known by shape: new, held by a field of something old, and the array that it alone holds has old members. A node
//! that is chained to nodes of its class is none, whatever it holds: such nodes are what lists grow by.

use super::{BitSet, Referrers};
use crate::heap::{ClassIdx, Heap, ObjectIdx};
use std::collections::HashSet;

/// The share of an array's members that must be old: it may have doubled a few times since.
const OLD_SHARE: f64 = 0.1;
/// More new than old.
const NEW: f64 = 0.5;

/// Wrappers that are as old as what holds them. `newness` says how new each object is, in [0, 1].
pub(super) fn replaced_parts(heap: &Heap, referrers: &Referrers, newness: impl Fn(ObjectIdx) -> f64) -> Vec<ObjectIdx> {
    let parts = Parts { heap, referrers, newness };
    let holds_old = |&object: &ObjectIdx| parts.arrays(object).any(|array| parts.holds_old(array));
    heap.objects().filter(|&object| parts.may_be_replaced(object)).filter(holds_old).collect()
}

/// Objects that stand where such a part stood: what was replaced in one structure is so in all of its kind.
pub(super) fn transient(heap: &Heap, referrers: &Referrers, replaced: &[ObjectIdx]) -> BitSet {
    let kinds_of = |object: ObjectIdx| {
        referrers.of(object).iter().map(move |&holder| (heap.class_of(holder), heap.class_of(object)))
    };
    let kinds: HashSet<(ClassIdx, ClassIdx)> = replaced.iter().flat_map(|&part| kinds_of(part)).collect();
    let mut classes = BitSet::new(heap.classes().len());
    for (_, class) in &kinds {
        classes.insert(class.at());
    }
    let mut transient = BitSet::new(heap.object_count());
    // Few objects are of these classes; only they are asked who holds them.
    for object in heap.objects().filter(|&object| classes.contains(heap.class_of(object).at())) {
        if kinds_of(object).any(|kind| kinds.contains(&kind)) {
            transient.insert(object.at());
        }
    }
    transient
}

struct Parts<'a, F> {
    heap: &'a Heap,
    referrers: &'a Referrers,
    newness: F,
}

impl<F: Fn(ObjectIdx) -> f64> Parts<'_, F> {
    fn is_new(&self, object: ObjectIdx) -> bool {
        (self.newness)(object) > NEW
    }

    /// New, held by something old that is no array, and by nothing of its own class.
    fn may_be_replaced(&self, object: ObjectIdx) -> bool {
        let holders = self.referrers.of(object);
        !self.heap.is_array(object)
            && self.is_new(object)
            && holders.iter().any(|&holder| !self.heap.is_array(holder) && !self.is_new(holder))
            && holders.iter().all(|&holder| self.heap.class_of(holder) != self.heap.class_of(object))
    }

    /// Object arrays in its fields that nothing else holds.
    fn arrays(&self, object: ObjectIdx) -> impl Iterator<Item = ObjectIdx> + '_ {
        let references = self.heap.references().labelled(object);
        let fields = references.filter(|(_, label)| label.is_instance_field()).map(|(referee, _)| referee);
        fields.filter(move |&array| {
            self.heap.is_object_array(array) && self.referrers.of(array).iter().all(|&holder| holder == object)
        })
    }

    fn holds_old(&self, array: ObjectIdx) -> bool {
        let members = self.heap.references().of(array);
        let old: f64 = members.iter().map(|&member| 1.0 - (self.newness)(member)).sum();
        old >= (OLD_SHARE * members.len() as f64).max(1.0)
    }
}
