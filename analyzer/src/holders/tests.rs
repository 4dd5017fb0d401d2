//! Holders in small heaps.

use super::*;
use crate::heap::dsl::HeapSketch;

fn set(heap: &Heap, objects: &[ObjectIdx]) -> BitSet {
    let mut set = BitSet::new(heap.object_count());
    for object in objects {
        set.insert(object.at());
    }
    set
}

#[test]
fn references_count_by_class_and_field_and_slots_together() {
    let mut sketch = HeapSketch::new();
    let orders: Vec<ObjectIdx> = (0..5).map(|_| sketch.old("Order")).collect();
    let (table, garbage) = (sketch.old("Order[]"), sketch.old("Order"));
    orders.iter().for_each(|&order| sketch.element(table, order));
    sketch.element(table, orders[0]);
    for pair in orders.windows(2) {
        sketch.refer(pair[0], "next", pair[1]);
    }
    sketch.static_field("Shop", "latest", orders[4]);
    let heap = sketch.build();
    let found = find(&heap, &set(&heap, &[orders.as_slice(), &[garbage]].concat()));
    let names = |kind: &Holder| heap.classes().get(kind.class).name.clone();
    let counted: Vec<(String, bool, u64, u64)> =
        found.kinds.iter().map(|kind| (names(kind), kind.is_mirror, kind.reference_count, kind.holder_count)).collect();
    let expected = [("Order[]", false, 6, 1), ("Order", false, 4, 4), ("Shop", true, 1, 1)];
    assert_eq!(
        counted,
        expected.map(|(name, is_mirror, references, holders)| (name.to_owned(), is_mirror, references, holders))
    );
    assert_eq!((found.reference_count, found.holder_count, found.held_count), (11, 6, 5));
}

#[test]
fn two_fields_of_one_object_are_two_kinds_and_one_holder() {
    let mut sketch = HeapSketch::new();
    let (order, shop) = (sketch.old("Order"), sketch.old("Shop"));
    sketch.refer(shop, "first", order);
    sketch.refer(shop, "last", order);
    let heap = sketch.build();
    let found = find(&heap, &set(&heap, &[order]));
    assert_eq!((found.kinds.len(), found.reference_count, found.holder_count), (2, 2, 1));
}
