//! Structures that change while they are read, on the heap in memory: every visit ends within its reads, and what was
//! counted lies between the least and the most that there was.

use super::fake_heap::{FakeHeap, chain, list, map};
use super::restless::Restless;
use crate::probe::large::cursor::{self, Advance};
use crate::probe::route::automaton::Route;
use crate::probe::structure::planner::SizeProbe;
use crate::random::Random;
use proptest::prelude::*;
use rootbound_wire::message::VisitOutcome;

const BUDGET: u32 = 400;

/// A change of the program to any structure: it links objects anew at random, within the classes that may stand there.
fn scramble(seed: u64, place: usize) -> impl FnMut(&mut FakeHeap) {
    let mut random = Random::new(seed);
    move |heap| {
        let at = random.below(heap.objects.len());
        let fields = heap.objects[at].1.len();
        if fields == 0 {
            return;
        }
        let field = random.below(fields);
        let to = random.below(heap.objects.len());
        heap.objects[at].1[field] = match random.below(4) {
            0 => None,
            1 => {
                let copy = heap.objects[at].1[field].map(|next| heap.objects[next].clone());
                Some(copy.map_or(to, |(place, references)| heap.add(place, references)))
            }
            _ if heap.objects[to].0 >= place => Some(to),
            _ => heap.objects[at].1[field],
        };
        if random.below(8) == 0 {
            heap.collected.insert(to);
        }
        for number in &mut heap.numbers {
            *number = Some(random.bits() as i64);
        }
    }
}

fn structure(kind: u32, size: usize) -> (FakeHeap, Route, usize) {
    match kind {
        0 => map(size.next_power_of_two(), size),
        1 => chain(size, false),
        2 => chain(size, true),
        _ => list(2 * size, size),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_visit_runs_on_under_any_change(kind in 0_u32..4, size in 1_usize..3000, every in 1_u32..60, seed: u64) {
        let (mut heap, route, owner) = structure(kind, size);
        heap.numbers = vec![Some(size as i64), None];
        heap.collected.remove(&owner);
        let heap = Restless::new(heap, every, scramble(seed, 1));
        let mut probe = SizeProbe::new(route, 2, BUDGET, 1);
        for _ in 0..40 {
            heap.heap.borrow_mut().collected.remove(&owner);
            let (outcome, reads) = probe.visit(&heap, &owner);
            prop_assert!(reads <= 2 * BUDGET + 1600, "{} reads", reads);
            if let VisitOutcome::Seen(seen) = outcome {
                prop_assert!(seen.size >= 0.0 && seen.additions >= 0.0 && seen.removals >= 0.0, "{:?}", seen);
            }
            prop_assert!(probe.go_on(&heap, &owner, BUDGET) <= BUDGET + 16);
        }
    }

    #[test]
    fn a_count_over_many_visits_lies_between_the_least_and_the_most(
        members in 50_usize..2000, budget in 20_u32..300, every in 1_u32..200, seed: u64,
    ) {
        let (heap, route, owner) = map(256, members);
        let table = heap.objects[owner].1[0].unwrap_or_default();
        let mut random = Random::new(seed);
        // Members only come, at the head of their buckets.
        let heap = Restless::new(heap, every, move |heap: &mut FakeHeap| {
            if heap.objects.len() < 6_000 {
                let bucket = random.below(256);
                let node = heap.add(2, vec![heap.objects[table].1[bucket]]);
                heap.objects[table].1[bucket] = Some(node);
            }
        });
        let (mut pass, mut before) = (None, members as u64);
        for _ in 0..3 {
            let size = loop {
                match cursor::advance(&heap, &route, &owner, &mut pass, budget).0 {
                    Advance::Counted { size } => break size,
                    Advance::Unfinished => {}
                    Advance::GivenUp => panic!("given up"),
                }
            };
            let now = heap.heap.borrow().objects.len() as u64 - 2;
            prop_assert!((before..=now).contains(&size), "{} not within {}..={}", size, before, now);
            before = now;
            heap.run(10);
            before = before.min(now);
        }
    }
}

#[test]
fn a_count_starts_over_when_the_table_is_replaced() {
    let (mut heap, route, owner) = map(256, 900);
    let mut pass = None;
    assert_eq!(cursor::advance(&heap, &route, &owner, &mut pass, 300).0, Advance::Unfinished);
    // A larger table takes over: every bucket of the old one moves.
    let old = heap.objects[owner].1[0].unwrap_or_default();
    let mut slots = heap.objects[old].1.clone();
    slots.resize(512, None);
    slots.rotate_right(100);
    let new = heap.add(1, slots);
    heap.objects[owner].1[0] = Some(new);
    heap.objects[old].1.fill(None);
    let size = (0..100).find_map(|_| match cursor::advance(&heap, &route, &owner, &mut pass, 300).0 {
        Advance::Counted { size } => Some(size),
        _ => None,
    });
    assert_eq!(size, Some(900));
}

#[test]
fn a_chain_whose_node_was_taken_out_under_the_cursor_is_read_to_its_end() {
    // One bucket with a long chain, so that a visit ends in its middle.
    let (mut heap, route, owner) = map(1, 1000);
    let mut pass = None;
    assert_eq!(cursor::advance(&heap, &route, &owner, &mut pass, 300).0, Advance::Unfinished);
    let table = heap.objects[owner].1[0].unwrap_or_default();
    let mut nodes = vec![heap.objects[table].1[0].unwrap_or_default()];
    while let Some(next) = heap.objects[nodes[nodes.len() - 1]].1[0] {
        nodes.push(next);
    }
    // As a list does it: unlinked, and its own link cleared. The node at which the visit ended is unknown: try those
    // near.
    for at in 290..305 {
        heap.objects[nodes[at - 1]].1[0] = None;
        heap.objects[nodes[at]].1[0] = None;
    }
    heap.objects[nodes[289]].1[0] = Some(nodes[305]);
    let size = (0..100).find_map(|_| match cursor::advance(&heap, &route, &owner, &mut pass, 300).0 {
        Advance::Counted { size } => Some(size),
        _ => None,
    });
    assert_eq!(size, Some(1000 - 15));
}
