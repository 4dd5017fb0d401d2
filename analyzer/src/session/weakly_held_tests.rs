//! Weakly held change-proxies in later captures.

use super::super::analysis::{Beside, Wish, analyse};
use super::super::findings::Findings;
use super::super::findings::tests::wish;
use super::Looks;
use crate::graph::Owned;
use crate::heap::dsl::HeapSketch;
use crate::heap::{Heap, ObjectIdx};
use crate::regions::BufferLengths;

const REFERENCE: &str = "java.lang.ref.Reference";

/// A heap in which `Entry` is a reference.
fn with_entries() -> HeapSketch {
    let mut heap = HeapSketch::new();
    heap.class(REFERENCE);
    heap.declare(REFERENCE, "referent", "Ljava/lang/Object;");
    heap.declare(REFERENCE, "queue", "Ljava/lang/ref/ReferenceQueue;");
    heap.subclass("Entry", REFERENCE);
    heap
}

/// Adds an entry to a table, with a queue of this class, and a key of that one. Gives the key.
fn add(heap: &mut HeapSketch, table: ObjectIdx, is_new: bool, (queue, key): (&str, &str)) -> ObjectIdx {
    let entry = if is_new { heap.fresh("Entry") } else { heap.old("Entry") };
    let (key, queue) = (heap.old(key), heap.old(queue));
    heap.element(table, entry);
    heap.inherited(entry, REFERENCE, "referent", key);
    heap.inherited(entry, REFERENCE, "queue", queue);
    key
}

/// A weak map with sixty entries, of which this number has keys in use.
fn notes(in_use: usize, are_new: bool) -> Heap {
    let mut heap = with_entries();
    let (sessions, map, table) = (heap.old("Session[]"), heap.old("Notes"), heap.old("Entry[]"));
    heap.static_field("Main", "sessions", sessions);
    heap.static_field("Main", "notes", map);
    heap.refer(map, "table", table);
    for at in 0..60 {
        let key = add(&mut heap, table, are_new, ("java.lang.ref.ReferenceQueue", "Session"));
        if at < in_use {
            heap.element(sessions, key);
        }
    }
    heap.build()
}

fn found_in_use() -> Findings {
    analyse(&notes(60, true), &wish(0, &BufferLengths::default()), |_| Beside::default()).findings
}

fn waiting(findings: &Findings) -> f64 {
    let notes = findings.regions.iter().find(|region| region.change_class == "Entry" && region.is_followed());
    notes.expect("the map is followed").tracked.clearable.waiting
}

#[test]
fn a_capture_that_finds_no_regions_shows_what_waits_by_then() {
    let mut known = found_in_use();
    assert_eq!((waiting(&known), known.weakly_held().len()), (0.0, 1));
    let later = notes(15, false);
    let looks = Looks::new(Owned::new(&later).of(&later), &known.weakly_held());
    known.take_looks(&looks);
    assert_eq!(waiting(&known), 0.75);
}

/// Two threads of one name, each with a table of this number of thread locals. `in_use`: those of each that are in use.
fn pool(locals_of_each: usize, in_use: [usize; 2]) -> Heap {
    let mut heap = with_entries();
    let locals = heap.old("Local[]");
    heap.static_field("Main", "locals", locals);
    for (number, in_use) in in_use.into_iter().enumerate() {
        let (thread, table) = (heap.old("Thread"), heap.old("Entry[]"));
        heap.thread(thread, "worker");
        heap.refer(thread, "locals", table);
        for at in 0..locals_of_each {
            let key = add(&mut heap, table, number == 0, ("java.lang.ref.ReferenceQueue$Null", "Local"));
            if at < in_use {
                heap.element(locals, key);
            }
        }
    }
    heap.build()
}

#[test]
fn threads_of_one_name_are_looked_at_together() {
    let mut known = analyse(&pool(60, [60; 2]), &wish(0, &BufferLengths::default()), |_| Beside::default()).findings;
    // Nothing is gained; then twenty by each, and thirty more wait; then nothing.
    for (of_each, in_use, expected) in [(60, [60, 30], 0.25), (80, [60, 40], 0.75), (80, [40, 40], 0.5)] {
        let later = pool(of_each, in_use);
        known.take_looks(&Looks::new(Owned::new(&later).of(&later), &known.weakly_held()));
        assert_eq!(waiting(&known), expected, "{in_use:?}");
    }
}

#[test]
fn a_region_that_a_capture_does_not_find_again_shows_what_waits_by_then() {
    let (known, lengths) = (found_in_use(), BufferLengths::default());
    let asked = known.weakly_held();
    let wish = Wish { weakly_held: &asked, ..wish(50, &lengths) };
    let later = analyse(&notes(15, false), &wish, |_| Beside::default()).findings;
    assert!(later.regions.iter().all(|region| region.change_class != "Entry"), "nothing in it is new");
    assert_eq!(waiting(&known.renewed_by(later).0), 0.75);
}
