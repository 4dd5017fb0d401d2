//! Objects to which the change-proxies of a region refer weakly or softly.

use super::chain::predecessor;
use crate::graph::OwnedHeap;
use crate::heap::{ClassIdx, Label, ObjectIdx};

/// Maximum of objects of one owner that are examined, and of change-proxies among them.
const MAX_LOOKED_AT: usize = 65_536;
const MAX_ASKED: usize = 256;
/// Fractional part of the golden ratio, times 2⁶⁴.
const GOLDEN_RATIO: u64 = 0x9E37_79B9_7F4A_7C15;
/// Maximum of fields from a change-proxy to its reference: a node, a holder, the reference.
const MAX_HOPS: usize = 2;
/// Maximum of objects of one change-proxy that are examined.
const MAX_OBJECTS: usize = 64;

/// Change-proxies of an owner, and old objects of their type, from everywhere in the structure.
#[derive(Debug)]
pub struct Sample {
    /// Those that are examined.
    pub asked: Vec<ObjectIdx>,
    /// Number of all, estimated where the structure is large.
    pub members: f64,
    /// Standard error of that number.
    pub error: f64,
}

impl Sample {
    /// A sample of an owner's objects of such types.
    #[must_use]
    pub fn of(owned: OwnedHeap<'_>, owner: ObjectIdx, is_such: impl Fn(ClassIdx) -> bool) -> Self {
        let all = owned.dominators.subtree(owner);
        let is_change = |object: &ObjectIdx| is_such(owned.heap.class_of(*object));
        let changes: Vec<ObjectIdx> = one_of_each_stretch(all, MAX_LOOKED_AT).filter(is_change).collect();
        let (met, each) = (changes.len() as f64, stretch(all.len(), MAX_LOOKED_AT) as f64);
        let error = if each > 1.0 { met.sqrt() * each } else { 0.0 };
        Self { asked: one_of_each_stretch(&changes, MAX_ASKED).collect(), members: met * each, error }
    }
}

/// Number of objects in each stretch, where `objects` are divided into at most `most` stretches.
fn stretch(objects: usize, most: usize) -> usize {
    objects.div_ceil(most).max(1)
}

/// At most this number of the objects, from everywhere. Entries recur at even distances, each with the objects that it
/// owns; so the place in each stretch differs.
fn one_of_each_stretch(objects: &[ObjectIdx], most: usize) -> impl Iterator<Item = ObjectIdx> {
    objects.chunks(stretch(objects.len(), most)).enumerate().map(|(at, stretch)| stretch[uneven(at, stretch.len())])
}

/// A number below `below`. Those of successive `at` are spread evenly, and have no period.
fn uneven(at: usize, below: usize) -> usize {
    let fraction = (at as u64).wrapping_mul(GOLDEN_RATIO) >> 32;
    ((fraction * below as u64) >> 32) as usize
}

/// The referent of the nearest such reference that an object is, or has a few fields away. `None` where there is no
/// such reference, or it was cleared.
pub fn nearest(owned: OwnedHeap<'_>, object: ObjectIdx, is_such: impl Fn(ObjectIdx) -> bool) -> Option<ObjectIdx> {
    find_near(owned, object, |near| owned.heap.referent(near).filter(|_| is_such(near)))
}

/// What is found first in an object, and in what it has a few fields away.
pub fn find_near<T>(owned: OwnedHeap<'_>, object: ObjectIdx, find: impl Fn(ObjectIdx) -> Option<T>) -> Option<T> {
    let mut near = vec![object];
    let mut seen = 1;
    for _ in 0..=MAX_HOPS {
        if let Some(found) = near.iter().find_map(|&near| find(near)) {
            return Some(found);
        }
        let parts = near.iter().flat_map(|&near| parts(owned, object, near));
        near = parts.take(MAX_OBJECTS.saturating_sub(seen)).collect();
        seen += near.len();
    }
    None
}

/// Objects that belong to an object alone and are referred to by its fields; nodes chained to the change-proxy are not
/// included.
fn parts<'a>(owned: OwnedHeap<'a>, change: ObjectIdx, object: ObjectIdx) -> impl Iterator<Item = ObjectIdx> + 'a {
    let class = owned.heap.class_of(change);
    let is_own = move |&(part, label): &(ObjectIdx, Label)| {
        label.is_instance_field()
            && owned.dominators.immediate_dominator(part) == Some(object)
            && predecessor(owned, part, class).is_none()
    };
    owned.heap.references().labelled(object).filter(is_own).map(|(part, _)| part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_at_even_distances_are_met_as_often_as_there_are() {
        let objects: Vec<ObjectIdx> = (0..90_000).map(ObjectIdx).collect();
        for every in 2..40 {
            for first in 0..every {
                let met = one_of_each_stretch(&objects, 10_000).filter(|object| object.0 % every == first).count();
                let expected = 10_000.0 / f64::from(every);
                assert!(
                    (met as f64 / expected - 1.0).abs() < 0.2,
                    "{met} of {expected}: every {every}th, from {first}"
                );
            }
        }
        assert_eq!(one_of_each_stretch(&objects[..7], 10).count(), 7);
    }
}
