//! Referrers of objects of one's choice, the roots that own them, and all references of a single object.

use super::OnPhase;
use super::objects::Figures;
use super::words::Words;
use crate::graph::{BitSet, Ownership};
use crate::heap::{Heap, Label, ObjectIdx};
use crate::heap_roots::{HeapRoot, HeapRoots, Positions, Softness};
use crate::holders::{self, Holder};
use crate::naming::Reference;
use crate::report::dump::{
    DumpFile, HolderLine, HoldersReport, ObjectFacts, OwnerLine, ReferenceLine, RootCount, SCHEMA,
};
use crate::structure_size::{Target, TargetError};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

/// The holders that are wanted.
#[derive(Clone, Debug, Default)]
pub struct HoldersWanted {
    /// The held objects: a class, a static field, an object's id, or a mark.
    pub of: String,
    /// Most entries of each list.
    pub limit: usize,
}

/// Finds the holders.
///
/// # Errors
/// [`TargetError`]: the pattern matches nothing.
pub fn holders(
    heap: &Heap,
    dump: DumpFile,
    wanted: &HoldersWanted,
    on_phase: OnPhase<'_>,
) -> Result<HoldersReport, TargetError> {
    let of = Target::find(heap, &wanted.of)?.objects(heap, &wanted.of)?;
    let mut set = BitSet::new(heap.object_count());
    for object in &of {
        set.insert(object.at());
    }
    on_phase("looking for the holders");
    let words = Words::new(heap);
    let found = holders::find(heap, &set);
    on_phase("searching from the roots");
    let roots = HeapRoots::new(heap);
    let positions = Positions::new(heap, &roots);
    let owners = owners(&positions, &of);
    let object = match *of {
        [object] => {
            on_phase("finding out who owns what");
            let ownership = Ownership::new(heap);
            let figures = Figures { ownership: &ownership, positions: &positions, depths: positions.maximum_depths() };
            Some(Neighbours { words: &words, softness: Softness::new(heap), limit: wanted.limit }.of(&figures, object))
        }
        _ => None,
    };
    Ok(HoldersReport {
        schema: SCHEMA,
        report: "holders",
        dump,
        of: wanted.of.clone(),
        object_count: of.len() as u64,
        bytes: of.iter().map(|&object| heap.shallow_bytes(object)).sum(),
        held_count: found.held_count,
        reference_count: found.reference_count,
        holder_count: found.holder_count,
        kind_count: found.kinds.len() as u64,
        holders: found.kinds.iter().take(wanted.limit).map(|kind| holder_line(&words, kind)).collect(),
        gc_roots: gc_roots(&words, &set, wanted.limit),
        owner_count: owners.len() as u64,
        owners: owners.iter().take(wanted.limit).map(|&(root, count)| owner_line(&words, root, count)).collect(),
        object,
    })
}

fn holder_line(words: &Words<'_>, kind: &Holder) -> HolderLine {
    let (example, label) = kind.example;
    let (reference, declared_by) = words.reference(example, label);
    HolderLine {
        class: words.class(kind.class),
        is_class: kind.is_mirror,
        reference: Some(if label.is_element() { Reference::Element } else { reference }),
        declared_by,
        holder_count: kind.holder_count,
        reference_count: kind.reference_count,
        example: words.id(example),
    }
}

/// The GC roots of the objects in words, the most frequent first.
fn gc_roots(words: &Words<'_>, of: &BitSet, limit: usize) -> Vec<RootCount> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for root in words.heap.roots().iter().filter(|root| of.contains(root.object.at())) {
        *counts.entry(words.root(root)).or_default() += 1;
    }
    let mut counts: Vec<RootCount> = counts.into_iter().map(|(root, count)| RootCount { root, count }).collect();
    counts.sort_by_key(|root| Reverse(root.count));
    counts.truncate(limit);
    counts
}

/// The roots that own the objects, with the number of objects of each, the most first.
fn owners<'p>(positions: &Positions<'p>, of: &[ObjectIdx]) -> Vec<(&'p HeapRoot, u64)> {
    let mut counts: HashMap<ObjectIdx, (&HeapRoot, u64)> = HashMap::new();
    for &object in of {
        let root = positions.owner(object);
        counts.entry(root.object).or_insert((root, 0)).1 += 1;
    }
    let mut owners: Vec<_> = counts.into_values().collect();
    owners.sort_by_key(|&(root, count)| (Reverse(count), root.object));
    owners
}

fn owner_line(words: &Words<'_>, root: &HeapRoot, object_count: u64) -> OwnerLine {
    let kind = if root.is_artificial { "artificial" } else { "pure" };
    OwnerLine { id: words.id(root.object), class: words.name(root.object), kind, object_count }
}

/// Describes one object with its references.
struct Neighbours<'a> {
    words: &'a Words<'a>,
    softness: Softness<'a>,
    limit: usize,
}

impl Neighbours<'_> {
    fn of(&self, figures: &Figures<'_>, object: ObjectIdx) -> ObjectFacts {
        let heap = self.words.heap;
        let refers = |referrer: &ObjectIdx| heap.references().of(*referrer).contains(&object);
        let incoming = heap.objects().filter(refers).flat_map(|referrer| {
            let labels = heap.references().labelled(referrer).filter(move |&(referee, _)| referee == object);
            labels.map(move |(_, label)| (referrer, label))
        });
        let incoming: Vec<(ObjectIdx, Label)> = incoming.collect();
        let outgoing = heap.references().labelled(object);
        ObjectFacts {
            object: figures.line(self.words, object),
            incoming_count: incoming.len() as u64,
            outgoing_count: outgoing.len() as u64,
            incoming: incoming.iter().take(self.limit).map(|&(from, label)| self.line(from, label, from)).collect(),
            outgoing: outgoing.take(self.limit).map(|(to, label)| self.line(object, label, to)).collect(),
        }
    }

    fn line(&self, referrer: ObjectIdx, label: Label, other: ObjectIdx) -> ReferenceLine {
        ReferenceLine {
            reference: Some(self.words.reference(referrer, label).0),
            is_soft: self.softness.is_soft(referrer, label),
            class: self.words.class_name(other),
            kind: self.words.kind(other),
            id: self.words.id(other),
            shallow_bytes: self.words.heap.shallow_bytes(other),
        }
    }
}
