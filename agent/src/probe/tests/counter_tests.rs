//! Counters are learned, relied on and dropped, on the heap in memory.

use super::fake_heap::{FakeHeap, chain, list, map, step};
use super::restless::Restless;
use crate::probe::budget::Grant;
use crate::probe::counter::candidates::Counters;
use crate::probe::counter::span::Span;
use crate::probe::route::automaton::Route;
use crate::probe::structure::planner::SizeProbe;
use rootbound_wire::message::{Sighting, VisitMethod, VisitOutcome};

const BUDGET: u32 = 4096;
const COUNTER: VisitMethod = VisitMethod::Counter { counter: 0 };

/// A map under observation, with its size, all insertions and removals together, and a constant next to it.
struct Watched {
    heap: FakeHeap,
    probe: SizeProbe<usize>,
    owner: usize,
}

impl Watched {
    fn new(buckets: usize, members: usize) -> Self {
        let (mut heap, route, owner) = map(buckets, members);
        heap.numbers = vec![Some(members as i64), Some(members as i64 + 3), Some(members as i64)];
        Self { heap, probe: SizeProbe::new(route, 3, BUDGET, 1), owner }
    }

    fn table(&self) -> usize {
        self.heap.objects[self.owner].1[0].unwrap_or_default()
    }

    fn insert(&mut self, count: usize) {
        let table = self.table();
        for _ in 0..count {
            let bucket = (self.heap.objects.len() * 7919) % self.heap.objects[table].1.len();
            let first = self.heap.objects[table].1[bucket];
            let node = self.heap.add(2, vec![first]);
            self.heap.objects[table].1[bucket] = Some(node);
        }
        self.count(count as i64, count as i64);
    }

    /// Takes the first members of the first buckets out.
    fn remove(&mut self, count: usize) {
        let table = self.table();
        let full = (0..self.heap.objects[table].1.len()).filter_map(|at| Some((at, self.heap.objects[table].1[at]?)));
        for (bucket, first) in full.take(count).collect::<Vec<_>>() {
            self.heap.objects[table].1[bucket] = self.heap.objects[first].1[0];
        }
        self.count(-(count as i64), count as i64);
    }

    fn count(&mut self, net: i64, all: i64) {
        for (number, by) in self.heap.numbers.iter_mut().zip([net, all]) {
            *number = number.map(|number| number + by);
        }
    }

    fn visit(&mut self) -> (Sighting, u32) {
        let (outcome, reads) = self.probe.visit(&self.heap, &self.owner);
        let VisitOutcome::Seen(seen) = outcome else { panic!("{outcome:?}") };
        (seen, reads)
    }
}

#[test]
fn a_number_that_followed_two_sizes_is_read_instead_of_counting() {
    let mut watched = Watched::new(1024, 700);
    assert_eq!(watched.visit().0.method, VisitMethod::Full);
    watched.insert(50);
    assert_eq!(watched.visit().0.size, 750.0);
    for round in 1..10 {
        watched.insert(10);
        let (seen, reads) = watched.visit();
        assert_eq!((seen.size, seen.size_error, seen.method), (750.0 + 10.0 * f64::from(round), 0.0, COUNTER));
        assert_eq!((seen.additions, seen.removals), (10.0, 0.0));
        assert!(reads <= 6, "{reads} reads");
    }
}

#[test]
fn a_number_that_stands_still_with_the_size_serves_until_it_moves() {
    let mut watched = Watched::new(1024, 700);
    watched.visit();
    // The number and the constant agree with a size that does not change; that it moved since it was first read is
    // not known yet.
    watched.visit();
    for _ in 0..10 {
        let (seen, reads) = watched.visit();
        assert_eq!((seen.size, seen.additions), (700.0, 0.0));
        assert!(reads <= 6, "{reads} reads");
    }
    // No growth is reported before a count has confirmed it.
    watched.heap.numbers[0] = Some(800);
    let (seen, reads) = watched.visit();
    assert_eq!((seen.size, seen.method), (700.0, VisitMethod::Full));
    assert!(reads > 700);
}

#[test]
fn one_that_counts_insertions_alone_is_dropped_at_the_first_removals() {
    let mut watched = Watched::new(1024, 700);
    watched.heap.numbers[0] = None;
    for _ in 0..4 {
        watched.insert(30);
        watched.visit();
    }
    assert_eq!(watched.visit().0.method, VisitMethod::Counter { counter: 1 });
    for _ in 0..40 {
        watched.insert(5);
        watched.remove(25);
        watched.visit();
    }
    let dropped = watched.probe.take_dropped();
    assert!(dropped.iter().any(|dropped| dropped.counter == 1), "{dropped:?}");
    let (seen, _) = watched.visit();
    assert_eq!((seen.size, seen.method), (820.0 - 40.0 * 20.0 + 0.0, VisitMethod::Full));
}

