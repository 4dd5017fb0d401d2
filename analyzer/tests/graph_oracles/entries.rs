//! Where the graph is entered: lasting roots always, passing ones only where nothing else leads.

use super::brute_force::{reached, root_objects};
use super::random_heap::for_each;
use rootbound::graph::Entries;
use rootbound::heap::RootKind;

#[test]
fn entries_reach_all_that_roots_reach() {
    for_each(|heap| {
        let entries = Entries::new(heap).objects().to_vec();
        assert_eq!(reached(heap, &entries, None), reached(heap, &root_objects(heap, None), None));
    });
}

#[test]
fn every_lasting_root_is_an_entry() {
    for_each(|heap| {
        let entries = Entries::new(heap).objects().to_vec();
        let mut lasting = heap.roots().iter().filter(|root| root.kind != RootKind::OnStack);
        assert!(lasting.all(|root| entries.contains(&root.object)));
    });
}

#[test]
fn an_entry_that_only_a_stack_holds_is_reached_by_none_or_leads_to_none_of_those() {
    for_each(|heap| {
        let entries = Entries::new(heap).objects().to_vec();
        let is_passing =
            |object| heap.roots().iter().all(|root| root.object != object || root.kind == RootKind::OnStack);
        let is_reached = |entry| {
            let others: Vec<_> = entries.iter().copied().filter(|&other| other != entry).collect();
            reached(heap, &others, None)[entry.at()]
        };
        let passing: Vec<_> = entries.iter().copied().filter(|&entry| is_passing(entry)).collect();
        let (inner, outer): (Vec<_>, Vec<_>) = passing.into_iter().partition(|&entry| is_reached(entry));
        for entry in inner {
            let lasting: Vec<_> = entries.iter().copied().filter(|&entry| !is_passing(entry)).collect();
            assert!(!reached(heap, &lasting, None)[entry.at()], "a lasting root leads to {entry:?}");
            let beyond = reached(heap, &[entry], None);
            assert!(outer.iter().all(|other| !beyond[other.at()]), "{entry:?} leads to another entry");
        }
    });
}
