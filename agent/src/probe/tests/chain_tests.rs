//! Chains longer than a visit may read, on the heap in memory.
#![allow(clippy::expect_used)]

use super::fake_heap::{FakeHeap, chain, step};
use crate::probe::chain::frontier::{self, Frontier, Progress, RecountPolicy};
use crate::probe::route::automaton::{Place, Route};
use crate::probe::route::traversal::{Full, traverse};

/// A chain under observation.
struct Watched {
    heap: FakeHeap,
    route: Route,
    owner: usize,
    probe: Option<Frontier<usize>>,
    budget: u32,
}

impl Watched {
    fn new(nodes: usize, budget: u32) -> Self {
        let (heap, route, owner) = chain(nodes, false);
        Self { heap, route, owner, probe: None, budget }
    }

    fn visit(&mut self) -> Progress {
        let link = self.route.shape.kind.link().expect("a chain");
        let seen = frontier::visit(
            &self.heap,
            (&self.route, link),
            &self.owner,
            &mut self.probe,
            (self.budget, RecountPolicy::Patient),
        );
        let seen = seen.expect("not empty");
        assert!(seen.reads <= self.budget, "{seen:?}");
        seen
    }

    fn count(&mut self) -> Progress {
        (0..100).map(|_| self.visit()).find(|seen| seen.error == 0.0).expect("an end")
    }

    /// A node added behind `last`.
    fn append(&mut self, last: usize) -> usize {
        let node = self.heap.add(1, vec![None]);
        self.heap.objects[last].1[0] = Some(node);
        node
    }

    /// The first node leaves, as `LinkedList.removeFirst` does it.
    fn remove_first(&mut self) {
        let first = self.heap.objects[self.owner].1[0].expect("not empty");
        self.heap.objects[self.owner].1[0] = self.heap.objects[first].1[0].take();
    }
}

#[test]
fn a_long_chain_is_counted_over_visits_and_its_growth_seen() {
    let mut watched = Watched::new(1000, 300);
    for _ in 0..3 {
        assert!(watched.visit().error.is_infinite());
    }
    let counted = watched.visit();
    assert_eq!((counted.size, counted.error), (1000.0, 0.0));
    watched.append(999);
    let head = watched.heap.add(1, vec![Some(0)]);
    watched.heap.objects[watched.owner].1[0] = Some(head);
    assert_eq!(watched.visit().size, 1002.0);
}

#[test]
fn a_circle_ends_at_last() {
    let (heap, route, owner) = chain(50, true);
    assert!(matches!(traverse(&heap, &route, owner, 1000, |_| {}), Full::OverBudget { .. }));
    let link = route.shape.kind.link().expect("a chain");
    let seen =
        frontier::visit(&heap, (&route, link), &owner, &mut None, (1000, RecountPolicy::Patient)).expect("not empty");
    assert_eq!((seen.size, seen.error), (50.0, 0.0));
}

#[test]
fn a_chain_behind_a_list_object_is_a_chain() {
    let place = |counts, to| Place { counts, steps: vec![step(false, to)] };
    let route = Route::new(vec![place(false, 1), place(false, 2), place(true, 2)]);
    let (stem, link) = (&route.shape.stem, route.shape.kind.link().expect("a chain"));
    assert_eq!((stem.prefix.as_slice(), stem.place), ([0, 1].as_slice(), 2));
    let mut heap = FakeHeap::default();
    for node in 0..40 {
        heap.add(2, vec![(node < 39).then_some(node + 1)]);
    }
    let list = heap.add(1, vec![Some(0)]);
    let owner = heap.add(0, vec![Some(list)]);
    let seen =
        frontier::visit(&heap, (&route, link), &owner, &mut None, (100, RecountPolicy::Patient)).expect("not empty");
    assert_eq!((seen.size, seen.error), (40.0, 0.0));
}

