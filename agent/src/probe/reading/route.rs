//! The automaton of a probe without its names: places, steps, and the possible targets of a step. Reads nothing
//! itself.

use super::reader::HeapReader;

/// A route; place 0 is the owner's.
#[derive(Clone, Debug, Default)]
pub struct Route {
    /// The places.
    pub places: Vec<Place>,
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

/// A chain: single references from the owner to its first node, and from node to node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// Places before the first node, the owner's first; each has one step.
    pub prefix: Vec<usize>,
    /// Place of the nodes.
    pub place: usize,
    /// Step from a node to the next, or to the object between them.
    pub next: usize,
    /// The place between two nodes: an object with one step.
    pub between: Option<usize>,
}

/// An array right behind single references from the owner: a table, a list's elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayWay {
    /// Places before the array, the owner's first; each has one step.
    pub prefix: Vec<usize>,
    /// Place of the array; its one step reads every slot.
    pub place: usize,
    /// Whether no reference is followed from the objects in the slots, and each of them counts as one.
    pub holds_leaves: bool,
}

impl Route {
    /// Whether no reference is followed from this place.
    pub fn is_leaf(&self, place: usize) -> bool {
        self.places[place].steps.is_empty()
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

    /// Goes along places with one step each; `None` when the path ends early or leads elsewhere.
    pub fn follow<R: HeapReader>(&self, reader: &R, prefix: &[usize], end: usize, owner: &R::Ref) -> Option<R::Ref> {
        let mut at = reader.duplicate(owner)?;
        for (index, &place) in prefix.iter().enumerate() {
            let to = prefix.get(index + 1).copied().unwrap_or(end);
            at = self.read(reader, place, 0, &at).filter(|next| reader.admits(to, next))?;
        }
        Some(at)
    }

    /// The array that single references lead to, if the route is of that kind.
    pub fn array(&self) -> Option<ArrayWay> {
        let (mut place, mut prefix) = (0, Vec::new());
        while prefix.len() < self.places.len() {
            let [step] = &self.places[place].steps[..] else { return None };
            if step.is_array {
                let is_leaf = |&to: &usize| self.is_leaf(to) && self.places[to].counts;
                return Some(ArrayWay { prefix, place, holds_leaves: step.to.iter().all(is_leaf) });
            }
            let [to] = step.to[..] else { return None };
            if to == 0 || self.places[to].counts {
                return None;
            }
            prefix.push(place);
            place = to;
        }
        None
    }

    /// The chain that this route is, if it is one; leaves next to the links are allowed.
    pub fn chain(&self) -> Option<Chain> {
        let (mut place, mut prefix) = (0, Vec::new());
        while prefix.len() < self.places.len() {
            let [step] = &self.places[place].steps[..] else { return None };
            let [to] = step.to[..] else { return None };
            if step.is_array || to == 0 {
                return None;
            }
            prefix.push(place);
            place = to;
            if let Some((next, between)) = self.link(place) {
                return Some(Chain { prefix, place, next, between });
            }
            if self.places[place].counts {
                return None;
            }
        }
        None
    }

    /// The one step that leads from a node towards the next, when `place` is a chain's, and the place between them.
    fn link(&self, place: usize) -> Option<(usize, Option<usize>)> {
        let mut links = self.places[place].steps.iter().enumerate().filter(|(_, step)| !self.leads_to_leaves(step));
        let (next, link) = links.next()?;
        if links.next().is_some() || link.is_array {
            return None;
        }
        let [to] = link.to[..] else { return None };
        if to == place {
            return Some((next, None));
        }
        let [back] = &self.places[to].steps[..] else { return None };
        let is_between = !self.places[to].counts && to != 0 && !back.is_array && back.to == [place];
        is_between.then_some((next, Some(to)))
    }

    fn leads_to_leaves(&self, step: &Step) -> bool {
        !step.is_array && step.to.iter().all(|&place| self.is_leaf(place))
    }
}
