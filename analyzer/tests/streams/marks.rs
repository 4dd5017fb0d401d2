//! What marks mean: ages, and how many objects each stands for.

use rootbound::heap::dsl::{HeapSketch, NEW};
use rootbound::heap::{Heap, MarkTable, ObjectIdx};
use rootbound_wire::ids::SnapshotId;
use rootbound_wire::message::Mark;

/// Two holders, of which the second bears the mark.
fn marked(first_seen: SnapshotId, mark: Mark, table: MarkTable) -> (Heap, [ObjectIdx; 2]) {
    let mut sketch = HeapSketch::new();
    let objects = [sketch.fresh("Holder"), sketch.fresh("Holder")];
    objects.iter().for_each(|&object| sketch.jni_global(object));
    let mut recorded = sketch.recorded();
    let record = &mut recorded.objects[objects[1].at()];
    (record.first_seen, record.mark) = (first_seen, Some(mark));
    let addresses: Vec<u64> =
        (1..=(recorded.objects.len() + rootbound::heap::recorded::extra_objects()) as u64).map(|at| at * 8).collect();
    let streamed = recorded.streamed(NEW, &addresses, 1000);
    let places = objects.map(|object| streamed.places[object.at()]);
    let mut builder = streamed.builder();
    builder.marked_by(table);
    (builder.finish().unwrap(), places)
}

#[test]
fn an_object_without_a_mark_is_new() {
    let (heap, [first, second]) = marked(SnapshotId(1), Mark::StandsFor(1), MarkTable::default());
    assert!(heap.is_new(first) && !heap.is_new(second));
    assert_eq!(heap.mark_of(first), None);
}

#[test]
fn a_mark_of_the_capture_itself_makes_nothing_old() {
    let (heap, [_, second]) = marked(NEW, Mark::StandsFor(1), MarkTable::default());
    assert!(heap.is_new(second));
}

#[test]
fn a_mark_stands_for_as_many_as_it_says() {
    let (heap, [_, second]) = marked(SnapshotId(1), Mark::StandsFor(17), MarkTable::default());
    assert_eq!((heap.stands_for(second), heap.mark_of(second)), (17.0, Some(Mark::StandsFor(17))));
}

#[test]
fn a_planned_mark_means_what_its_table_says() {
    let table = MarkTable::from_weights(SnapshotId(1), vec![1.0, 1.0, 1.0, 1.0, 2.5, 9.0]);
    let (heap, [_, second]) = marked(SnapshotId(1), Mark::Planned(5), table);
    assert_eq!((heap.stands_for(second), heap.mark_of(second)), (2.5, Some(Mark::Planned(5))));
    assert_eq!(heap.planned_mark_of(second), Some((SnapshotId(1), 5)));
}

#[test]
fn a_planned_mark_that_no_table_knows_stands_for_itself() {
    let (heap, [_, second]) = marked(SnapshotId(1), Mark::Planned(5), MarkTable::default());
    assert_eq!((heap.stands_for(second), heap.is_new(second)), (1.0, false));
}
