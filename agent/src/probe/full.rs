//! The whole traversal: depth first with an explicit stack, up to a budget. Counts exactly or not at all.

use super::reader::HeapReader;
use super::route::Route;

/// Most references held at once; deeper structures are left to the other ways of counting.
pub const DEPTH: usize = 4096;

/// What a read costs, in quarters of one: an empty slot touches no second object, and sparse tables are full of them.
const READ_COST: u64 = 4;
const EMPTY_SLOT_COST: u64 = 1;

/// What a traversal came to.
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

/// Traverses from the owner, never beyond the budget; four empty array slots count as one read.
pub fn traverse<R: HeapReader>(
    reader: &R,
    route: &Route,
    owner: R::Ref,
    budget: u32,
    mut counted: impl FnMut(&R::Ref),
) -> Full {
    let (mut size, mut cost, limit) = (0, 0, u64::from(budget) * READ_COST);
    let reads = |cost: u64| cost.div_ceil(READ_COST) as u32;
    let mut stack = vec![Frame { place: 0, object: owner, step: 0, slot: 0 }];
    while let Some(frame) = stack.last_mut() {
        let steps = &route.places[frame.place].steps;
        let Some(step) = steps.get(frame.step) else {
            stack.pop();
            continue;
        };
        if cost + READ_COST > limit {
            return Full::OverBudget { reads: reads(cost) };
        }
        let is_slot = step.is_array;
        let referee = if is_slot {
            let slot = frame.slot;
            frame.slot += 1;
            if slot >= reader.length(&frame.object) {
                (frame.step, frame.slot) = (frame.step + 1, 0);
                continue;
            }
            reader.element(&frame.object, slot)
        } else {
            frame.step += 1;
            reader.field(frame.place, frame.step - 1, &frame.object)
        };
        cost += if is_slot && referee.is_none() { EMPTY_SLOT_COST } else { READ_COST };
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
