//! Members known by identity, on the heap in memory.

use super::fake_heap::{FakeHeap, list};
use crate::probe::structure::planner::SizeProbe;
use rootbound_wire::message::{Sighting, VisitOutcome};

fn visit(probe: &mut SizeProbe<usize>, heap: &FakeHeap, owner: usize) -> Sighting {
    match probe.visit(heap, &owner).0 {
        VisitOutcome::Seen(seen) => seen,
        other => panic!("{other:?}"),
    }
}

fn array(heap: &FakeHeap, owner: usize) -> usize {
    heap.objects[owner].1[0].unwrap_or_default()
}

#[test]
fn a_ring_of_constant_size_reports_what_it_replaced() {
    let (mut heap, route, owner) = list(1000, 1000);
    let array = array(&heap, owner);
    let mut probe = SizeProbe::new(route, 0, 65_536, 1);
    let first = visit(&mut probe, &heap, owner);
    assert_eq!((first.additions, first.removals), (0.0, 0.0));
    let (mut removals, visits) = (0.0, 200);
    for at in 0..visits {
        for slot in 0..100 {
            heap.objects[array].1[(at * 100 + slot) % 1000] = Some(heap.add(2, vec![]));
        }
        let seen = visit(&mut probe, &heap, owner);
        assert_eq!((seen.size, seen.additions), (1000.0, seen.removals));
        removals += seen.removals;
    }
    let mean = removals / visits as f64;
    assert!((90.0..110.0).contains(&mean), "100 are replaced between two visits, {mean} were reported");
}

#[test]
fn a_pure_grower_removes_nothing() {
    let (mut heap, route, owner) = list(4000, 10);
    let array = array(&heap, owner);
    let mut probe = SizeProbe::new(route, 0, 65_536, 1);
    visit(&mut probe, &heap, owner);
    for slot in 10..1000 {
        heap.objects[array].1[slot] = Some(heap.add(2, vec![]));
        let seen = visit(&mut probe, &heap, owner);
        assert_eq!((seen.additions, seen.removals), (1.0, 0.0));
    }
}

#[test]
fn an_emptied_structure_lost_its_members_and_a_refilled_one_gained_them() {
    let (mut heap, route, owner) = list(50, 50);
    let array = array(&heap, owner);
    let mut probe = SizeProbe::new(route, 0, 65_536, 1);
    visit(&mut probe, &heap, owner);
    let members = std::mem::replace(&mut heap.objects[array].1, vec![None; 50]);
    let seen = visit(&mut probe, &heap, owner);
    assert_eq!((seen.size, seen.additions, seen.removals), (0.0, 0.0, 50.0));
    assert!(heap.marks.borrow().is_empty());
    heap.objects[array].1 = members;
    let seen = visit(&mut probe, &heap, owner);
    assert_eq!((seen.size, seen.additions, seen.removals), (50.0, 50.0, 0.0));
}

#[test]
fn marks_are_bounded_counted_and_taken_back() {
    let (heap, route, owner) = list(1000, 1000);
    let (mut one, mut other) = (SizeProbe::new(route.clone(), 0, 65_536, 1), SizeProbe::new(route, 0, 65_536, 2));
    for _ in 0..20 {
        visit(&mut one, &heap, owner);
        let seen = visit(&mut other, &heap, owner);
        assert_eq!(seen.removals, 0.0);
        assert_eq!(heap.marks.borrow().len() as u64, one.marks() + other.marks());
        assert!(one.marks() == 64 && other.marks() > 32);
    }
    one.forget(&heap);
    other.forget(&heap);
    assert!(heap.marks.borrow().is_empty());
}
