//! The retained size of groups of objects (AntTracks §2.2.3, *GC closure*): all objects that no path from a root
//! reaches without the group. Two objects that share what they reach retain it together, and neither does alone; so
//! this is no sum over the members.
//!
//! 64 groups take one pass. Every object has a bit for each group without which a root reaches it. Objects that are
//! reached past all groups are found by a plain search first; only the others get bits, which grow until nothing
//! changes. So a pass takes 3 bits an object of the heap and 8 bytes for each that some group may retain.

use super::closures::{MOST_AT_ONCE, add_to_each};
use super::groups::{Groups, Listed, OfClasses};
use crate::graph::{BitSet, Dominance, Entries, Size};
use crate::heap::{ClassIdx, ObjectIdx, RankedBits};
use std::collections::HashMap;

/// The retained size of each group: what no entry reaches if the objects of the group are not entered. Objects that no
/// entry reaches at all count for none. The entries are those over which ownership was computed, and so are the references:
/// those to what an earlier group of entries reaches count for nothing.
///
/// Only distinct groups take part in passes, and none whose size dominance knows. The objects of a group are distinct.
pub fn retained_by_each(dominance: &impl Dominance, entries: &Entries, groups: &[&[ObjectIdx]]) -> Vec<Size> {
    let sizes = retained_within(dominance, entries, groups, usize::MAX);
    sizes.into_iter().map(Option::unwrap_or_default).collect()
}

/// The same of as many groups, in their order, as one pass measures, and of all that take no part in a pass.
pub fn retained_in_one_pass(
    dominance: &impl Dominance,
    entries: &Entries,
    groups: &[&[ObjectIdx]],
) -> Vec<Option<Size>> {
    retained_within(dominance, entries, groups, MOST_AT_ONCE)
}

/// The sizes of the first `most` distinct groups that take part in passes, and of all that do not.
fn retained_within(
    dominance: &impl Dominance,
    entries: &Entries,
    groups: &[&[ObjectIdx]],
    most: usize,
) -> Vec<Option<Size>> {
    let mut distinct = Distinct::default();
    let found: Vec<Result<Size, usize>> =
        groups.iter().map(|group| without_pass(dominance, group).ok_or_else(|| distinct.place(group))).collect();
    distinct.groups.truncate(most);
    let object_count = dominance.heap().object_count();
    let pass = |batch: &[&[ObjectIdx]]| Pass::of(dominance, entries, &Listed::new(object_count, batch), batch.len());
    let sizes: Vec<Size> = distinct.groups.chunks(MOST_AT_ONCE).flat_map(pass).collect();
    found.into_iter().map(|found| found.map_or_else(|place| sizes.get(place).copied(), Some)).collect()
}

/// The retained size of a group that dominance knows: of a single object, and of objects that refer to nothing, which
/// retain themselves alone.
fn without_pass(dominance: &impl Dominance, group: &[ObjectIdx]) -> Option<Size> {
    let heap = dominance.heap();
    if let [object] = group {
        return Some(dominance.retained(*object));
    }
    if !group.iter().all(|&object| heap.references().of(object).is_empty()) {
        return None;
    }
    let mut size = Size::default();
    let reachable = group.iter().filter(|&&object| dominance.is_reachable(object));
    reachable.for_each(|&object| size.add_object(heap.shallow_bytes(object)));
    Some(size)
}

/// Groups of several objects, each once.
#[derive(Default)]
struct Distinct<'g> {
    groups: Vec<&'g [ObjectIdx]>,
    /// Places in `groups` by number of objects, first and last object.
    alike: HashMap<(usize, ObjectIdx, ObjectIdx), Vec<usize>>,
}

impl<'g> Distinct<'g> {
    /// The place of a group.
    fn place(&mut self, group: &'g [ObjectIdx]) -> usize {
        let end = |object: Option<&ObjectIdx>| object.copied().unwrap_or(ObjectIdx(0));
        let alike = self.alike.entry((group.len(), end(group.first()), end(group.last()))).or_default();
        if let Some(&place) = alike.iter().find(|&&place| self.groups[place] == group) {
            return place;
        }
        alike.push(self.groups.len());
        self.groups.push(group);
        self.groups.len() - 1
    }
}

