//! Structures that keep their contents in one array of primitive values (string builders, bit sets, lists and maps of
//! primitives), or the same few objects again and again in one array of references. No object is added below them that
//! could be a change-proxy (LeakBot does not cover them). Their growth shows in the array: when it is full, it is
//! replaced by a longer one. The buffer is recognised from capture to capture by the named path of the array, which
//! leads over no element.

use super::many_buffers::{self, Totals};
use super::{Region, path};
use crate::graph::{DominatorTree, HeldArray, ObjectGraph, RootPaths};
use crate::heap::{Heap, ObjectIdx};
use crate::naming::Place;
use crate::relations::Standing;
use std::cmp::Reverse;
use std::collections::HashMap;

/// Buffers that are followed in addition to regions: those that became longer first, then the largest.
const MOST: usize = 12;
/// Arrays of references among them.
const MOST_OF_REFERENCES: usize = 4;
/// Gain from which on a buffer is reported: most buffers keep their length. The first is in bytes and for arrays of
/// values, the second in slots and for arrays of references, of which each slot is an event.
const LEAST_GAINED_BYTES: u64 = 4096;
const LEAST_GAINED_REFERENCES: u64 = 64;

/// One buffer.
#[derive(Clone, Debug, PartialEq)]
pub struct Buffer {
    /// The buffer as a region: the array is its only change-proxy and member, and its gain since the earlier capture is
    /// its proxy-size.
    pub region: Region,
    /// The array and its holder.
    pub held: HeldArray,
    /// Its place, if that is the same in every capture.
    pub place: Option<Place>,
    /// Slots at the earlier capture, where it is known to have had fewer.
    pub length_before: Option<u64>,
    /// Bytes for each slot.
    pub slot_bytes: u64,
    /// Slots that it must gain to be reported.
    pub least_gained: u64,
    /// Number of buffers of its kind that it stands for, itself included.
    pub stands_for: f64,
}

/// Lengths in slots of the largest buffers of one capture by their places, and of the kinds of which there are many.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BufferLengths {
    at: HashMap<Place, u64>,
    many: Totals,
}

impl BufferLengths {
    /// The lengths of a heap, if nothing but its lengths is needed.
    pub fn of(heap: &Heap, dominators: &DominatorTree) -> Self {
        let values = HeldArray::of_values(heap, dominators);
        let held = HeldArray::largest(heap, dominators, &values);
        let arrays: Vec<ObjectIdx> = held.iter().map(|held| held.array).collect();
        let roots = RootPaths::to(heap, &arrays);
        let placed = |held: &HeldArray| Some((path::lasting_place(heap, &roots, held.array)?, held.slots(heap)));
        let many = Totals::of(heap, &many_buffers::kinds(heap, values));
        Self { at: held.iter().filter_map(placed).collect(), many }
    }

    /// The length of the buffer at that place, if it was among the largest.
    #[must_use]
    pub fn at(&self, place: &Place) -> Option<u64> {
        self.at.get(place).copied()
    }
}

/// The buffers of a heap that are worth following, and the lengths with which the next capture is compared; `known` are
/// those of the capture before.
pub fn buffers(graph: &ObjectGraph<'_>, roots: &RootPaths, known: &BufferLengths) -> (Vec<Buffer>, BufferLengths) {
    let values = HeldArray::of_values(graph.heap, &graph.dominators);
    let held = HeldArray::largest(graph.heap, &graph.dominators, &values).into_iter();
    let placed = held.map(|held| (path::lasting_place(graph.heap, roots, held.array), held));
    let mut found: Vec<Buffer> = placed.map(|(place, held)| buffer(graph, held, place, known)).collect();
    let length = |buffer: &Buffer| Some((buffer.place.clone()?, buffer.held.slots(graph.heap)));
    let kinds = many_buffers::kinds(graph.heap, values);
    let many = Totals::of(graph.heap, &kinds);
    let lengths = BufferLengths { at: found.iter().filter_map(length).collect(), many };
    let many = many_buffers::of_growing_kinds(graph, &kinds, &known.many);
    found.retain(|one| !many.iter().any(|each| each.held.is_like(&one.held, graph.heap)));
    let gained = |buffer: &Buffer| buffer.region.proxy_size * buffer.slot_bytes;
    found.sort_by_key(|buffer| (Reverse(gained(buffer)), Reverse(buffer.region.dump_bytes), buffer.held.array));
    let (references, values) =
        found.into_iter().partition::<Vec<_>, _>(|buffer| buffer.held.is_of_references(graph.heap));
    found = references.into_iter().take(MOST_OF_REFERENCES).collect();
    found.splice(..0, values.into_iter().take(MOST - found.len()));
    found.splice(..0, many);
    (found, lengths)
}

