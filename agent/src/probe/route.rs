//! The automaton of a probe without its names: places, steps, and where a step may lead. Reads nothing itself.

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
    /// Where to go on.
    pub steps: Vec<Step>,
}

/// A step.
#[derive(Clone, Debug)]
pub struct Step {
    /// Every slot of an array, instead of one field.
    pub is_array: bool,
    /// Candidate places, most specific first.
    pub to: Vec<usize>,
}

/// A chain: single fields from the owner to its first node, one field from node to node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// Places before the first node, the owner's first; each has one step.
    pub prefix: Vec<usize>,
    /// Place of the nodes.
    pub place: usize,
    /// Step from node to node.
    pub next: usize,
}

impl Route {
    /// Whether nothing is read beyond this place.
    pub fn is_leaf(&self, place: usize) -> bool {
        self.places[place].steps.is_empty()
    }

    /// The first candidate place that admits `object`.
    pub fn admit<R: HeapReader>(&self, reader: &R, step: &Step, object: &R::Ref) -> Option<usize> {
        step.to.iter().copied().find(|&place| reader.admits(place, object))
    }

    /// The chain that this route is, if it is one; leaves beside the links are allowed.
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
            if let Some(next) = self.link(place) {
                return Some(Chain { prefix, place, next });
            }
            if self.places[place].counts {
                return None;
            }
        }
        None
    }

    /// The one step that leads from a node to the next, when `place` is a chain's.
    fn link(&self, place: usize) -> Option<usize> {
        let mut links = self.places[place].steps.iter().enumerate().filter(|(_, step)| !self.leads_to_leaves(step));
        let (next, link) = links.next()?;
        (links.next().is_none() && !link.is_array && link.to == [place]).then_some(next)
    }

    fn leads_to_leaves(&self, step: &Step) -> bool {
        !step.is_array && step.to.iter().all(|&place| self.is_leaf(place))
    }
}
