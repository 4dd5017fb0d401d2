//! The beginning of ownership: the GC roots from which the graph is entered.
//!
//! A running program holds parts of its structures in local variables and monitors. As roots, these would take the
//! parts away from their owners: while a loop walks over an array, the array's owner dominates nothing. LeakBot's
//! appendix A prunes such multiple ownership by a priority among roots, class objects first; so do we. Roots enter in
//! groups, and what an earlier group reaches belongs to it alone: an iterator on a stack takes no nodes from the list of
//! a static field.
//!
//! 1. Lasting roots, except threads. No live thread belongs to anything, though its group holds it.
//! 2. Threads. The thread of a timer holds the timer's inside, as does the timer.
//! 3. Passing roots (stacks, monitors) of which others hold views ([`super::beginnings`]).
//! 4. Passing roots where nothing else leads, and among themselves only those that no other reaches.

use super::BitSet;
use super::beginnings::{Views, beginnings};
use crate::heap::{Heap, ObjectIdx, Root, RootKind};
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
        let (passing, lasting): (Vec<&Root>, Vec<&Root>) = heap.roots().iter().partition(|root| root.kind.is_passing());
        let threads = distinct(lasting.iter().copied().filter(|root| root.kind == RootKind::Thread));
        let is_thread = |root: &Root| threads.binary_search(&root.object).is_ok();
        let others = distinct(lasting.iter().copied().filter(|root| !is_thread(root)));
        let mut search = Search { heap, seen: BitSet::new(heap.object_count()), stack: Vec::new() };
        let mut entries = Self { objects: Vec::new(), ends: Vec::new(), reached: Vec::new() };
        search.without(&threads, |search| search.reach_all(&others));
        entries.add_group(others, Some(&search.seen));
        search.reach_all(&threads);
        entries.add_group(threads, Some(&search.seen));
        let passing: Vec<ObjectIdx> = passing.iter().map(|root| root.object).collect();
        let [begun, entered] = search.passing_entries(&passing);
        entries.add_group(begun, Some(&search.seen));
        entries.add_group(entered, None);
        entries
    }

    /// All roots with equal rank.
    pub fn all(heap: &Heap) -> Self {
        let objects = distinct(heap.roots().iter());
        Self { ends: vec![objects.len()], objects, reached: Vec::new() }
    }

    /// Adds a group, and what it and those before it reach; `None` for the last.
    fn add_group(&mut self, group: Vec<ObjectIdx>, reached: Option<&BitSet>) {
        self.objects.extend(group);
        self.ends.push(self.objects.len());
        self.reached.extend(reached.cloned());
    }

    /// The groups, that of the highest priority first. Some may be empty. A walk from one stops at the entries of later
    /// ones.
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

/// The objects of roots, each once, in ascending order.
fn distinct<'r>(roots: impl Iterator<Item = &'r Root>) -> Vec<ObjectIdx> {
    let mut objects: Vec<ObjectIdx> = roots.map(|root| root.object).collect();
    objects.sort_unstable();
    objects.dedup();
    objects
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

    /// Searches as if these objects, which are unreached, did not exist.
    fn without(&mut self, objects: &[ObjectIdx], search: impl FnOnce(&mut Self)) {
        for object in objects {
            self.seen.insert(object.at());
        }
        search(self);
        objects.iter().for_each(|object| self.seen.remove(object.at()));
    }

    fn reach_all(&mut self, objects: &[ObjectIdx]) {
        for &object in objects {
            self.reach(object);
        }
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
