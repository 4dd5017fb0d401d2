//! The references to and from objects of one's choice, by class and field (HeapRoots' manual: *incoming and outgoing
//! references*; INSANE: which references lead to these instances). One pass over all references.

use crate::graph::BitSet;
use crate::heap::{ClassIdx, Heap, Label, ObjectIdx};
use std::collections::HashMap;

/// The references to some objects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Holders {
    /// Kinds of reference, by the number of references, the most first.
    pub kinds: Vec<Holder>,
    /// Number of references to the objects.
    pub reference_count: u64,
    /// Number of objects that have such a reference.
    pub holder_count: u64,
    /// Number of the objects to which some object refers.
    pub held_count: u64,
}

/// References by one field, or by the slots of arrays of one class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    /// The class of the referrers; for static fields the class whose mirror refers.
    pub class: ClassIdx,
    /// Whether the referrers are class mirrors.
    pub is_mirror: bool,
    /// The field; all slots of arrays are one.
    pub label: Label,
    /// Number of references.
    pub reference_count: u64,
    /// Number of referrers.
    pub holder_count: u64,
    /// The first referrer, and its label.
    pub example: (ObjectIdx, Label),
    last: ObjectIdx,
}

/// A reference that several objects of one class have in common.
type Key = (ClassIdx, bool, Label);

/// Counts the references to `of`. References of objects to the mirrors of their classes count as others do.
pub fn find(heap: &Heap, of: &BitSet) -> Holders {
    let mut found = Holders::default();
    let mut held = BitSet::new(heap.object_count());
    let mut kinds: HashMap<Key, Holder> = HashMap::new();
    for holder in heap.objects().filter(|&object| refers(heap, object, of)) {
        found.holder_count += 1;
        let (class, is_mirror) = (heap.class_shown_by(holder), heap.class_of_mirror(holder).is_some());
        for (referee, label) in heap.references().labelled(holder).filter(|(referee, _)| of.contains(referee.at())) {
            found.reference_count += 1;
            held.insert(referee.at());
            kinds
                .entry((class, is_mirror, label.kind()))
                .or_insert_with(|| Holder::new((class, is_mirror, label.kind()), (holder, label)))
                .count(holder);
        }
    }
    found.held_count = held.count() as u64;
    found.kinds = kinds.into_values().collect();
    found.kinds.sort_by_key(|kind| (std::cmp::Reverse(kind.reference_count), kind.example));
    found
}

fn refers(heap: &Heap, object: ObjectIdx, of: &BitSet) -> bool {
    heap.references().of(object).iter().any(|referee| of.contains(referee.at()))
}

impl Holder {
    fn new((class, is_mirror, label): Key, example: (ObjectIdx, Label)) -> Self {
        Self { class, is_mirror, label, reference_count: 0, holder_count: 1, example, last: example.0 }
    }

    /// Adds a reference; those of one object come one after another.
    fn count(&mut self, holder: ObjectIdx) {
        self.reference_count += 1;
        self.holder_count += u64::from(self.last != holder);
        self.last = holder;
    }
}

#[cfg(test)]
mod tests;
