//! The search for ways from an owner to the objects below it, by references that JNI can read.

use super::simulate::is_below;
use crate::graph::ObjectGraph;
use crate::heap::{Label, ObjectIdx};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// Objects that the search below one owner examines, at most.
pub(super) const MAX_SEARCHED: usize = 1_000_000;

/// First reference by which each object was reached from the owner, by place in the owner's subtree. A search enters a
/// small part of a large subtree: memory that it does not write costs nothing.
#[derive(Debug)]
pub(super) struct Found {
    /// The index of the referrer plus one; 0 where nothing was reached.
    referrer: Vec<u32>,
    label: Vec<u32>,
}

impl Found {
    fn nothing(size: usize) -> Self {
        Self { referrer: vec![0; size], label: vec![0; size] }
    }

    /// Breadth-first from the owner, through the objects that it dominates.
    pub(super) fn below(graph: &ObjectGraph<'_>, owner: ObjectIdx, most: usize) -> Self {
        search(graph, owner, &FxHashSet::default(), most)
    }

    /// The same, but first through the objects that dominate these: for members far below an owner with more objects
    /// than a search may examine.
    pub(super) fn towards(graph: &ObjectGraph<'_>, owner: ObjectIdx, to: &[ObjectIdx], most: usize) -> Self {
        let mut first: FxHashSet<ObjectIdx> = FxHashSet::default();
        for &object in to {
            let above = std::iter::successors(Some(object), |&at| graph.dominators.immediate_dominator(at));
            for object in above.take_while(|&object| object != owner) {
                if !first.insert(object) {
                    break;
                }
            }
        }
        search(graph, owner, &first, most)
    }

    /// The first reference to the object at a place.
    pub(super) fn get(&self, place: usize) -> Option<(ObjectIdx, Label)> {
        let referrer = self.referrer.get(place)?.checked_sub(1)?;
        Some((ObjectIdx(referrer), Label::of_bits(self.label[place])))
    }

    fn insert(&mut self, place: usize, referrer: ObjectIdx, label: Label) {
        (self.referrer[place], self.label[place]) = (referrer.0 + 1, label.bits());
    }
}

/// Whether JNI can read references of this label.
pub(super) fn readable(label: Label) -> bool {
    label.is_element() || label.field_index().is_some()
}

/// Breadth-first from the owner, over readable references to objects that it dominates: to those in `first`, and when
/// none of these is left, to the others.
fn search(graph: &ObjectGraph<'_>, owner: ObjectIdx, first: &FxHashSet<ObjectIdx>, most: usize) -> Found {
    let start = graph.dominators.position(owner);
    let mut found = Found::nothing(graph.dominators.subtree(owner).len());
    let (mut preferred, mut others) = (VecDeque::from([owner]), VecDeque::new());
    for _ in 0..most {
        let Some(object) = preferred.pop_front().or_else(|| others.pop_front()) else { break };
        for (referee, label) in graph.heap.references().labelled(object) {
            if readable(label) && is_below(graph, owner, referee) {
                let at = (graph.dominators.position(referee) - start) as usize;
                if found.get(at).is_none() {
                    found.insert(at, object, label);
                    if first.contains(&referee) { preferred.push_back(referee) } else { others.push_back(referee) }
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heap::dsl::{HeapSketch, NEW};

    /// A desk whose hundred instruments have ten trades each; a deep way leads from the last instrument to a listener.
    #[test]
    fn members_far_below_a_large_owner_are_found_by_their_dominators() {
        let mut heap = HeapSketch::new();
        let desk = heap.old("Desk");
        heap.static_field("Shop", "desk", desk);
        let instruments: Vec<_> = (0..100).map(|_| heap.old("Instrument")).collect();
        for &instrument in &instruments {
            heap.element(desk, instrument);
            for _ in 0..10 {
                let trade = heap.old("Trade");
                heap.element(instrument, trade);
            }
        }
        let (support, listener) = (heap.old("Support"), heap.object("Listener", 16, NEW));
        heap.refer(instruments[99], "support", support);
        heap.refer(support, "listener", listener);
        let heap = heap.build();
        let graph = ObjectGraph::new(&heap);
        let of_class = |name: &str| {
            let is_one = |&object: &ObjectIdx| heap.classes().get(heap.class_of(object)).name == name;
            heap.objects().find(is_one).expect("an object of the class")
        };
        let (desk, listener) = (of_class("Desk"), of_class("Listener"));
        let place = (graph.dominators.position(listener) - graph.dominators.position(desk)) as usize;
        let way = |found: Found| found.get(place).map(|(referrer, _)| referrer);
        assert_eq!(way(Found::below(&graph, desk, 1_000)), None);
        assert_eq!(way(Found::below(&graph, desk, 2_000)), Some(of_class("Support")));
        assert_eq!(way(Found::towards(&graph, desk, &[listener], 10)), Some(of_class("Support")));
    }
}
