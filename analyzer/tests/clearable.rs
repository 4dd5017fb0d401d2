//! What a collection will let go: entries that hold weak or soft references to what nothing else keeps.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use crate::sketches;

use rootbound::graph::{ObjectGraph, Owned};
use rootbound::heap::dsl::HeapSketch;
use rootbound::heap::{Heap, ObjectIdx};
use rootbound::ranking;
use rootbound::regions::{self, Clearable, Region, clearable, clearable_now};
use rootbound::relations::Outline;
use rootbound::relations::keeper::keeper;
use sketches::{region_of, static_map};

const REFERENCE: &str = "java.lang.ref.Reference";
const QUEUE: &str = "java.lang.ref.ReferenceQueue";
const NO_QUEUE: &str = "java.lang.ref.ReferenceQueue$Null";

/// Shares of change-proxies, in [0, 1].
#[derive(Debug, PartialEq)]
struct Shares {
    weak: f64,
    waiting: f64,
}

const NONE: Shares = Shares { weak: 0.0, waiting: 0.0 };
const IN_USE: Shares = Shares { weak: 1.0, waiting: 0.0 };
const WAITING: Shares = Shares { weak: 1.0, waiting: 1.0 };

/// A heap whose classes `Node` and `Weak` are references.
fn heap_of_references() -> HeapSketch {
    let mut heap = HeapSketch::new();
    heap.class(REFERENCE);
    heap.declare(REFERENCE, "referent", "Ljava/lang/Object;");
    heap.declare(REFERENCE, "queue", "Ljava/lang/ref/ReferenceQueue;");
    heap.subclass("Node", REFERENCE);
    heap.subclass("Weak", REFERENCE);
    heap
}

/// Makes a reference refer to a key, and tells its end to a queue of this class. Gives the key.
fn refer_weakly(heap: &mut HeapSketch, reference: ObjectIdx, queue: &str) -> ObjectIdx {
    let (key, queue) = (heap.fresh("Key"), heap.old(queue));
    heap.inherited(reference, REFERENCE, "referent", key);
    heap.inherited(reference, REFERENCE, "queue", queue);
    key
}

/// A static map with forty new nodes, of which each is made by `entry`.
fn map_of(heap: &mut HeapSketch, field: &str, mut entry: impl FnMut(&mut HeapSketch, ObjectIdx)) {
    let table = static_map(heap, field);
    for _ in 0..40 {
        let node = heap.fresh("Node");
        heap.element(table, node);
        entry(heap, node);
    }
}

fn clearable_of(heap: &Heap) -> Shares {
    let graph = ObjectGraph::new(heap);
    let Clearable { weak, waiting, .. } = clearable(&graph, &region_of(&graph, "Node"));
    Shares { weak, waiting }
}

#[test]
fn entries_of_a_weak_map_whose_keys_nothing_keeps_wait_for_the_collector() {
    let weak_map = || {
        let mut heap = heap_of_references();
        map_of(&mut heap, "notes", |heap, node| {
            refer_weakly(heap, node, QUEUE);
            let value = heap.fresh("Value");
            heap.refer(node, "value", value);
        });
        heap
    };
    assert_eq!(clearable_of(&weak_map().build()), WAITING);
    let by_address = weak_map().streamed(7).build().expect("a sketch is told truly");
    assert_eq!(clearable_of(&by_address), WAITING);
}

#[test]
fn keys_that_somebody_keeps_make_the_map_grow_and_so_do_values_that_refer_to_them() {
    let mut heap = heap_of_references();
    let sessions = static_map(&mut heap, "sessions");
    map_of(&mut heap, "notes", |heap, node| {
        let key = refer_weakly(heap, node, QUEUE);
        heap.element(sessions, key);
    });
    assert_eq!(clearable_of(&heap.build()), IN_USE);

    let mut heap = heap_of_references();
    map_of(&mut heap, "notes", |heap, node| {
        let (key, value) = (refer_weakly(heap, node, QUEUE), heap.fresh("Value"));
        heap.refer(node, "value", value);
        heap.refer(value, "key", key);
    });
    assert_eq!(clearable_of(&heap.build()), IN_USE);
}

/// Forty references without a queue, of which this number was cleared.
fn without_queue(cleared: usize) -> Shares {
    let mut heap = heap_of_references();
    let mut made = 0;
    map_of(&mut heap, "listeners", |heap, node| {
        made += 1;
        if made > cleared {
            refer_weakly(heap, node, NO_QUEUE);
        } else {
            let queue = heap.old(NO_QUEUE);
            heap.inherited(node, REFERENCE, "queue", queue);
        }
    });
    clearable_of(&heap.build())
}

#[test]
fn references_without_a_queue_stay_where_as_many_were_cleared_as_wait() {
    assert_eq!([20, 40].map(without_queue), [NONE; 2]);
}

