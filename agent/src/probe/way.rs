//! The objects on the unbranched way from an owner to its members (a map's table): when one of them is replaced, the
//! program has relinked the structure.

use super::reader::HeapReader;
use super::route::Route;

/// Most objects that are remembered.
const LONGEST: usize = 4;

/// The objects of the last visit.
pub struct Way<H>(Vec<H>);

impl<H> Default for Way<H> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<H> Way<H> {
    /// Reads that a look takes: one for each object remembered.
    pub fn reads(&self) -> u32 {
        self.0.len() as u32
    }

    /// Compares the objects with those of the last look. Whether one was replaced.
    pub fn look<R: HeapReader<Held = H>>(&mut self, reader: &R, route: &Route, owner: &R::Ref) -> bool {
        let known = std::mem::take(&mut self.0);
        let (mut relinked, mut place) = (false, 0);
        let mut at = reader.duplicate(owner);
        while let Some(object) = at.take() {
            let [step] = &route.places[place].steps[..] else { break };
            if step.is_array || self.0.len() == LONGEST || step.to.contains(&place) {
                break;
            }
            let Some(next) = route.read(reader, place, 0, &object) else { break };
            // A member is no part of the way to it.
            let to = route.admit(reader, step, &next).filter(|&to| !route.places[to].counts);
            let Some(to) = to else { break };
            if let Some(before) = known.get(self.0.len()) {
                relinked |= !reader.recall(before).is_some_and(|before| reader.same(&before, &next));
            }
            self.0.extend(reader.hold(&next));
            (place, at) = (to, Some(next));
        }
        relinked
    }
}
