//! Strong references, and those by which the three kinds of `java.lang.ref.Reference` hold their referents. HeapRoots
//! does not distinguish these kinds and calls them all *soft*.

use super::parents::Children;
use crate::heap::{Heap, Label, ObjectIdx};

const REFERENCE_CLASS: &str = "java.lang.ref.Reference";
const REFERENT: &str = "referent";

/// Number of references of each kind in a heap, without those of objects to their classes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkCounts {
    /// Number of strong ones.
    pub strong: u64,
    /// Number of soft ones.
    pub soft: u64,
}

/// Distinguishes soft references from strong ones.
#[derive(Debug)]
pub struct Softness<'h> {
    heap: &'h Heap,
    /// By class: whether its instances are references.
    is_reference: Vec<bool>,
}

impl<'h> Softness<'h> {
    /// Finds the classes of references in the heap.
    pub fn new(heap: &'h Heap) -> Self {
        let classes = heap.classes();
        let is_reference = |class| classes.ancestors(class).any(|above| classes.get(above).name == REFERENCE_CLASS);
        Self { heap, is_reference: classes.iter().map(|(class, _)| is_reference(class)).collect() }
    }

    /// Whether the reference at this label is soft.
    pub fn is_soft(&self, referrer: ObjectIdx, label: Label) -> bool {
        let class = self.heap.class_of(referrer);
        let is_referent = |label| self.heap.classes().field(class, label).is_some_and(|field| field.name == REFERENT);
        self.is_reference[class.at()] && label.is_instance_field() && is_referent(label)
    }

    /// All references of the heap.
    pub fn counts(&self) -> LinkCounts {
        let children = Children::new(self.heap);
        let mut counts = LinkCounts::default();
        for object in self.heap.objects() {
            let class = children.left_out(object);
            let all = children.row(object).iter().filter(|&&child| Some(child) != class).count() as u64;
            let soft = if self.is_reference[self.heap.class_of(object).at()] { self.soft_of(object) } else { 0 };
            counts.soft += soft;
            counts.strong += all - soft;
        }
        counts
    }

    fn soft_of(&self, object: ObjectIdx) -> u64 {
        let labelled = self.heap.references().labelled(object);
        labelled.filter(|&(_, label)| self.is_soft(object, label)).count() as u64
    }
}
