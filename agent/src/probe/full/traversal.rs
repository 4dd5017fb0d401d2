//! The whole traversal: depth first with an explicit stack, up to a budget. Counts exactly or not at all.

use crate::probe::reading::reader::HeapReader;
use crate::probe::reading::route::{Route, Step};

/// Most references held at a time; deeper structures are left to the other methods of counting.
pub const DEPTH: usize = 4096;

/// The cost of a read, in quarters of one: an empty slot touches no second object, and sparse tables are full of them.
pub(in crate::probe) const READ_COST: u64 = 4;
pub(in crate::probe) const EMPTY_SLOT_COST: u64 = 1;

/// The result of a traversal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Full {
    /// Everything was read.
    Counted {
        /// Arrivals at counting places.
        size: u64,
        /// Objects read; four empty slots count as one.
        reads: u32,
    },
    /// The budget (or the depth) did not suffice.
    OverBudget {
        /// Objects read.
        reads: u32,
    },
}

struct Frame<O> {
    place: usize,
    object: O,
    step: usize,
    slot: u32,
}

impl<O> Frame<O> {
    /// The next reference of this object and the cost of reading it; `None` behind an array's last slot.
    fn read<R: HeapReader<Ref = O>>(&mut self, reader: &R, route: &Route, step: &Step) -> Option<(Option<O>, u64)> {
        if !step.is_array {
            self.step += 1;
            return Some((route.read(reader, self.place, self.step - 1, &self.object), READ_COST));
        }
        let slot = self.slot;
        if slot >= reader.length(&self.object) {
            (self.step, self.slot) = (self.step + 1, 0);
            return None;
        }
        self.slot += 1;
        let referee = reader.element(&self.object, slot);
        let cost = if referee.is_none() { EMPTY_SLOT_COST } else { READ_COST };
        Some((referee, cost))
    }
}

/// Traverses from the owner, never beyond the budget; four empty array slots count as one read.
pub fn traverse<R: HeapReader>(
    reader: &R,
    route: &Route,
    owner: R::Ref,
    budget: u32,
    counted: impl FnMut(&R::Ref),
) -> Full {
    traverse_from(reader, route, (0, owner), budget, counted)
}

/// As [`traverse`], from any object and its place; the object itself does not count.
pub fn traverse_from<R: HeapReader>(
    reader: &R,
    route: &Route,
    (place, object): (usize, R::Ref),
    budget: u32,
    mut counted: impl FnMut(&R::Ref),
) -> Full {
    let (mut size, mut cost, limit) = (0, 0, u64::from(budget) * READ_COST);
    let reads = |cost: u64| cost.div_ceil(READ_COST) as u32;
    let mut stack = vec![Frame { place, object, step: 0, slot: 0 }];
    while let Some(frame) = stack.last_mut() {
        let steps = &route.places[frame.place].steps;
        let Some(step) = steps.get(frame.step) else {
            stack.pop();
            continue;
        };
        if cost + READ_COST > limit {
            return Full::OverBudget { reads: reads(cost) };
        }
        let Some((referee, read_cost)) = frame.read(reader, route, step) else { continue };
        cost += read_cost;
        // Done with this object: its frame goes before the referee's comes, so that a chain stays one frame deep.
        if frame.step == steps.len() {
            stack.pop();
        }
        let Some(referee) = referee else { continue };
        let Some(place) = route.admit(reader, step, &referee) else { continue };
        if route.places[place].counts {
            size += 1;
            counted(&referee);
        }
        if !route.is_leaf(place) {
            if stack.len() >= DEPTH {
                return Full::OverBudget { reads: reads(cost) };
            }
            stack.push(Frame { place, object: referee, step: 0, slot: 0 });
        }
    }
    Full::Counted { size, reads: reads(cost) }
}
