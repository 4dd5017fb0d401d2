//! After a minute of visits the rate is within a tenth of the truth, for every way of seeing a size, on the heap in
//! memory.

use super::fake_heap::{FakeHeap, chain, list, map, step};
use crate::probe::route::automaton::{Place, Route};
use crate::probe::structure::planner::SizeProbe;
use crate::random::Random;
use rootbound_wire::message::{VisitMethod, VisitOutcome};

/// Visits, one each second, and what the program does in between.
const VISITS: u32 = 60;
const BUDGET: u32 = 4096;

/// Least squares over the sightings of one method, the most frequent; the rate a visit.
fn rate(route: Route, mut heap: FakeHeap, owner: usize, mut change: impl FnMut(&mut FakeHeap)) -> (f64, VisitMethod) {
    let counters = heap.numbers.len();
    let mut probe = SizeProbe::new(route, counters, BUDGET, 1);
    let (mut points, mut last) = (Vec::new(), VisitMethod::Full);
    for visit in 0..VISITS {
        change(&mut heap);
        let (outcome, reads) = probe.visit(&heap, &owner);
        assert!(reads <= 2 * BUDGET + 64, "{reads} reads");
        let VisitOutcome::Seen(seen) = outcome else { panic!("{outcome:?}") };
        last = seen.method;
        if seen.size_error.is_finite() {
            points.push((f64::from(visit), seen.size));
        }
        // What a tracker does with reads that are left.
        probe.go_on(&heap, &owner, BUDGET);
    }
    let count = points.len() as f64;
    assert!(count >= 6.0, "{count} sightings");
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (at, size) = (mean(|point| point.0), mean(|point| point.1));
    let slope = points.iter().map(|point| (point.0 - at) * (point.1 - size)).sum::<f64>()
        / points.iter().map(|point| (point.0 - at).powi(2)).sum::<f64>();
    (slope, last)
}

fn assert_rate((rate, method): (f64, VisitMethod), truth: f64, by: VisitMethod) {
    assert_eq!(method, by);
    assert!((rate / truth - 1.0).abs() < 0.1, "{method:?} reported {rate} a visit, it is {truth}");
}

/// Adds members to random buckets of a map's table.
fn filling(table: usize, count: usize) -> impl FnMut(&mut FakeHeap) {
    let mut random = Random::new(11);
    move |heap| {
        for _ in 0..count {
            let bucket = random.below(heap.objects[table].1.len());
            let first = heap.objects[table].1[bucket];
            let node = heap.add(2, vec![first]);
            heap.objects[table].1[bucket] = Some(node);
        }
        for number in &mut heap.numbers {
            *number = number.map(|number| number + count as i64);
        }
    }
}

fn first(heap: &FakeHeap, owner: usize) -> usize {
    heap.objects[owner].1[0].unwrap_or_default()
}

#[test]
fn whole_counts() {
    let (heap, route, owner) = map(1024, 200);
    let table = first(&heap, owner);
    assert_rate(rate(route, heap, owner, filling(table, 7)), 7.0, VisitMethod::Full);
}

#[test]
fn counters() {
    let (mut heap, route, owner) = map(1 << 15, 20_000);
    heap.numbers = vec![Some(20_000)];
    let table = first(&heap, owner);
    assert_rate(rate(route, heap, owner, filling(table, 30)), 30.0, VisitMethod::Counter { counter: 0 });
}

#[test]
fn samples_of_slots() {
    let (heap, route, owner) = map(1 << 17, 100_000);
    let table = first(&heap, owner);
    assert_rate(rate(route, heap, owner, filling(table, 6_000)), 6_000.0, VisitMethod::Slots);
}

#[test]
fn the_fill_of_a_list() {
    let (heap, route, owner) = list(1 << 18, 100_000);
    let array = first(&heap, owner);
    let mut end = 100_000;
    let grow = move |heap: &mut FakeHeap| {
        for _ in 0..25 {
            let member = heap.add(2, vec![]);
            heap.objects[array].1[end] = Some(member);
            end += 1;
        }
    };
    assert_rate(rate(route, heap, owner, grow), 25.0, VisitMethod::Slots);
}

#[test]
fn counts_over_several_visits() {
    let (heap, route, root) = tree(12_000);
    let mut random = Random::new(5);
    let grow = move |heap: &mut FakeHeap| {
        for _ in 0..60 {
            insert(heap, root, &mut random);
        }
    };
    assert_rate(rate(route, heap, root, grow), 60.0, VisitMethod::Cursor);
}

#[test]
fn ends_of_a_chain() {
    let (heap, route, owner) = chain(30_000, false);
    let mut last = 29_999;
    let grow = move |heap: &mut FakeHeap| {
        for _ in 0..4 {
            let node = heap.add(1, vec![None]);
            heap.objects[last].1[0] = Some(node);
            last = node;
            let head = heap.add(1, vec![heap.objects[owner].1[0]]);
            heap.objects[owner].1[0] = Some(head);
        }
    };
    assert_rate(rate(route, heap, owner, grow), 8.0, VisitMethod::Frontier);
}

#[test]
fn a_chain_that_grows_in_the_middle() {
    let (heap, route, owner) = chain(5_000, false);
    let mut random = Random::new(5);
    let grow = move |heap: &mut FakeHeap| {
        for _ in 0..20 {
            let before = random.below(5_000);
            let node = heap.add(1, vec![heap.objects[before].1[0]]);
            heap.objects[before].1[0] = Some(node);
        }
    };
    assert_rate(rate(route, heap, owner, grow), 20.0, VisitMethod::Frontier);
}

/// Owner and a binary tree: nodes with two children, inserted at random.
fn tree(nodes: usize) -> (FakeHeap, Route, usize) {
    let places = vec![
        Place { counts: false, steps: vec![step(false, 1)] },
        Place { counts: true, steps: vec![step(false, 1), step(false, 1)] },
    ];
    let mut heap = FakeHeap::default();
    let owner = heap.add(0, vec![None]);
    let mut random = Random::new(3);
    for _ in 0..nodes {
        insert(&mut heap, owner, &mut random);
    }
    (heap, Route::new(places), owner)
}

fn insert(heap: &mut FakeHeap, owner: usize, random: &mut Random) {
    let node = heap.add(1, vec![None, None]);
    let (mut at, mut side) = (owner, 0);
    while let Some(next) = heap.objects[at].1[side] {
        (at, side) = (next, random.below(2));
    }
    heap.objects[at].1[side] = Some(node);
}
