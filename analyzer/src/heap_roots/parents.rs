//! The references that count: all but those of objects to their classes; and the objects with such a reference to them.

use crate::graph::BitSet;
use crate::heap::{Heap, ObjectIdx};

/// Access to an object's children, without its reference to its own class.
#[derive(Clone, Copy)]
pub(super) struct Children<'h> {
    heap: &'h Heap,
}

impl<'h> Children<'h> {
    pub(super) fn new(heap: &'h Heap) -> Self {
        Self { heap }
    }

    /// All referees of the object.
    pub(super) fn row(self, object: ObjectIdx) -> &'h [ObjectIdx] {
        self.heap.references().of(object)
    }

    /// The object that is no child of this one: the mirror of its class.
    pub(super) fn left_out(self, object: ObjectIdx) -> Option<ObjectIdx> {
        self.heap.classes().get(self.heap.class_of(object)).mirror
    }
}

/// The objects that some object refers to.
pub(super) fn of(heap: &Heap) -> BitSet {
    let children = Children::new(heap);
    let mut has_parent = BitSet::new(heap.object_count());
    for object in heap.objects() {
        let class = children.left_out(object);
        for &child in children.row(object) {
            if Some(child) != class {
                has_parent.insert(child.at());
            }
        }
    }
    has_parent
}
