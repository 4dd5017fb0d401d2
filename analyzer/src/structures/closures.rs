//! The transitive closure of groups of objects (AntTracks §2.2.3, *deep* size): all that is reached from a group, the
//! group included. Class mirrors are not entered, unless the group has one: through a class everything is reached.

use crate::graph::{BitSet, Referrers, Size, join_inflow};
use crate::heap::{Heap, ObjectIdx};

/// Most groups of one pass: each has a bit of a word.
pub(super) const MOST_AT_ONCE: usize = u64::BITS as usize;

/// The deep size of one group, by one search.
pub fn reached(heap: &Heap, group: &[ObjectIdx]) -> Size {
    let (mut seen, mut size, mut open) = (BitSet::new(heap.object_count()), Size::default(), Vec::new());
    let mirrors = mirrors(heap);
    let mut meet = |object: ObjectIdx, open: &mut Vec<ObjectIdx>| {
        if seen.insert(object.at()) {
            size.add_object(heap.shallow_bytes(object));
            open.push(object);
        }
    };
    group.iter().for_each(|&object| meet(object, &mut open));
    while let Some(object) = open.pop() {
        let entered = heap.references().of(object).iter().filter(|referee| !mirrors.contains(referee.at()));
        entered.for_each(|&referee| meet(referee, &mut open));
    }
    size
}

/// The deep size of each group. 64 groups take one pass over the heap, in which each reference is followed once.
pub fn reached_by_each(heap: &Heap, referrers: &Referrers, groups: &[&[ObjectIdx]]) -> Vec<Size> {
    let mirrors = mirrors(heap);
    let has_mirror = |group: &[ObjectIdx]| group.iter().any(|object| mirrors.contains(object.at()));
    let mut sizes = vec![Size::default(); groups.len()];
    let (with_mirrors, others): (Vec<usize>, Vec<usize>) = (0..groups.len()).partition(|&at| has_mirror(groups[at]));
    with_mirrors.into_iter().for_each(|at| sizes[at] = reached(heap, groups[at]));
    for batch in others.chunks(MOST_AT_ONCE) {
        let mut bits = vec![0u64; heap.object_count()];
        for (bit, &at) in batch.iter().enumerate() {
            groups[at].iter().for_each(|object| bits[object.at()] |= 1 << bit);
        }
        join_inflow(referrers, |object| !mirrors.contains(object.at()), &mut bits);
        let mut by_bit = vec![Size::default(); batch.len()];
        for object in heap.objects().filter(|object| bits[object.at()] != 0 && !mirrors.contains(object.at())) {
            add_to_each(&mut by_bit, bits[object.at()], heap.shallow_bytes(object));
        }
        batch.iter().zip(by_bit).for_each(|(&at, size)| sizes[at] = size);
    }
    sizes
}

/// Adds an object to the size of each bit that is set.
pub(super) fn add_to_each(sizes: &mut [Size], mut bits: u64, bytes: u64) {
    while bits != 0 {
        sizes[bits.trailing_zeros() as usize].add_object(bytes);
        bits &= bits - 1;
    }
}

fn mirrors(heap: &Heap) -> BitSet {
    let mut mirrors = BitSet::new(heap.object_count());
    for mirror in heap.classes().iter().filter_map(|(_, class)| class.mirror) {
        mirrors.insert(mirror.at());
    }
    mirrors
}
