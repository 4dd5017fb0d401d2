//! The step of a walk: reads the next reference of an object, checks where it leads, and counts the cost of the read.
//! The order in which objects are read is the caller's, and so is the count of members.

use super::automaton::Route;
use crate::probe::reading::reader::HeapReader;

/// Costs in quarters of a read: an empty slot touches no second object, and sparse tables are full of them.
const READ_COST: u64 = 4;
const EMPTY_SLOT_COST: u64 = 1;

/// An object whose references are being read.
pub struct Frame<O> {
    /// Its place.
    pub place: usize,
    /// The object.
    pub object: O,
    /// The step that is read next, …
    pub step: usize,
    /// … and its next slot, if it is an array's.
    pub slot: u32,
}

/// The result of a step.
pub enum Next<O> {
    /// The reference leads to this object of the structure, at this place.
    Arrival(usize, O),
    /// It leads nowhere, or to an object that is no part of the structure.
    Nothing,
    /// The object has no further reference.
    End,
    /// The budget does not suffice for another read.
    OverBudget,
}

/// A walk within a budget.
pub struct Walk<'v, R> {
    /// The heap.
    pub reader: &'v R,
    /// The route.
    pub route: &'v Route,
    cost: u64,
    limit: u64,
}

impl<'v, R: HeapReader> Walk<'v, R> {
    /// A walk that reads at most this number of objects; four empty slots count as one.
    pub fn new(reader: &'v R, route: &'v Route, budget: u32) -> Self {
        Self { reader, route, cost: 0, limit: u64::from(budget) * READ_COST }
    }

    /// Objects read so far.
    pub fn reads(&self) -> u32 {
        self.cost.div_ceil(READ_COST) as u32
    }

    /// Counts a read that the caller made.
    pub fn add_read(&mut self) {
        self.cost += READ_COST;
    }

    /// Reads the next reference of this object.
    pub fn next(&mut self, frame: &mut Frame<R::Ref>) -> Next<R::Ref> {
        let (reader, route) = (self.reader, self.route);
        let step = loop {
            let Some(step) = route.places[frame.place].steps.get(frame.step) else { return Next::End };
            if !step.is_array || frame.slot < reader.length(&frame.object) {
                break step;
            }
            (frame.step, frame.slot) = (frame.step + 1, 0);
        };
        if self.cost + READ_COST > self.limit {
            return Next::OverBudget;
        }
        let referee = if step.is_array {
            frame.slot += 1;
            reader.element(&frame.object, frame.slot - 1)
        } else {
            frame.step += 1;
            route.read(reader, frame.place, frame.step - 1, &frame.object)
        };
        self.cost += if step.is_array && referee.is_none() { EMPTY_SLOT_COST } else { READ_COST };
        let Some(referee) = referee else { return Next::Nothing };
        route.admit(reader, step, &referee).map_or(Next::Nothing, |place| Next::Arrival(place, referee))
    }
}

impl<O> Frame<O> {
    /// An object before its first reference is read.
    pub fn new(place: usize, object: O) -> Self {
        Self { place, object, step: 0, slot: 0 }
    }

    /// The same position with another reference to the object.
    pub fn with<P>(&self, object: P) -> Frame<P> {
        Frame { place: self.place, object, step: self.step, slot: self.slot }
    }

    /// Whether no reference is left; an array is done once its end was met.
    pub fn is_done(&self, route: &Route) -> bool {
        self.step == route.places[self.place].steps.len()
    }

    /// Whether the last reference was the one that leads along a chain.
    pub fn ends_along_chain(&self, route: &Route) -> bool {
        let last = route.places[self.place].steps.last();
        self.is_done(route) && last.is_some_and(|step| step.to.contains(&self.place))
    }
}
