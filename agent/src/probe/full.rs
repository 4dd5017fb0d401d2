//! The whole traversal: depth first with an explicit stack, up to a budget. Counts exactly or not at all.

use super::reader::HeapReader;
use super::route::Route;

/// Most references held at once; deeper structures are left to the other ways of counting.
pub const DEPTH: usize = 4096;

/// What a traversal came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Full {
    /// Everything was read.
    Counted {
        /// Arrivals at counting places.
        size: u64,
        /// Objects read.
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

/// Traverses from the owner.
pub fn traverse<R: HeapReader>(
    reader: &R,
    route: &Route,
    owner: R::Ref,
    budget: u32,
    mut counted: impl FnMut(&R::Ref),
) -> Full {
    let (mut size, mut reads) = (0, 0);
    let mut stack = vec![Frame { place: 0, object: owner, step: 0, slot: 0 }];
    while let Some(frame) = stack.last_mut() {
        let steps = &route.places[frame.place].steps;
        let Some(step) = steps.get(frame.step) else {
            stack.pop();
            continue;
        };
        if reads >= budget {
            return Full::OverBudget { reads };
        }
        let referee = if step.is_array {
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
        reads += 1;
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
                return Full::OverBudget { reads };
            }
            stack.push(Frame { place, object: referee, step: 0, slot: 0 });
        }
    }
    Full::Counted { size, reads }
}
