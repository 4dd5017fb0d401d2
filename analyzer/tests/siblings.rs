//! The size at which the other structures in one array stand still.

use crate::sketches;

use rootbound::graph::ObjectGraph;
use rootbound::heap::dsl::HeapSketch;
use rootbound::regions::full_like_siblings;
use sketches::region_of;

/// A ring of windows: the old and the new samples of each. The size at which the region that gains samples is full by
/// the others.
fn full(windows: &[(usize, usize)]) -> Option<u64> {
    let mut heap = HeapSketch::new();
    let ring = heap.old("Window[]");
    heap.static_field("Metrics", "windows", ring);
    for &(old, new) in windows {
        let (window, samples) = (heap.old("Window"), heap.old("Sample[]"));
        heap.element(ring, window);
        heap.refer(window, "samples", samples);
        for at in 0..old + new {
            let sample = if at < old { heap.old("Sample") } else { heap.fresh("Sample") };
            heap.element(samples, sample);
        }
    }
    let heap = heap.build();
    let graph = ObjectGraph::new(&heap);
    full_like_siblings(&graph, &region_of(&graph, "Sample"))
}

#[test]
fn a_window_fills_up_like_the_others_of_its_ring() {
    let others = [(100, 0), (96, 0), (98, 0), (100, 0)];
    let ring = |first| [&[first], &others[..]].concat();
    assert_eq!(full(&ring((10, 30))), Some(104));
    assert_eq!(full(&ring((60, 50))), None, "it is larger");
    assert_eq!(full(&ring((10, 30))[..3]), None, "two others are chance");
}

#[test]
fn others_that_grow_or_differ_in_size_show_no_bound() {
    let others = |each: (usize, usize), last| full(&[(10, 30), each, each, each, last]);
    assert_eq!(others((60, 40), (60, 40)), None, "shards that all grow");
    assert_eq!(others((100, 0), (60, 40)), Some(100), "one was filled just now");
    assert_eq!(others((100, 0), (80, 0)), None, "various sizes");
    assert_eq!(full(&[(2, 8), (12, 0), (12, 0), (12, 0), (12, 0)]), None, "small sizes");
}
