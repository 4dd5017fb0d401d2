//! Patterns, targets, and the closure against its definition.

use super::*;
use crate::heap::dsl::HeapSketch;
use crate::heap::{Heap, ObjectIdx};
use crate::naming::Pattern;

fn shop() -> (Heap, ObjectIdx) {
    let mut sketch = HeapSketch::new();
    let orders = sketch.old("com.example.Orders");
    let order = sketch.old("com.example.Order");
    let listener = sketch.old("com.example.Listener");
    let world = sketch.old("com.example.World");
    sketch.refer(orders, "first", order);
    sketch.refer(order, "back", orders);
    sketch.refer(order, "listener", listener);
    sketch.refer(listener, "world", world);
    sketch.static_field("com.example.Shop", "orders", orders);
    (sketch.build(), orders)
}

fn size(heap: &Heap, from: &str, skip: &[&str]) -> u64 {
    let mut skipped = Skipped::new(heap, true);
    for text in skip {
        let fields = InstanceFields::find(heap, text);
        if fields.is_empty() {
            skipped.add(&Target::find(heap, text).unwrap());
        }
        skipped.add_fields(fields);
    }
    let starts = Target::find(heap, from).unwrap().objects(heap, from).unwrap();
    measure(heap, &starts, &skipped).object_count
}

#[test]
fn a_pattern_fits_whole_names() {
    let fits = |pattern: &str, name: &str| Pattern::new(pattern).fits(name);
    assert!(fits("a.B", "a.B") && fits("a.*", "a.B") && fits("*", "") && fits("*B*", "a.B") && fits("a*c*e", "abcde"));
    assert!(!fits("a.B", "a.Bc") && !fits("a.*", "b.a.B") && !fits("ab*ba", "aba") && !fits("", "a"));
}

#[test]
fn a_structure_is_all_that_its_start_reaches() {
    let (heap, _) = shop();
    assert_eq!(size(&heap, "com.example.Shop.orders", &[]), 4);
    assert_eq!(size(&heap, "static com.example.Shop.orders", &[]), 4);
    assert_eq!(size(&heap, "com.example.Orde*", &[]), 4);
    assert_eq!(size(&heap, "com.example.World", &[]), 1);
}

#[test]
fn what_is_skipped_counts_as_null() {
    let (heap, _) = shop();
    assert_eq!(size(&heap, "com.example.Shop.orders", &["com.example.Listener"]), 2);
    assert_eq!(size(&heap, "com.example.*", &["com.example.Order", "com.example.Orders"]), 2);
}

#[test]
fn a_skipped_field_counts_as_null_in_all_instances_and_subclasses() {
    let (heap, _) = shop();
    assert_eq!(size(&heap, "com.example.Shop.orders", &["com.example.Order.listener"]), 2);
    assert_eq!(size(&heap, "com.example.Shop.orders", &["com.example.*.world"]), 3);
    let mut sketch = HeapSketch::new();
    sketch.subclass("Sub", "Base");
    let (sub, cache, own) = (sketch.old("Sub"), sketch.old("Cache"), sketch.old("Own"));
    sketch.inherited(sub, "Base", "cache", cache);
    sketch.refer(sub, "own", own);
    let heap = sketch.build();
    assert_eq!(size(&heap, "Sub", &["Base.cache"]), 2);
    assert!(InstanceFields::find(&heap, "Sub.cache").is_empty(), "the class that declares it is named");
}

#[test]
fn an_object_is_meant_by_its_id() {
    let (heap, orders) = shop();
    let id = format!("0x{:x}", heap.dump_id(orders).unwrap());
    assert_eq!(size(&heap, &id, &[]), 4);
    assert_eq!(Target::find(&heap, "0xfffff").unwrap_err(), TargetError::NoObject("0xfffff".to_owned()));
    assert_eq!(Target::find(&heap, "0xyz").unwrap_err(), TargetError::NoId("0xyz".to_owned()));
}

#[test]
fn what_does_not_exist_is_reported_with_what_may_have_been_meant() {
    let (heap, _) = shop();
    let complaint = |text: &str| Target::find(&heap, text).unwrap_err().to_string();
    assert_eq!(
        complaint("com.example.Ordres"),
        "nothing is called com.example.Ordres; did you mean com.example.Order or com.example.Orders?"
    );
    assert_eq!(
        complaint("com.example.Shop.order"),
        "nothing is called com.example.Shop.order; did you mean static com.example.Shop.orders?"
    );
    assert_eq!(complaint("Listener"), "nothing is called Listener; did you mean com.example.Listener?");
    assert_eq!(complaint("zzz"), "nothing is called zzz");
}

#[test]
fn a_class_without_instances_is_no_unknown_class() {
    let (heap, _) = shop();
    let target = Target::find(&heap, "com.example.Shop").unwrap();
    let error = target.objects(&heap, "com.example.Shop").unwrap_err();
    assert_eq!(error.to_string(), "com.example.Shop has no instances in this heap");
}

/// The definition by repetition: the set grows until nothing is added.
fn by_definition(heap: &Heap, starts: &[ObjectIdx], is_skipped: impl Fn(ObjectIdx) -> bool) -> u64 {
    let mut is_in: Vec<bool> = heap.objects().map(|object| starts.contains(&object)).collect();
    loop {
        let added: Vec<ObjectIdx> = heap
            .objects()
            .filter(|object| is_in[object.at()])
            .flat_map(|object| heap.references().of(object))
            .copied()
            .filter(|&object| !is_in[object.at()] && !is_skipped(object))
            .collect();
        if added.is_empty() {
            return heap.objects().filter(|object| is_in[object.at()]).map(|object| heap.shallow_bytes(object)).sum();
        }
        added.iter().for_each(|object| is_in[object.at()] = true);
    }
}

#[test]
fn random_closures_are_what_the_definition_says() {
    let mut random = 7u64;
    let mut below = |bound: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % bound
    };
    for _ in 0..300 {
        let mut sketch = HeapSketch::new();
        let classes = ["A", "B", "C"];
        let objects: Vec<ObjectIdx> = (0..1 + below(40)).map(|_| sketch.old(classes[below(3)])).collect();
        for _ in 0..below(80) {
            sketch.refer(objects[below(objects.len())], "field", objects[below(objects.len())]);
        }
        let start = objects[below(objects.len())];
        let heap = sketch.build();
        let skipped_class = heap.classes().by_name(classes[below(3)]).filter(|&class| heap.class_of(start) != class);
        let mut skipped = Skipped::new(&heap, true);
        skipped.add(&Target::Classes(skipped_class.into_iter().collect()));
        let is_skipped =
            |object| heap.class_of_mirror(object).is_some() || Some(heap.class_of(object)) == skipped_class;
        assert_eq!(measure(&heap, &[start], &skipped).bytes, by_definition(&heap, &[start], is_skipped));
    }
}
