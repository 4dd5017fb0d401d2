//! Detection as AntTracks §3.2.3 words it, for one structure with those that it contains: slow, and independent of the
//! analyzer's.

use rootbound::heap::{Heap, ObjectIdx};
use rootbound::structures::{Branch, Layout};
use std::collections::{BTreeMap, BTreeSet};

/// One structure with all that it contains.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Its heads, its own first.
    pub heads: BTreeSet<ObjectIdx>,
    /// Heads and objects between heads and leaves.
    pub inner: BTreeSet<ObjectIdx>,
    /// Contents.
    pub leaves: BTreeSet<ObjectIdx>,
}

/// Walks from a head.
pub(super) fn found(heap: &Heap, layout: &Layout, head: ObjectIdx) -> Found {
    let mut found = Found::default();
    let mut heads = vec![head];
    while let Some(head) = heads.pop() {
        if found.heads.insert(head) {
            walk_one(heap, layout, head, &mut found, &mut heads);
        }
    }
    found.leaves.retain(|leaf| !found.inner.contains(leaf));
    found
}

fn walk_one(heap: &Heap, layout: &Layout, head: ObjectIdx, found: &mut Found, heads: &mut Vec<ObjectIdx>) {
    let mut visited = BTreeSet::from([head]);
    let mut pending = vec![head];
    while let Some(object) = pending.pop() {
        found.inner.insert(object);
        for referee in pointers(heap, layout, object) {
            let [from, to] = [object, referee].map(|object| layout.type_of(heap, object));
            let branch = layout.branch(from, to);
            if branch == Branch::Outside || !visited.insert(referee) {
                continue;
            }
            match branch {
                Branch::Head => heads.push(referee),
                Branch::Follow if layout.has_pointed_to(to) => pending.push(referee),
                _ => drop(found.leaves.insert(referee)),
            }
        }
    }
}

fn pointers(heap: &Heap, layout: &Layout, object: ObjectIdx) -> Vec<ObjectIdx> {
    let labelled = heap.references().labelled(object);
    labelled.filter(|&(_, label)| layout.is_pointer(heap, object, label)).map(|(referee, _)| referee).collect()
}

/// All objects that fields and elements reach from a head; nothing behind an object that `ends`, which does not count.
pub(super) fn reached(
    heap: &Heap,
    layout: &Layout,
    head: ObjectIdx,
    ends: impl Fn(&str) -> bool,
) -> BTreeSet<ObjectIdx> {
    let mut reached = BTreeSet::from([head]);
    let mut pending = vec![head];
    while let Some(object) = pending.pop() {
        for referee in pointers(heap, layout, object) {
            if !ends(class_name(heap, referee)) && reached.insert(referee) {
                pending.push(referee);
            }
        }
    }
    reached
}

/// Number of objects by class.
pub(super) fn by_class<'a>(heap: &'a Heap, objects: &BTreeSet<ObjectIdx>) -> BTreeMap<&'a str, usize> {
    let mut counts = BTreeMap::new();
    for &object in objects {
        *counts.entry(class_name(heap, object)).or_default() += 1;
    }
    counts
}

pub(super) fn class_name(heap: &Heap, object: ObjectIdx) -> &str {
    &heap.classes().get(heap.class_of(object)).name
}
