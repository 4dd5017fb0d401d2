//! Shortest ways from GC roots to objects of one's choice (INSANE's parser: *the chain that holds an object*; the paths
//! of HeapRoots' manual). They answer why an object is kept, and whether it is kept at all.
//!
//! Of one object the ways from its nearest holders are found, each from another static field or GC root ([`nearest`]).
//! Of several objects each has one shortest way, and ways of one shape count together ([`grouped`] by [`shapes`]).

mod grouped;
mod nearest;
mod shapes;

use crate::graph::{BitSet, RootPath, RootPaths};
use crate::heap::{Heap, ObjectIdx};

/// Ways to some objects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ways {
    /// The ways: of one object a shortest first, then by the distance of its holder; of several by the number of
    /// objects.
    pub ways: Vec<Way>,
    /// Number of ways, with those that the limit left out. Of one object, not all may have been searched.
    pub way_count: u64,
    /// Number of the objects that a way reaches.
    pub reached_count: u64,
    /// Their shallow sizes in bytes.
    pub reached_bytes: u64,
}

/// One way, or several of one shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// The way to the first of the objects.
    pub path: RootPath,
    /// Number of objects with ways of this shape.
    pub object_count: u64,
    /// Their shallow sizes in bytes.
    pub bytes: u64,
}

/// Finds at most `limit` ways to `to`, past all objects of `avoided`, which may be ends of ways and nothing else.
pub fn find(heap: &Heap, to: &[ObjectIdx], avoided: &BitSet, limit: usize) -> Ways {
    let mut avoided = avoided.clone();
    to.iter().for_each(|object| avoided.remove(object.at()));
    match *to {
        [object] => nearest::find(heap, object, &avoided, limit),
        _ => grouped::find(heap, to, &avoided, limit),
    }
}

/// A shortest way to one object past all objects of `avoided`; `None` if the collector would take the object.
pub fn shortest(heap: &Heap, to: ObjectIdx, avoided: &BitSet) -> Option<RootPath> {
    let mut avoided = avoided.clone();
    avoided.remove(to.at());
    RootPaths::avoiding(heap, &[to], &avoided).path_to(heap, to)
}

#[cfg(test)]
mod tests;
