//! The dominator tree downward, and what classes retain.

use super::brute_force::{Domination, root_objects};
use super::random_heap::for_each;
use rootbound::graph::{Dominated, Ownership, Visitor};
use rootbound::heap::ObjectIdx;
use rootbound::suspects::{Forest, Thresholds, find};

/// Writes down what a walk tells: an object by itself, its end by `None`.
#[derive(Default)]
struct Visited(Vec<Option<ObjectIdx>>);

impl Visitor for Visited {
    fn enter(&mut self, object: ObjectIdx) {
        self.0.push(Some(object));
    }

    fn leave(&mut self, _: ObjectIdx) {
        self.0.push(None);
    }
}

#[test]
fn children_are_those_whose_immediate_dominator_an_object_is() {
    for_each(|heap| {
        let ownership = Ownership::new(heap);
        let dominated = Dominated::new(&ownership);
        for above in heap.objects() {
            let mut children: Vec<ObjectIdx> = dominated.of(above).collect();
            children.sort_unstable();
            let is_child = |&object: &ObjectIdx| ownership.immediate_dominator(object) == Some(above);
            assert_eq!(children, heap.objects().filter(is_child).collect::<Vec<_>>(), "of {above:?}");
            let largest = children.iter().map(|&child| ownership.retained_bytes(child)).max();
            assert_eq!(dominated.largest(above).map(|child| ownership.retained_bytes(child)), largest);
        }
    });
}

#[test]
fn a_walk_shows_every_reachable_object_once_below_its_dominator() {
    for_each(|heap| {
        let ownership = Ownership::new(heap);
        let mut visited = Visited::default();
        Dominated::new(&ownership).walk(None, &mut visited);
        let mut open: Vec<ObjectIdx> = Vec::new();
        let mut seen = Vec::new();
        for each in visited.0 {
            match each {
                Some(object) => {
                    assert_eq!(open.last().copied(), ownership.immediate_dominator(object), "{object:?}");
                    open.push(object);
                    seen.push(object);
                }
                None => assert!(open.pop().is_some()),
            }
        }
        seen.sort_unstable();
        assert!(open.is_empty());
        assert_eq!(seen, heap.objects().filter(|&object| ownership.is_reachable(object)).collect::<Vec<_>>());
    });
}

#[test]
fn a_class_retains_what_its_instances_dominate_and_no_byte_twice() {
    for_each(|heap| {
        let ownership = Ownership::new(heap);
        let dominated = Dominated::new(&ownership);
        let census = find(&Forest::new(&ownership, &dominated), &Thresholds::default()).census;
        let truth = Domination::from(heap, &root_objects(heap, None));
        for row in census.rows {
            let instances: Vec<ObjectIdx> =
                heap.objects().filter(|&o| truth.reachable[o.at()] && heap.class_of(o) == row.class).collect();
            let is_retained = |&o: &ObjectIdx| instances.iter().any(|&instance| truth.dominates(instance, o));
            let retained: u64 = heap.objects().filter(is_retained).map(|o| heap.shallow_bytes(o)).sum();
            let shallow: u64 = instances.iter().map(|&o| heap.shallow_bytes(o)).sum();
            let expected = (instances.len() as u64, shallow, retained);
            assert_eq!((row.instance_count, row.shallow_bytes, row.retained_bytes), expected, "{:?}", row.class);
        }
    });
}
