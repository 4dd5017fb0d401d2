//! Structures whose heads handles hold, over several states.

use super::{LiveGrowth, StateOf, WantedHead};
use crate::graph::Owned;
use crate::growing::{GrowthOrder, GrowthWanted};
use crate::heap::dsl::HeapSketch;
use crate::heap::{Heap, ObjectIdx};
use crate::naming::growth::Identity;
use crate::report::growth::Item;
use crate::structures::census::{HeadHandle, Identities};
use crate::structures::language::parse;
use crate::structures::{Language, LayoutOptions};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

fn growth() -> LiveGrowth {
    let mut language = Language::new();
    language.add(parse("test.ds", "namespace java.util { DS ArrayList { java.lang.Object[]; } }").unwrap());
    let (sort, layout) = (GrowthOrder::Retained, LayoutOptions::default());
    LiveGrowth::new(Arc::new(language), GrowthWanted { sort, limit: 10, with_contained: false, layout, by: None })
}

/// A heap with static lists: their fields of `Shop`, and numbers of orders. Returns the lists, too.
fn heap(lists: &[(&str, usize)]) -> (Heap, Vec<ObjectIdx>) {
    let mut sketch = HeapSketch::new();
    let mut heads = Vec::new();
    for &(field, count) in lists {
        let (list, array) = (sketch.old("java.util.ArrayList"), sketch.old("java.lang.Object[]"));
        sketch.refer(list, "elementData", array);
        for _ in 0..count {
            let order = sketch.old("Order");
            sketch.element(array, order);
        }
        sketch.static_field("Shop", field, list);
        heads.push(list);
    }
    (sketch.build(), heads)
}

/// Takes in a state in which these lists have handles, and these handles are dead. Returns the heads to hold.
fn take(growth: &mut LiveGrowth, lists: &[(&str, usize)], held: &[(usize, u32)], dead: &[u32]) -> Vec<WantedHead> {
    let (heap, heads) = heap(lists);
    let heap = heap.with_heads(held.iter().map(|&(at, number)| (heads[at], number)).collect::<HashMap<_, _>>());
    let handle = |object: ObjectIdx| heap.head_of(object).map(HeadHandle);
    let known = Identities { handle: &handle, ..Identities::NONE };
    let dead: HashSet<HeadHandle> = dead.iter().copied().map(HeadHandle).collect();
    let at_s = 10.0 * growth.state_count() as f64;
    growth.take(StateOf { name: format!("at {at_s}"), at_s, heap: &heap, owned: &Owned::new(&heap), known, dead });
    growth.take_wanted_heads()
}

/// All new heads get numbers from 1 on.
fn hold(growth: &mut LiveGrowth, wanted: &[WantedHead]) {
    let fresh = wanted.iter().filter(|head| head.handle.is_none());
    let handles: Vec<(HeadHandle, usize)> = (1..).map(HeadHandle).zip(fresh.map(|head| head.at)).collect();
    growth.set_handles(&handles);
}

fn item<'g>(growth: &'g LiveGrowth, place: &str) -> Option<&'g Item> {
    growth.report().unwrap().items.iter().find(|item| item.place.ends_with(place))
}

#[test]
fn a_held_head_is_the_same_wherever_it_is() {
    let mut growth = growth();
    let wanted = take(&mut growth, &[("orders", 20_000), ("open", 500)], &[], &[]);
    assert_eq!(wanted.len(), 2);
    hold(&mut growth, &wanted);
    // The largest has the first number. It moves, and another list is where it was.
    let lists = [("archive", 60_000), ("orders", 700), ("open", 500)];
    take(&mut growth, &lists, &[(0, 1), (2, 2)], &[]);
    let moved = item(&growth, "archive").unwrap();
    assert_eq!((moved.identity, moved.leaves[0].growth), (Identity::Handle, 40_000));
    let report = growth.report().unwrap();
    assert_eq!((report.counts.by_identity.handle, report.counts.by_identity.path), (2, 0));
    assert_eq!((report.counts.died, report.counts.born), (0, 1), "the list at its old place is new");

    let lists = [("attic", 90_000), ("orders", 700), ("open", 500)];
    take(&mut growth, &lists, &[(0, 1), (2, 2)], &[]);
    let again = item(&growth, "attic").unwrap();
    assert_eq!((again.identity, again.leaves[0].growth), (Identity::Handle, 70_000), "any number of states");
    assert_eq!(again.grew_steadily, Some(true));
}

#[test]
fn a_dead_head_is_no_other_structure_at_its_place() {
    let mut growth = growth();
    let wanted = take(&mut growth, &[("orders", 20_000)], &[], &[]);
    hold(&mut growth, &wanted);
    take(&mut growth, &[("orders", 60_000)], &[], &[1]);
    let report = growth.report().unwrap();
    assert_eq!((report.counts.died, report.counts.born, report.counts.survived), (1, 1, 0));
    assert!(report.items.is_empty());
}

#[test]
fn a_head_whose_handle_was_not_read_is_known_by_its_place() {
    let mut growth = growth();
    let wanted = take(&mut growth, &[("orders", 20_000)], &[], &[]);
    hold(&mut growth, &wanted);
    take(&mut growth, &[("orders", 60_000)], &[], &[]);
    assert_eq!(item(&growth, "orders").unwrap().identity, Identity::Path);
}

#[test]
fn heads_that_have_a_handle_keep_it_and_groups_get_none() {
    let mut growth = growth();
    let wanted = take(&mut growth, &[("orders", 20_000), ("open", 10)], &[(1, 7)], &[]);
    let handles: Vec<Option<HeadHandle>> = wanted.iter().map(|head| head.handle).collect();
    assert_eq!(handles, [None, Some(HeadHandle(7))]);
}
