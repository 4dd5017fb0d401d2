//! Ownership looked at from above: whom an object is the immediate dominator of, and the walk through all of them. 8 bytes
//! for each object that is no private leaf; those are found among the references of their owner.

use super::{LEAF, Ownership};
use crate::graph::dominators::VIRTUAL_ROOT;
use crate::graph::rows::Rows;
use crate::heap::ObjectIdx;

/// Whom each object dominates immediately.
#[derive(Debug)]
pub struct Dominated<'o> {
    ownership: &'o Ownership<'o>,
    /// Numbers of the objects that a number dominates immediately, ascending.
    children: Rows<u32>,
}

/// What [`Dominated::walk`] tells: an object, all that it dominates, and then that it is over.
pub trait Visitor {
    /// The walk comes to an object.
    fn enter(&mut self, object: ObjectIdx);
    /// Everything that the object dominates has been told.
    fn leave(&mut self, object: ObjectIdx);
}

impl<'o> Dominated<'o> {
    /// Turns the dominators around.
    pub fn new(ownership: &'o Ownership<'o>) -> Self {
        let dominators = &ownership.dominators;
        // The virtual root is its own dominator, and nobody's child.
        let backward = || (1..dominators.len() as u32).rev().map(|number| (dominators[number as usize], number));
        Self { ownership, children: Rows::new(dominators.len(), VIRTUAL_ROOT, backward) }
    }

    /// The objects that nothing else dominates; private leaves are never among them.
    pub fn tops(&self) -> impl Iterator<Item = ObjectIdx> {
        self.numbered(VIRTUAL_ROOT)
    }

    /// The objects whose immediate dominator this one is.
    pub fn of(&self, object: ObjectIdx) -> impl Iterator<Item = ObjectIdx> {
        let place = self.ownership.places[object.at()];
        let number = (place != 0 && place & LEAF == 0).then_some(place);
        number.into_iter().flat_map(|number| self.numbered(number).chain(self.leaves(number)))
    }

    /// The one of them that retains most, the first of equals.
    pub fn largest(&self, object: ObjectIdx) -> Option<ObjectIdx> {
        let retained = |child: ObjectIdx| self.ownership.retained_bytes(child);
        self.of(object).reduce(|best, child| if retained(child) > retained(best) { child } else { best })
    }

    /// Tells `object` and all that it dominates, or every reachable object; no recursion.
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

    /// All that a number dominates. Who is open is known from the children that are: each cursor stands behind one.
    fn walk_below(&self, start: u32, visitor: &mut impl Visitor) {
        let object = |number: u32| self.ownership.vertex[number as usize];
        self.tell_leaves(start, visitor);
        let mut open: Vec<u32> = vec![self.children.range(start).start as u32];
        let mut at = start;
        while let Some(cursor) = open.last_mut() {
            if (*cursor as usize) < self.children.range(at).end {
                at = self.children.entry(*cursor as usize);
                *cursor += 1;
                visitor.enter(object(at));
                self.tell_leaves(at, visitor);
                open.push(self.children.range(at).start as u32);
            } else {
                open.pop();
                if at != start {
                    visitor.leave(object(at));
                    at = self.ownership.dominators[at as usize];
                }
            }
        }
    }

    fn tell_leaves(&self, number: u32, visitor: &mut impl Visitor) {
        for leaf in self.leaves(number) {
            visitor.enter(leaf);
            visitor.leave(leaf);
        }
    }

    fn numbered(&self, number: u32) -> impl Iterator<Item = ObjectIdx> {
        self.children.of(number).iter().map(|&child| self.ownership.vertex[child as usize])
    }

    /// One reference leads to each private leaf, so none comes twice.
    fn leaves(&self, number: u32) -> impl Iterator<Item = ObjectIdx> {
        let referees = self.ownership.heap.references().of(self.ownership.vertex[number as usize]);
        referees.iter().copied().filter(move |referee| self.ownership.places[referee.at()] == LEAF | number)
    }
}
