//! Single-entry regions, ages and the fringe.

use super::brute_force::{Domination, TrueAges};
use super::random_heap::for_each;
use rootbound::graph::{Entries, ObjectGraph, Referrers, SingleEntry};
use rootbound::heap::dsl::HeapSketch;
use rootbound::heap::{Heap, ObjectIdx};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn single_entry(heap: &Heap) -> Arc<SingleEntry> {
    ObjectGraph::new(heap).single_entry
}

#[test]
fn a_region_is_entered_through_its_head_alone() {
    for_each(|heap| {
        let (regions, truth) = (single_entry(heap), Domination::new(heap));
        for object in heap.objects().filter(|object| truth.reachable[object.at()]) {
            let head = regions.head_of(object);
            assert!(regions.is_head(head), "head of {object:?}");
            assert_eq!(regions.is_head(object), head == object);
            assert!(truth.dominates(head, object), "{head:?} heads {object:?}");
        }
    });
}

#[test]
fn what_the_graph_is_entered_through_is_a_head() {
    for_each(|heap| {
        let regions = single_entry(heap);
        assert!(Entries::new(heap).objects().iter().all(|&object| regions.is_head(object)));
    });
}

#[test]
fn the_referrers_of_an_inner_object_lie_in_its_region() {
    for_each(|heap| {
        let (regions, referrers, truth) = (single_entry(heap), Referrers::new(heap), Domination::new(heap));
        let inner = |&object: &ObjectIdx| truth.reachable[object.at()] && !regions.is_head(object);
        for object in heap.objects().filter(inner) {
            for &referrer in referrers.of(object) {
                let is_outside = truth.reachable[referrer.at()] && !truth.dominates(object, referrer);
                assert!(
                    !is_outside || regions.head_of(referrer) == regions.head_of(object),
                    "{referrer:?} refers to {object:?}, an inner object of another region"
                );
            }
        }
    });
}

/// Figure 2 of the LeakBot paper, one order of it: three global structures know `ActiveOrders`.
#[test]
fn figure_2_active_orders_heads_the_region_of_its_vector() {
    let mut sketch = HeapSketch::new();
    let [orders, vector, array, order, disc] =
        ["ActiveOrders", "java.util.Vector", "java.lang.Object[]", "Order", "CD"].map(|class| sketch.old(class));
    for parent in ["Checkout", "Warehouse", "Statistics"] {
        sketch.static_field(parent, "orders", orders);
    }
    sketch.refer(orders, "open", vector);
    sketch.refer(vector, "elementData", array);
    sketch.element(array, order);
    sketch.refer(order, "item", disc);
    let heap = sketch.build();
    let regions = single_entry(&heap);
    assert!(regions.is_head(orders));
    assert!([vector, array, order, disc].into_iter().all(|inner| regions.head_of(inner) == orders));
}

#[test]
fn the_fringe_is_every_new_object_that_an_older_one_refers_to() {
    for_each(|heap| {
        let graph = ObjectGraph::new(heap);
        let is_old = |object: ObjectIdx| !graph.ages.is_new(object);
        let on_fringe = |object: ObjectIdx| {
            let mut old_ones = heap.objects().filter(|&each| is_old(each));
            !is_old(object) && old_ones.any(|old| heap.references().of(old).contains(&object))
        };
        let expected: Vec<ObjectIdx> = heap.objects().filter(|&object| on_fringe(object)).collect();
        assert!(heap.objects().all(|object| graph.fringe.contains(object) == expected.contains(&object)));
        assert_eq!(graph.fringe.count(), expected.len());
    });
}

#[test]
fn an_object_is_new_unless_it_stands_for_what_an_old_one_outgrew() {
    let replaced = AtomicUsize::new(0);
    for_each(|heap| {
        let (ages, truth) = (ObjectGraph::new(heap).ages, TrueAges::new(heap));
        for object in heap.objects() {
            assert_eq!(ages.is_new(object), truth.is_new(object), "{object:?}");
        }
        replaced.fetch_add(truth.replaced.len(), Ordering::Relaxed);
    });
    assert!(replaced.into_inner() > 0, "nothing was replaced");
}

/// An old holder, what hangs from it by a field, and the array in that, with old and new members.
fn held(holder: &str, part: &str, old: usize, new: usize) -> (Heap, [ObjectIdx; 3]) {
    let mut sketch = HeapSketch::new();
    let (holder, part, array) = (sketch.old(holder), sketch.fresh(part), sketch.fresh("java.lang.Object[]"));
    sketch.static_field("Main", "holder", holder);
    sketch.refer(holder, "part", part);
    sketch.refer(part, "array", array);
    for at in 0..old + new {
        let entry = if at < old { sketch.old("Entry") } else { sketch.fresh("Entry") };
        sketch.element(array, entry);
    }
    (sketch.build(), [holder, part, array])
}

#[test]
fn a_table_that_was_replaced_with_its_wrapper_is_old_and_what_was_added_is_on_the_fringe() {
    let (heap, [_, part, array]) = held("Segment", "Wrapper", 3, 20);
    let graph = ObjectGraph::new(&heap);
    assert!(!graph.ages.is_new(part) && !graph.ages.is_new(array));
    assert_eq!(graph.fringe.count(), 20);
}

#[test]
fn what_holds_nothing_old_or_is_chained_to_its_like_is_new() {
    for (holder, old, new) in [("Segment", 0, 20), ("Segment", 1, 20), ("Wrapper", 3, 20)] {
        let (heap, [_, part, _]) = held(holder, "Wrapper", old, new);
        assert!(ObjectGraph::new(&heap).ages.is_new(part), "{old} old ones in a {holder}");
    }
}
