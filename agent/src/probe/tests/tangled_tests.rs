//! Structures whose members are reached on several ways each, on the heap in memory.

use super::fake_heap::{FakeHeap, map, step};
use super::restless::Restless;
use crate::probe::full::marked::traverse;
use crate::probe::reading::reader::HeapReader;
use crate::probe::route::automaton::{Place, Route};
use crate::probe::route::traversal::Full;
use crate::probe::structure::planner::SizeProbe;
use crate::random::Random;
use rootbound_wire::message::{MOST_TANGLED_READS, Sighting, VisitMethod, VisitOutcome};

const BUDGET: u32 = 4_096;

/// A tree whose empty children lead to the node before or behind it, as places of a route: the tree, its nodes.
struct Threaded {
    heap: FakeHeap,
    tree: usize,
    /// Whether each of a node's two references is a thread.
    threads: Vec<[bool; 2]>,
    keys: Vec<u64>,
}

impl Threaded {
    fn new(counter: bool) -> Self {
        let mut heap = FakeHeap { numbers: if counter { vec![Some(0)] } else { vec![] }, ..FakeHeap::default() };
        let tree = heap.add(0, vec![None]);
        Self { heap, tree, threads: vec![[false; 2]], keys: vec![0] }
    }

    fn route() -> Route {
        let place = |counts, steps| Place { counts, steps };
        Route::of_mesh(vec![place(false, vec![step(false, 1)]), place(true, vec![step(false, 1), step(false, 1)])])
    }

    fn add(&mut self, key: u64) {
        let fresh = self.heap.add(1, vec![None, None]);
        self.threads.push([true; 2]);
        self.keys.push(key);
        self.heap.numbers.iter_mut().flatten().for_each(|number| *number += 1);
        let Some(mut at) = self.heap.objects[self.tree].1[0] else {
            self.heap.objects[self.tree].1[0] = Some(fresh);
            return;
        };
        loop {
            let side = usize::from(key > self.keys[at]);
            let below = self.heap.objects[at].1[side];
            if let (false, Some(below)) = (self.threads[at][side], below) {
                at = below;
                continue;
            }
            self.heap.objects[fresh].1[side] = below;
            self.heap.objects[fresh].1[1 - side] = Some(at);
            self.heap.objects[at].1[side] = Some(fresh);
            self.threads[at][side] = false;
            return;
        }
    }

    fn grow(&mut self, by: u64) {
        let from = self.keys.len() as u64;
        (from..from + by).for_each(|number| self.add(number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 1));
    }

    fn with(members: u64, counter: bool) -> Self {
        let mut tree = Self::new(counter);
        tree.grow(members);
        tree
    }
}

/// Nodes that each refer to several others at random, the first from the owner.
fn mesh(nodes: usize) -> (FakeHeap, Route, usize) {
    let place = |counts, steps| Place { counts, steps };
    let places =
        vec![place(false, vec![step(false, 1)]), place(true, vec![step(false, 2)]), place(false, vec![step(true, 1)])];
    let (mut heap, mut random) = (FakeHeap::default(), Random::new(5));
    for node in 0..nodes {
        // Nodes are the even numbers, their arrays the odd ones.
        heap.add(1, vec![Some(2 * node + 1)]);
        let others = (0..3).map(|_| Some(2 * random.below(nodes)));
        let slots = others.chain([Some(2 * ((node + 1) % nodes)), None]).collect();
        heap.add(2, slots);
    }
    let owner = heap.add(0, vec![Some(0)]);
    (heap, Route::of_mesh(places), owner)
}

fn seen((outcome, reads): (VisitOutcome, u32)) -> (Sighting, u32) {
    match outcome {
        VisitOutcome::Seen(seen) => (seen, reads),
        other => panic!("{other:?}"),
    }
}

/// A visit in which a count may read what is granted.
fn visit_with<R: HeapReader>(
    probe: &mut SizeProbe<R::Held>,
    heap: &R,
    owner: &R::Ref,
    granted: u32,
) -> (VisitOutcome, u32) {
    probe.grant(granted);
    probe.visit(heap, owner)
}

fn bears_nothing(heap: &FakeHeap) -> bool {
    heap.entered.borrow().is_empty()
}

