//! Graph attributes against brute force on seeded random graphs: every definition is evaluated here as it is written,
//! object by object, whatever it costs.

#[path = "random/mod.rs"]
mod random;

use random::Random;
use rootbound::graph::{ObjectGraph, Referrers, RootPaths, shortest_path_within};
use rootbound::heap::dsl::HeapSketch;
use rootbound::heap::{Heap, ObjectIdx, RootKind};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

const GRAPHS: u64 = 400;
const KINDS: [RootKind; 6] =
    [RootKind::Class, RootKind::JniGlobal, RootKind::Thread, RootKind::OnStack, RootKind::Monitor, RootKind::Other];

/// 1–60 objects and a few classes: cycles, self references, parallel references, several roots, unreachable parts.
fn random_heap(seed: u64) -> Heap {
    let mut random = Random::new(seed);
    let mut sketch = HeapSketch::new();
    let classes = ["A", "B", "C", "A[]", "B[]"];
    let count = 1 + random.below(60);
    let objects: Vec<ObjectIdx> = (0..count)
        .map(|_| {
            let class = classes[random.below(classes.len())];
            if random.percent(50) { sketch.old(class) } else { sketch.fresh(class) }
        })
        .collect();
    let density = 1 + random.below(3);
    for _ in 0..count * density {
        let (from, to) = (objects[random.below(count)], objects[random.below(count)]);
        for _ in 0..1 + random.below(8) / 7 {
            sketch.element(from, to);
        }
    }
    for number in 0..random.below(5) {
        let object = objects[random.below(count)];
        match random.below(4) {
            0 => sketch.local(object),
            1 => sketch.jni_global(object),
            2 => sketch.thread(object, "worker"),
            _ => drop(sketch.static_field("Statics", &format!("field{number}"), object)),
        }
    }
    sketch.build()
}

