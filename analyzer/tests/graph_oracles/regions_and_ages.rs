//! Single-entry regions, ages and the fringe.

use super::brute_force::Domination;
use super::random_heap::for_each;
use rootbound::graph::{Entries, ObjectGraph, Referrers, SingleEntry};
use rootbound::heap::dsl::HeapSketch;
use rootbound::heap::{Heap, ObjectIdx};

fn single_entry(heap: &Heap) -> SingleEntry {
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
fn an_object_is_new_unless_it_is_the_backing_array_of_an_old_one() {
    for_each(|heap| {
        let ages = ObjectGraph::new(heap).ages;
        for object in heap.objects() {
            let is_held_by_old = |holder: ObjectIdx| {
                !heap.is_new(holder) && !heap.is_array(holder) && heap.references().of(holder).contains(&object)
            };
            let is_backing = heap.is_object_array(object) && heap.objects().any(is_held_by_old);
            assert_eq!(ages.is_new(object), heap.is_new(object) && !is_backing, "{object:?}");
        }
    });
}
