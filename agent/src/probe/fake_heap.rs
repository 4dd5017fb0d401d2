//! A heap in memory, for tests of the traversals: objects are numbers, each with its place, fields and slots.
#![allow(clippy::expect_used)]

use super::frontier;
use super::full::{Full, traverse};
use super::random::Random;
use super::reader::HeapReader;
use super::route::{Place, Route, Step};
use super::sampled::estimate;

#[derive(Default)]
struct FakeHeap {
    /// Place and references of each object.
    objects: Vec<(usize, Vec<Option<usize>>)>,
}

impl FakeHeap {
    fn add(&mut self, place: usize, references: Vec<Option<usize>>) -> usize {
        self.objects.push((place, references));
        self.objects.len() - 1
    }
}

impl HeapReader for FakeHeap {
    type Ref = usize;
    type Held = usize;

    fn field(&self, _place: usize, step: usize, object: &usize) -> Option<usize> {
        self.objects[*object].1[step]
    }
    fn length(&self, array: &usize) -> u32 {
        self.objects[*array].1.len() as u32
    }
    fn element(&self, array: &usize, index: u32) -> Option<usize> {
        self.objects[*array].1[index as usize]
    }
    fn admits(&self, place: usize, object: &usize) -> bool {
        self.objects[*object].0 == place
    }
    fn same(&self, one: &usize, other: &usize) -> bool {
        one == other
    }
    fn duplicate(&self, object: &usize) -> Option<usize> {
        Some(*object)
    }
    fn hold(&self, object: &usize) -> Option<usize> {
        Some(*object)
    }
    fn recall(&self, held: &usize) -> Option<usize> {
        Some(*held)
    }
}

fn step(is_array: bool, to: usize) -> Step {
    Step { is_array, to: vec![to] }
}

/// Owner, table, nodes in buckets: a `HashMap`.
fn map(buckets: usize, members: usize) -> (FakeHeap, Route, usize) {
    let place = |counts, steps| Place { counts, steps };
    let places =
        vec![place(false, vec![step(false, 1)]), place(false, vec![step(true, 2)]), place(true, vec![step(false, 2)])];
    let (mut heap, mut random) = (FakeHeap::default(), Random::new(3));
    let mut table = vec![None; buckets];
    for _ in 0..members {
        let bucket = random.below(buckets);
        table[bucket] = Some(heap.add(2, vec![table[bucket]]));
    }
    let table = heap.add(1, table);
    let owner = heap.add(0, vec![Some(table)]);
    (heap, Route { places }, owner)
}

/// Owner and a chain of nodes; the last one's link leads to `back` nodes before it, or nowhere.
fn chain(nodes: usize, is_circle: bool) -> (FakeHeap, Route, usize) {
    let places =
        vec![Place { counts: false, steps: vec![step(false, 1)] }, Place { counts: true, steps: vec![step(false, 1)] }];
    let mut heap = FakeHeap::default();
    for node in 0..nodes {
        let next = if node + 1 < nodes { Some(node + 1) } else { is_circle.then_some(0) };
        heap.add(1, vec![next]);
    }
    let owner = heap.add(0, vec![Some(0)]);
    (heap, Route { places }, owner)
}

#[test]
fn within_its_budget_a_traversal_is_exact() {
    let (heap, route, owner) = map(1024, 700);
    assert!(matches!(traverse(&heap, &route, owner, 10_000, |_| {}), Full::Counted { size: 700, .. }));
    assert!(matches!(traverse(&heap, &route, owner, 1000, |_| {}), Full::OverBudget { reads: 1000 }));
}

#[test]
fn random_descents_are_unbiased_and_know_their_error() {
    let (heap, route, owner) = map(1 << 15, 20_000);
    let mut random = Random::new(7);
    let (mut sum, mut squares, mut told, rounds) = (0.0, 0.0, 0.0, 200.0);
    for _ in 0..200 {
        let seen = estimate(&heap, &route, &owner, 4000, &mut random).expect("fits");
        assert!(seen.reads <= 4000);
        sum += seen.size;
        squares += (seen.size - 20_000.0_f64).powi(2);
        told += seen.error;
    }
    let (bias, spread, told) = (sum / rounds - 20_000.0, (squares / rounds).sqrt(), told / rounds);
    assert!(bias.abs() < 4.0 * spread / rounds.sqrt(), "bias {bias}, spread {spread}");
    assert!((0.6..1.6).contains(&(told / spread)), "told {told}, is {spread}");
}

#[test]
fn a_long_chain_is_counted_over_visits_and_its_growth_seen() {
    let (mut heap, route, owner) = chain(1000, false);
    let found = route.chain().expect("a chain");
    let mut memory = None;
    let mut visits = 0;
    let counted = loop {
        visits += 1;
        let seen = frontier::visit(&heap, &route, found, &owner, &mut memory, 300).expect("not empty");
        if seen.ended {
            break seen.size;
        }
    };
    assert_eq!((counted, visits), (1000.0, 4));
    let tail = heap.add(1, vec![None]);
    heap.objects[999].1[0] = Some(tail);
    let head = heap.add(1, vec![Some(0)]);
    heap.objects[owner].1[0] = Some(head);
    let seen = frontier::visit(&heap, &route, found, &owner, &mut memory, 300).expect("not empty");
    assert_eq!(seen.size, 1002.0);
}

#[test]
fn a_circle_ends_at_last() {
    let (heap, route, owner) = chain(50, true);
    assert!(matches!(traverse(&heap, &route, owner, 1000, |_| {}), Full::OverBudget { .. }));
    let found = route.chain().expect("a chain");
    assert!(frontier::visit(&heap, &route, found, &owner, &mut None, 1000).expect("not empty").ended);
}
