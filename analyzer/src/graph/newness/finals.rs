//! Ages from final fields: an object whose final field refers to a new object is new itself, for such a field is set
//! once, when its holder is made. It makes the new root of a structure known that is copied on change.

use super::{DEPENDENT, Estimate, NEW};
use crate::graph::Referrers;
use crate::heap::{Heap, ObjectIdx};

/// Marks as new those members of uncertain groups whose final fields refer to new objects, directly or by others. The
/// gain of each group stays the same.
pub(super) fn settle(heap: &Heap, referrers: &Referrers, estimate: &mut [u32], estimates: &mut [Estimate]) {
    let mut found = vec![0usize; estimates.len()];
    let mut ahead: Vec<ObjectIdx> = heap.objects().filter(|object| estimate[object.at()] == NEW).collect();
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
    let mut left = vec![0usize; estimates.len()];
    estimate.iter().filter(|&&group| group != DEPENDENT).for_each(|&group| left[group as usize] += 1);
    for ((of_all, found), left) in estimates.iter_mut().zip(found).zip(left).filter(|((_, found), _)| *found > 0) {
        let gain = of_all.newness * (left + found) as f64;
        of_all.newness = ((gain - found as f64) / left.max(1) as f64).clamp(0.0, 1.0);
    }
}

/// Whether a final field of the holder refers to the object. Static fields may be set long after their class was
/// loaded.
fn holds_for_good(heap: &Heap, holder: ObjectIdx, object: ObjectIdx) -> bool {
    if heap.is_array(holder) || heap.class_of_mirror(holder).is_some() {
        return false;
    }
    let class = heap.class_of(holder);
    let mut fields =
        heap.references().labelled(holder).filter(|&(held, label)| held == object && label.is_instance_field());
    fields.any(|(_, label)| heap.classes().field(class, label).is_some_and(|field| field.is_final))
}