#[test]
fn a_loss_in_the_middle_or_at_the_tail_is_found_before_it_is_collected() {
    for (cut, rest) in [(500, Some(700)), (900, None)] {
        let mut watched = Watched::new(1000, 300);
        watched.count();
        watched.heap.objects[cut].1[0] = rest;
        let left = (cut + 1) as f64 + rest.map_or(0.0, |rest| (1000 - rest) as f64);
        let visits = (1..60).find(|_| watched.visit().size == left);
        assert!(visits.is_some_and(|visits| visits < 25), "{visits:?}");
        let settled = watched.count();
        assert_eq!((settled.size, settled.error), (left, 0.0));
    }
}

#[test]
fn additions_in_the_middle_are_reported_by_counts_and_never_as_no_change() {
    let mut watched = Watched::new(1000, 300);
    watched.count();
    let (mut nodes, mut reported) = (1000, 0);
    for visit in 0..100 {
        let next = watched.heap.objects[visit].1[0];
        let node = watched.heap.add(1, vec![next]);
        watched.heap.objects[visit].1[0] = Some(node);
        nodes += 1;
        let seen = watched.visit();
        if seen.error.is_finite() {
            reported += 1;
            // What came before the place that the count had reached is missed.
            assert!((seen.size - f64::from(nodes)).abs() <= 8.0, "{seen:?} of {nodes}");
        }
    }
    assert!(reported >= 12, "{reported}");
}

#[test]
fn that_nothing_comes_is_reported_once_two_counts_have_found_the_same() {
    let mut watched = Watched::new(1000, 300);
    watched.count();
    let silent = (0..20).take_while(|_| watched.visit().error.is_infinite()).count();
    assert!((1..8).contains(&silent), "{silent}");
    assert!((0..50).all(|_| watched.visit().error == 0.0));
}

#[test]
fn a_queue_longer_than_the_budget_is_known_within_its_error() {
    let mut watched = Watched::new(2000, 800);
    let mut last = 1999;
    let mut finite = 0;
    for visit in 0..200 {
        // As much goes as comes, for ever.
        for _ in 0..190 {
            watched.remove_first();
            last = watched.append(last);
        }
        let seen = watched.visit();
        if seen.error.is_finite() {
            finite += 1;
            assert!((seen.size - 2000.0).abs() <= 2.0 * seen.error + 1.0, "visit {visit}: {seen:?}");
        } else {
            assert!(visit < 10, "still unknown at visit {visit}");
        }
    }
    assert!(finite > 190);
}

#[test]
fn a_cursor_that_was_taken_out_does_not_end_the_count() {
    let mut watched = Watched::new(1000, 300);
    let first = watched.visit();
    let cursor = first.size as usize - 1;
    watched.heap.objects[cursor - 1].1[0] = watched.heap.objects[cursor].1[0].take();
    assert!(watched.visit().error.is_infinite());
    assert_eq!(watched.count().size, 999.0);
}

#[test]
fn every_length_is_counted_wherever_the_visits_happen_to_end() {
    for nodes in 1..200 {
        let mut watched = Watched::new(nodes, 20);
        assert_eq!(watched.count().size, nodes as f64);
    }
}

#[test]
fn a_chain_that_loses_at_its_end_what_it_gets_at_its_head_does_not_seem_to_grow() {
    let (nodes, budget) = (200, 300);
    let mut watched = Watched::new(nodes, budget);
    watched.count();
    let (mut tail, mut worst) = (nodes - 1, 0.0_f64);
    for visit in 0..100 {
        let first = watched.heap.objects[watched.owner].1[0];
        let head = watched.heap.add(1, vec![first]);
        watched.heap.objects[watched.owner].1[0] = Some(head);
        tail -= 1;
        watched.heap.objects[tail].1[0] = None;
        if tail == 1 {
            break;
        }
        let seen = watched.visit();
        let off = (seen.size - nodes as f64).abs();
        // Until the second pass it is unknown that anything leaves.
        if visit > 8 {
            worst = worst.max(off - seen.error);
        }
    }
    assert!(worst <= 1.0, "off by {worst} more than its error");
}
