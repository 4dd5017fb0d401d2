//! Definitions written down as they stand, for heaps of a few dozen objects.

use rootbound::graph::Entries;
use rootbound::heap::{Heap, ObjectIdx, RootKind};

/// By object: whether `starts` reach it without passing through `removed`.
pub fn reached(heap: &Heap, starts: &[ObjectIdx], removed: Option<ObjectIdx>) -> Vec<bool> {
    reached_within(heap, starts, |object| Some(object) != removed)
}

/// By object: whether `starts` reach it through objects that `may_pass`.
pub fn reached_within(heap: &Heap, starts: &[ObjectIdx], may_pass: impl Fn(ObjectIdx) -> bool) -> Vec<bool> {
    let mut reached = vec![false; heap.object_count()];
    let mut pending: Vec<ObjectIdx> = starts.to_vec();
    while let Some(object) = pending.pop() {
        if may_pass(object) && !reached[object.at()] {
            reached[object.at()] = true;
            pending.extend(heap.references().of(object));
        }
    }
    reached
}

/// By object: the first group of entries that reaches it; `None` if none does.
pub fn ranks(heap: &Heap, entries: &Entries) -> Vec<Option<usize>> {
    let is_later = |rank: usize, object| entries.groups().skip(rank + 1).any(|group| group.contains(&object));
    let reached = |(rank, group)| reached_within(heap, group, |object| !is_later(rank, object));
    let groups: Vec<Vec<bool>> = entries.groups().enumerate().map(reached).collect();
    (0..heap.object_count()).map(|at| groups.iter().position(|reached| reached[at])).collect()
}

/// By object: whether its own group of entries reaches it through objects of that group which `may_pass`.
pub fn reached_in_ranks(heap: &Heap, entries: &Entries, may_pass: impl Fn(ObjectIdx) -> bool) -> Vec<bool> {
    let ranks = ranks(heap, entries);
    let mut any = vec![false; heap.object_count()];
    for (rank, group) in entries.groups().enumerate() {
        let of_group = reached_within(heap, group, |object| ranks[object.at()] == Some(rank) && may_pass(object));
        any.iter_mut().zip(of_group).for_each(|(any, reached)| *any |= reached);
    }
    any
}

/// Objects that GC roots refer to, of one kind or of all.
pub fn root_objects(heap: &Heap, kind: Option<RootKind>) -> Vec<ObjectIdx> {
    let roots = heap.roots().iter().filter(|root| kind.is_none_or(|kind| root.kind == kind));
    roots.map(|root| root.object).collect()
}

/// Who dominates whom: whatever becomes unreachable when an object is taken away, and the object itself.
pub struct Domination {
    by_dominator: Vec<Vec<bool>>,
    /// By object: whether a root reaches it.
    pub reachable: Vec<bool>,
}

impl Domination {
    /// Takes each object away in turn, seen from the entries.
    pub fn new(heap: &Heap) -> Self {
        let entries = Entries::new(heap);
        Self::by(heap, |removed| reached_in_ranks(heap, &entries, |object| Some(object) != removed))
    }

    /// Takes each object away in turn, seen from `roots`.
    pub fn from(heap: &Heap, roots: &[ObjectIdx]) -> Self {
        Self::by(heap, |removed| reached(heap, roots, removed))
    }

    fn by(heap: &Heap, reached_without: impl Fn(Option<ObjectIdx>) -> Vec<bool>) -> Self {
        let reachable = reached_without(None);
        let cut_off_by = |object: ObjectIdx| {
            let without = reached_without(Some(object));
            let is_cut_off = |other: usize| reachable[object.at()] && reachable[other] && !without[other];
            (0..heap.object_count()).map(is_cut_off).collect()
        };
        Self { by_dominator: heap.objects().map(cut_off_by).collect(), reachable }
    }

    /// Whether `above` dominates `below`, or is it; false when one of them is unreachable.
    pub fn dominates(&self, above: ObjectIdx, below: ObjectIdx) -> bool {
        self.by_dominator[above.at()][below.at()]
    }

    /// All that dominate the object, itself included.
    pub fn dominators_of(&self, object: ObjectIdx) -> Vec<ObjectIdx> {
        (0..self.reachable.len() as u32).map(ObjectIdx).filter(|&above| self.dominates(above, object)).collect()
    }

    /// The strict dominator that all other strict dominators dominate.
    pub fn immediate_dominator(&self, object: ObjectIdx) -> Option<ObjectIdx> {
        let strict: Vec<ObjectIdx> = self.dominators_of(object).into_iter().filter(|&above| above != object).collect();
        strict.iter().copied().find(|&nearest| strict.iter().all(|&above| self.dominates(above, nearest)))
    }
}

/// By object: the number of references on the shortest way from any of `starts`, through objects that `may_pass`.
pub fn distances(heap: &Heap, starts: &[ObjectIdx], may_pass: impl Fn(ObjectIdx) -> bool) -> Vec<Option<usize>> {
    let mut distances = vec![None; heap.object_count()];
    let mut layer: Vec<ObjectIdx> = starts.to_vec();
    for distance in 0.. {
        layer.retain(|object| may_pass(*object) && distances[object.at()].is_none());
        if layer.is_empty() {
            break;
        }
        for object in &layer {
            distances[object.at()] = Some(distance);
        }
        layer = layer.iter().flat_map(|&object| heap.references().of(object)).copied().collect();
    }
    distances
}

/// LeakBot's ages, with the corrections for arrays and what wraps them.
pub struct TrueAges<'h> {
    heap: &'h Heap,
    /// Wrappers that were replaced.
    pub replaced: Vec<ObjectIdx>,
}

impl<'h> TrueAges<'h> {
    pub fn new(heap: &'h Heap) -> Self {
        let mut ages = Self { heap, replaced: Vec::new() };
        let is_replaced = |&object: &ObjectIdx| {
            !heap.is_array(object) && ages.is_new(object) && ages.is_held_as_part(object) && ages.has_old(object)
        };
        let replaced = heap.objects().filter(is_replaced).collect();
        ages.replaced = replaced;
        ages
    }

    pub fn is_new(&self, object: ObjectIdx) -> bool {
        let is_old = |object| !self.heap.is_new(object) || self.replaced.contains(&object);
        let is_backing = self.heap.is_object_array(object)
            && self.holders(object).any(|holder| !self.heap.is_array(holder) && is_old(holder));
        !is_old(object) && !is_backing
    }

    fn holders(&self, object: ObjectIdx) -> impl Iterator<Item = ObjectIdx> + '_ {
        self.heap.objects().filter(move |&holder| self.heap.references().of(holder).contains(&object))
    }

    fn is_held_as_part(&self, wrapper: ObjectIdx) -> bool {
        let heap = self.heap;
        self.holders(wrapper).any(|holder| !heap.is_array(holder) && !self.is_new(holder))
            && self.holders(wrapper).all(|holder| heap.class_of(holder) != heap.class_of(wrapper))
    }

    /// Whether an array in a field of the object, held by it alone, is old to a tenth.
    fn has_old(&self, wrapper: ObjectIdx) -> bool {
        let references = self.heap.references();
        let mut fields = references.labelled(wrapper).filter(|(_, label)| label.is_instance_field());
        fields.any(|(array, _)| {
            let members = references.of(array);
            let old = members.iter().filter(|&&member| !self.is_new(member)).count();
            self.heap.is_object_array(array)
                && self.holders(array).all(|holder| holder == wrapper)
                && old >= 1
                && 10 * old >= members.len()
        })
    }
}