#[test]
fn two_that_move_apart_are_put_to_the_proof_at_once() {
    let mut watched = Watched::new(1024, 700);
    for _ in 0..4 {
        watched.insert(30);
        watched.visit();
    }
    watched.remove(20);
    let (seen, reads) = watched.visit();
    assert_eq!(seen.size, 800.0);
    assert!(reads > 800, "counted, not believed: {reads} reads");
    watched.remove(20);
    for _ in 0..3 {
        assert_eq!(watched.visit().0.size, 780.0);
    }
    assert_eq!(watched.visit().0.method, COUNTER);
}

#[test]
fn in_a_structure_far_beyond_one_visit_counts_over_many_visits_teach_the_counter() {
    let mut watched = Watched::new(1 << 16, 60_000);
    let mut visits = 0;
    let reads = loop {
        watched.insert(20);
        let (seen, reads) = watched.visit();
        assert!(reads <= 2 * BUDGET + 64, "{reads} reads");
        visits += 1;
        assert!(visits < 400, "never learned");
        if seen.method == COUNTER {
            break reads;
        }
    };
    assert!(reads <= 6, "{reads} reads");
    let mut all = 0;
    for _ in 0..160 {
        watched.insert(20);
        let (seen, reads) = watched.visit();
        assert_eq!(seen.method, COUNTER);
        visits += 1;
        assert_eq!(seen.size, 60_000.0 + 20.0 * f64::from(visits));
        all += reads;
    }
    assert!(all / 160 < 128, "{} reads a visit, checks included", all / 160);
}

#[test]
fn a_large_structures_counter_that_goes_astray_is_found_out() {
    let mut watched = Watched::new(1 << 16, 60_000);
    while watched.visit().0.method != COUNTER {
        watched.insert(50);
    }
    watched.probe.take_dropped();
    watched.heap.numbers[0] = watched.heap.numbers[0].map(|number| number * 2);
    watched.heap.numbers[1] = None;
    let learned = (0..400).find(|_| {
        watched.visit();
        watched.probe.take_dropped().iter().any(|dropped| dropped.counter == 0)
    });
    assert!(learned.is_some());
    assert_ne!(watched.visit().0.method, COUNTER);
}

#[test]
fn a_program_that_adds_during_the_counts_does_not_hide_its_counter() {
    let (mut heap, route, owner) = map(1 << 14, 10_000);
    heap.numbers = vec![Some(10_000)];
    let table = heap.objects[owner].1[0].unwrap_or_default();
    let heap = Restless::new(heap, 40, move |heap: &mut FakeHeap| {
        let bucket = (heap.objects.len() * 7919) % (1 << 14);
        let first = heap.objects[table].1[bucket];
        let node = heap.add(2, vec![first]);
        heap.objects[table].1[bucket] = Some(node);
        heap.numbers[0] = heap.numbers[0].map(|number| number + 1);
    });
    let mut probe = SizeProbe::new(route, 1, BUDGET, 1);
    let learned = (0..100).find(|_| {
        let (outcome, _) = probe.visit(&heap, &owner);
        matches!(outcome, VisitOutcome::Seen(Sighting { method: COUNTER, .. }))
    });
    assert!(learned.is_some());
    assert!(probe.take_dropped().is_empty());
}

/// A map of some thousand members: at each change one comes and one goes, and now and then one more stays. Beside its
/// size stands a number that never changes. Gives the visits until a counter was read, and which.
fn learned_beneath_flux(members: usize, granted: u32, stays_every: usize) -> Option<(usize, VisitMethod)> {
    const BUCKETS: usize = 1 << 13;
    let (mut heap, route, owner) = map(BUCKETS, members);
    heap.numbers = vec![Some(members as i64); 2];
    let table = heap.objects[owner].1[0].unwrap_or_default();
    let mut changes = 0;
    let heap = Restless::new(heap, 500, move |heap: &mut FakeHeap| {
        changes += 1;
        let bucket = (changes * 7919) % BUCKETS;
        let first = heap.objects[table].1[bucket];
        let node = heap.add(2, vec![first]);
        heap.objects[table].1[bucket] = Some(node);
        if changes % stays_every == 0 {
            heap.numbers[0] = heap.numbers[0].map(|number| number + 1);
            return;
        }
        let full = (0..BUCKETS)
            .map(|step| (changes * 104_729 + step) % BUCKETS)
            .find(|&at| heap.objects[table].1[at].is_some());
        let bucket = full.unwrap_or_default();
        let first = heap.objects[table].1[bucket].unwrap_or_default();
        heap.objects[table].1[bucket] = heap.objects[first].1[0];
    });
    let mut probe = SizeProbe::new(route, 2, BUDGET, 1);
    (0..400).find_map(|visit| {
        probe.grant(granted);
        let (outcome, reads) = probe.visit(&heap, &owner);
        assert!(reads <= granted + 2 * BUDGET + 64, "{reads}");
        // A second passes.
        heap.run(500);
        let VisitOutcome::Seen(Sighting { method, .. }) = outcome else { return None };
        matches!(method, VisitMethod::Counter { .. }).then_some((visit, method))
    })
}

