//! The whole traversal where members are reachable by several paths each: breadth first, each object once, recognized
//! by a mark that it bears during the count. No mark is left behind, however the count ends.
//!
//! Every entered object is held until then: this queue holds the objects still to be read, and the marks to remove. A
//! second traversal instead would miss objects that the program unlinked meanwhile. The references held are bounded by
//! the budget.

use crate::probe::reading::reader::HeapReader;
use crate::probe::route::automaton::Route;
use crate::probe::route::traversal::Full;
use crate::probe::route::walk::{Frame, Next, Walk};

/// The reason for a count's early end.
enum End {
    OverBudget,
    Unmarkable,
}

/// Traverses from the owner, never beyond the budget; four empty array slots count as one read. The owner is no member
/// of its own structure. `None` when an object could not be marked.
pub fn traverse<R: HeapReader>(
    reader: &R,
    route: &Route,
    owner: R::Ref,
    budget: u32,
    counted: impl FnMut(&R::Ref),
) -> Option<Full> {
    let mut count = Count { walk: Walk::new(reader, route, budget), counted, entered: Vec::new(), size: 0 };
    let end = count.all(owner);
    let (size, reads) = (count.size, count.walk.reads());
    match end {
        Ok(()) => Some(Full::Counted { size, reads }),
        Err(End::OverBudget) => Some(Full::OverBudget { reads }),
        Err(End::Unmarkable) => None,
    }
}

struct Count<'v, R: HeapReader, F> {
    walk: Walk<'v, R>,
    counted: F,
    /// Every object that was entered, in the order in which they are read.
    entered: Vec<Frame<R::Ref>>,
    size: u64,
}

impl<R: HeapReader, F: FnMut(&R::Ref)> Count<'_, R, F> {
    fn all(&mut self, owner: R::Ref) -> Result<(), End> {
        self.enter(0, owner)?;
        let mut at = 0;
        while let Some(frame) = self.entered.get_mut(at) {
            match self.walk.next(frame) {
                Next::Arrival(place, referee) => self.arrive(place, referee)?,
                Next::Nothing => {}
                Next::End => at += 1,
                Next::OverBudget => return Err(End::OverBudget),
            }
        }
        Ok(())
    }

    fn arrive(&mut self, place: usize, referee: R::Ref) -> Result<(), End> {
        if self.walk.reader.is_entered(&referee) {
            return Ok(());
        }
        if self.walk.route.places[place].counts {
            self.size += 1;
            (self.counted)(&referee);
        }
        self.enter(place, referee)
    }

    fn enter(&mut self, place: usize, object: R::Ref) -> Result<(), End> {
        let is_marked = self.walk.reader.set_entered(&object, true);
        self.entered.push(Frame::new(place, object));
        if is_marked { Ok(()) } else { Err(End::Unmarkable) }
    }
}

impl<R: HeapReader, F> Drop for Count<'_, R, F> {
    fn drop(&mut self) {
        for frame in &self.entered {
            self.walk.reader.set_entered(&frame.object, false);
        }
    }
}
