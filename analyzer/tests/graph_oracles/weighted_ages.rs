//! Ages as weights are the yes-or-no ages of old where every old object bears a mark.

use super::random_heap::for_each;
use rootbound::graph::{Ages, BitSet, DominatorTree, Entries, Fringe, ObjectGraph, Referrers};
use rootbound::heap::{Heap, ObjectIdx};
use rootbound::ranking;

/// LeakBot's definitions, with the correction for arrays, as they were before there were weights.
fn is_new(heap: &Heap, referrers: &Referrers, object: ObjectIdx) -> bool {
    let is_part_of_old = heap.is_object_array(object)
        && referrers.of(object).iter().any(|&holder| !heap.is_new(holder) && !heap.is_array(holder));
    heap.is_new(object) && !is_part_of_old
}

#[test]
fn estimated_ages_are_exact_where_every_old_object_is_known() {
    for_each(|heap| {
        let referrers = Referrers::new(heap);
        let dominators = DominatorTree::new(heap, &referrers, &Entries::new(heap));
        let ages = Ages::estimated(heap, &referrers, &dominators);
        for object in heap.objects() {
            let expected = f64::from(u8::from(is_new(heap, &referrers, object)));
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
        let ages = Ages::estimated(heap, &referrers, &exact.dominators);
        let fringe = Fringe::new(heap, &ages);
        let mut old_fringe = BitSet::new(heap.object_count());
        for object in heap.objects().filter(|&object| !is_new(heap, &referrers, object)) {
            for &referee in heap.references().of(object).iter().filter(|&&to| is_new(heap, &referrers, to)) {
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
