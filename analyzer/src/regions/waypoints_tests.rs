//! The linear pass against Definitions 3 and 4 as [`super::super::ratios`] states them, path by path, on random
//! trees and DAGs. Objects of equal ratio are equally good; the ratios of the chosen must be the greatest.

#[path = "../../tests/random/mod.rs"]
mod random;

use super::{Waypoints, for_each_member};
use crate::graph::ObjectGraph;
use crate::heap::dsl::HeapSketch;
use crate::heap::{Heap, ObjectIdx};
use crate::marking::OwnerPaths;
use crate::ranking;
use crate::regions::ratios::{PathObject, change_ratios, owner_ratios};
use crate::regions::{self, Region, plan};
use random::Random;
use std::collections::HashMap;

const HEAPS: u64 = 600;

/// Up to 80 objects, most of them below the one made last, so that leak paths are long and cross the fringe often.
fn random_heap(seed: u64) -> Heap {
    let mut random = Random::new(seed);
    let mut sketch = HeapSketch::new();
    let classes = ["A", "B", "C", "A[]", "int[]"];
    let kinds = 1 + random.below(classes.len());
    let (stays, arrays_too) = (random.below(95), random.percent(70));
    let mut is_new = false;
    let mut objects: Vec<ObjectIdx> = Vec::new();
    for _ in 0..2 + random.below(80) {
        is_new ^= !random.percent(stays);
        let class = classes[random.below(if arrays_too { kinds } else { kinds.min(3) })];
        let object = if is_new { sketch.fresh(class) } else { sketch.old(class) };
        for _ in 0..1 + usize::from(random.percent(10)) {
            match objects.len() {
                0 => sketch.jni_global(object),
                count if random.percent(80) => sketch.element(objects[count - 1], object),
                count => sketch.element(objects[random.below(count)], object),
            }
        }
        objects.push(object);
    }
    sketch.build()
}

/// The leak path: dominators from the leak root down to the member.
fn leak_path(graph: &ObjectGraph<'_>, leak_root: ObjectIdx, member: ObjectIdx) -> Vec<ObjectIdx> {
    let mut path: Vec<ObjectIdx> =
        std::iter::successors(Some(member), |&at| graph.dominators.immediate_dominator(at)).collect();
    path.reverse();
    path.split_off(path.iter().position(|&object| object == leak_root).unwrap())
}

fn as_defined(graph: &ObjectGraph<'_>, path: &[ObjectIdx]) -> Vec<PathObject> {
    let describe = |&object: &ObjectIdx| PathObject {
        is_new: graph.ages.is_new(object),
        is_array: graph.ages.is_transient(graph.heap, object),
        class: graph.heap.class_of(object),
    };
    path.iter().map(describe).collect()
}

fn found_below(graph: &ObjectGraph<'_>, leak_root: ObjectIdx) -> HashMap<ObjectIdx, Waypoints> {
    let mut found = HashMap::new();
    for_each_member(graph, leak_root, |waypoints| {
        assert!(found.insert(waypoints.member, waypoints).is_none(), "each member once");
    });
    found
}

fn assert_greatest(what: &str, context: &str, path: &[ObjectIdx], ratios: &[f64], chosen: ObjectIdx) {
    let greatest = ratios.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let at = path.iter().position(|&object| object == chosen).expect("a proxy lies on the leak path");
    assert!((ratios[at] - greatest).abs() < 1e-12, "{context}: {what} at {at} of {path:?}: {ratios:?}");
}

