//! Parts that a structure made anew when it outgrew or changed them, wrappers and all.
//!
//! A structure whose array is wrapped in an object of its own (`AtomicReferenceArray`, the page of a tree) replaces both
//! when it grows. The new wrapper holds a new array with the old members in it. A hash trie that copies what it changes
//! replaces every node from its root to the new entry, and the other entries below them are old. Taken literally the
//! first of these parts alone were on the fringe, one a structure, and nothing that was added. So they are old, with
//! their arrays: they stand where others stood. Known by shape: new, held by a field of something old, and an array that
//! it alone holds, or a part of it does, has old members or parts that were replaced, too. A node that is chained to
//! nodes of its class, directly or by an array, is none, whatever it holds: such nodes are what lists and B-trees grow by.

use super::{BitSet, Referrers};
use crate::heap::{ClassIdx, Heap, ObjectIdx};
use std::collections::{HashMap, HashSet};

/// The share of an array's members that must be old: it may have doubled a few times since.
const OLD_SHARE: f64 = 0.1;
/// More new than old.
const NEW: f64 = 0.5;
/// Members of one array that are asked.
const MAX_ASKED: usize = 256;
/// From the uppermost part to old members: seven levels of a hash trie have three objects each.
const MAX_DEPTH: usize = 24;
/// Parts that are looked at in all: one heap may have many that lead to nothing old.
const MAX_STEPS: usize = 4_000_000;

/// Parts that are as old as what holds them. `newness` says how new each object is, in [0, 1].
pub(super) fn replaced_parts(heap: &Heap, referrers: &Referrers, newness: impl Fn(ObjectIdx) -> f64) -> Vec<ObjectIdx> {
    let parts = Parts { heap, referrers, newness };
    let mut search = Search { parts: &parts, known: HashMap::new(), steps: MAX_STEPS };
    let mut found: Vec<ObjectIdx> = heap
        .objects()
        .filter(|&object| parts.may_be_replaced(object))
        .filter(|&object| search.leads_to_old(object, MAX_DEPTH))
        .collect();
    let mut at = 0;
    // Each part has one holder, so none is found twice.
    while let Some(&part) = found.get(at) {
        found.extend(parts.below(part).filter(|&part| search.leads_to_old(part, MAX_DEPTH)));
        at += 1;
    }
    found
}

/// These parts, and objects that stand where one of them stood: what was replaced in one structure is so in all of its kind.
/// By the fields that hold them: in an array of one map may lie nodes that were replaced, and in those of others what they
/// grow by.
pub(super) fn transient(heap: &Heap, referrers: &Referrers, replaced: &[ObjectIdx]) -> BitSet {
    let kinds_of = |object: ObjectIdx| {
        let holders = referrers.of(object).iter().filter(|&&holder| !heap.is_array(holder));
        holders.map(move |&holder| (heap.class_of(holder), heap.class_of(object)))
    };
    let kinds: HashSet<(ClassIdx, ClassIdx)> = replaced.iter().flat_map(|&part| kinds_of(part)).collect();
    let mut classes = BitSet::new(heap.classes().len());
    for (_, class) in &kinds {
        classes.insert(class.at());
    }
    let mut transient = BitSet::new(heap.object_count());
    for part in replaced {
        transient.insert(part.at());
    }
    // Few objects are of these classes; only they are asked who holds them.
    for object in heap.objects().filter(|&object| classes.contains(heap.class_of(object).at())) {
        if kinds_of(object).any(|kind| kinds.contains(&kind)) {
            transient.insert(object.at());
        }
    }
    transient
}

struct Parts<'a, F> {
    heap: &'a Heap,
    referrers: &'a Referrers,
    newness: F,
}

impl<F: Fn(ObjectIdx) -> f64> Parts<'_, F> {
    fn is_new(&self, object: ObjectIdx) -> bool {
        (self.newness)(object) > NEW
    }

    /// New, held by something old that is no array, and by nothing of its own class.
    fn may_be_replaced(&self, object: ObjectIdx) -> bool {
        let holders = self.referrers.of(object);
        !self.heap.is_array(object)
            && self.is_new(object)
            && holders.iter().any(|&holder| !self.heap.is_array(holder) && !self.is_new(holder))
            && holders.iter().all(|&holder| self.heap.class_of(holder) != self.heap.class_of(object))
    }

    /// Whether the object belongs to this holder alone, and is no further node of a chain.
    fn is_part_of(&self, holder: ObjectIdx, object: ObjectIdx) -> bool {
        self.heap.class_of(holder) != self.heap.class_of(object)
            && self.referrers.of(object).iter().all(|&other| other == holder)
    }

    /// The same of a member of an array that a part holds.
    fn is_part_in(&self, part: ObjectIdx, array: ObjectIdx, member: ObjectIdx) -> bool {
        self.heap.class_of(part) != self.heap.class_of(member) && self.is_part_of(array, member)
    }

    /// What it holds by fields that nothing else holds.
    fn own(&self, object: ObjectIdx) -> impl Iterator<Item = ObjectIdx> + '_ {
        let references = self.heap.references().labelled(object);
        let fields = references.filter(|(_, label)| label.is_instance_field()).map(|(referee, _)| referee);
        fields.filter(move |&part| self.is_part_of(object, part))
    }

    /// New parts of a part: those in its fields, and in the arrays there.
    fn below(&self, part: ObjectIdx) -> impl Iterator<Item = ObjectIdx> + '_ {
        let (arrays, objects): (Vec<_>, Vec<_>) = self.own(part).partition(|&own| self.heap.is_object_array(own));
        let members = move |array: ObjectIdx| {
            let members = self.heap.references().of(array).iter().copied();
            members.filter(move |&member| self.is_part_in(part, array, member))
        };
        let all = objects.into_iter().chain(arrays.into_iter().flat_map(members));
        all.filter(|&object| self.is_new(object))
    }
}

/// Which parts lead to old members.
struct Search<'a, 'h, F> {
    parts: &'a Parts<'h, F>,
    known: HashMap<ObjectIdx, bool>,
    steps: usize,
}

impl<F: Fn(ObjectIdx) -> f64> Search<'_, '_, F> {
    /// Whether an array below the object, which is new, has old members; through so many objects at most.
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
            false => parts.is_new(part) && self.leads_to_old(part, depth - 1),
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

    /// How old a member of an array is; wholly, where it was replaced itself.
    fn oldness(&mut self, part: ObjectIdx, array: ObjectIdx, member: ObjectIdx, depth: usize) -> f64 {
        let parts = self.parts;
        let is_part = parts.is_new(member) && !parts.heap.is_array(member) && parts.is_part_in(part, array, member);
        if is_part && self.leads_to_old(member, depth) { 1.0 } else { 1.0 - (parts.newness)(member) }
    }
}
