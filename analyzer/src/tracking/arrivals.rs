//! Chance in the growth between two captures: how far the reachable bytes vary though nothing grows.
//!
//! Objects come and go in pieces: a new object together with the new objects that it alone keeps. If pieces come and go
//! independently, and as many go as come, the variance of the bytes gained is twice the sum of the squares of the
//! pieces that came. Many small pieces vary little; one large piece hides all growth below its own size.

use crate::graph::ObjectGraph;

/// Standard error, in bytes, of the bytes gained since the marks were set.
pub fn chance_bytes(graph: &ObjectGraph<'_>) -> f64 {
    let mut pieces = Pieces::default();
    for (position, &object) in graph.dominators.preorder().iter().enumerate() {
        pieces.close_before(position);
        let (newness, end) = (graph.ages.newness(object), position + graph.dominators.subtree(object).len());
        let new_bytes = newness * graph.heap.shallow_bytes(object) as f64;
        pieces.open.push(Open { end, newness, new_bytes });
    }
    pieces.close_before(usize::MAX);
    pieces.variance.sqrt()
}

/// An object whose subtree of the dominator tree is being walked.
struct Open {
    /// Position behind its subtree.
    end: usize,
    newness: f64,
    /// Bytes of new objects in its subtree so far, as an expected value.
    new_bytes: f64,
}

#[derive(Default)]
struct Pieces {
    open: Vec<Open>,
    variance: f64,
}

impl Pieces {
    fn close_before(&mut self, position: usize) {
        while self.open.last().is_some_and(|open| open.end <= position) {
            let Some(closed) = self.open.pop() else { return };
            let above = self.open.last_mut();
            // An object that came with its dominator is part of that one's piece. An array that an old object holds
            // counts as old, so that its new elements are pieces of their own.
            let came_alone = closed.newness - above.as_ref().map_or(0.0, |above| above.newness);
            if let Some(above) = above {
                above.new_bytes += closed.new_bytes;
            }
            if came_alone > 0.0 {
                self.variance += 2.0 * came_alone * (closed.new_bytes / closed.newness).powi(2);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::chance_bytes;
    use crate::graph::ObjectGraph;
    use crate::heap::dsl::{HeapSketch, NEW};

    /// A static list, whose array an old object holds, with this number of new elements of this size.
    fn list(count: usize, bytes: u64) -> f64 {
        let mut heap = HeapSketch::new();
        let list = heap.old("List");
        let array = heap.object("Object[]", 4_000, NEW);
        heap.static_field("Shop", "orders", list);
        heap.refer(list, "elements", array);
        for _ in 0..count {
            let order = heap.object("Order", bytes / 2, NEW);
            let lines = heap.object("Lines", bytes / 2, NEW);
            heap.refer(order, "lines", lines);
            heap.element(array, order);
        }
        chance_bytes(&ObjectGraph::new(&heap.build()))
    }

    #[test]
    fn many_small_pieces_vary_less_than_few_large_ones() {
        assert!((list(100, 1_000) - (2.0 * 100.0 * 1_000_f64.powi(2)).sqrt()).abs() < 1.0);
        assert!((list(1, 100_000) - (2.0_f64).sqrt() * 100_000.0).abs() < 1.0, "one piece of the same bytes");
        assert!(list(0, 0).abs() < 1.0, "the array is part of the old list");
    }
}