#[test]
fn the_proxies_of_every_member_have_the_greatest_ratios_of_its_leak_path() {
    let mut members = 0;
    for seed in 0..HEAPS {
        let heap = random_heap(seed);
        let graph = ObjectGraph::new(&heap);
        for leak_root in heap.objects().filter(|&object| graph.dominators.is_reachable(object)) {
            let found = found_below(&graph, leak_root);
            for &member in graph.dominators.subtree(leak_root) {
                let context = format!("seed {seed}, member {member:?} of {leak_root:?}");
                let path = leak_path(&graph, leak_root, member);
                let defined = as_defined(&graph, &path);
                let crosses = defined.iter().any(|object| !object.is_new);
                let expected = graph.ages.is_new(member) && crosses;
                assert_eq!(found.contains_key(&member), expected, "{context}");
                let Some(waypoints) = found.get(&member) else { continue };
                assert_greatest("change-proxy", &context, &path, &change_ratios(&defined), waypoints.change);
                let owners = owner_ratios(&defined, heap.class_of(waypoints.change));
                assert_greatest("owner-proxy", &context, &path, &owners, waypoints.owner);
                members += 1;
            }
        }
    }
    assert!(members > 50_000, "only {members} members: the generator lost its teeth");
}

#[test]
fn change_proxies_of_regions_lie_below_their_owner_and_every_region_can_be_planned_or_says_why_not() {
    let (mut changes, mut planned) = (0, 0);
    for seed in 0..HEAPS {
        let heap = random_heap(seed);
        let graph = ObjectGraph::new(&heap);
        let (selves, owners) = (plan::SelfReferences::new(&heap), OwnerPaths::new(true));
        let regions = regions::find(&graph, &ranking::rank(&graph));
        let all: Vec<&Region> = regions.iter().collect();
        let together = plan::plan_all(&graph, &selves, &owners, &mut plan::Halves::default(), &all);
        for (region, plan) in regions.iter().zip(together) {
            let is_below =
                |&&change: &&ObjectIdx| change != region.owner && graph.dominators.dominates(region.owner, change);
            let below = region.changes.iter().filter(is_below).count();
            assert_eq!(below, region.changes.len(), "seed {seed}: {region:#?}");
            changes += below;
            assert_eq!(plan, plan::plan(&graph, &selves, &owners, &plan::Effort::default(), region), "seed {seed}");
            planned += usize::from(plan.is_ok());
        }
    }
    assert!(changes > 1_000 && planned > 100, "only {changes} and {planned}: the generator lost its teeth");
}

#[test]
fn of_equal_change_proxies_the_one_nearest_the_root_is_taken() {
    let mut sketch = HeapSketch::new();
    let (list, old) = (sketch.old("List"), sketch.old("Old"));
    sketch.static_field("Main", "list", list);
    let (new, below) = (sketch.fresh("New"), sketch.fresh("Below"));
    sketch.refer(list, "old", old);
    sketch.refer(old, "new", new);
    sketch.refer(new, "below", below);
    let heap = sketch.build();
    let found = found_below(&ObjectGraph::new(&heap), list);
    assert!(found.values().all(|waypoints| waypoints.change == new && waypoints.owner == old));
}

/// A list of a million nodes whose ages change every `stretch` nodes.
fn list(stretch: u32) -> (Heap, ObjectIdx) {
    let mut sketch = HeapSketch::new();
    let list = sketch.old("List");
    sketch.static_field("Main", "list", list);
    let mut last = list;
    for number in 0..1_000_000 {
        let node = if (number / stretch).is_multiple_of(2) { sketch.old("Node") } else { sketch.fresh("Node") };
        sketch.refer(last, "next", node);
        last = node;
    }
    (sketch.build(), list)
}

/// A pass that walks a path again for each member would not end.
#[test]
fn lists_of_a_million_nodes_are_done_however_often_they_cross_the_fringe() {
    for stretch in [1, 2, 7, 1000, 500_000] {
        let (heap, root) = list(stretch);
        let graph = ObjectGraph::new(&heap);
        let mut members = 0;
        for_each_member(&graph, root, |waypoints| {
            members += 1;
            assert_eq!(waypoints.owner, root);
        });
        assert_eq!(members, heap.objects().filter(|&object| heap.is_new(object)).count());
    }
}