#[test]
fn references_without_a_queue_wait_for_the_collector_where_few_were_cleared() {
    assert_eq!(without_queue(0), WAITING);
    assert_eq!(without_queue(10), Shares { weak: 0.75, waiting: 0.75 });
}

#[test]
fn a_reference_without_a_queue_may_wait_later_while_its_referent_is_in_use() {
    let mut heap = heap_of_references();
    let sessions = static_map(&mut heap, "sessions");
    map_of(&mut heap, "listeners", |heap, node| {
        let key = refer_weakly(heap, node, NO_QUEUE);
        heap.element(sessions, key);
    });
    assert_eq!(clearable_of(&heap.build()), IN_USE);
}

/// A weak map in a capture without ages, by the numbers of keys that are in use and of keys that nothing keeps.
fn later_capture(in_use: usize, waiting: usize) -> Clearable {
    let mut heap = heap_of_references();
    let (sessions, notes) = (static_map(&mut heap, "sessions"), static_map(&mut heap, "notes"));
    for at in 0..in_use + waiting {
        let weak = heap.old("Weak");
        heap.element(notes, weak);
        let key = refer_weakly(&mut heap, weak, QUEUE);
        if at < in_use {
            heap.element(sessions, key);
        }
    }
    let heap = heap.build();
    let is_weak = |class| heap.classes().get(class).name == "Weak";
    clearable_now(Owned::new(&heap).of(&heap), notes, is_weak)
}

#[test]
fn of_two_captures_the_gain_decides_and_not_how_many_wait_in_all() {
    let waiting = |before: (usize, usize), now: (usize, usize)| {
        let before = later_capture(before.0, before.1);
        later_capture(now.0, now.1).after(&before).waiting
    };
    assert_eq!(waiting((100, 20), (100, 60)), 1.0, "a constant number is in use");
    assert_eq!(waiting((20, 100), (60, 100)), 0.0, "a constant number waits");
    assert_eq!(waiting((30, 70), (10, 60)), 6.0 / 7.0, "it has gained nothing");
    assert_eq!(later_capture(30, 10).after(&Clearable::default()).waiting, 0.25, "nothing is known before");
    let unclear = waiting((1_000, 1_000), (1_010, 1_020));
    assert!((0.4..0.6).contains(&unclear), "a sample cannot show such a gain: {unclear}");
}

#[test]
fn an_entry_may_hold_its_reference_two_fields_away_and_what_it_keeps_beside_goes_with_it() {
    let mut heap = heap_of_references();
    let values = static_map(&mut heap, "values");
    map_of(&mut heap, "all", |heap, node| {
        // In one map each value hangs from a reference to its key, in the other from a reference to the value.
        let (entry, weak, value) = (heap.fresh("Entry"), heap.fresh("Weak"), heap.fresh("Value"));
        heap.element(values, entry);
        heap.refer(entry, "key", weak);
        heap.refer(entry, "value", value);
        refer_weakly(heap, weak, QUEUE);
        let (holder, soft, queue) = (heap.fresh("Holder"), heap.fresh("Weak"), heap.old(QUEUE));
        heap.refer(node, "item", holder);
        heap.refer(holder, "reference", soft);
        heap.inherited(soft, REFERENCE, "referent", value);
        heap.inherited(soft, REFERENCE, "queue", queue);
    });
    assert_eq!(clearable_of(&heap.build()), WAITING);
}

#[test]
fn of_old_and_new_entries_those_count_of_which_more_wait() {
    let mut heap = heap_of_references();
    let sessions = static_map(&mut heap, "sessions");
    let mut map = Vec::new();
    map_of(&mut heap, "notes", |heap, node| {
        let key = refer_weakly(heap, node, QUEUE);
        map.push(key);
    });
    // A quarter of the new keys is in use; the old nodes are no references that refer to anything.
    map.iter().step_by(4).for_each(|&key| heap.element(sessions, key));
    assert_eq!(clearable_of(&heap.build()), Shares { weak: 1.0, waiting: 0.75 });
}

#[test]
fn who_keeps_the_keys_of_a_side_table_is_known() {
    let mut heap = heap_of_references();
    let sessions = static_map(&mut heap, "sessions");
    map_of(&mut heap, "notes", |heap, node| {
        let (key, entry) = (refer_weakly(heap, node, NO_QUEUE), heap.fresh("Entry"));
        heap.element(sessions, entry);
        heap.refer(entry, "session", key);
    });
    let heap = heap.build();
    let graph = ObjectGraph::new(&heap);
    let regions = regions::find(&graph, &ranking::rank(&graph));
    let (notes, sessions) = (region_of(&graph, "Node"), region_of(&graph, "Entry"));
    let all: Vec<Outline<'_>> = regions.iter().map(Region::outline).collect();
    assert_eq!(keeper(&graph, &notes.outline(), &all), Some(sessions.owner));
    assert_eq!(keeper(&graph, &sessions.outline(), &all), None);
}
