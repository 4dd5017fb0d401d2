//! One shortest way to each of several objects, counted by shape.

use super::shapes::{Shape, Shapes};
use super::{Way, Ways};
use crate::graph::{BitSet, RootPaths};
use crate::heap::{Heap, ObjectIdx};
use std::cmp::Reverse;
use std::collections::HashMap;

/// Objects with ways of one shape.
struct Group {
    first: ObjectIdx,
    object_count: u64,
    bytes: u64,
}

pub(super) fn find(heap: &Heap, to: &[ObjectIdx], avoided: &BitSet, limit: usize) -> Ways {
    let paths = RootPaths::avoiding(heap, to, avoided);
    let mut shapes = Shapes::new(heap, &paths);
    let mut groups: HashMap<Shape, Group> = HashMap::new();
    let mut found = Ways::default();
    for &object in to {
        let Some(shape) = shapes.of(object) else { continue };
        let group = groups.entry(shape).or_insert(Group { first: object, object_count: 0, bytes: 0 });
        let bytes = heap.shallow_bytes(object);
        (group.object_count, group.bytes) = (group.object_count + 1, group.bytes + bytes);
        (found.reached_count, found.reached_bytes) = (found.reached_count + 1, found.reached_bytes + bytes);
    }
    found.way_count = groups.len() as u64;
    let mut groups: Vec<Group> = groups.into_values().collect();
    groups.sort_unstable_by_key(|group| (Reverse(group.object_count), group.first));
    let way = |group: Group| {
        let path = paths.path_to(heap, group.first)?;
        Some(Way { path, object_count: group.object_count, bytes: group.bytes })
    };
    found.ways = groups.into_iter().take(limit).filter_map(way).collect();
    found
}
