//! The automaton of a probe without its names: places, steps, and the possible targets of a step. Reads nothing
//! itself.

use super::shape::{Kind, Shape};
use crate::probe::reading::reader::HeapReader;

/// A route; place 0 is the owner's.
#[derive(Clone, Debug, Default)]
pub struct Route {
    /// The places.
    pub places: Vec<Place>,
    /// The kind of structure.
    pub shape: Shape,
}

/// A place.
#[derive(Clone, Debug, Default)]
pub struct Place {
    /// Whether an arrival counts.
    pub counts: bool,
    /// The steps that lead on.
    pub steps: Vec<Step>,
}

/// A step.
#[derive(Clone, Debug)]
pub struct Step {
    /// Every slot of an array, instead of one reference.
    pub is_array: bool,
    /// This slot of an array alone, instead of a field.
    pub slot: Option<u32>,
    /// Candidate places, most specific first.
    pub to: Vec<usize>,
}

impl Route {
    /// A route along which each member is reachable by one path.
    pub fn new(places: Vec<Place>) -> Self {
        Self { shape: Shape::of(&places), places }
    }

    /// A route along which members are reachable by several paths each.
    pub fn of_mesh(places: Vec<Place>) -> Self {
        let shape = Shape { kind: Kind::MultiPath, ..Shape::of(&places) };
        Self { shape, places }
    }

    /// The first candidate place that admits `object`.
    pub fn admit<R: HeapReader>(&self, reader: &R, step: &Step, object: &R::Ref) -> Option<usize> {
        step.to.iter().copied().find(|&place| reader.admits(place, object))
    }

    /// The reference of a step that is no array's.
    pub fn read<R: HeapReader>(&self, reader: &R, place: usize, index: usize, object: &R::Ref) -> Option<R::Ref> {
        match self.places[place].steps[index].slot {
            None => reader.field(place, index, object),
            Some(slot) if slot < reader.length(object) => reader.element(object, slot),
            Some(_) => None,
        }
    }

    /// Goes along the stem; `None` when it ends early or leads elsewhere.
    pub fn follow<R: HeapReader>(&self, reader: &R, owner: &R::Ref) -> Option<R::Ref> {
        let mut at = reader.duplicate(owner)?;
        for (from, to) in self.shape.stem.hops() {
            at = self.read(reader, from, 0, &at).filter(|next| reader.admits(to, next))?;
        }
        Some(at)
    }
}

impl Place {
    /// Whether no reference is followed from here.
    pub fn is_leaf(&self) -> bool {
        self.steps.is_empty()
    }
}