#[test]
fn a_threaded_tree_is_counted_once() {
    let tree = Threaded::with(1_000, false);
    let counted = traverse(&tree.heap, &Threaded::route(), tree.tree, 10_000, |_| {});
    assert_eq!(counted, Some(Full::Counted { size: 1_000, reads: 2_001 }));
    assert!(bears_nothing(&tree.heap));
}

#[test]
fn a_mesh_is_counted_once() {
    let (heap, route, owner) = mesh(500);
    let mut met = Vec::new();
    let counted = traverse(&heap, &route, owner, 10_000, |&node| met.push(node));
    assert!(matches!(counted, Some(Full::Counted { size: 500, .. })), "{counted:?}");
    met.sort_unstable();
    met.dedup();
    assert_eq!(met.len(), 500);
    assert!(bears_nothing(&heap));
}

#[test]
fn the_owner_is_no_member_though_members_lead_back_to_it() {
    let place = |counts, steps| Place { counts, steps };
    let route = Route::of_mesh(vec![place(true, vec![step(false, 0)])]);
    let mut heap = FakeHeap::default();
    for node in 0..10 {
        heap.add(0, vec![Some((node + 1) % 10)]);
    }
    assert_eq!(traverse(&heap, &route, 0, 100, |_| {}), Some(Full::Counted { size: 9, reads: 10 }));
}

#[test]
fn a_count_that_runs_out_of_budget_leaves_no_mark_and_reads_no_more() {
    let tree = Threaded::with(1_000, false);
    for budget in [0, 1, 100, 2_000] {
        let counted = traverse(&tree.heap, &Threaded::route(), tree.tree, budget, |_| {});
        assert_eq!(counted, Some(Full::OverBudget { reads: budget }));
        assert!(bears_nothing(&tree.heap));
    }
}

#[test]
fn a_counter_is_trusted_after_two_counts_and_then_all_that_is_read() {
    let mut tree = Threaded::with(1_000, true);
    let mut probe = SizeProbe::new(Threaded::route(), 1, BUDGET, 1);
    let (first, reads) = seen(visit_with(&mut probe, &tree.heap, &tree.tree, 0));
    assert_eq!((first.size, first.method), (1_000.0, VisitMethod::Full));
    assert!(reads > 2_000);
    tree.grow(20);
    let (second, _) = seen(visit_with(&mut probe, &tree.heap, &tree.tree, 0));
    assert_eq!((second.size, second.additions), (1_020.0, 20.0));
    let mut checks = 0;
    for visit in 1..100 {
        tree.grow(3);
        let (seen, reads) = seen(visit_with(&mut probe, &tree.heap, &tree.tree, 0));
        assert_eq!(seen.size, 1_020.0 + 3.0 * f64::from(visit));
        assert_eq!((seen.method, seen.size_error), (VisitMethod::Counter { counter: 0 }, 0.0));
        checks += u32::from(reads > 3);
        assert!(bears_nothing(&tree.heap));
    }
    assert!((4..=6).contains(&checks), "{checks} checks in a hundred visits");
}

#[test]
fn a_mesh_larger_than_a_visit_is_counted_where_that_is_granted_and_seldom_after_that() {
    let mut tree = Threaded::with(10_000, true);
    let mut probe = SizeProbe::new(Threaded::route(), 1, BUDGET, 1);
    let (_, reads) = seen(visit_with(&mut probe, &tree.heap, &tree.tree, MOST_TANGLED_READS));
    assert!(reads > 20_000);
    // Without a grant no unknown size is reported.
    tree.grow(100);
    let (unknown, reads) = seen(visit_with(&mut probe, &tree.heap, &tree.tree, 0));
    assert!(unknown.size_error.is_infinite() && reads <= 3);
    tree.grow(1);
    let (second, _) = seen(visit_with(&mut probe, &tree.heap, &tree.tree, MOST_TANGLED_READS));
    assert_eq!(second.size, 10_101.0);
    let mut all_reads = 0;
    for _ in 0..2_000 {
        tree.grow(1);
        let (seen, reads) = seen(visit_with(&mut probe, &tree.heap, &tree.tree, MOST_TANGLED_READS));
        assert_eq!(seen.method, VisitMethod::Counter { counter: 0 });
        all_reads += reads;
    }
    let mean = all_reads / 2_000;
    assert!((100..=131).contains(&mean), "{mean} reads a visit, checks included");
}

