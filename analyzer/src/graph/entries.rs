//! The beginning of ownership: the GC roots from which the graph is entered.
//!
//! A running program holds parts of its structures in local variables and monitors. As roots, these would take the
//! parts away from their owners: while a loop walks over an array, the array's owner dominates nothing. LeakBot's
//! appendix A prunes such multiple ownership by a priority among roots, class objects first; so do we. Lasting roots
//! always enter. Passing ones (stacks, monitors) enter only where nothing else leads, and among themselves only those
//! that no other reaches, or of which the others hold only views ([`super::beginnings`]). What they share with an earlier
//! group of entries belongs to that group: an iterator on a stack takes no nodes from the list of a static field.

use super::BitSet;
use super::beginnings::{Views, beginnings};
use crate::heap::{Heap, ObjectIdx};
use std::collections::{BTreeSet, HashSet};

/// Objects through which the graph is entered, each once, in groups of falling priority.
#[derive(Debug)]
pub struct Entries {
    objects: Vec<ObjectIdx>,
    /// By group: the index behind its last object.
    ends: Vec<usize>,
    /// By group except the last: what it and those before it reach.
    reached: Vec<BitSet>,
}

impl Entries {
    /// Chooses among the roots of the heap. Every object that any root reaches is reachable from the entries.
    pub fn new(heap: &Heap) -> Self {
        let (passing, lasting): (Vec<_>, Vec<_>) = heap.roots().iter().partition(|root| root.kind.is_passing());
        let mut search = Search { heap, seen: BitSet::new(heap.object_count()), stack: Vec::new() };
        let mut objects: Vec<ObjectIdx> = Vec::new();
        for root in &lasting {
            objects.push(root.object);
            search.reach(root.object);
        }
        objects.sort_unstable();
        objects.dedup();
        let passing: Vec<ObjectIdx> = passing.iter().map(|root| root.object).collect();
        let reached_lastingly = search.seen.clone();
        let [begun, entered] = search.passing_entries(&passing);
        let mut entries = Self { ends: vec![objects.len()], objects, reached: vec![reached_lastingly, search.seen] };
        entries.add_group(begun);
        entries.add_group(entered);
        entries
    }

    /// All roots with equal rank.
    pub fn all(heap: &Heap) -> Self {
        let mut objects: Vec<ObjectIdx> = heap.roots().iter().map(|root| root.object).collect();
        objects.sort_unstable();
        objects.dedup();
        Self { ends: vec![objects.len()], objects, reached: Vec::new() }
    }

    fn add_group(&mut self, group: Vec<ObjectIdx>) {
        self.objects.extend(group);
        self.ends.push(self.objects.len());
    }

    /// The groups, that of the highest priority first. Some may be empty.
    pub fn groups(&self) -> impl Iterator<Item = &[ObjectIdx]> {
        let begins = std::iter::once(0).chain(self.ends.iter().copied());
        begins.zip(&self.ends).map(|(begin, &end)| &self.objects[begin..end])
    }

    /// The place of the first group that reaches the object. References to an object of an earlier group give no share
    /// in it.
    pub fn rank(&self, object: ObjectIdx) -> usize {
        self.reached.iter().position(|reached| reached.contains(object.at())).unwrap_or(self.reached.len())
    }

    /// The objects.
    pub fn objects(&self) -> &[ObjectIdx] {
        &self.objects
    }
}

struct Search<'h> {
    heap: &'h Heap,
    seen: BitSet,
    stack: Vec<ObjectIdx>,
}

impl Search<'_> {
    /// Chooses among passing roots, after the lasting ones have been searched: those of which others hold views, and
    /// those that no other reaches. What the former reach is seen in the end.
    fn passing_entries(&mut self, passing: &[ObjectIdx]) -> [Vec<ObjectIdx>; 2] {
        let reached_lastingly = self.seen.clone();
        // An earlier root in a sequential search did not reach a later one that was still unreached: so the later ones
        // have priority. In reverse order, each root is either reached already or reached by no other.
        let fresh: Vec<ObjectIdx> = passing.iter().copied().filter(|&object| self.reach(object)).collect();
        self.seen = reached_lastingly.clone();
        let entered: Vec<ObjectIdx> = fresh.into_iter().rev().filter(|&object| self.reach(object)).collect();
        let entrances: HashSet<ObjectIdx> = entered.iter().copied().collect();
        let is_other = |object: &ObjectIdx| !reached_lastingly.contains(object.at()) && !entrances.contains(object);
        let others: BTreeSet<ObjectIdx> = passing.iter().copied().filter(is_other).collect();
        let mut begun = beginnings(self.heap, &entered, &others);
        begun.retain(|&beginning| {
            self.seen = reached_lastingly.clone();
            self.is_viewed(beginning, &entered)
        });
        self.seen = reached_lastingly;
        begun.retain(|&beginning| self.reach(beginning));
        [begun, entered]
    }

    /// Whether the entries hold mostly views of what the beginning reaches: less than that, and many members of it.
    fn is_viewed(&mut self, beginning: ObjectIdx, entered: &[ObjectIdx]) -> bool {
        let lasting = self.seen.clone();
        let reached = self.count(beginning);
        let within = self.seen.clone();
        let mut views = Views::new(self.heap, |object| within.contains(object.at()) && !lasting.contains(object.at()));
        let mut apart = 0;
        for &entry in entered {
            apart += self.count_each(entry, |object| views.look_at(object));
        }
        apart < reached && views.are_of(beginning)
    }

    /// Marks all objects that the object reaches; returns whether it was unreached before.
    fn reach(&mut self, object: ObjectIdx) -> bool {
        self.count(object) > 0
    }

    /// The same; returns the number of objects that were unreached before.
    fn count(&mut self, object: ObjectIdx) -> usize {
        self.count_each(object, |_| ())
    }

    /// The same; calls `each` for each of them.
    fn count_each(&mut self, object: ObjectIdx, mut each: impl FnMut(ObjectIdx)) -> usize {
        if !self.seen.insert(object.at()) {
            return 0;
        }
        let mut found = 1;
        self.stack.push(object);
        while let Some(object) = self.stack.pop() {
            each(object);
            for &referee in self.heap.references().of(object) {
                if self.seen.insert(referee.at()) {
                    found += 1;
                    self.stack.push(referee);
                }
            }
        }
        found
    }
}
