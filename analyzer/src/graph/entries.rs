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
use std::collections::HashSet;

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
        let reached_lastingly = search.seen.clone();
        // An earlier root in a sequential search did not reach a later one that was still unreached: so the later ones
        // have priority. In reverse order, each root is either reached already or reached by no other.
        let fresh: Vec<ObjectIdx> =
            passing.iter().map(|root| root.object).filter(|&object| search.reach(object)).collect();
        search.seen = reached_lastingly.clone();
        let entered: Vec<ObjectIdx> = fresh.into_iter().rev().filter(|&object| search.reach(object)).collect();
        let mut others: Vec<ObjectIdx> = passing.iter().map(|root| root.object).collect();
        let entrances: HashSet<ObjectIdx> = entered.iter().copied().collect();
        others.retain(|object| !reached_lastingly.contains(object.at()) && !entrances.contains(object));
        others.sort_unstable();
        others.dedup();
        let begun = beginnings(heap, &entered, &others);
        objects.extend(entered.into_iter().chain(begun));
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
    /// Marks all objects that the object reaches; returns whether it was unreached before.
    fn reach(&mut self, object: ObjectIdx) -> bool {
        if !self.seen.insert(object.at()) {
            return false;
        }
        self.stack.push(object);
        while let Some(object) = self.stack.pop() {
            for &referee in self.heap.references().of(object) {
                if self.seen.insert(referee.at()) {
                    self.stack.push(referee);
                }
            }
        }
        true
    }
}