#[test]
fn counts_that_teach_nothing_become_seldom() {
    let tree = Threaded::with(10_000, false);
    let mut probe = SizeProbe::new(Threaded::route(), 0, BUDGET, 1);
    let visits = (0..1_000).map(|_| seen(visit_with(&mut probe, &tree.heap, &tree.tree, MOST_TANGLED_READS)).1);
    let counts = visits.filter(|&reads| reads > 100).count();
    assert!((10..30).contains(&counts), "{counts} counts in 1,000 visits");
}

#[test]
fn a_mesh_larger_than_any_visit_is_reported_so_and_leaves_no_mark() {
    let tree = Threaded::with(20_000, true);
    let mut probe = SizeProbe::new(Threaded::route(), 1, BUDGET, 1);
    let (outcome, reads) = visit_with(&mut probe, &tree.heap, &tree.tree, MOST_TANGLED_READS);
    assert!(matches!(outcome, VisitOutcome::Failed(reason) if reason.contains("too many")));
    assert!(reads <= MOST_TANGLED_READS + 4 && bears_nothing(&tree.heap));
    for _ in 0..250 {
        let (_, reads) = visit_with(&mut probe, &tree.heap, &tree.tree, MOST_TANGLED_READS);
        assert!(reads <= 3);
    }
}

#[test]
fn without_marks_for_a_count_there_is_none() {
    let tree = Threaded::with(100, true);
    let heap = FakeHeap { is_unmarkable: true, ..tree.heap };
    let (outcome, _) = SizeProbe::new(Threaded::route(), 1, BUDGET, 1).visit(&heap, &tree.tree);
    assert!(matches!(outcome, VisitOutcome::Failed(reason) if reason.contains("mark")));
}

/// A mesh that one probe follows wholly, and another, plain one from a list of the same nodes.
#[test]
fn members_that_another_probe_remembers_stay_marked() {
    let (heap, route, owner) = mesh(500);
    let nodes =
        Route::new(vec![Place { counts: false, steps: vec![step(false, 1)] }, Place { counts: true, steps: vec![] }]);
    let mut other = SizeProbe::new(nodes, 0, BUDGET, 1);
    seen(other.visit(&heap, &owner));
    let before = heap.marks.borrow().clone();
    assert_eq!((before.len() as u64, other.marks()), (1, 1));
    let mut probe = SizeProbe::new(route, 0, BUDGET, 2);
    for _ in 0..20 {
        let (seen, _) = seen(visit_with(&mut probe, &heap, &owner, 0));
        assert_eq!((seen.size, seen.removals), (500.0, 0.0));
        assert!(before.iter().all(|(node, mark)| heap.marks.borrow().get(node) == Some(mark)));
        assert_eq!(heap.marks.borrow().len() as u64, probe.marks() + other.marks());
    }
    probe.forget(&heap);
    assert_eq!(*heap.marks.borrow(), before);
}

#[test]
fn each_visit_of_a_changing_mesh_is_bounded_and_leaves_no_mark() {
    let mut threaded = Threaded::with(1_200, true);
    let (tree, mut rest) = (threaded.tree, Random::new(9));
    let heap = std::mem::take(&mut threaded.heap);
    let restless = Restless::new(heap, 50, |heap| {
        // The program turns references at random: no tree any more, but always nodes.
        let (from, to) = (1 + rest.below(1_200), 1 + rest.below(1_200));
        let side = rest.below(2);
        heap.objects[from].1[side] = Some(to);
    });
    let mut probe = SizeProbe::new(Threaded::route(), 1, BUDGET, 1);
    for _ in 0..100 {
        let (seen, reads) = seen(visit_with(&mut probe, &restless, &tree, 0));
        assert!(seen.size <= 1_200.0 && reads <= BUDGET);
        assert!(bears_nothing(&restless.heap.borrow()));
    }
}

/// A structure that could be followed plainly is seen the same with marks.
#[test]
fn a_plain_map_is_counted_alike_both_ways() {
    let (heap, route, owner) = map(1024, 700);
    let plain = crate::probe::route::traversal::traverse(&heap, &route, owner, 10_000, |_| {});
    assert_eq!(traverse(&heap, &route, owner, 10_000, |_| {}), Some(plain));
}
