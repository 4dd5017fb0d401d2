//! Wrappers of arrays: objects with one reference, an array in a final field (`AtomicReferenceArray`).
//!
//! Such an object cannot outgrow its array. What holds it in a field that may change replaces both, whether it did so
//! between these captures or has yet to. So it is never what keeps the members: its holder is.

use super::Referrers;
use crate::heap::{Class, Heap, ObjectIdx};

/// All wrappers that fields of objects hold, each of them one that may be set again.
pub(super) fn wrappers<'a>(heap: &'a Heap, referrers: &'a Referrers) -> impl Iterator<Item = ObjectIdx> + 'a {
    let wrap: Vec<bool> = heap.classes().iter().map(|(_, class)| wraps_an_array(class)).collect();
    let is_wrapper = move |object: ObjectIdx| wrap.get(heap.class_of(object).at()).is_some_and(|&wraps| wraps);
    heap.objects().filter(move |&object| is_wrapper(object) && may_be_replaced(heap, referrers, object))
}

/// Whether the only reference in an object of this class is to an array of references, and final.
fn wraps_an_array(class: &Class) -> bool {
    let is_reference = |descriptor: &str| descriptor.starts_with(['L', '[']);
    let is_of_references = |descriptor: &str| descriptor.strip_prefix('[').is_some_and(is_reference);
    let mut references = class.fields().iter().filter(|field| !field.is_static && is_reference(&field.descriptor));
    let only = references.next().filter(|_| references.next().is_none());
    only.is_some_and(|field| field.is_final && is_of_references(&field.descriptor))
}

/// Whether fields of objects hold it, and none of them is final.
fn may_be_replaced(heap: &Heap, referrers: &Referrers, object: ObjectIdx) -> bool {
    let holders = referrers.of(object);
    let is_free = |&holder: &ObjectIdx| {
        let class = heap.class_of(holder);
        let mut fields = heap.references().labelled(holder).filter(|&(held, _)| held == object);
        fields.all(|(_, label)| {
            label.is_instance_field() && heap.classes().field(class, label).is_some_and(|field| !field.is_final)
        })
    };
    !holders.is_empty() && holders.iter().all(is_free)
}
