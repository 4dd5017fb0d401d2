//! Handles of heads: which numbers are valid, and which heads are dead.

use super::heads::HeldHeads;
use crate::growing::WantedHead;
use crate::heap::dsl::HeapSketch;
use crate::heap::{Heap, ObjectIdx};
use crate::structures::census::HeadHandle;
use rootbound_wire::ids::SnapshotId;
use rootbound_wire::message::{HeadsHeld, HeadsRead, ToAgent};
use std::collections::{HashMap, HashSet};

const FIRST: SnapshotId = SnapshotId(1);

/// Two static lists, and one that only a local variable holds.
fn heap() -> (Heap, Vec<ObjectIdx>) {
    let mut sketch = HeapSketch::new();
    let lists: Vec<ObjectIdx> = (0..3).map(|_| sketch.old("java.util.ArrayList")).collect();
    sketch.static_field("Shop", "orders", lists[0]);
    sketch.static_field("Shop", "open", lists[1]);
    sketch.local_at(lists[2], 0);
    (sketch.build(), lists)
}

fn wanted(lists: &[ObjectIdx]) -> Vec<WantedHead> {
    lists.iter().enumerate().map(|(at, &object)| WantedHead { at, object, handle: None }).collect()
}

fn answer(missed: &[u32]) -> HeadsHeld {
    HeadsHeld { snapshot: FIRST, held: 2, missed: missed.to_vec(), ..HeadsHeld::default() }
}

#[test]
fn heads_that_the_agent_reached_have_numbers_that_are_never_used_again() {
    let (heap, lists) = heap();
    let mut heads = HeldHeads::default();
    let ToAgent::HoldHeads { plan, keep, .. } = heads.order(&heap, FIRST, &wanted(&lists), None) else {
        unreachable!()
    };
    let mut marks: Vec<u32> = plan.steps.iter().map(|step| step.mark).filter(|&mark| mark != 0).collect();
    marks.sort_unstable();
    assert_eq!((marks, keep), (vec![1, 2], vec![]), "no path leads to a local variable without a pause");
    assert_eq!(heads.held(&answer(&[2]), false), [(HeadHandle(1), 0)]);
    let mut again = wanted(&lists);
    again[0].handle = Some(HeadHandle(1));
    let ToAgent::HoldHeads { plan, keep, .. } = heads.order(&heap, FIRST, &again, None) else { unreachable!() };
    assert_eq!(keep, [1]);
    assert!(plan.steps.iter().all(|step| step.mark == 0 || step.mark == 3), "{plan:?}");
}

#[test]
fn a_replay_takes_numbers_only_from_an_order_that_was_recorded() {
    let (heap, lists) = heap();
    let mut heads = HeldHeads::default();
    let order = heads.order(&heap, FIRST, &wanted(&lists), None);
    assert_eq!(heads.held(&answer(&[]), true), [], "the recorded analyzer gave no such order");
    heads.order(&heap, FIRST, &wanted(&lists), None);
    heads.recorded(&order);
    assert_eq!(heads.held(&answer(&[]), true), [], "it gave another one");
    let order = heads.order(&heap, FIRST, &wanted(&lists), None);
    heads.recorded(&order);
    assert_eq!(heads.held(&answer(&[]), true).len(), 2);
}

#[test]
fn heads_are_dead_if_they_were_collected_or_are_not_reached_and_unknown_if_not_read() {
    let (heap, lists) = heap();
    let heap = heap.with_heads(HashMap::from([(lists[0], 4)]));
    let mut heads = HeldHeads::default();
    assert_eq!(heads.dead(FIRST, &heap), HashSet::new());
    assert!(!heads.are_unread(), "none is held");
    heads.held(&answer(&[]), false);
    assert!(heads.are_unread());
    heads.read = Some(HeadsRead { snapshot: FIRST, live: vec![4, 5], dead: vec![6] });
    assert_eq!(heads.dead(FIRST, &heap), HashSet::from([HeadHandle(5), HeadHandle(6)]));
    assert!(!heads.are_unread());
}
