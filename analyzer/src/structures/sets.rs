//! The retained size of groups of objects (AntTracks §2.2.3, *GC closure*): all objects that no path from a root reaches
//! without the group. Two objects that share what they reach retain it together, and neither does alone; so this is no
//! sum over the members.
//!
//! 64 groups take one pass. Every object has a bit for each group without which a root reaches it. Objects that are
//! reached past all groups are found by a plain search first; the bits of the rest grow until nothing changes.

use super::closures::{MOST_AT_ONCE, add_to_each};
use crate::graph::{BitSet, Dominance, Entries, Size};
use crate::heap::{Heap, ObjectIdx};

/// The retained size of each group: what no entry reaches if the objects of the group are not entered. Objects that no
/// entry reaches at all count for none. The entries are those over which ownership was computed.
pub fn retained_by_each(dominance: &impl Dominance, entries: &Entries, groups: &[&[ObjectIdx]]) -> Vec<Size> {
    let pass = |batch: &[&[ObjectIdx]]| Pass::new(dominance.heap(), batch).retained(dominance, entries, batch.len());
    groups.chunks(MOST_AT_ONCE).flat_map(pass).collect()
}

struct Pass<'h> {
    heap: &'h Heap,
    /// By object: the groups that it belongs to.
    blocks: Vec<u64>,
    /// By object: the groups without which an entry reaches it.
    reached: Vec<u64>,
    /// Objects whose bits have grown; at first those of groups that the plain search met.
    grown: Vec<ObjectIdx>,
}

/// Bits of an object that is reached past all groups.
const PAST_ALL: u64 = u64::MAX;

impl<'h> Pass<'h> {
    fn new(heap: &'h Heap, groups: &[&[ObjectIdx]]) -> Self {
        let mut blocks = vec![0; heap.object_count()];
        for (bit, group) in groups.iter().enumerate() {
            group.iter().for_each(|object| blocks[object.at()] |= 1 << bit);
        }
        Self { heap, reached: vec![0; blocks.len()], blocks, grown: Vec::new() }
    }

    fn retained(mut self, dominance: &impl Dominance, entries: &Entries, group_count: usize) -> Vec<Size> {
        self.pass_all(entries);
        self.grow();
        let (mut sizes, all) = (vec![Size::default(); group_count], PAST_ALL >> (MOST_AT_ONCE - group_count));
        for object in self.heap.objects() {
            let missing = !self.reached[object.at()] & all;
            if missing != 0 && dominance.is_reachable(object) {
                add_to_each(&mut sizes, missing, self.heap.shallow_bytes(object));
            }
        }
        sizes
    }

    /// Searches from the entries, and stops at objects of groups.
    fn pass_all(&mut self, entries: &Entries) {
        let mut open = Vec::new();
        entries.objects().iter().for_each(|&entry| self.pass(entry, &mut open));
        while let Some(object) = open.pop() {
            let heap = self.heap;
            heap.references().of(object).iter().for_each(|&referee| self.pass(referee, &mut open));
        }
    }

    #[inline]
    fn pass(&mut self, object: ObjectIdx, open: &mut Vec<ObjectIdx>) {
        let reached = &mut self.reached[object.at()];
        if *reached == 0 {
            *reached = !self.blocks[object.at()];
            match *reached {
                PAST_ALL => open.push(object),
                // In all groups: it is never entered.
                0 => {}
                _ => self.grown.push(object),
            }
        }
    }

    /// Passes bits on until none changes, in waves: an object that gains bits from several passes them on at once.
    fn grow(&mut self) {
        let (mut is_waiting, mut next) = (BitSet::new(self.reached.len()), Vec::new());
        while !self.grown.is_empty() {
            for object in self.grown.drain(..) {
                is_waiting.remove(object.at());
                let bits = self.reached[object.at()];
                for &referee in self.heap.references().of(object) {
                    let gained = bits & !self.blocks[referee.at()] & !self.reached[referee.at()];
                    self.reached[referee.at()] |= gained;
                    if gained != 0 && is_waiting.insert(referee.at()) {
                        next.push(referee);
                    }
                }
            }
            std::mem::swap(&mut self.grown, &mut next);
        }
    }
}