/// The same of all instances of each class together.
pub fn retained_by_classes(dominance: &impl Dominance, entries: &Entries, classes: &[ClassIdx]) -> Vec<Size> {
    let heap = dominance.heap();
    let pass = |batch: &[ClassIdx]| Pass::of(dominance, entries, &OfClasses::new(heap, batch), batch.len());
    classes.chunks(MOST_AT_ONCE).flat_map(pass).collect()
}

struct Pass<'a, D, G> {
    dominance: &'a D,
    entries: &'a Entries,
    groups: &'a G,
    /// Objects that the plain search has met: all that an entry reaches past all groups, and the first ones in groups.
    met: BitSet,
    /// Those of them that are in groups.
    grown: Vec<ObjectIdx>,
}

impl<D: Dominance, G: Groups> Pass<'_, D, G> {
    fn of(dominance: &D, entries: &Entries, groups: &G, group_count: usize) -> Vec<Size> {
        let met = BitSet::new(dominance.heap().object_count());
        let mut pass = Pass { dominance, entries, groups, met, grown: Vec::new() };
        pass.meet_all();
        pass.retained(group_count)
    }

    /// Searches from the entries, and stops at objects of groups.
    fn meet_all(&mut self) {
        let (heap, entries, mut open) = (self.dominance.heap(), self.entries, Vec::new());
        for (group, rank) in entries.groups().zip(0..) {
            group.iter().for_each(|&entry| self.meet(entry, rank, &mut open));
            while let Some(object) = open.pop() {
                heap.references().of(object).iter().for_each(|&referee| self.meet(referee, rank, &mut open));
            }
        }
    }

    #[inline]
    fn meet(&mut self, object: ObjectIdx, rank: usize, open: &mut Vec<ObjectIdx>) {
        if !self.met.contains(object.at()) && self.entries.rank(object) == rank {
            self.met.insert(object.at());
            match self.groups.of(object) {
                0 => open.push(object),
                _ => self.grown.push(object),
            }
        }
    }

    /// The objects that the plain search did not reach past all groups.
    fn rest(&self) -> RankedBits {
        let heap = self.dominance.heap();
        let mut words = vec![0u64; heap.object_count().div_ceil(64)];
        for object in heap.objects().filter(|object| !self.met.contains(object.at())).chain(self.grown.iter().copied())
        {
            words[object.at() / 64] |= 1 << (object.at() % 64);
        }
        // A heap has fewer objects than the set can have.
        RankedBits::new(&words).unwrap_or_default()
    }

    fn retained(mut self, group_count: usize) -> Vec<Size> {
        let heap = self.dominance.heap();
        let rest = self.rest();
        let reached = self.grow(&rest);
        let (mut sizes, all) = (vec![Size::default(); group_count], u64::MAX >> (MOST_AT_ONCE - group_count));
        for object in heap.objects() {
            let Some(place) = rest.place(object.at()) else { continue };
            let missing = !reached[place as usize] & all;
            if missing != 0 && self.dominance.is_reachable(object) {
                add_to_each(&mut sizes, missing, heap.shallow_bytes(object));
            }
        }
        sizes
    }

    /// Passes bits on until none changes, in waves: an object that gains bits from several passes them on at once.
    /// Returns for each of the rest the groups without which an entry reaches it.
    fn grow(&mut self, rest: &RankedBits) -> Vec<u64> {
        let (heap, groups) = (self.dominance.heap(), self.groups);
        let mut reached = vec![0u64; rest.count() as usize];
        let (mut is_waiting, mut next) = (BitSet::new(reached.len()), Vec::new());
        let mut grown = std::mem::take(&mut self.grown);
        for object in &grown {
            let place = rest.place(object.at());
            place.into_iter().for_each(|place| reached[place as usize] = !groups.of(*object));
        }
        while !grown.is_empty() {
            for object in grown.drain(..) {
                let Some(place) = rest.place(object.at()) else { continue };
                is_waiting.remove(place as usize);
                let (bits, rank) = (reached[place as usize], self.entries.rank(object));
                for &referee in heap.references().of(object) {
                    let Some(place) = rest.place(referee.at()) else { continue };
                    let missing = bits & !reached[place as usize];
                    // Most referees have all these bits already: only the others' groups are looked up.
                    let gained = if missing == 0 { 0 } else { missing & !groups.of(referee) };
                    if gained != 0 && self.entries.rank(referee) == rank {
                        reached[place as usize] |= gained;
                        if is_waiting.insert(place as usize) {
                            next.push(referee);
                        }
                    }
                }
            }
            std::mem::swap(&mut grown, &mut next);
        }
        reached
    }
}
