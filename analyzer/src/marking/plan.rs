//! The tree of steps that leads to all chosen objects: paths in common are walked once, and a run of the same field is
//! one step.

use super::paths::Paths;
use super::writer::Writer;
use crate::graph::BitSet;
use crate::heap::{Heap, ObjectIdx};
use rootbound_wire::codec;
use rootbound_wire::frame::MAX_PAYLOAD_BYTES;
use rootbound_wire::message::MarkPlan;
use std::collections::HashMap;

/// Most references that the agent reads for one plan: a tenth of a microsecond each.
const MAX_READS: usize = 4_000_000;
/// Most bytes of a plan: one message holds it, with a little beside it.
const MAX_BYTES: usize = MAX_PAYLOAD_BYTES - 1024;
/// Most bytes of a plan for one owner: a message has those of 64 probes.
const MAX_BYTES_OF_ONE: usize = MAX_PAYLOAD_BYTES / 128;
/// Part of the objects that is tried where a plan was too long, of those that would fit by its length.
const TRIED: f64 = 0.9;

/// The plan for those of the `wanted` objects that it can reach in bounds, and these objects; an object's index is its
/// number minus one. They are numbered in the order of `wanted`.
pub(super) fn plan(heap: &Heap, paths: &Paths, wanted: &[ObjectIdx]) -> (MarkPlan, Vec<ObjectIdx>) {
    plan_within(heap, paths, wanted, MAX_BYTES)
}

/// The same within a length in bytes. Most paths have long runs of one field, which are one step, so the length is
/// known only when the plan is written.
fn plan_within(heap: &Heap, paths: &Paths, wanted: &[ObjectIdx], most: usize) -> (MarkPlan, Vec<ObjectIdx>) {
    let mut reads = MAX_READS;
    loop {
        let tree = Tree::new(heap, paths, wanted, reads);
        let marked: Vec<ObjectIdx> = wanted.iter().copied().filter(|object| tree.holds(*object)).collect();
        let number: HashMap<ObjectIdx, u32> = marked.iter().copied().zip(1..).collect();
        let plan = Writer::new(heap, paths).write(&tree.objects, &number);
        let bytes = length(&plan);
        if bytes <= most || tree.objects.is_empty() {
            return (plan, marked);
        }
        reads = (tree.objects.len() as f64 * TRIED * most as f64 / bytes as f64) as usize;
    }
}

/// Length of the coded plan in bytes.
fn length(plan: &MarkPlan) -> usize {
    codec::length(plan).unwrap_or(usize::MAX)
}

/// The plan that arrives at one object and marks nothing; `None` if no path leads there, or one of too many steps.
pub(super) fn way_to(heap: &Heap, paths: &Paths, object: ObjectIdx) -> Option<MarkPlan> {
    let tree = Tree::new(heap, paths, &[object], MAX_READS);
    // A mark there separates the last step from the steps before.
    let mut plan =
        tree.holds(object).then(|| Writer::new(heap, paths).write(&tree.objects, &HashMap::from([(object, 1)])))?;
    plan.steps.iter_mut().for_each(|step| step.mark = 0);
    (length(&plan) <= MAX_BYTES_OF_ONE).then_some(plan)
}

/// The objects on the paths to the chosen ones, parents before children.
struct Tree {
    on_the_way: BitSet,
    objects: Vec<ObjectIdx>,
}

impl Tree {
    /// Adds objects by the length of their paths, the nearest first, within the limit of reads.
    fn new(heap: &Heap, paths: &Paths, wanted: &[ObjectIdx], mut reads: usize) -> Self {
        let mut tree = Self { on_the_way: BitSet::new(heap.object_count()), objects: Vec::new() };
        // Paths that prove too long are examined, too, and there may be many.
        let mut looks = 2 * reads;
        for object in nearest_first(paths, wanted) {
            let mut way = vec![];
            let mut at = Some(object);
            while let Some(next) = at.filter(|next| !tree.holds(*next) && way.len() <= reads.min(looks)) {
                way.push(next);
                at = paths.last_step(next).map(|step| step.0);
            }
            looks = looks.saturating_sub(way.len());
            if !paths.reach(object) || way.len() > reads {
                continue;
            }
            reads -= way.len();
            for object in way.into_iter().rev() {
                tree.on_the_way.insert(object.at());
                tree.objects.push(object);
            }
        }
        tree
    }

    fn holds(&self, object: ObjectIdx) -> bool {
        self.on_the_way.contains(object.at())
    }
}

/// The objects by the length of their paths. Known lengths are stored, so that a list's nodes are not counted
/// repeatedly.
fn nearest_first(paths: &Paths, wanted: &[ObjectIdx]) -> Vec<ObjectIdx> {
    let mut length: HashMap<ObjectIdx, usize> = HashMap::new();
    let mut by_length: Vec<(usize, ObjectIdx)> = Vec::with_capacity(wanted.len());
    for &object in wanted {
        let mut way = vec![object];
        while let Some((through, _)) = paths.last_step(way[way.len() - 1]).filter(|step| !length.contains_key(&step.0))
        {
            way.push(through);
        }
        let known =
            paths.last_step(way[way.len() - 1]).and_then(|step| length.get(&step.0)).map_or(0, |&from| from + 1);
        for (more, &object) in way.iter().rev().enumerate() {
            length.entry(object).or_insert(known + more);
        }
        by_length.push((length[&object], object));
    }
    by_length.sort_by_key(|&(length, _)| length);
    by_length.into_iter().map(|(_, object)| object).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heap::dsl::HeapSketch;

    #[test]
    fn a_plan_of_a_chain_with_two_fields_in_turns_fits_its_message_with_the_nearest_objects() {
        let mut sketch = HeapSketch::new();
        let mut at = sketch.old("Link");
        sketch.static_field("Main", "first", at);
        let mut links = vec![at];
        for _ in 0..1_000 {
            let (reference, next) = (sketch.old("Reference"), sketch.old("Link"));
            sketch.refer(at, "next", reference);
            sketch.refer(reference, "value", next);
            links.push(next);
            at = next;
        }
        let heap = sketch.build();
        let paths = Paths::shortest(&heap, true);
        let (whole, all) = plan_within(&heap, &paths, &links, MAX_BYTES);
        assert_eq!(all.len(), links.len());
        let (plan, marked) = plan_within(&heap, &paths, &links, length(&whole) / 2);
        assert!(length(&plan) <= length(&whole) / 2 && marked == links[..marked.len()], "{} are marked", marked.len());
        assert!((350..500).contains(&marked.len()), "{} are marked", marked.len());
    }
}
