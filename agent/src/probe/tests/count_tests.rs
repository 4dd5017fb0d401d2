//! Whole counts and samples, on the heap in memory.
#![allow(clippy::expect_used)]

use super::fake_heap::{FakeHeap, list, map};
use crate::probe::large::sampled::estimate;
use crate::probe::route::automaton::Route;
use crate::probe::route::traversal::{Full, traverse};
use crate::probe::structure::planner::SizeProbe;
use crate::random::Random;
use rootbound_wire::message::{VisitMethod, VisitOutcome};

#[test]
fn within_its_budget_a_traversal_is_exact() {
    let (heap, route, owner) = map(1024, 700);
    assert!(matches!(traverse(&heap, &route, owner, 10_000, |_| {}), Full::Counted { size: 700, .. }));
    assert!(matches!(traverse(&heap, &route, owner, 700, |_| {}), Full::OverBudget { reads: ..=700 }));
}

#[test]
fn random_descents_are_unbiased_and_know_their_error() {
    let (heap, route, owner) = map(1 << 15, 20_000);
    let mut random = Random::new(7);
    let (mut sum, mut squares, mut reported, rounds) = (0.0, 0.0, 0.0, 200.0);
    for _ in 0..200 {
        let (seen, reads) = estimate(&heap, &route, &owner, 4000, &mut random);
        let seen = seen.expect("fits");
        assert!(reads <= 4000);
        sum += seen.size;
        squares += (seen.size - 20_000.0_f64).powi(2);
        reported += seen.error;
    }
    let (bias, spread, reported) = (sum / rounds - 20_000.0, (squares / rounds).sqrt(), reported / rounds);
    assert!(bias.abs() < 4.0 * spread / rounds.sqrt(), "bias {bias}, spread {spread}");
    assert!((0.6..1.6).contains(&(reported / spread)), "reported {reported}, is {spread}");
}

#[test]
fn four_empty_slots_cost_one_read() {
    let (heap, route, owner) = list(4000, 10);
    assert_eq!(traverse(&heap, &route, owner, 1100, |_| {}), Full::Counted { size: 10, reads: 1009 });
}

#[test]
fn a_whole_count_that_fails_doubles_one_visit_only() {
    let (heap, route, owner) = map(1 << 13, 9000);
    let mut probe = SizeProbe::new(route, 0, 4000, 1);
    for visit in 0..100 {
        let (outcome, reads) = probe.visit(&heap, &owner);
        let VisitOutcome::Seen(seen) = outcome else { panic!("{outcome:?}") };
        assert_eq!(seen.method, VisitMethod::Cursor);
        assert!(reads <= if visit == 0 { 8001 } else { 4001 }, "visit {visit} made {reads} reads");
    }
}

/// A list's array is a limit; a table whose slots lead to chains is none.
#[test]
fn the_length_of_an_array_is_reported_where_each_member_has_a_slot_of_its_own() {
    let slots = |(heap, route, owner): (FakeHeap, Route, usize)| {
        let (outcome, _) = SizeProbe::new(route, 0, 4000, 1).visit(&heap, &owner);
        let VisitOutcome::Seen(seen) = outcome else { panic!("{outcome:?}") };
        seen.slots
    };
    assert_eq!((slots(list(1000, 10)), slots(map(1024, 700))), (Some(1000), None));
}