fn on_random_heaps(mut check: impl FnMut(u64, &Heap, &ObjectGraph<'_>)) {
    for seed in 0..GRAPHS {
        let heap = random_heap(seed);
        check(seed, &heap, &ObjectGraph::new(&heap));
    }
}

/// What the roots of some kind reach when one object is taken away.
fn reached(heap: &Heap, without: Option<ObjectIdx>, kinds: &[RootKind]) -> Vec<bool> {
    let mut reached = vec![false; heap.object_count()];
    let roots = heap.roots().iter().filter(|root| kinds.contains(&root.kind)).map(|root| root.object);
    let mut pending: Vec<ObjectIdx> = roots.collect();
    while let Some(object) = pending.pop() {
        if Some(object) != without && !reached[object.at()] {
            reached[object.at()] = true;
            pending.extend(heap.references().of(object));
        }
    }
    reached
}

/// Who dominates whom, by definition: `dominated[x][y]` when taking x away makes the reachable y unreachable.
struct Dominance {
    reachable: Vec<bool>,
    dominated: Vec<Vec<bool>>,
}

impl Dominance {
    fn of(heap: &Heap) -> Self {
        let reachable = reached(heap, None, &KINDS);
        let dominated = heap
            .objects()
            .map(|object| {
                let left = reached(heap, Some(object), &KINDS);
                reachable.iter().zip(left).map(|(&before, after)| before && !after).collect()
            })
            .collect();
        Self { reachable, dominated }
    }

    fn dominates(&self, above: ObjectIdx, below: ObjectIdx) -> bool {
        self.dominated[above.at()][below.at()]
    }

    /// The dominators of an object, itself included.
    fn above(&self, heap: &Heap, object: ObjectIdx) -> Vec<ObjectIdx> {
        heap.objects().filter(|&above| self.dominates(above, object)).collect()
    }

    /// The dominator that all other dominators dominate.
    fn immediate(&self, heap: &Heap, object: ObjectIdx) -> Option<ObjectIdx> {
        let strict: Vec<ObjectIdx> = self.above(heap, object).into_iter().filter(|&above| above != object).collect();
        strict.iter().copied().find(|&nearest| strict.iter().all(|&other| self.dominates(other, nearest)))
    }
}

#[test]
fn an_object_dominates_what_is_unreachable_without_it() {
    on_random_heaps(|seed, heap, graph| {
        let truth = Dominance::of(heap);
        for object in heap.objects() {
            assert_eq!(graph.dominators.is_reachable(object), truth.reachable[object.at()], "seed {seed} {object:?}");
            let immediate = truth.immediate(heap, object);
            assert_eq!(graph.dominators.immediate_dominator(object), immediate, "seed {seed} {object:?}");
            for other in heap.objects() {
                let dominates = truth.dominates(object, other);
                assert_eq!(graph.dominators.dominates(object, other), dominates, "seed {seed} {object:?} {other:?}");
            }
        }
    });
}

#[test]
fn depth_counts_dominators_and_the_preorder_keeps_subtrees_together() {
    on_random_heaps(|seed, heap, graph| {
        let truth = Dominance::of(heap);
        let dominators = &graph.dominators;
        assert_eq!(dominators.reachable_count(), truth.reachable.iter().filter(|&&is| is).count());
        for object in heap.objects() {
            assert_eq!(dominators.depth(object) as usize, truth.above(heap, object).len(), "seed {seed} {object:?}");
            let mut subtree = dominators.subtree(object).to_vec();
            subtree.sort_unstable();
            let dominated: Vec<ObjectIdx> = heap.objects().filter(|&o| truth.dominates(object, o)).collect();
            assert_eq!(subtree, dominated, "seed {seed} {object:?}");
        }
        for (at, &object) in dominators.preorder().iter().enumerate() {
            assert_eq!(dominators.position(object) as usize, at, "seed {seed}");
            assert_eq!(dominators.subtree(object)[0], object, "seed {seed}");
            assert!(dominators.immediate_dominator(object).is_none_or(|above| dominators.position(above) < at as u32));
        }
    });
}

/// x has a frontier when it dominates a y that refers to a z which x does not strictly dominate, z being neither a
/// root mirror nor a dominator of y.
fn has_frontier(heap: &Heap, truth: &Dominance, x: ObjectIdx) -> bool {
    let is_root_mirror =
        |z: ObjectIdx| heap.roots().iter().any(|root| root.kind == RootKind::Class && root.object == z);
    let leaves = |y: ObjectIdx, z: ObjectIdx| {
        let strictly_dominated = z != x && truth.dominates(x, z);
        !strictly_dominated && !is_root_mirror(z) && !truth.dominates(z, y)
    };
    let dominated = heap.objects().filter(|&y| truth.dominates(x, y));
    dominated.into_iter().any(|y| heap.references().of(y).iter().any(|&z| leaves(y, z)))
}

#[test]
fn a_frontier_is_a_way_out_of_what_an_object_dominates() {
    on_random_heaps(|seed, heap, graph| {
        let truth = Dominance::of(heap);
        for object in heap.objects() {
            let expected = has_frontier(heap, &truth, object);
            assert_eq!(graph.frontier.contains(object.at()), expected, "seed {seed} {object:?}");
        }
    });
}

/// An object array that an old object which is no array refers to is a part of it, and as old.
fn is_new(heap: &Heap, object: ObjectIdx) -> bool {
    let holds = |holder: ObjectIdx| heap.references().of(holder).contains(&object);
    let is_part_of_old = heap.objects().any(|holder| holds(holder) && !heap.is_new(holder) && !heap.is_array(holder));
    heap.is_new(object) && !(heap.is_object_array(object) && is_part_of_old)
}

#[test]
fn the_fringe_is_what_is_new_and_referred_to_by_what_is_old() {
    on_random_heaps(|seed, heap, graph| {
        for object in heap.objects() {
            assert_eq!(graph.ages.is_new(object), is_new(heap, object), "seed {seed} {object:?}");
            let from_old = |old: ObjectIdx| !is_new(heap, old) && heap.references().of(old).contains(&object);
            let on_fringe = is_new(heap, object) && heap.objects().any(from_old);
            assert_eq!(graph.fringe.contains(object), on_fringe, "seed {seed} {object:?}");
        }
        let members = heap.objects().filter(|&object| graph.fringe.contains(object)).count();
        assert_eq!(graph.fringe.count(), members);
    });
}

#[test]
fn reachability_names_the_kinds_of_roots_that_reach() {
    on_random_heaps(|seed, heap, graph| {
        let by_kind = KINDS.map(|kind| reached(heap, None, &[kind]));
        for object in heap.objects() {
            for (kind, reached) in KINDS.into_iter().zip(&by_kind) {
                let named = graph.reachability.kinds(object).contains(kind);
                assert_eq!(named, reached[object.at()], "seed {seed} {object:?} {kind:?}");
                assert_eq!(graph.reachability.count(object, kind) > 0, named);
            }
            let from_others = by_kind.iter().zip(KINDS).any(|(is, kind)| kind != RootKind::OnStack && is[object.at()]);
            let only_on_stack = graph.reachability.kinds(object).contains(RootKind::OnStack) && !from_others;
            assert_eq!(graph.reachability.only_on_stack(object), only_on_stack, "seed {seed} {object:?}");
        }
    });
}

#[test]
fn few_roots_are_counted_exactly() {
    let mut sketch = HeapSketch::new();
    let shared = sketch.old("Shared");
    for _ in 0..3 {
        let holder = sketch.old("Holder");
        sketch.jni_global(holder);
        sketch.refer(holder, "shared", shared);
    }
    let heap = sketch.build();
    assert_eq!(ObjectGraph::new(&heap).reachability.count(shared, RootKind::JniGlobal), 3);
}

#[test]
fn outside_referrers_of_an_inner_object_all_lie_in_its_region() {
    on_random_heaps(|seed, heap, graph| {
        let truth = Dominance::of(heap);
        let referrers = Referrers::new(heap);
        for object in heap.objects().filter(|object| truth.reachable[object.at()]) {
            let region = graph.single_entry.head_of(object);
            if region == object {
                continue;
            }
            assert!(heap.roots().iter().all(|root| root.object != object), "seed {seed}: the root {object:?} is inner");
            assert!(graph.single_entry.is_head(region), "seed {seed}: {region:?} heads {object:?} but not itself");
            let outside = |&&from: &&ObjectIdx| truth.reachable[from.at()] && !truth.dominates(object, from);
            for &from in referrers.of(object).iter().filter(outside) {
                assert_eq!(graph.single_entry.head_of(from), region, "seed {seed}: {from:?} refers to {object:?}");
            }
        }
    });
}

/// Hops from the nearest root, breadth first.
fn distances_from(heap: &Heap, starts: &[ObjectIdx], may_enter: impl Fn(ObjectIdx) -> bool) -> Vec<Option<usize>> {
    let mut distance = vec![None; heap.object_count()];
    let mut queue: VecDeque<(ObjectIdx, usize)> = starts.iter().map(|&start| (start, 0)).collect();
    while let Some((object, hops)) = queue.pop_front() {
        if distance[object.at()].is_none() && may_enter(object) {
            distance[object.at()] = Some(hops);
            queue.extend(heap.references().of(object).iter().map(|&referee| (referee, hops + 1)));
        }
    }
    distance
}

#[test]
fn root_paths_are_shortest_and_every_step_is_a_reference() {
    on_random_heaps(|seed, heap, _| {
        let paths = RootPaths::new(heap);
        let starts: Vec<ObjectIdx> = heap.roots().iter().map(|root| root.object).collect();
        let distances = distances_from(heap, &starts, |_| true);
        for object in heap.objects() {
            let path = paths.path_to(heap, object);
            assert_eq!(path.as_ref().map(|path| path.steps.len() - 1), distances[object.at()], "seed {seed}");
            let Some(path) = path else { continue };
            assert_eq!(heap.roots()[path.root].object, path.steps[0].0);
            assert_eq!(path.steps.last().map(|step| step.0), Some(object));
            for pair in path.steps.windows(2) {
                let reference = pair[1].1.map(|label| (pair[1].0, label));
                assert!(heap.references().labelled(pair[0].0).any(|each| Some(each) == reference), "seed {seed}");
            }
        }
    });
}

#[test]
fn paths_within_a_subtree_are_shortest_among_those_that_stay_in_it() {
    on_random_heaps(|seed, heap, graph| {
        for from in heap.objects().filter(|&object| graph.dominators.is_reachable(object)) {
            let inside = distances_from(heap, &[from], |object| graph.dominators.dominates(from, object));
            for &to in graph.dominators.subtree(from) {
                let path = shortest_path_within(heap, &graph.dominators, from, to);
                assert_eq!(path.as_ref().map(Vec::len), inside[to.at()], "seed {seed} {from:?} {to:?}");
                let mut at = from;
                for (label, next) in path.unwrap_or_default() {
                    assert!(heap.references().labelled(at).any(|each| each == (next, label)), "seed {seed}");
                    at = next;
                }
                assert_eq!(at, to);
            }
        }
    });
}

const MILLION: u32 = 1_000_000;
/// Generous: a quadratic step would take hours.
const QUICKLY: Duration = Duration::from_secs(60);

/// A list of a million nodes, the second half new.
fn list(doubly_linked: bool) -> (Heap, ObjectIdx) {
    let mut sketch = HeapSketch::new();
    let list = sketch.old("List");
    sketch.static_field("Main", "list", list);
    let mut last = list;
    for number in 0..MILLION {
        let node = if number < MILLION / 2 { sketch.old("Node") } else { sketch.fresh("Node") };
        sketch.refer(last, if number == 0 { "first" } else { "next" }, node);
        if doubly_linked && number > 0 {
            sketch.refer(node, "prev", last);
        }
        last = node;
    }
    if doubly_linked {
        sketch.refer(list, "last", last);
    }
    (sketch.build(), list)
}

#[test]
fn a_million_nodes_singly_linked_are_a_million_levels_deep() {
    let (heap, list) = list(false);
    let began = Instant::now();
    let graph = ObjectGraph::new(&heap);
    assert!(began.elapsed() < QUICKLY);
    assert_eq!(graph.dominators.subtree(list).len(), MILLION as usize + 1);
    let deepest = heap.objects().map(|object| graph.dominators.depth(object)).max();
    assert_eq!(deepest, Some(MILLION + 2), "the mirror, the list, and its nodes");
    assert!(RootPaths::new(&heap).path_to(&heap, ObjectIdx(heap.object_count() as u32 - 1)).is_some());
}

#[test]
fn a_million_nodes_doubly_linked_are_all_owned_by_their_list() {
    let (heap, list) = list(true);
    let began = Instant::now();
    let graph = ObjectGraph::new(&heap);
    assert!(began.elapsed() < QUICKLY);
    assert_eq!(graph.dominators.subtree(list).len(), MILLION as usize + 1);
    let nodes = &graph.dominators.subtree(list)[1..];
    assert!(nodes.iter().all(|&node| graph.dominators.immediate_dominator(node) == Some(list)));
    assert_eq!(graph.fringe.count(), 2, "the first new node, and the last, which the list holds");
}
