//! The whole traversal: depth first with an explicit stack, up to a budget. Counts exactly or not at all.

use crate::probe::reading::reader::HeapReader;
use crate::probe::route::automaton::Route;
use crate::probe::route::walk::{Frame, Next, Walk};

/// Most references held at a time; deeper structures are left to the other methods of counting.
pub const DEPTH: usize = 4096;

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
    let (mut size, mut walk) = (0, Walk::new(reader, route, budget));
    let mut stack = vec![Frame::new(place, object)];
    while let Some(frame) = stack.last_mut() {
        let next = walk.next(frame);
        // Done with this object: its frame goes before the referee's comes, so that a chain stays one frame deep.
        if frame.is_done(route) {
            stack.pop();
        }
        let (place, referee) = match next {
            Next::Arrival(place, referee) => (place, referee),
            Next::Nothing | Next::End => continue,
            Next::OverBudget => return Full::OverBudget { reads: walk.reads() },
        };
        if route.places[place].counts {
            size += 1;
            counted(&referee);
        }
        if !route.places[place].is_leaf() {
            if stack.len() >= DEPTH {
                return Full::OverBudget { reads: walk.reads() };
            }
            stack.push(Frame::new(place, referee));
        }
    }
    Full::Counted { size, reads: walk.reads() }
}
