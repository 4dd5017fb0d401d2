//! The objects on the stem of a route (a map's table). When one of them is replaced, the program has relinked the
//! structure. Where the stem ends in an array that holds each member in a slot of its own, the array's length is the
//! most members that are possible without a relink.

use crate::probe::reading::reader::HeapReader;
use crate::probe::route::automaton::Route;

/// The result of a check along the path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PathState {
    /// An object was replaced since the last check.
    pub relinked: bool,
    /// Length of the array that holds each member in a slot of its own.
    pub slots: Option<u32>,
}

impl PathState {
    /// What was seen of the path now, in addition to what was seen of it before in the same visit.
    pub fn and(self, now: Self) -> Self {
        Self { relinked: self.relinked || now.relinked, slots: now.slots.or(self.slots) }
    }
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
        let mut state = PathState::default();
        let Some(mut at) = reader.duplicate(owner) else { return state };
        // A member is no part of the path to it.
        for (from, to) in route.shape.stem.hops().take_while(|&(_, to)| !route.places[to].counts) {
            let next = route.read(reader, from, 0, &at).filter(|next| reader.admits(to, next));
            let Some(next) = next else { return state };
            if let Some(before) = known.get(self.0.len()) {
                state.relinked |= !reader.recall(before).is_some_and(|before| reader.same(&before, &next));
            }
            self.0.extend(reader.hold(&next));
            at = next;
        }
        state.slots = route.shape.kind.may_fill().then(|| reader.length(&at));
        state
    }
}
