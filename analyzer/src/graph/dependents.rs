//! Objects whose age is that of what holds them. Nothing is estimated here.
//!
//! An array of references that a field holds is a part of its holder (see [`super::Ages`]). Where marks are few, so is a
//! leaf that hangs from fields alone: it is made with its holder far more often than without. Not the last node of a list.

use super::Referrers;
use crate::heap::{Heap, Label, ObjectIdx};

/// Whether the object takes the age of its holders: of [`holders`] the oldest. Never true for an object that holds
/// such a one.
pub fn takes_age_of_holders(heap: &Heap, referrers: &Referrers, object: ObjectIdx, leaves_do: bool) -> bool {
    if heap.is_object_array(object) {
        return holders(heap, referrers, object).next().is_some();
    }
    let all = referrers.of(object);
    let is_apart =
        |&holder: &ObjectIdx| !holds_by_field(heap, holder) || heap.class_of(holder) == heap.class_of(object);
    leaves_do && is_leaf(heap, object) && !all.is_empty() && !all.iter().any(is_apart)
}

/// The objects that hold it by a field.
pub fn holders<'a>(
    heap: &'a Heap,
    referrers: &'a Referrers,
    object: ObjectIdx,
) -> impl Iterator<Item = ObjectIdx> + 'a {
    referrers.of(object).iter().copied().filter(|&holder| holds_by_field(heap, holder))
}

/// An instance without references refers to its class all the same, and that class may be one that nobody described: it was
/// loaded while the capture was made. So its mirror may look like a leaf, and the instance, which is one, like its holder.
fn holds_by_field(heap: &Heap, holder: ObjectIdx) -> bool {
    !heap.is_array(holder) && !refers_to_its_class_alone(heap, holder)
}

/// Mirrors are no leaves.
fn is_leaf(heap: &Heap, object: ObjectIdx) -> bool {
    refers_to_its_class_alone(heap, object) && heap.class_of_mirror(object).is_none()
}

fn refers_to_its_class_alone(heap: &Heap, object: ObjectIdx) -> bool {
    heap.references().labelled(object).all(|(_, label)| label == Label::CLASS)
}
