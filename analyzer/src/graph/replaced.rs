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
//! of such nodes, and B-trees are not. All nodes of such a class are transient: never what a structure gains.

use super::{BitSet, Referrers};
use crate::heap::{ClassIdx, Heap, ObjectIdx};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

/// Least share of an array's members that must be old: it may have doubled a few times since.
const OLD_SHARE: f64 = 0.1;
/// Newness above which an object is more new than old.
const NEW: f64 = 0.5;
/// Most members of one array that are examined.
const MAX_ASKED: usize = 256;
/// Greatest depth from the uppermost part to old members: seven levels of a hash trie have three objects each.
const MAX_DEPTH: usize = 24;
/// Largest share of what old nodes of a class hold that may be new by the estimates, where the class is copied on
/// change.
const COPIED_SHARE: f64 = 0.02;
/// Most parts that are examined in all: a heap may have many that lead to no old object.
const MAX_STEPS: usize = 4_000_000;

/// Parts that replaced others, and the classes that are copied on change.
#[derive(Clone, Debug, Default)]
pub(super) struct Replaced {
    /// Each is as old as its holder.
    pub(super) parts: Vec<ObjectIdx>,
    /// Structures that were made anew from those before them ([`super::newness`]): as old as those.
    pub(super) copies: Vec<ObjectIdx>,
    /// Classes of nodes that hold nodes like themselves, and of which the old ones hold nothing new: nodes of tries.
    pub(super) copied: Vec<ClassIdx>,
}

/// Evidence whether objects of a class are copied on change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Copied {
    /// Old ones hold nothing new.
    Always,
    /// No old one holds anything.
    Unknown,
    /// Old ones hold something new.
    Never,
}

/// Parts that are as old as their holder. `newness` returns the newness of each object, in [0, 1].
pub(super) fn replaced_parts(heap: &Heap, referrers: &Referrers, newness: impl Fn(ObjectIdx) -> f64) -> Replaced {
    let parts = Parts { heap, referrers, newness, copied: RefCell::default() };
    let mut search = Search { parts: &parts, known: HashMap::new(), steps: MAX_STEPS };
    let mut found: Vec<ObjectIdx> = heap
        .objects()
        .filter(|&object| parts.may_be_replaced(object))
        .filter(|&object| search.leads_to_old(object, MAX_DEPTH))
        .collect();
    let mut holds = Holds::default();
    let mut at = 0;
    // Each part has one holder, so none is found twice.
    while let Some(&part) = found.get(at) {
        let below = parts.below(part).filter(|&part| search.leads_to_old(part, MAX_DEPTH));
        found.extend(below.inspect(|&below| holds.insert(heap.class_of(part), heap.class_of(below))));
        at += 1;
    }
    let nodes = holds.recursive(|class| parts.copied(class) == Copied::Always);
    Replaced { parts: found, copies: Vec::new(), copied: nodes }
}

/// The classes of parts, and those of the parts that each holds.
#[derive(Default)]
struct Holds(HashMap<ClassIdx, HashSet<ClassIdx>>);

impl Holds {
    fn insert(&mut self, holder: ClassIdx, part: ClassIdx) {
        self.0.entry(holder).or_default().insert(part);
    }

    /// All classes that are held by parts of one of these, over any number of parts.
    fn below(&self, class: ClassIdx) -> HashSet<ClassIdx> {
        let mut found = HashSet::new();
        let mut ahead = vec![class];
        while let Some(holder) = ahead.pop() {
            let parts = self.0.get(&holder).into_iter().flatten();
            ahead.extend(parts.filter(|&&part| found.insert(part)));
        }
        found
    }

    /// Classes of nodes that hold nodes like themselves, directly or through others, where one of these classes is
    /// copied on change.
    fn recursive(&self, is_copied: impl Fn(ClassIdx) -> bool) -> Vec<ClassIdx> {
        let below: HashMap<ClassIdx, HashSet<ClassIdx>> =
            self.0.keys().map(|&class| (class, self.below(class))).collect();
        let are_mutual = |one: ClassIdx, other: ClassIdx| below[&one].contains(&other) && below[&other].contains(&one);
        let is_node = |&class: &ClassIdx| below.keys().any(|&other| are_mutual(class, other) && is_copied(other));
        below.keys().copied().filter(is_node).collect()
    }
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

struct Parts<'a, F> {
    heap: &'a Heap,
    referrers: &'a Referrers,
    newness: F,
    /// The evidence for classes, as far as it was asked for.
    copied: RefCell<HashMap<ClassIdx, Copied>>,
}

impl<F: Fn(ObjectIdx) -> f64> Parts<'_, F> {
    fn is_new(&self, object: ObjectIdx) -> bool {
        (self.newness)(object) > NEW
    }

    /// Whether the object is new, a field of an old object holds it, and no object of its own class does.
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

    /// The same for a member of an array that a part holds.
    fn is_part_in(&self, part: ObjectIdx, array: ObjectIdx, member: ObjectIdx) -> bool {
        let (class, own) = (self.heap.class_of(member), self.heap.class_of(part));
        self.is_part_of(array, member) && (class != own || self.copied(class) != Copied::Never)
    }

    /// Whether an object of this class was changed since the first snapshot: then an old one holds something new.
    fn copied(&self, class: ClassIdx) -> Copied {
        if let Some(&known) = self.copied.borrow().get(&class) {
            return known;
        }
        let old = self.heap.objects().filter(|&object| self.heap.class_of(object) == class && !self.is_new(object));
        let (mut held, mut new) = (0_usize, 0.0);
        for content in old.flat_map(|node| self.content(node)) {
            held += 1;
            new += (self.newness)(content);
        }
        let copied = match held {
            0 => Copied::Unknown,
            _ if new <= COPIED_SHARE * held as f64 => Copied::Always,
            _ => Copied::Never,
        };
        self.copied.borrow_mut().insert(class, copied);
        copied
    }

    /// What the fields of an object hold, and the arrays there.
    fn content(&self, object: ObjectIdx) -> impl Iterator<Item = ObjectIdx> + '_ {
        let references = self.heap.references();
        let fields = references.labelled(object).filter(|(_, label)| label.is_instance_field()).map(|(held, _)| held);
        let in_arrays = move |held: ObjectIdx| {
            let members = if self.heap.is_object_array(held) { references.of(held) } else { &[] };
            members.iter().copied()
        };
        fields.flat_map(move |held| std::iter::once(held).chain(in_arrays(held)))
    }

    /// Objects that only this object holds, by its fields.
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

/// Search for parts that lead to old members.
struct Search<'a, 'h, F> {
    parts: &'a Parts<'h, F>,
    known: HashMap<ObjectIdx, bool>,
    steps: usize,
}

impl<F: Fn(ObjectIdx) -> f64> Search<'_, '_, F> {
    /// Whether an array below the object, which is new, has old members; through at most `depth` objects.
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

    /// Oldness of a member of an array; 1 if it was replaced itself.
    fn oldness(&mut self, part: ObjectIdx, array: ObjectIdx, member: ObjectIdx, depth: usize) -> f64 {
        let parts = self.parts;
        let is_part = parts.is_new(member) && !parts.heap.is_array(member) && parts.is_part_in(part, array, member);
        if is_part && self.leads_to_old(member, depth) { 1.0 } else { 1.0 - (parts.newness)(member) }
    }
}