#[test]
fn a_counter_beneath_heavy_flux_is_learned_and_sooner_by_counts_at_once() {
    let (soon, later) = (learned_beneath_flux(8_000, 1 << 15, 50), learned_beneath_flux(8_000, 0, 50));
    let (soon, later) = soon.zip(later).expect("the counter is learned");
    assert_eq!((soon.1, later.1), (COUNTER, COUNTER));
    assert!(soon.0 < later.0, "{soon:?} {later:?}");
}

#[test]
fn a_counter_that_moves_seldom_is_learned_as_soon_as_it_has_moved() {
    let (visits, method) = learned_beneath_flux(3_000, 1 << 15, 1_000).expect("the counter is learned");
    assert_eq!(method, COUNTER);
    assert!(visits <= 24, "{visits}");
}

#[test]
fn a_large_count_at_once_waits_until_it_can_prove_something() {
    let mut watched = Watched::new(1 << 16, 60_000);
    let mut large = Vec::new();
    let learned = (0..40).find(|&visit| {
        watched.insert(1);
        watched.probe.grant(1 << 20);
        let (seen, reads) = watched.visit();
        if reads > 60_000 {
            large.push(visit);
        }
        seen.method == COUNTER
    });
    assert_eq!(large.len(), 2, "{large:?}");
    assert!(large[1] - large[0] >= 8, "{large:?}");
    assert_eq!(learned, Some(large[1] + 1));
}

#[test]
fn a_counter_beside_a_chain_of_many_visits_is_proved_by_counts_at_once() {
    let nodes = 60_000;
    let (mut heap, route, owner) = chain(nodes, false);
    heap.numbers = vec![Some(nodes as i64)];
    let mut watched = Watched { heap, probe: SizeProbe::new(route, 1, BUDGET, 1), owner };
    let mut large = 0;
    let learned = (0..40).find(|visit| {
        // In the middle, where no look falls.
        let next = watched.heap.objects[visit + 100].1[0];
        watched.heap.objects[visit + 100].1[0] = Some(watched.heap.add(1, vec![next]));
        watched.count(1, 1);
        watched.probe.grant(1 << 20);
        let (seen, reads) = watched.visit();
        large += u32::from(reads > 60_000);
        assert!(seen.method == COUNTER || seen.size_error.is_infinite() || reads > 60_000, "{seen:?}");
        seen.method == COUNTER
    });
    assert!(learned.is_some_and(|learned| learned < 12), "{learned:?}");
    assert_eq!(large, 2);
}

#[test]
fn one_that_stops_following_puts_none_in_doubt_for_long() {
    let mut watched = Watched::new(1 << 16, 60_000);
    let (mut large, mut relied) = (0, 0);
    for visit in 0..60 {
        watched.insert(25);
        if visit >= 10 {
            // The base of a striped counter, once there are cells.
            watched.heap.numbers[1] = watched.heap.numbers[1].map(|number| number - 25);
        }
        watched.probe.grant(1 << 20);
        let (seen, reads) = watched.visit();
        large += u32::from(reads > 60_000);
        relied += u32::from(visit >= 14 && seen.method == COUNTER);
    }
    assert!(large <= 6, "{large}");
    assert!(relied >= 44, "{relied} of 46");
}

#[test]
fn no_count_at_once_is_begun_that_must_fail() {
    let mut watched = Watched::new(1 << 16, 60_000);
    let learned = (0..400).find(|_| {
        watched.insert(50);
        watched.probe.grant(1 << 16);
        let (seen, reads) = watched.visit();
        assert!(reads <= 3 * BUDGET, "{reads}");
        seen.method == COUNTER
    });
    assert!(learned.is_some(), "counts over several visits teach the counter instead");
}

