//! Which kinds of GC roots reach an object, and how many of them.

use super::brute_force::{reached, root_objects};
use super::random_heap::for_each;
use rootbound::graph::ObjectGraph;
use rootbound::heap::RootKind;

const KINDS: [RootKind; 6] =
    [RootKind::Class, RootKind::JniGlobal, RootKind::Thread, RootKind::OnStack, RootKind::Monitor, RootKind::Other];

#[test]
fn few_roots_are_counted_exactly_by_kind() {
    for_each(|heap| {
        let reachability = ObjectGraph::new(heap).reachability;
        for kind in KINDS {
            let by_root: Vec<Vec<bool>> =
                root_objects(heap, Some(kind)).into_iter().map(|root| reached(heap, &[root], None)).collect();
            for object in heap.objects() {
                let exact = by_root.iter().filter(|reached| reached[object.at()]).count();
                assert_eq!(reachability.count(object, kind) as usize, exact, "{kind:?} roots of {object:?}");
                assert_eq!(reachability.kinds(object).contains(kind), exact > 0);
            }
        }
    });
}

#[test]
fn only_on_stack_means_that_no_other_kind_reaches() {
    for_each(|heap| {
        let reachability = ObjectGraph::new(heap).reachability;
        let others: Vec<_> = heap.roots().iter().filter(|root| root.kind != RootKind::OnStack).collect();
        let from_others = reached(heap, &others.iter().map(|root| root.object).collect::<Vec<_>>(), None);
        let from_stack = reached(heap, &root_objects(heap, Some(RootKind::OnStack)), None);
        for object in heap.objects() {
            let expected = from_stack[object.at()] && !from_others[object.at()];
            assert_eq!(reachability.only_on_stack(object), expected, "{object:?}");
        }
    });
}
