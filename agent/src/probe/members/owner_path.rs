//! The objects on the unbranched path from an owner to its members (a map's table). When one of them is replaced, the
//! program has relinked the structure. Where the path ends in an array that holds each member in a slot of its own,
//! the array's length is the most members that are possible without a relink.

use crate::probe::reading::reader::HeapReader;
use crate::probe::reading::route::{Route, Step};

/// Most objects that are remembered.
const LONGEST: usize = 4;

/// The result of a check along the path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PathState {
    /// An object was replaced since the last check.
    pub relinked: bool,
    /// Length of the array that holds each member in a slot of its own.
    pub slots: Option<u32>,
}

/// The objects of the last visit.
pub struct OwnerPath<H>(Vec<H>);

impl<H> Default for OwnerPath<H> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<H> OwnerPath<H> {
    /// Reads that a check takes: one for each object remembered.
    pub fn reads(&self) -> u32 {
        self.0.len() as u32
    }

    /// Compares the objects with those of the last check.
    pub fn check<R: HeapReader<Held = H>>(&mut self, reader: &R, route: &Route, owner: &R::Ref) -> PathState {
        let known = std::mem::take(&mut self.0);
        let (mut state, mut place) = (PathState::default(), 0);
        let mut at = reader.duplicate(owner);
        while let Some(object) = at.take() {
            let [step] = &route.places[place].steps[..] else { break };
            if step.is_array {
                state.slots = holds_each_in_a_slot(route, step).then(|| reader.length(&object));
            }
            if step.is_array || self.0.len() == LONGEST || step.to.contains(&place) {
                break;
            }
            let Some(next) = route.read(reader, place, 0, &object) else { break };
            // A member is no part of the path to it.
            let to = route.admit(reader, step, &next).filter(|&to| !route.places[to].counts);
            let Some(to) = to else { break };
            if let Some(before) = known.get(self.0.len()) {
                state.relinked |= !reader.recall(before).is_some_and(|before| reader.same(&before, &next));
            }
            self.0.extend(reader.hold(&next));
            (place, at) = (to, Some(next));
        }
        state
    }
}

/// Whether each slot of an array holds one member and leads to no other.
fn holds_each_in_a_slot(route: &Route, step: &Step) -> bool {
    step.to.iter().all(|&place| route.places[place].counts && route.is_leaf(place))
}