#[test]
fn nothing_is_read_for_counters_of_a_structure_at_rest() {
    let mut watched = Watched::new(1 << 16, 60_000);
    let large = (0..200).filter(|_| {
        watched.probe.grant(1 << 20);
        let (_, reads) = watched.visit();
        let more = watched.probe.go_on(&watched.heap, &watched.owner, BUDGET);
        assert_eq!(more, 0);
        reads > BUDGET
    });
    assert!(large.count() <= 4);
}

#[test]
fn a_number_that_jumps_from_end_to_end_is_never_trusted() {
    let (mut heap, _, owner) = map(8, 8);
    let mut counters = Counters::new(1);
    // Agrees, agrees loosely, and then may be anything.
    for (before, after, counted) in [(0, 0, 8_000), (50, 50, 8_000), (i64::MIN, i64::MAX, 8_010)] {
        heap.numbers = vec![Some(before)];
        let (mut watch, _) = counters.begin(&heap, &owner);
        heap.numbers = vec![Some(after)];
        counters.look(&heap, &owner, &mut watch);
        counters.observe_disturbed(&watch, Span::at(counted));
    }
    assert!(!counters.trusts(0));
}

#[test]
fn where_a_lists_fill_ends_teaches_its_counter_and_nothing_is_counted() {
    let (mut heap, route, owner) = list(1 << 18, 100_000);
    let array = heap.objects[owner].1[0].unwrap_or_default();
    let (mut probe, mut last) = (SizeProbe::new(route, 1, BUDGET, 1), None);
    for end in (100_000..100_400).step_by(25) {
        for at in end..end + 25 {
            heap.objects[array].1[at] = heap.objects[array].1[0];
        }
        heap.numbers = vec![Some(end as i64 + 25)];
        probe.grant(1 << 18);
        let (outcome, reads) = probe.visit(&heap, &owner);
        assert!(reads <= 2 * BUDGET, "{reads}");
        last = Some(outcome);
    }
    let Some(VisitOutcome::Seen(seen)) = last else { panic!("{last:?}") };
    assert_eq!((seen.method, seen.size, seen.size_error), (COUNTER, 100_400.0, 0.0));
}

/// Where other objects stand among the members, the end of the fill is not their number.
#[test]
fn a_list_that_holds_others_too_is_counted() {
    let (mut heap, route, owner) = list(1 << 14, 10_000);
    let array = heap.objects[owner].1[0].unwrap_or_default();
    for at in (0..10_000).step_by(50) {
        let other = heap.add(3, vec![]);
        heap.objects[array].1[at] = Some(other);
    }
    let (mut probe, mut last) = (SizeProbe::new(route, 1, BUDGET, 1), None);
    for end in (10_000..10_400).step_by(25) {
        for at in end..end + 25 {
            heap.objects[array].1[at] = heap.objects[array].1[1];
        }
        heap.numbers = vec![Some(end as i64 - 175)];
        probe.grant(1 << 18);
        let (outcome, _) = probe.visit(&heap, &owner);
        last = Some((end, outcome));
    }
    let Some((end, VisitOutcome::Seen(seen))) = last else { panic!("{last:?}") };
    assert_eq!((seen.method, seen.size), (COUNTER, end as f64 - 175.0));
}

/// A queue from which the program takes while a count goes on: each count is off by what was taken meanwhile.
#[test]
fn a_queues_counter_is_proved_by_counts_at_once_that_are_a_little_off() {
    let nodes = 60_000;
    let (mut heap, route, owner) = chain(nodes, false);
    let (mut probe, mut last) = (SizeProbe::new(route, 2, BUDGET, 1), nodes - 1);
    let learned = (0..20).find(|visit| {
        for _ in 0..200 {
            let node = heap.add(1, vec![None]);
            heap.objects[last].1[0] = Some(node);
            last = node;
        }
        let size = (nodes + 200 * (visit + 1)) as i64;
        let taken = [120, 0, 75, 40][visit % 4];
        heap.numbers = vec![Some(size + taken), Some(5 * size)];
        probe.grant(1 << 20);
        let (outcome, _) = probe.visit(&heap, &owner);
        matches!(outcome, VisitOutcome::Seen(seen) if seen.method == COUNTER)
    });
    assert!(learned.is_some_and(|learned| learned < 12), "{learned:?}");
}

/// A chain into which two fields of its owner lead: its first node and `second`.
fn reached_twice(nodes: usize, second: Option<usize>) -> (FakeHeap, Route, usize) {
    let (mut heap, Route { mut places, .. }, owner) = chain(nodes, false);
    places[0].steps.push(step(false, 1));
    heap.objects[owner].1.push(second);
    (heap, Route::new(places), owner)
}

