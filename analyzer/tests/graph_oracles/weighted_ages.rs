//! Ages as weights are the yes-or-no ages of old where every old object bears a mark.

use super::brute_force::TrueAges;
use super::random_heap::for_each;
use rootbound::graph::{Ages, BitSet, DominatorTree, Entries, Fringe, ObjectGraph, Referrers};
use rootbound::ranking;

#[test]
fn estimated_ages_are_exact_where_every_old_object_is_known() {
    for_each(|heap| {
        let referrers = Referrers::new(heap);
        let dominators = DominatorTree::new(heap, &referrers, &Entries::new(heap));
        let (ages, truth) = (Ages::estimated(heap, &referrers, &dominators), TrueAges::new(heap));
        for object in heap.objects() {
            let expected = f64::from(u8::from(truth.is_new(object)));
            assert_eq!(ages.newness(object), expected, "{object:?}");
            assert_eq!(ages.variance(object), 0.0);
        }
    });
}

#[test]
fn the_fringe_ranks_and_attributes_are_those_of_exact_ages() {
    for_each(|heap| {
        let referrers = Referrers::new(heap);
        let exact = ObjectGraph::new(heap);
        let (ages, truth) = (Ages::estimated(heap, &referrers, &exact.dominators), TrueAges::new(heap));
        let fringe = Fringe::new(heap, &ages);
        let mut old_fringe = BitSet::new(heap.object_count());
        for object in heap.objects().filter(|&object| !truth.is_new(object)) {
            for &referee in heap.references().of(object).iter().filter(|&&to| truth.is_new(to)) {
                old_fringe.insert(referee.at());
            }
        }
        for object in heap.objects() {
            let expected = f64::from(u8::from(old_fringe.contains(object.at())));
            assert_eq!(fringe.weight(&ages, object), expected);
        }
        let weighted = ObjectGraph { ages, fringe, ..ObjectGraph::new(heap) };
        let (a, b) = (ranking::rank(&exact), ranking::rank(&weighted));
        assert_eq!(a.survivors, b.survivors);
        for (a, b) in a.candidates.iter().zip(&b.candidates) {
            assert_eq!((a.object, a.rank, a.attributes), (b.object, b.rank, b.attributes));
        }
    });
}
