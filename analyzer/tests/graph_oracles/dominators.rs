//! Referrers, the dominator tree and its layout, and dominance frontiers.

use super::brute_force::Domination;
use super::random_heap::{dominators_of, for_each};
use rootbound::graph::{Referrers, dominance_frontier_nonempty};
use rootbound::heap::{ObjectIdx, RootKind};

#[test]
fn referrers_are_the_references_turned_round() {
    for_each(|heap| {
        let referrers = Referrers::new(heap);
        for referee in heap.objects() {
            let mut expected = Vec::new();
            for referrer in heap.objects() {
                let count = heap.references().of(referrer).iter().filter(|&&each| each == referee).count();
                expected.extend(std::iter::repeat_n(referrer, count));
            }
            assert_eq!(referrers.of(referee), expected, "referrers of {referee:?}");
        }
    });
}

#[test]
fn an_object_dominates_what_nothing_reaches_without_it() {
    for_each(|heap| {
        let (tree, truth) = (dominators_of(heap), Domination::new(heap));
        for above in heap.objects() {
            assert_eq!(tree.is_reachable(above), truth.reachable[above.at()], "{above:?}");
            assert_eq!(tree.immediate_dominator(above), truth.immediate_dominator(above), "of {above:?}");
            assert_eq!(tree.depth(above) as usize, truth.dominators_of(above).len(), "depth of {above:?}");
            for below in heap.objects() {
                assert_eq!(tree.dominates(above, below), truth.dominates(above, below), "{above:?} over {below:?}");
            }
        }
        assert_eq!(tree.reachable_count(), truth.reachable.iter().filter(|&&is| is).count());
    });
}

#[test]
fn a_subtree_is_the_slice_of_the_preorder_that_starts_with_its_object() {
    for_each(|heap| {
        let (tree, truth) = (dominators_of(heap), Domination::new(heap));
        for object in heap.objects() {
            let subtree = tree.subtree(object);
            let mut members = subtree.to_vec();
            members.sort_unstable();
            let expected: Vec<ObjectIdx> = heap.objects().filter(|&below| truth.dominates(object, below)).collect();
            assert_eq!(members, expected, "subtree of {object:?}");
            if let Some(&first) = subtree.first() {
                assert_eq!(first, object);
                assert_eq!(&tree.preorder()[tree.position(object) as usize..][..subtree.len()], subtree);
            }
        }
    });
}

#[test]
fn a_frontier_is_what_an_owner_reaches_but_does_not_own() {
    for_each(|heap| {
        let (tree, truth) = (dominators_of(heap), Domination::new(heap));
        let nonempty = dominance_frontier_nonempty(heap, &tree);
        let is_class_root =
            |object| heap.roots().iter().any(|root| root.object == object && root.kind == RootKind::Class);
        let has_frontier = |x: ObjectIdx| {
            let owned = heap.objects().filter(|&y| truth.dominates(x, y));
            let mut ends = owned.flat_map(|y| heap.references().of(y).iter().map(move |&z| (y, z)));
            ends.any(|(y, z)| {
                let is_strictly_owned = x != z && truth.dominates(x, z);
                !is_class_root(z) && !truth.dominates(z, y) && !is_strictly_owned
            })
        };
        for object in heap.objects() {
            assert_eq!(nonempty.contains(object.at()), has_frontier(object), "frontier of {object:?}");
        }
    });
}