/// The size behind two fields is unknown beforehand, so a single-visit count is tried.
#[test]
fn a_chain_that_is_reached_at_both_ends_is_counted_at_once() {
    let nodes = 60_000;
    let (mut heap, route, owner) = reached_twice(nodes, Some(nodes - 1));
    let (mut probe, mut last) = (SizeProbe::new(route, 1, BUDGET, 1), nodes - 1);
    let learned = (0..12).find(|visit| {
        for _ in 0..20 {
            let node = heap.add(1, vec![None]);
            heap.objects[last].1[0] = Some(node);
            last = node;
        }
        heap.objects[owner].1[1] = Some(last);
        heap.numbers = vec![Some((nodes + 20 * (visit + 1)) as i64)];
        probe.grant(1 << 20);
        let (outcome, _) = probe.visit(&heap, &owner);
        matches!(outcome, VisitOutcome::Seen(seen) if seen.method == COUNTER)
    });
    assert!(learned.is_some(), "its counter is never learned");
}

#[test]
fn a_count_at_once_that_has_to_wait_for_others_is_made_later() {
    let mut watched = Watched::new(1 << 16, 60_000);
    let learned = (0..30).find(|visit| {
        watched.insert(50);
        let later = 1 << 20;
        watched.probe.grant(Grant { now: if visit % 5 == 4 { later } else { 0 }, later });
        let (seen, reads) = watched.visit();
        assert!(reads <= 2 * BUDGET || visit % 5 == 4, "{reads}");
        seen.method == COUNTER
    });
    assert!(learned.is_some_and(|learned| learned < 15), "{learned:?}");
}

#[test]
fn a_chain_that_no_number_counts_is_counted_at_once_as_long_as_that_is_granted() {
    let (heap, route, owner) = reached_twice(60_000, None);
    let mut probe = SizeProbe::new(route, 0, BUDGET, 1);
    let known = (0..8).filter(|_| {
        probe.grant(1 << 20);
        let (outcome, _) = probe.visit(&heap, &owner);
        matches!(outcome, VisitOutcome::Seen(seen) if seen.size == 60_000.0)
    });
    assert!(known.count() >= 7);
}

/// Whether a number is trusted after each of these counts, which find (number, members).
fn trusted_after(counts: &[(i64, i64)]) -> Vec<bool> {
    let (mut heap, _, owner) = map(8, 8);
    let mut counters = Counters::new(1);
    let mut after = |&(number, counted): &(i64, i64)| {
        heap.numbers = vec![Some(number)];
        let (watch, _) = counters.begin(&heap, &owner);
        counters.settle(&watch, Span::at(counted));
        counters.trusts(0)
    };
    counts.iter().map(&mut after).collect()
}

#[test]
fn a_number_that_agrees_by_accident_is_not_trusted() {
    // It cycles between 0 and 127; the structure gains fifty from count to count.
    assert_eq!(trusted_after(&[(10, 5_000), (60, 5_050), (110, 5_100), (33, 5_150), (5, 5_200)])[..2], [false; 2]);
    assert_eq!(trusted_after(&[(10, 5_000), (60, 5_050), (97, 5_100), (20, 5_150), (70, 5_200)]), [false; 5]);
}

#[test]
fn the_size_itself_is_trusted_after_two_counts_and_another_number_after_more() {
    assert_eq!(trusted_after(&[(5_000, 5_000), (5_050, 5_050)]), [false, true]);
    assert_eq!(trusted_after(&[(70_000, 5_000), (70_050, 5_050), (70_100, 5_100)]), [false, false, true]);
    assert_eq!(trusted_after(&[(70_000, 5_000), (75_000, 10_000)]), [false, true]);
}

#[test]
fn a_number_that_an_estimate_contradicted_must_prove_itself_anew() {
    let (mut heap, _, owner) = map(8, 8);
    let mut counters = Counters::new(1);
    let mut count = |counters: &mut Counters, size: i64| {
        heap.numbers = vec![Some(size)];
        let (watch, _) = counters.begin(&heap, &owner);
        counters.settle(&watch, Span::at(size));
        counters.trusts(0)
    };
    assert!(!count(&mut counters, 5_000) && count(&mut counters, 5_050));
    counters.doubt(0);
    assert!(!count(&mut counters, 5_050), "at the same size it proves nothing");
    assert!(!count(&mut counters, 5_100) && count(&mut counters, 5_150));
}
