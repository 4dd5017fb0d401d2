//! Estimated ages on generated heaps with few marks: whatever refers to whatever, and whatever the table of marks says,
//! every object gets an age, and every age is one.

#![allow(clippy::expect_used)] // Helpers of tests may panic as tests do.

use crate::random;

use random::Random;
use rootbound::graph::{Ages, DominatorTree, Entries, Fringe, ObjectGraph, Referrers};
use rootbound::heap::dsl::{HeapSketch, NEW, OLD};
use rootbound::heap::{Container, Heap, Mark, MarkTable, ObjectIdx, Stratum, TableMark};
use rootbound::ranking;
use rootbound_wire::ids::ObjectId;
use rootbound_wire::message::{ReferenceLabel, ReferenceRecord};
use std::panic::{catch_unwind, resume_unwind};

const CLASSES: [&str; 5] = ["Holder", "Leaf", "Node", "Object[]", "int[]"];
const HEAPS: u64 = 3000;

#[test]
fn every_object_of_a_heap_with_few_marks_gets_an_age() {
    for seed in 0..HEAPS {
        let heap = generated(seed);
        if let Err(panic) = catch_unwind(|| check(&heap)) {
            eprintln!("heap {seed}: {:?}", heap.marks());
            for object in heap.objects() {
                let refers: Vec<_> = heap.references().labelled(object).collect();
                eprintln!("  {} ({:?}) -> {refers:?}", object.0, heap.class_of(object));
            }
            resume_unwind(panic);
        }
    }
}

#[test]
fn an_instance_and_a_class_that_nobody_described_take_no_age_of_each_other() {
    // An instance of a class that was loaded when the classes had been listed: it refers to nothing but a mirror that
    // no record describes. In both orders, for what comes first is settled first.
    for mirror_first in [true, false] {
        let mut sketch = HeapSketch::new();
        let (one, other) = (sketch.fresh("Leaf"), sketch.fresh("Holder"));
        let (mirror, instance) = if mirror_first { (one, other) } else { (other, one) };
        sketch.jni_global(instance);
        let holder = sketch.fresh("Node");
        sketch.refer(holder, "leaf", instance);
        sketch.jni_global(holder);
        let heap =
            marked(sketch, &[(instance, mirror)], MarkTable { leaves_inherit: true, ..table(0, &mut Random::new(1)) });
        check(&heap);
    }
}

fn check(heap: &Heap) {
    let referrers = Referrers::new(heap);
    let dominators = DominatorTree::new(heap, &referrers, &Entries::new(heap));
    let ages = Ages::estimated(heap, &referrers, &dominators);
    for object in heap.objects() {
        let (newness, variance) = (ages.newness(object), ages.variance(object));
        assert!((0.0..=1.0).contains(&newness), "{object:?}: {newness}");
        assert!((0.0..=1.0).contains(&ages.unexplained(object)), "{object:?}");
        assert!(variance.is_finite() && variance >= 0.0, "{object:?}: {variance}");
        assert_eq!(ages.is_new(object), newness > 0.0, "{object:?}");
    }
    let fringe = Fringe::new(heap, &ages);
    let graph = ObjectGraph { ages, fringe, ..ObjectGraph::new(heap) };
    let ranked = ranking::rank(&graph);
    assert!(ranked.candidates.iter().all(|candidate| candidate.rank.is_finite()));
}

/// A heap of any shape: cycles, self references, arrays of arrays, parts that nothing reaches, any kind of root, and
/// classes that no record describes.
fn generated(seed: u64) -> Heap {
    let mut random = Random::new(seed);
    let mut sketch = HeapSketch::new();
    let count = 1 + random.below(40);
    let class = |random: &mut Random| CLASSES[random.below(CLASSES.len())];
    let mut objects: Vec<ObjectIdx> = (0..count).map(|_| sketch.fresh(class(&mut random))).collect();
    objects.extend(CLASSES.map(|class| sketch.class(class)));
    let any = |random: &mut Random| objects[random.below(objects.len())];
    for _ in 0..random.below(count * 2 + 1) {
        let (from, to) = (objects[random.below(count)], any(&mut random));
        sketch.refer(from, ["left", "right", "parent"][random.below(3)], to);
    }
    for _ in 0..random.below(6) {
        let object = any(&mut random);
        match random.below(5) {
            0 => sketch.local(object),
            1 => sketch.jni_global(object),
            2 => sketch.thread(object, "worker"),
            3 if objects[..count].contains(&object) => sketch.loaded_by(class(&mut random), object),
            _ => drop(sketch.static_field(class(&mut random), "field", object)),
        }
    }
    let classes: Vec<_> = (0..random.below(8)).map(|_| (any(&mut random), any(&mut random))).collect();
    let marks = random.below(count + 1);
    let table = table(marks, &mut random);
    marked(sketch, &classes, table)
}

/// The heap with references as instances have them to the mirrors of their classes, and the table's marks on the first
/// objects.
fn marked(sketch: HeapSketch, instances: &[(ObjectIdx, ObjectIdx)], table: MarkTable) -> Heap {
    let mut recorded = sketch.recorded();
    let id = |object: ObjectIdx| ObjectId(u64::from(object.0) + 1);
    recorded.references.extend(instances.iter().map(|&(instance, mirror)| ReferenceRecord {
        referrer: id(instance),
        referee: id(mirror),
        label: ReferenceLabel::Class,
    }));
    for (number, object) in (1..).zip(&mut recorded.objects) {
        let is_marked = number as usize <= table.marks.len();
        object.first_seen = if is_marked { OLD } else { NEW };
        object.mark = is_marked.then_some(Mark::Planned(number));
    }
    let mut builder = recorded.builder();
    builder.marked_by(table);
    builder.finish().expect("a sketched heap is closed")
}

/// A consistent table of this number of marks; it need not fit the heap.
fn table(count: usize, random: &mut Random) -> MarkTable {
    let container = |random: &mut Random| match random.below(3) {
        0 => Container::Marked(random.below(count + 2) as u32),
        1 => Container::Mirror(random.below(CLASSES.len()) as u32),
        _ => Container::Roots,
    };
    let strata = random.below(8);
    let mark = |random: &mut Random| TableMark {
        weight: random.below(4) as f64,
        stratum: (strata > 0 && random.percent(70)).then(|| random.below(strata) as u32),
        container_below: random.percent(30).then(|| container(random)),
        class: random.below(4) as u32,
    };
    let marks: Vec<TableMark> = (0..count).map(|_| mark(random)).collect();
    let stratum = |at: usize, random: &mut Random| {
        let marked = marks.iter().filter(|mark| mark.stratum == Some(at as u32)).count() as u32;
        let (below, class) = (container(random), random.below(CLASSES.len()) as u32);
        Stratum { below, class, count: marked + random.below(20) as u32, marked }
    };
    let strata = (0..strata).map(|at| stratum(at, random)).collect();
    let mut classes: Vec<String> = CLASSES.iter().filter(|_| random.percent(80)).map(|&name| name.to_owned()).collect();
    classes.sort();
    let (marks_mirrors, leaves_inherit) = (random.percent(30), random.percent(70));
    MarkTable { first_seen: OLD, marks, strata, classes, marks_mirrors, leaves_inherit, ..MarkTable::default() }
}
