//! Ownership from above: the objects that an object immediately dominates, and the walk through all of them. Leaves are
//! found among the references of their owner.

use super::{LEAF, Ownership};
use crate::graph::dominators::VIRTUAL_ROOT;
use crate::heap::ObjectIdx;

/// The objects that each object dominates immediately. It takes no memory: numbers are in preorder.
#[derive(Debug)]
pub struct Dominated<'o> {
    ownership: &'o Ownership<'o>,
}

/// Receives the steps of [`Dominated::walk`]: an object, all objects that it dominates, and then its end.
pub trait Visitor {
    /// The walk enters an object.
    fn enter(&mut self, object: ObjectIdx);
    /// The walk has passed all objects that the object dominates.
    fn leave(&mut self, object: ObjectIdx);
}

impl<'o> Dominated<'o> {
    /// Ownership from above.
    pub fn new(ownership: &'o Ownership<'o>) -> Self {
        Self { ownership }
    }

    /// The objects without an immediate dominator; private leaves are never among them.
    pub fn tops(&self) -> impl Iterator<Item = ObjectIdx> {
        self.numbered(VIRTUAL_ROOT)
    }

    /// The objects whose immediate dominator this one is.
    pub fn of(&self, object: ObjectIdx) -> impl Iterator<Item = ObjectIdx> {
        let place = self.ownership.places[object.at()];
        let number = (place != 0 && place & LEAF == 0).then_some(place);
        number.into_iter().flat_map(|number| self.numbered(number).chain(self.leaves(number)))
    }

    /// The immediately dominated object that retains most; of equals, the first.
    pub fn largest(&self, object: ObjectIdx) -> Option<ObjectIdx> {
        let retained = |child: ObjectIdx| self.ownership.retained_bytes(child);
        self.of(object).reduce(|best, child| if retained(child) > retained(best) { child } else { best })
    }

    /// Walks over `object` and all that it dominates, or over every reachable object; no recursion.
    pub fn walk(&self, object: Option<ObjectIdx>, visitor: &mut impl Visitor) {
        let Some(object) = object else {
            return self.tops().for_each(|top| self.walk(Some(top), visitor));
        };
        visitor.enter(object);
        let place = self.ownership.places[object.at()];
        if place != 0 && place & LEAF == 0 {
            self.walk_below(place, visitor);
        }
        visitor.leave(object);
    }

    /// Walks over all that a number dominates.
    fn walk_below(&self, start: u32, visitor: &mut impl Visitor) {
        let object = |number: u32| self.ownership.vertex[number as usize];
        let end = |number: u32| self.ownership.ends[number as usize];
        self.visit_leaves(start, visitor);
        let mut open: Vec<u32> = Vec::new();
        for number in start + 1..end(start) {
            while let Some(above) = open.pop_if(|above| end(*above) <= number) {
                visitor.leave(object(above));
            }
            visitor.enter(object(number));
            self.visit_leaves(number, visitor);
            open.push(number);
        }
        open.into_iter().rev().for_each(|above| visitor.leave(object(above)));
    }

    fn visit_leaves(&self, number: u32, visitor: &mut impl Visitor) {
        for leaf in self.leaves(number) {
            visitor.enter(leaf);
            visitor.leave(leaf);
        }
    }

    fn numbered(&self, number: u32) -> impl Iterator<Item = ObjectIdx> {
        let (mut next, end) = (number + 1, self.ownership.ends[number as usize]);
        std::iter::from_fn(move || {
            let child = (next < end).then_some(next)? as usize;
            next = self.ownership.ends[child];
            Some(self.ownership.vertex[child])
        })
    }

    /// The private leaves of a number. One reference leads to each, so none is repeated.
    fn leaves(&self, number: u32) -> impl Iterator<Item = ObjectIdx> {
        let referees = self.ownership.heap.references().of(self.ownership.vertex[number as usize]);
        referees.iter().copied().filter(move |referee| self.ownership.places[referee.at()] == LEAF | number)
    }
}
