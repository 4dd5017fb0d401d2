//! The whole traversal where members are reachable by several paths each: breadth first, each object once, recognized
//! by a mark that it bears during the count. No mark is left behind, however the count ends.
//!
//! Every entered object is held until then: this queue holds the objects still to be read, and the marks to remove. A
//! second traversal instead would miss objects that the program unlinked meanwhile. The references held are bounded by
//! the budget.

use super::traversal::{EMPTY_SLOT_COST, Full, READ_COST};
use crate::probe::reading::reader::HeapReader;
use crate::probe::reading::route::{Route, Step};

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
    let limit = u64::from(budget) * READ_COST;
    let mut count = Count { reader, route, counted, entered: Vec::new(), size: 0, cost: 0, limit };
    let end = count.all(owner);
    let (size, reads) = (count.size, count.cost.div_ceil(READ_COST) as u32);
    match end {
        Ok(()) => Some(Full::Counted { size, reads }),
        Err(End::OverBudget) => Some(Full::OverBudget { reads }),
        Err(End::Unmarkable) => None,
    }
}

struct Count<'v, R: HeapReader, F> {
    reader: &'v R,
    route: &'v Route,
    counted: F,
    /// Every object that was entered, with its place, in the order in which they are read.
    entered: Vec<(usize, R::Ref)>,
    size: u64,
    cost: u64,
    limit: u64,
}

impl<R: HeapReader, F: FnMut(&R::Ref)> Count<'_, R, F> {
    fn all(&mut self, owner: R::Ref) -> Result<(), End> {
        self.enter(0, owner)?;
        let mut at = 0;
        while at < self.entered.len() {
            self.read_from(at)?;
            at += 1;
        }
        Ok(())
    }

    /// Reads every reference that the route names of one object.
    fn read_from(&mut self, at: usize) -> Result<(), End> {
        let (reader, route, place) = (self.reader, self.route, self.entered[at].0);
        for (index, step) in route.places[place].steps.iter().enumerate() {
            let slots = if step.is_array { reader.length(&self.entered[at].1) } else { 1 };
            for slot in 0..slots {
                if self.cost + READ_COST > self.limit {
                    return Err(End::OverBudget);
                }
                let object = &self.entered[at].1;
                let referee =
                    if step.is_array { reader.element(object, slot) } else { route.read(reader, place, index, object) };
                let is_empty_slot = step.is_array && referee.is_none();
                self.cost += if is_empty_slot { EMPTY_SLOT_COST } else { READ_COST };
                referee.map_or(Ok(()), |referee| self.arrive(step, referee))?;
            }
        }
        Ok(())
    }

    fn arrive(&mut self, step: &Step, referee: R::Ref) -> Result<(), End> {
        let Some(place) = self.route.admit(self.reader, step, &referee) else { return Ok(()) };
        if self.reader.is_entered(&referee) {
            return Ok(());
        }
        if self.route.places[place].counts {
            self.size += 1;
            (self.counted)(&referee);
        }
        self.enter(place, referee)
    }

    fn enter(&mut self, place: usize, object: R::Ref) -> Result<(), End> {
        let is_marked = self.reader.set_entered(&object, true);
        self.entered.push((place, object));
        if is_marked { Ok(()) } else { Err(End::Unmarkable) }
    }
}

impl<R: HeapReader, F> Drop for Count<'_, R, F> {
    fn drop(&mut self) {
        for (_, object) in &self.entered {
            self.reader.set_entered(object, false);
        }
    }
}