pub(super) fn buffer(graph: &ObjectGraph<'_>, held: HeldArray, place: Option<Place>, known: &BufferLengths) -> Buffer {
    let heap = graph.heap;
    let (array, owner) = (held.array, held.holders[0].0);
    let (class, length, slot_bytes) =
        (heap.class_of(array), held.slots(heap), held.bytes_a_slot(heap, &graph.dominators));
    let bytes = length * slot_bytes;
    let length_before = place.as_ref().and_then(|place| known.at(place)).filter(|&before| before < length);
    let region = Region {
        leak_root: owner,
        leak_root_rank: 0.0,
        owner,
        change_class: class,
        proxy_size: length_before.map_or(0, |before| length - before),
        dump_size: 1,
        dump_bytes: bytes,
        changes: vec![array],
        measured: vec![array],
        members: vec![(class, 1, bytes)],
        standing: Standing::Alone,
        rank: 0.0,
    };
    let of_values = LEAST_GAINED_BYTES.div_ceil(slot_bytes.max(1));
    let least_gained = if held.is_of_references(heap) { LEAST_GAINED_REFERENCES } else { of_values };
    Buffer { region, held, place, length_before, slot_bytes, least_gained, stands_for: 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Owned;
    use crate::heap::dsl::{HeapSketch, OLD};

    /// A program with a log in a string builder, a table of fixed length and a builder in a map's node.
    fn program(log: u64) -> Heap {
        let mut sketch = HeapSketch::new();
        let (builder, text) = (sketch.old("Builder"), sketch.object("byte[]", 16 + log, OLD));
        sketch.refer(builder, "value", text);
        let table = sketch.object("long[]", 16 + 8 * 4_096, OLD);
        let (map, node) = (sketch.old("Node[]"), sketch.old("Node"));
        let (session, buffer) = (sketch.old("Builder"), sketch.object("byte[]", 16 + log, OLD));
        sketch.element(map, node);
        sketch.refer(node, "value", session);
        sketch.refer(session, "value", buffer);
        for (field, object) in [("log", builder), ("table", table), ("sessions", map)] {
            sketch.static_field("Main", field, object);
        }
        sketch.build()
    }

    fn found(before: u64, now: u64) -> Vec<(String, u64, Option<u64>)> {
        let (earlier, later) = (program(before), program(now));
        let known = BufferLengths::of(&earlier, &Owned::new(&earlier).dominators);
        let graph = ObjectGraph::new(&later);
        let (found, _) = buffers(&graph, &RootPaths::new(&later), &known);
        let name = |object| path::class_name(&later, object).to_owned();
        found.iter().map(|each| (name(each.region.owner), each.region.proxy_size, each.length_before)).collect()
    }

    #[test]
    fn what_became_longer_since_the_earlier_capture_stands_first_where_its_place_has_a_name() {
        let [grown, table, session] = &found(2_048, 8_192)[..] else { panic!("three buffers") };
        assert_eq!(*grown, ("Builder".to_owned(), 6_144, Some(2_048)));
        assert_eq!(*table, ("Main".to_owned(), 0, None));
        assert_eq!(*session, ("Builder".to_owned(), 0, None), "nobody knows which session it was before");
    }

    #[test]
    fn what_is_as_long_as_before_or_shorter_has_gained_nothing() {
        for before in [8_192, 65_536] {
            assert!(found(before, 8_192).iter().all(|each| (each.1, each.2) == (0, None)));
        }
    }
}
