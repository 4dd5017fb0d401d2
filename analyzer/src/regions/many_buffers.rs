//! Many buffers of one kind that become longer: the string builder of each session, the output of each connection. One
//! of them is too small to be followed, and all of them together leak. Two captures show that their mean length has
//! grown; then a few are followed, each of which stands for its part of all.

use super::buffers::{Buffer, buffer};
use crate::graph::{HeldArray, ObjectGraph};
use crate::heap::{Heap, Label};
use std::cmp::Reverse;
use std::collections::HashMap;

/// Fewer buffers of one kind are followed one by one.
const FEWEST: usize = 8;
/// Least growth of the mean length, as a share of it: what is steady but for its members' coming and going has less.
const LEAST_GROWTH: f64 = 0.001;
/// Least bytes that all of a kind have gained.
const LEAST_GAINED_BYTES: f64 = 65_536.0;
/// Most kinds that are followed, those that gained most.
const MOST_KINDS: usize = 2;
/// Buffers of a kind that are followed beside the largest: as many parts of all by size, one of the middle of each.
const PARTS: usize = 3;

/// The classes and fields from the array outward, as they are named in every capture.
type Kind = Vec<(String, Label)>;

/// All buffers of one kind in one capture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Total {
    count: u64,
    slots: u64,
}

impl Total {
    fn mean(self) -> f64 {
        self.slots as f64 / self.count.max(1) as f64
    }
}

/// The buffers of one capture by kind, where there are many of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Totals(HashMap<Kind, Total>);

impl Totals {
    pub(super) fn of(heap: &Heap, kinds: &[Vec<HeldArray>]) -> Self {
        Self(kinds.iter().filter_map(|alike| Some((kind(heap, alike.first()?), total(heap, alike)))).collect())
    }
}

/// The kinds of which a heap has many arrays, those with most slots first.
pub(super) fn kinds(heap: &Heap, of_values: Vec<HeldArray>) -> Vec<Vec<HeldArray>> {
    let mut kinds = HeldArray::by_kind(heap, of_values);
    kinds.retain(|alike| alike.len() >= FEWEST);
    kinds.sort_by_key(|alike| (Reverse(total(heap, alike).slots), alike[0].array));
    kinds
}

/// Some buffers of each of the kinds whose mean length has grown most since the earlier capture.
pub(super) fn of_growing_kinds(graph: &ObjectGraph<'_>, kinds: &[Vec<HeldArray>], known: &Totals) -> Vec<Buffer> {
    let heap = graph.heap;
    let growing = kinds.iter().filter_map(|alike| {
        let (before, now) = (*known.0.get(&kind(heap, alike.first()?))?, total(heap, alike));
        let gained = (now.mean() - before.mean()) * now.count as f64;
        let bytes = gained * alike[0].bytes_a_slot(heap, &graph.dominators) as f64;
        let grows = now.mean() >= (1.0 + LEAST_GROWTH) * before.mean() && bytes >= LEAST_GAINED_BYTES;
        grows.then_some((bytes, alike, before.mean()))
    });
    let mut growing: Vec<_> = growing.collect();
    growing.sort_by(|a, b| b.0.total_cmp(&a.0));
    growing.into_iter().take(MOST_KINDS).flat_map(|(_, alike, mean)| some_of(graph, alike, mean)).collect()
}

/// The largest, and one of the middle of each part by size. `mean` is the mean length in the earlier capture.
fn some_of(graph: &ObjectGraph<'_>, alike: &[HeldArray], mean: f64) -> Vec<Buffer> {
    let others = alike.len() - 1;
    let middle = |part: usize| 1 + (2 * part + 1) * others / (2 * PARTS);
    let chosen = std::iter::once((0, 1.0)).chain((0..PARTS).map(|part| (middle(part), others as f64 / PARTS as f64)));
    let stands_for = |(at, count): (usize, f64)| {
        let held = alike[at].clone();
        let slots = held.slots(graph.heap);
        // A buffer of that kind was outgrown, and this one is no younger than half of its own length.
        let before = (mean as u64).min(slots / 2);
        let one = buffer(graph, held, None, &super::BufferLengths::default());
        let region = super::Region { proxy_size: slots - before, ..one.region };
        Buffer { region, length_before: Some(before), least_gained: 0, stands_for: count, ..one }
    };
    chosen.map(stands_for).collect()
}

fn kind(heap: &Heap, held: &HeldArray) -> Kind {
    let name = |holder| heap.classes().get(heap.class_shown_by(holder)).name.clone();
    held.holders.iter().map(|&(holder, label)| (name(holder), label)).collect()
}

fn total(heap: &Heap, alike: &[HeldArray]) -> Total {
    Total { count: alike.len() as u64, slots: alike.iter().map(|held| held.slots(heap)).sum() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Owned;
    use crate::heap::dsl::{HeapSketch, OLD};

    /// A map of sessions, each with a string builder of one of these lengths, and as many blocks of one length.
    fn program(lengths: &[u64]) -> Heap {
        let mut sketch = HeapSketch::new();
        let (map, pool) = (sketch.old("Node[]"), sketch.old("Block[]"));
        for &length in lengths {
            let (session, builder) = (sketch.old("Session"), sketch.old("Builder"));
            let text = sketch.object("byte[]", 16 + length, OLD);
            sketch.element(map, session);
            sketch.refer(session, "transcript", builder);
            sketch.refer(builder, "value", text);
            let (block, bytes) = (sketch.old("Block"), sketch.object("byte[]", 16 + 32_768, OLD));
            sketch.element(pool, block);
            sketch.refer(block, "bytes", bytes);
        }
        sketch.static_field("Main", "sessions", map);
        sketch.static_field("Main", "pool", pool);
        sketch.build()
    }

    fn followed(before: &[u64], now: &[u64]) -> Vec<(u64, f64)> {
        let (earlier, later) = (program(before), program(now));
        let earlier_values = HeldArray::of_values(&earlier, &Owned::new(&earlier).dominators);
        let known = Totals::of(&earlier, &kinds(&earlier, earlier_values));
        let graph = ObjectGraph::new(&later);
        let values = HeldArray::of_values(&later, &graph.dominators);
        let found = of_growing_kinds(&graph, &kinds(&later, values), &known);
        found.iter().map(|each| (each.held.slots(&later), each.stands_for)).collect()
    }

    #[test]
    fn of_many_that_become_longer_the_largest_and_the_middles_of_three_parts_are_followed() {
        let before: Vec<u64> = (0..31).map(|session| 4_096 + 1_024 * session).collect();
        let now: Vec<u64> = before.iter().map(|length| length + 4_096).collect();
        assert_eq!(followed(&before, &now), [(38_912, 1.0), (32_768, 10.0), (22_528, 10.0), (12_288, 10.0)]);
    }

    #[test]
    fn of_many_that_are_as_long_as_before_none_is() {
        let lengths: Vec<u64> = (0..31).map(|session| 4_096 + 1_024 * session).collect();
        assert_eq!(followed(&lengths, &lengths), []);
        let more: Vec<u64> = lengths.iter().chain(&lengths).copied().collect();
        assert_eq!(followed(&lengths, &more), [], "there are more of them, and each is as long");
    }
}
