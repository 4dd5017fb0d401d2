//! Ages from final fields. Such a field is set once, when its holder is made. So an object whose final field refers to a
//! new object is new itself: it makes the new root of a structure known that is copied on change, and the new loggers
//! among many by their contexts, all of which were marked. And what a final field of an old object refers to is old
//! itself: a map that was still empty when marks were chosen.

use super::knowledge::Knowledge;
use super::{DEPENDENT, Estimate, FIRST_GROUP, NEW, OLD};
use crate::graph::Referrers;
use crate::heap::{Heap, Label, ObjectIdx};

/// Marks as old what final fields of old objects refer to, and as new those members of uncertain groups whose final
/// fields refer to new objects; both directly or by others. The gain of each group stays the same.
pub(super) fn settle(
    knowledge: &Knowledge<'_>,
    referrers: &Referrers,
    estimate: &mut [u32],
    estimates: &mut [Estimate],
) {
    let are_old = settle_old(knowledge.heap, estimate, estimates.len());
    let are_new = settle_new(knowledge, referrers, estimate, estimates.len());
    spread(estimate, estimates, &are_old, &are_new);
}

/// Number of objects of each group that have become old.
fn settle_old(heap: &Heap, estimate: &mut [u32], groups: usize) -> Vec<usize> {
    let mut found = vec![0; groups];
    let mut ahead: Vec<ObjectIdx> = heap.objects().filter(|object| estimate[object.at()] == OLD).collect();
    while let Some(holder) = ahead.pop() {
        // Elements are in no final field.
        let fields = heap.references().labelled(holder).take_while(|_| !heap.is_array(holder));
        for (held, label) in fields {
            let group = estimate[held.at()];
            if group != OLD && group != DEPENDENT && is_final(heap, holder, label) {
                estimate[held.at()] = OLD;
                found[group as usize] += 1;
                ahead.push(held);
            }
        }
    }
    found
}

/// Number of objects of each group that have become new.
fn settle_new(knowledge: &Knowledge<'_>, referrers: &Referrers, estimate: &mut [u32], groups: usize) -> Vec<usize> {
    let (heap, all_marked) = (knowledge.heap, knowledge.all_marked());
    let is_certain = |&object: &ObjectIdx| match estimate[object.at()] {
        NEW => true,
        OLD | DEPENDENT => false,
        _ => heap.is_new(object) && all_marked[heap.class_of(object).at()],
    };
    let mut found = vec![0; groups];
    let mut ahead: Vec<ObjectIdx> = heap.objects().filter(is_certain).collect();
    while let Some(object) = ahead.pop() {
        for &holder in referrers.of(object) {
            let group = estimate[holder.at()];
            let is_open = group != NEW && group != DEPENDENT && heap.is_new(holder);
            if is_open && holds_for_good(heap, holder, object) {
                estimate[holder.at()] = NEW;
                found[group as usize] += 1;
                ahead.push(holder);
            }
        }
    }
    found
}

/// Spreads the gain of each group, less those found to be new, over those that are left.
fn spread(estimate: &[u32], estimates: &mut [Estimate], are_old: &[usize], are_new: &[usize]) {
    let mut left = vec![0usize; estimates.len()];
    estimate.iter().filter(|&&group| group != DEPENDENT).for_each(|&group| left[group as usize] += 1);
    for (at, of_all) in estimates.iter_mut().enumerate().skip(FIRST_GROUP as usize) {
        let (old, new, left) = (are_old[at], are_new[at], left[at]);
        if old + new > 0 {
            let gain = of_all.newness * (left + old + new) as f64;
            of_all.newness = ((gain - new as f64) / left.max(1) as f64).clamp(0.0, 1.0);
        }
    }
}

/// Whether a final field of the holder refers to the object. Static fields may be set long after their class was
/// loaded.
fn holds_for_good(heap: &Heap, holder: ObjectIdx, object: ObjectIdx) -> bool {
    if heap.is_array(holder) || heap.class_of_mirror(holder).is_some() {
        return false;
    }
    let mut fields =
        heap.references().labelled(holder).filter(|&(held, label)| held == object && label.is_instance_field());
    fields.any(|(_, label)| is_final(heap, holder, label))
}

fn is_final(heap: &Heap, holder: ObjectIdx, label: Label) -> bool {
    heap.field(holder, label).is_some_and(|field| field.is_final)
}
