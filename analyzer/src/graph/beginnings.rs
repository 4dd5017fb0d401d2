//! Passing roots that are the beginning of a structure although another passing root reaches them: a local variable
//! `session` beside another one, `latest`, a queue of handles. Each handle refers back to its session, so the queue
//! reaches the session, and would own all of it. A local variable that is a part of a structure, the array that a loop
//! walks over, is none.

use crate::heap::{Heap, ObjectIdx};
use std::collections::{BTreeSet, HashSet, VecDeque};

/// Most roots that are examined, and objects that are visited from each.
const MAX_ROOTS: usize = 16;
const MAX_VISITED: usize = 65_536;
/// No object.
const NONE: u32 = u32::MAX;

/// Those of `candidates`, which `entries` reach, to which the path from an entry leads back: the candidate reaches an
/// object on it, and none of the entries.
pub(super) fn beginnings(heap: &Heap, entries: &[ObjectIdx], candidates: &BTreeSet<ObjectIdx>) -> Vec<ObjectIdx> {
    if candidates.is_empty() {
        return Vec::new();
    }
    let before = predecessors(heap, entries);
    let path_to = |object: ObjectIdx| {
        let step = |&at: &ObjectIdx| Some(before[at.at()]).filter(|&next| next != NONE && next != at.0).map(ObjectIdx);
        std::iter::successors(step(&object), step).collect::<Vec<ObjectIdx>>()
    };
    let leads_back = |&&candidate: &&ObjectIdx| {
        let path = path_to(candidate);
        let Some((_, between)) = path.split_last() else { return false };
        let reached = nearest(heap, candidate);
        between.iter().any(|object| reached.contains(object)) && !entries.iter().any(|entry| reached.contains(entry))
    };
    candidates.iter().take(MAX_ROOTS).filter(leads_back).copied().collect()
}

/// For each object that the entries reach, the one before it on a shortest path. An entry stands before itself.
fn predecessors(heap: &Heap, entries: &[ObjectIdx]) -> Vec<u32> {
    let mut before = vec![NONE; heap.object_count()];
    entries.iter().for_each(|entry| before[entry.at()] = entry.0);
    let mut queue: VecDeque<ObjectIdx> = entries.iter().copied().collect();
    while let Some(object) = queue.pop_front() {
        for &referee in heap.references().of(object) {
            if before[referee.at()] == NONE {
                before[referee.at()] = object.0;
                queue.push_back(referee);
            }
        }
    }
    before
}

/// The objects that an object reaches, the nearest ones first, up to a limit.
fn nearest(heap: &Heap, object: ObjectIdx) -> HashSet<ObjectIdx> {
    let (mut reached, mut queue) = (HashSet::from([object]), VecDeque::from([object]));
    while let Some(object) = queue.pop_front() {
        for &referee in heap.references().of(object) {
            if reached.len() < MAX_VISITED && reached.insert(referee) {
                queue.push_back(referee);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::super::Entries;
    use super::*;
    use crate::heap::dsl::HeapSketch;

    fn entries_of(sketch: HeapSketch, of: &[ObjectIdx]) -> Vec<bool> {
        let heap = sketch.build();
        let entries = Entries::new(&heap);
        of.iter().map(|object| entries.objects().contains(object)).collect()
    }

    #[test]
    fn a_session_whose_handles_a_queue_holds_is_a_beginning_of_its_own() {
        let mut heap = HeapSketch::new();
        let (session, facts, latest) = (heap.old("Session"), heap.old("Handle[]"), heap.old("Handle[]"));
        heap.refer(session, "facts", facts);
        for number in 0..100 {
            let handle = heap.old("Handle");
            heap.element(facts, handle);
            heap.refer(handle, "session", session);
            if number >= 90 {
                heap.element(latest, handle);
            }
        }
        heap.local(session);
        heap.local(latest);
        assert_eq!(entries_of(heap, &[session, latest]), [true, true]);
    }

    #[test]
    fn a_chain_that_is_entered_in_its_middle_has_one_beginning() {
        let mut heap = HeapSketch::new();
        let (job, open) = (heap.old("Job"), heap.old("Node[]"));
        let mut last = heap.old("Node");
        heap.refer(job, "first", last);
        for _ in 0..100 {
            let node = heap.old("Node");
            heap.refer(last, "next", node);
            heap.refer(node, "before", last);
            heap.refer(node, "job", job);
            last = node;
        }
        heap.element(open, last);
        heap.local(job);
        heap.local(open);
        assert_eq!(entries_of(heap, &[job, open]), [false, true], "both would share the chain, and own nothing");
    }

    #[test]
    fn the_variable_of_a_loop_is_none_whether_its_object_leads_back_or_not() {
        for leads_back in [false, true] {
            let mut heap = HeapSketch::new();
            let (company, districts, district) = (heap.old("Company"), heap.old("District[]"), heap.old("District"));
            let order = heap.old("Order");
            heap.refer(company, "districts", districts);
            heap.element(districts, district);
            heap.refer(district, "first", order);
            heap.refer(order, "district", district);
            if leads_back {
                heap.refer(order, "company", company);
            }
            heap.local(company);
            heap.local(district);
            let [company, district] = entries_of(heap, &[company, district])[..] else { panic!("two") };
            assert_eq!(u8::from(company) + u8::from(district), 1);
            assert!(leads_back || company);
        }
    }
}
