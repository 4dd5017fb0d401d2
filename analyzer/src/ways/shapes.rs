//! Shapes of ways: the kind of the root, and for each step its field and class. Slots of arrays are equal, and objects
//! of one class in a row count as one, whichever fields lead from one to the next: lists and trees are as long as they
//! hold objects.

use crate::graph::{Found, RootPaths};
use crate::heap::{ClassIdx, Heap, Label, ObjectIdx, RootKind};
use std::collections::HashMap;

/// Number of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Shape(u32);

/// A shape by its last step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Step {
    Root(RootKind, ClassIdx),
    Below(Shape, Option<Label>, ClassIdx),
}

/// The shapes of the ways in one breadth-first tree; each object of the tree is examined once.
pub(super) struct Shapes<'a> {
    heap: &'a Heap,
    paths: &'a RootPaths,
    /// By object: its shape plus one; 0 while that is not known.
    of: Vec<u32>,
    numbers: HashMap<Step, Shape>,
}

impl<'a> Shapes<'a> {
    pub(super) fn new(heap: &'a Heap, paths: &'a RootPaths) -> Self {
        Self { heap, paths, of: vec![0; heap.object_count()], numbers: HashMap::new() }
    }

    /// The shape of the way to an object; `None` if there is no way.
    pub(super) fn of(&mut self, object: ObjectIdx) -> Option<Shape> {
        let mut unknown = Vec::new();
        let mut at = object;
        let mut above = loop {
            if let Some(shape) = self.of[at.at()].checked_sub(1) {
                break Shape(shape);
            }
            match self.paths.found(at)? {
                Found::Root(root) => {
                    let step = Step::Root(self.heap.roots()[root].kind, self.heap.class_shown_by(at));
                    break self.set(at, step);
                }
                Found::Through(referrer) => {
                    unknown.push((referrer, at));
                    at = referrer;
                }
            }
        };
        while let Some((referrer, object)) = unknown.pop() {
            above = self.below(above, referrer, object);
        }
        Some(above)
    }

    fn below(&mut self, above: Shape, referrer: ObjectIdx, object: ObjectIdx) -> Shape {
        let class = self.heap.class_shown_by(object);
        let is_mirror = |object| self.heap.class_of_mirror(object).is_some();
        if class == self.heap.class_shown_by(referrer) && is_mirror(object) == is_mirror(referrer) {
            self.of[object.at()] = above.0 + 1;
            return above;
        }
        let mut labelled = self.heap.references().labelled(referrer);
        let label = labelled.find(|&(referee, _)| referee == object).map(|(_, label)| label.kind());
        self.set(object, Step::Below(above, label, class))
    }

    fn set(&mut self, object: ObjectIdx, step: Step) -> Shape {
        let next = Shape(self.numbers.len() as u32);
        let shape = *self.numbers.entry(step).or_insert(next);
        self.of[object.at()] = shape.0 + 1;
        shape
    }
}
