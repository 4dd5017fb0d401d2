//! Objects that have the age of their holder. Nothing is estimated here.
//!
//! An array of references that a field holds is a part of its holder (see [`super::Ages`]). If marks are few, so is a
//! leaf that only fields hold: it is created with its holder far more often than without. The last node of a list is
//! excepted.

use super::Referrers;
use crate::heap::{Heap, Label, ObjectIdx};

/// Whether the object takes the age of its holders: that of the oldest of [`holders`]. Never true for an object that
/// holds such an object.
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

/// Whether the holder holds objects by fields. An instance without references still refers to its class. If that class
/// was loaded during the capture, it may lack a record. Then its mirror may look like a leaf, and the instance, a true
/// leaf, like its holder.
fn holds_by_field(heap: &Heap, holder: ObjectIdx) -> bool {
    !heap.is_array(holder) && !refers_to_its_class_alone(heap, holder)
}

/// Whether the object is a leaf; mirrors are none.
fn is_leaf(heap: &Heap, object: ObjectIdx) -> bool {
    refers_to_its_class_alone(heap, object) && heap.class_of_mirror(object).is_none()
}

fn refers_to_its_class_alone(heap: &Heap, object: ObjectIdx) -> bool {
    heap.references().labelled(object).all(|(_, label)| label == Label::CLASS)
}
