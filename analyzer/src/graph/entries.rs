//! The beginning of ownership: the GC roots from which the graph is entered.
//!
//! A running program holds parts of its structures in local variables and monitors. As roots, these would take the
//! parts away from their owners: while a loop walks over an array, the array's owner dominates nothing. LeakBot's
//! appendix A prunes such multiple ownership by a priority among roots, class objects first; so do we. Lasting roots
//! always enter. Passing ones (stacks, monitors) enter only where nothing else leads, and among themselves only those
//! that no other reaches, or to which another leads back ([`super::beginnings`]).

use super::BitSet;
use super::beginnings::beginnings;
use crate::heap::{Heap, ObjectIdx};
use std::collections::{BTreeSet, HashSet};

/// Objects through which the graph is entered, each once, lasting ones first.
#[derive(Debug)]
pub struct Entries {
    objects: Vec<ObjectIdx>,
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
        objects.extend(search.passing_entries(&passing));
        Self { objects }
    }

    /// All roots with equal rank.
    pub fn all(heap: &Heap) -> Self {
        let mut objects: Vec<ObjectIdx> = heap.roots().iter().map(|root| root.object).collect();
        objects.sort_unstable();
        objects.dedup();
        Self { objects }
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
    /// Chooses among passing roots, after the lasting ones have been searched.
    fn passing_entries(&mut self, passing: &[ObjectIdx]) -> Vec<ObjectIdx> {
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
            self.owns_most(beginning, &entered)
        });
        self.seen = reached_lastingly;
        begun.retain(|&beginning| self.reach(beginning));
        begun.extend(entered);
        begun
    }

    /// Whether more objects are reached through this one than otherwise: as an entry it would share few.
    fn owns_most(&mut self, beginning: ObjectIdx, entered: &[ObjectIdx]) -> bool {
        self.seen.insert(beginning.at());
        let otherwise: usize = entered.iter().map(|&entry| self.count(entry)).sum();
        let through: usize = self.heap.references().of(beginning).iter().map(|&referee| self.count(referee)).sum();
        through > otherwise
    }

    /// Marks all objects that the object reaches; returns whether it was unreached before.
    fn reach(&mut self, object: ObjectIdx) -> bool {
        self.count(object) > 0
    }

    /// The same; returns the number of objects that were unreached before.
    fn count(&mut self, object: ObjectIdx) -> usize {
        if !self.seen.insert(object.at()) {
            return 0;
        }
        let mut found = 1;
        self.stack.push(object);
        while let Some(object) = self.stack.pop() {
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
