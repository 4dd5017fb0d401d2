//! Passing roots that are the beginning of a structure although another passing root reaches them: a local variable
//! `session` beside another one, `latest`, a queue of handles. Each handle refers back to its session, so the queue
//! reaches the session, and would own all of it. Such a queue is a *view*: it holds many members of a structure that
//! begins elsewhere. A local variable that is a part of a structure, the array that a loop walks over, is no beginning.

use crate::heap::{ClassIdx, Heap, ObjectIdx};
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

/// Most roots that are examined, and objects that are visited from each.
const MAX_ROOTS: usize = 16;
const MAX_VISITED: usize = 65_536;
/// Fewest members of one class that a view holds. Two or three fields may lead into one structure, each by another part.
const MIN_MEMBERS: usize = 8;
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

/// The members of a structure to which objects outside it refer.
pub(super) struct Views<'h, W> {
    heap: &'h Heap,
    is_within: W,
    /// The members by class, of each class the first [`MIN_MEMBERS`].
    members: HashMap<ClassIdx, HashSet<ObjectIdx>>,
}

impl<'h, W: Fn(ObjectIdx) -> bool> Views<'h, W> {
    /// `is_within` tells which objects belong to the structure.
    pub(super) fn new(heap: &'h Heap, is_within: W) -> Self {
        Self { heap, is_within, members: HashMap::new() }
    }

    /// Notes the members to which an object outside refers.
    pub(super) fn look_at(&mut self, object: ObjectIdx) {
        for &referee in self.heap.references().of(object).iter().filter(|&&referee| (self.is_within)(referee)) {
            let members = self.members.entry(self.heap.class_of(referee)).or_default();
            if members.len() < MIN_MEMBERS {
                members.insert(referee);
            }
        }
    }

    /// Whether they are views of the structure that begins there: they hold many members, and none of its class.
    pub(super) fn are_of(&self, beginning: ObjectIdx) -> bool {
        !self.members.contains_key(&self.heap.class_of(beginning))
            && self.members.values().any(|members| members.len() == MIN_MEMBERS)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Entries, Owned};
    use super::*;
    use crate::heap::dsl::HeapSketch;

    fn entries_of(sketch: HeapSketch, of: &[ObjectIdx]) -> Vec<bool> {
        let heap = sketch.build();
        let entries = Entries::new(&heap);
        of.iter().map(|object| entries.objects().contains(object)).collect()
    }

    /// A session, its facts, and the latest of their handles, which another local variable holds. Each handle refers to
    /// its session and to the one before.
    fn session_with_handles() -> (HeapSketch, [ObjectIdx; 3]) {
        let mut heap = HeapSketch::new();
        let (session, facts, latest) = (heap.old("Session"), heap.old("Handle[]"), heap.old("Handle[]"));
        heap.refer(session, "facts", facts);
        let mut before = None;
        for number in 0..100 {
            let handle = heap.old("Handle");
            heap.element(facts, handle);
            heap.refer(handle, "session", session);
            before.into_iter().for_each(|before| heap.refer(handle, "before", before));
            before = Some(handle);
            if number >= 90 {
                heap.element(latest, handle);
            }
        }
        heap.local(session);
        heap.local(latest);
        (heap, [session, facts, latest])
    }

    #[test]
    fn a_session_whose_handles_a_queue_holds_is_a_beginning_and_keeps_them() {
        let (sketch, [session, facts, latest]) = session_with_handles();
        let graph = Owned::new(&sketch.build());
        assert_eq!([session, latest].map(|entry| graph.entries.objects().contains(&entry)), [true, true]);
        assert_eq!(graph.dominators.subtree(facts).len(), 101);
        assert_eq!(graph.dominators.subtree(latest).len(), 1);
    }

    /// A chain that a job holds, each node of which refers to the job. A window of its last nodes stands beside it.
    fn chain_with_window(window: usize) -> (Owned, [ObjectIdx; 2]) {
        let mut heap = HeapSketch::new();
        let (job, open) = (heap.old("Job"), heap.old("Node[]"));
        let mut nodes = vec![heap.old("Node")];
        heap.refer(job, "first", nodes[0]);
        for at in 0..100 {
            nodes.push(heap.old("Node"));
            heap.refer(nodes[at], "next", nodes[at + 1]);
            heap.refer(nodes[at + 1], "before", nodes[at]);
            heap.refer(nodes[at + 1], "job", job);
        }
        nodes.iter().rev().take(window).for_each(|&node| heap.element(open, node));
        heap.local(job);
        heap.local(open);
        (Owned::new(&heap.build()), [job, open])
    }

    #[test]
    fn a_chain_belongs_to_its_job_beside_a_window_of_its_last_nodes() {
        let (graph, [job, open]) = chain_with_window(20);
        assert_eq!(graph.dominators.subtree(job).len(), 102);
        assert_eq!(graph.dominators.subtree(open).len(), 1);
    }

    #[test]
    fn one_node_is_no_window() {
        let (graph, [job, open]) = chain_with_window(1);
        assert_eq!([job, open].map(|entry| graph.entries.objects().contains(&entry)), [false, true]);
    }

    #[test]
    fn a_session_of_a_server_is_no_beginning_though_it_reaches_the_others() {
        let mut heap = HeapSketch::new();
        let (server, manager, table) = (heap.old("Server"), heap.old("Manager"), heap.old("Session[]"));
        let connectors = heap.old("Connector[]");
        heap.refer(server, "manager", manager);
        heap.refer(server, "connectors", connectors);
        heap.refer(manager, "table", table);
        for _ in 0..10 {
            let connector = heap.old("Connector");
            heap.element(connectors, connector);
            heap.refer(connector, "manager", manager);
        }
        let sessions: Vec<_> = (0..100).map(|_| heap.old("Session")).collect();
        for &session in &sessions {
            heap.element(table, session);
            heap.refer(session, "manager", manager);
        }
        heap.local(server);
        heap.local(sessions[50]);
        assert_eq!(entries_of(heap, &[server, sessions[50]]), [true, false]);
    }

    #[test]
    fn an_iterator_on_a_stack_takes_no_nodes_from_the_list_of_a_static_field() {
        let mut heap = HeapSketch::new();
        let (registry, list, iterator) = (heap.class("Registry"), heap.old("List"), heap.old("Iterator"));
        heap.refer(registry, "list", list);
        let nodes: Vec<_> = (0..100).map(|_| heap.old("Node")).collect();
        heap.refer(list, "first", nodes[0]);
        for pair in nodes.windows(2) {
            heap.refer(pair[0], "next", pair[1]);
            heap.refer(pair[1], "before", pair[0]);
        }
        heap.refer(iterator, "next", nodes[40]);
        heap.refer(iterator, "list", list);
        heap.local(iterator);
        let graph = Owned::new(&heap.build());
        assert_eq!(graph.dominators.subtree(list).len(), 101);
        assert_eq!(graph.dominators.subtree(iterator).len(), 1);
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
