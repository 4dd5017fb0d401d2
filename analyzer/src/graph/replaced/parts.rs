//! What an object holds, and which of it is a part of its own.

use super::super::Referrers;
use super::NEW;
use super::copied::Copied;
use crate::heap::{ClassIdx, Heap, ObjectIdx};
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

/// What is known of the ages of objects.
pub(in crate::graph) struct Known<N, M> {
    /// Newness of an object, in [0, 1]; of one without a mark, that of its group.
    pub(in crate::graph) newness: N,
    /// Number of old objects that an object stands for by its mark, 0 without one; `None` where its newness is its own:
    /// every object was marked, or it takes the age of its holder.
    pub(in crate::graph) stands_for: M,
}

pub(super) struct Parts<'a, N, M> {
    pub(super) heap: &'a Heap,
    pub(super) referrers: &'a Referrers,
    pub(super) known: Known<N, M>,
    /// The evidence for classes, as far as it was asked for.
    copied: RefCell<HashMap<ClassIdx, Copied>>,
    /// Number of marks by class, and of the old objects that they stand for.
    marks: OnceCell<HashMap<ClassIdx, (f64, f64)>>,
}

impl<'a, N: Fn(ObjectIdx) -> f64, M: Fn(ObjectIdx) -> Option<f64>> Parts<'a, N, M> {
    pub(super) fn new(heap: &'a Heap, referrers: &'a Referrers, known: Known<N, M>) -> Self {
        Self { heap, referrers, known, copied: RefCell::default(), marks: OnceCell::new() }
    }

    pub(super) fn newness(&self, object: ObjectIdx) -> f64 {
        (self.known.newness)(object)
    }

    pub(super) fn is_new(&self, object: ObjectIdx) -> bool {
        self.newness(object) > NEW
    }

    /// Whether the object is new, or bears no mark where marks are a sample.
    pub(super) fn may_be_new(&self, object: ObjectIdx) -> bool {
        (self.known.stands_for)(object).map_or_else(|| self.is_new(object), |weight| weight == 0.0)
    }

    /// Whether the object is new, a field of an old object holds it, and no object of its own class does.
    pub(super) fn may_be_replaced(&self, object: ObjectIdx) -> bool {
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
    pub(super) fn is_part_in(&self, part: ObjectIdx, array: ObjectIdx, member: ObjectIdx) -> bool {
        let (class, own) = (self.heap.class_of(member), self.heap.class_of(part));
        self.is_part_of(array, member) && (class != own || self.copied(class) != Copied::Never)
    }

    /// Whether an object of this class was changed since the first snapshot.
    pub(super) fn copied(&self, class: ClassIdx) -> Copied {
        if let Some(&known) = self.copied.borrow().get(&class) {
            return known;
        }
        let copied = Copied::of(self, class);
        self.copied.borrow_mut().insert(class, copied);
        copied
    }

    /// Number of old objects that a mark of this class stands for in the mean; `None` where none bears one.
    pub(super) fn mean_weight(&self, class: ClassIdx) -> Option<f64> {
        let marks = self.marks.get_or_init(|| {
            let mut marks: HashMap<ClassIdx, (f64, f64)> = HashMap::new();
            for object in self.heap.objects() {
                if let Some(weight) = (self.known.stands_for)(object).filter(|&weight| weight > 0.0) {
                    let (number, of) = marks.entry(self.heap.class_of(object)).or_default();
                    (*number, *of) = (*number + 1.0, *of + weight);
                }
            }
            marks
        });
        marks.get(&class).map(|(number, of)| of / number)
    }

    /// What the fields of an object hold.
    fn fields(&self, object: ObjectIdx) -> impl Iterator<Item = ObjectIdx> + '_ {
        let references = self.heap.references().labelled(object);
        references.filter(|(_, label)| label.is_instance_field()).map(|(held, _)| held)
    }

    /// What the fields of an object hold, and the arrays there.
    pub(super) fn content(&self, object: ObjectIdx) -> impl Iterator<Item = ObjectIdx> + '_ {
        let in_arrays = |held: ObjectIdx| {
            let members = if self.heap.is_object_array(held) { self.heap.references().of(held) } else { &[] };
            members.iter().copied()
        };
        self.fields(object).flat_map(move |held| std::iter::once(held).chain(in_arrays(held)))
    }

    /// Objects that only this object holds, by its fields.
    pub(super) fn own(&self, object: ObjectIdx) -> impl Iterator<Item = ObjectIdx> + '_ {
        self.fields(object).filter(move |&part| self.is_part_of(object, part))
    }

    /// Parts of a part, of any age: those in its fields, and in the arrays there.
    pub(super) fn below(&self, part: ObjectIdx) -> impl Iterator<Item = ObjectIdx> + '_ {
        let (arrays, objects): (Vec<_>, Vec<_>) = self.own(part).partition(|&own| self.heap.is_object_array(own));
        let members = move |array: ObjectIdx| {
            let members = self.heap.references().of(array).iter().copied();
            members.filter(move |&member| self.is_part_in(part, array, member))
        };
        objects.into_iter().chain(arrays.into_iter().flat_map(members))
    }
}
