//! Parts that a structure recreated when it outgrew or changed them, including wrappers.
//!
//! A structure whose array is wrapped in an object of its own (`AtomicReferenceArray`, the page of a tree) replaces
//! both when it grows. The new wrapper holds a new array with the old members in it. A hash trie that copies on change
//! replaces every node from its root to the new entry, and the other entries below them are old. Literally, only the
//! first of these parts would be on the fringe, one a structure, and no added object. So these parts count as old, with
//! their arrays: they replaced others.
//!
//! Such a part is recognized by its shape. It is new, and a field of an old object holds it. It holds an array of its
//! own, directly or in a part of it, with members that are old or were replaced, too. A node linked to nodes of its own
//! class is no such part: lists and B-trees grow by such nodes. Nodes in arrays of nodes of their own class are parts
//! where their class is *copied on change*: no old node of it holds anything new. Tries of Clojure and Scala are made
//! of such nodes, and B-trees are not. All nodes of such a class are transient: never what a structure gains, and never
//! its owner ([`copied`]).

mod copied;
mod parts;

use super::{BitSet, Referrers};
use crate::heap::{ClassIdx, Heap, ObjectIdx};
use copied::copied_classes;
pub(super) use parts::Known;
use parts::Parts;
use std::collections::{HashMap, HashSet};

/// Least share of an array's members that must be old: it may have doubled a few times since.
const OLD_SHARE: f64 = 0.1;
/// Newness above which an object is more new than old.
const NEW: f64 = 0.5;
/// Most members of one array that are examined.
const MAX_ASKED: usize = 256;
/// Greatest depth from the uppermost part to old members: seven levels of a hash trie have three objects each.
const MAX_DEPTH: usize = 24;
/// Most parts that are examined in all: a heap may have many that lead to no old object.
const MAX_STEPS: usize = 4_000_000;

/// Parts that replaced others, and the classes that are copied on change.
#[derive(Clone, Debug, Default)]
pub(super) struct Replaced {
    /// Each is as old as its holder.
    pub(super) parts: Vec<ObjectIdx>,
    /// Structures that were made anew from those before them ([`super::newness`]): as old as those.
    pub(super) copies: Vec<ObjectIdx>,
    /// Classes of nodes that are copied on change: nodes of tries ([`copied_classes`]).
    pub(super) copied: Vec<ClassIdx>,
}

/// Parts that are as old as their holder, by what is known of ages, and the classes of nodes that are copied on change.
/// `copies` lead to structures that were made anew.
pub(super) fn replaced_parts<N, M>(
    heap: &Heap,
    referrers: &Referrers,
    known: Known<N, M>,
    copies: Vec<ObjectIdx>,
) -> Replaced
where
    N: Fn(ObjectIdx) -> f64,
    M: Fn(ObjectIdx) -> Option<f64>,
{
    let parts = Parts::new(heap, referrers, known);
    let mut search = Search { parts: &parts, known: HashMap::new(), steps: MAX_STEPS };
    let mut found: Vec<ObjectIdx> = heap
        .objects()
        .filter(|&object| parts.may_be_replaced(object))
        .filter(|&object| search.leads_to_old(object, MAX_DEPTH))
        .collect();
    let uppermost: Vec<ObjectIdx> = found.iter().chain(&copies).copied().collect();
    let mut at = 0;
    // Each part has one holder, so none is found twice.
    while let Some(&part) = found.get(at) {
        found.extend(parts.below(part).filter(|&part| parts.is_new(part) && search.leads_to_old(part, MAX_DEPTH)));
        at += 1;
    }
    let copied = copied_classes(&parts, &uppermost, |part| search.leads_to_old(part, MAX_DEPTH));
    Replaced { parts: found, copies, copied }
}

/// These parts, and objects in the same position: a part replaced in one structure is transient in all of its kind. A
/// position is the holder's class and the object's class. Arrays as holders do not count: a node in one map's array may
/// have been replaced, while those in other maps are its growth. Only where its class is copied on change, all nodes
/// are transient: a trie gains entries, and nodes with them.
pub(super) fn transient(heap: &Heap, referrers: &Referrers, replaced: &Replaced) -> BitSet {
    let (copied, copies) = (&replaced.copied, &replaced.copies);
    let replaced = &replaced.parts;
    let kinds_of = |object: ObjectIdx| {
        let holders = referrers.of(object).iter().filter(|&&holder| !heap.is_array(holder));
        holders.map(move |&holder| (heap.class_of(holder), heap.class_of(object)))
    };
    let kinds: HashSet<(ClassIdx, ClassIdx)> = replaced.iter().flat_map(|&part| kinds_of(part)).collect();
    let mut classes = BitSet::new(heap.classes().len());
    for class in kinds.iter().map(|(_, class)| class).chain(copied) {
        classes.insert(class.at());
    }
    let mut transient = BitSet::new(heap.object_count());
    for part in replaced.iter().chain(copies) {
        transient.insert(part.at());
    }
    // Few objects are of these classes; only their holders are examined.
    for object in heap.objects().filter(|&object| classes.contains(heap.class_of(object).at())) {
        if copied.contains(&heap.class_of(object)) || kinds_of(object).any(|kind| kinds.contains(&kind)) {
            transient.insert(object.at());
        }
    }
    transient
}

/// Search for parts that lead to old members.
struct Search<'a, 'h, N, M> {
    parts: &'a Parts<'h, N, M>,
    known: HashMap<ObjectIdx, bool>,
    steps: usize,
}

impl<N: Fn(ObjectIdx) -> f64, M: Fn(ObjectIdx) -> Option<f64>> Search<'_, '_, N, M> {
    /// Whether an array below the object has old members; through at most `depth` objects. A new object that owns an old
    /// part took it over from the one that it replaced.
    fn leads_to_old(&mut self, object: ObjectIdx, depth: usize) -> bool {
        if let Some(&known) = self.known.get(&object) {
            return known;
        }
        if depth == 0 || self.steps == 0 {
            return false;
        }
        self.steps -= 1;
        let parts = self.parts;
        let leads = parts.own(object).any(|part| match parts.heap.is_object_array(part) {
            true => self.holds_old(object, part, depth - 1),
            false => self.leads_to_old(part, depth - 1),
        });
        self.known.insert(object, leads);
        leads
    }

    fn holds_old(&mut self, part: ObjectIdx, array: ObjectIdx, depth: usize) -> bool {
        let parts = self.parts;
        let members = parts.heap.references().of(array);
        let asked = || members.iter().copied().step_by(members.len().div_ceil(MAX_ASKED).max(1));
        let old: f64 = asked().map(|member| self.oldness(part, array, member, depth)).sum();
        old >= (OLD_SHARE * asked().count() as f64).max(1.0)
    }

    /// Oldness of a member of an array; 1 if it was replaced itself.
    fn oldness(&mut self, part: ObjectIdx, array: ObjectIdx, member: ObjectIdx, depth: usize) -> f64 {
        let parts = self.parts;
        let is_part = parts.is_new(member) && !parts.heap.is_array(member) && parts.is_part_in(part, array, member);
        if is_part && self.leads_to_old(member, depth) { 1.0 } else { 1.0 - parts.newness(member) }
    }
}
