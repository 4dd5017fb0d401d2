//! A number of each of the structures of which a larger one consists, as a sum: the sizes of the maps in an array of
//! maps. A walk along the route ends at these structures, so it reads few objects, however many members they have.

use super::automaton::Route;
use super::traversal::{Full, traverse};
use crate::probe::reading::reader::{HeapReader, Number};
use std::cell::Cell;

/// Most objects that one sum may read. A structure of more parts has no such candidate any more.
const MOST_READS: u32 = 4_096;

/// A walk to the parts.
pub struct Sum {
    /// The route up to them.
    route: Route,
    /// It cannot be read.
    is_out: Cell<bool>,
}

impl Sum {
    /// A walk to the objects at this place of a route, which is not the owner's.
    pub fn over(route: &Route, place: usize) -> Self {
        let mut places = route.places.clone();
        for (at, each) in places.iter_mut().enumerate() {
            each.counts = at == place;
        }
        let is_out = place == 0 || place >= places.len();
        places.get_mut(place).into_iter().for_each(|part| part.steps.clear());
        Self { route: Route::new(places), is_out: Cell::new(is_out) }
    }

    /// The sum of what `number` gives for each part; `None` when one has no number, or there are too many.
    pub fn read<R: HeapReader>(
        &self,
        reader: &R,
        owner: &R::Ref,
        number: impl Fn(&R::Ref) -> Option<Number>,
    ) -> Option<Number> {
        if self.is_out.get() {
            return None;
        }
        let mut sum = Some(Number { value: 0, reads: 0 });
        let add = |part: &R::Ref| {
            sum = sum
                .zip(number(part))
                .map(|(sum, part)| Number { value: sum.value.wrapping_add(part.value), reads: sum.reads + part.reads });
        };
        match traverse(reader, &self.route, reader.duplicate(owner)?, MOST_READS, add) {
            Full::Counted { reads, .. } => sum.map(|sum| Number { reads: sum.reads + reads, ..sum }),
            Full::OverBudget { .. } => {
                self.is_out.set(true);
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::automaton::Place;
    use super::*;
    use crate::probe::tests::fake_heap::{FakeHeap, step};

    /// An array of `parts` maps, each with a table of entries; the number of a map is its place in the heap.
    fn maps(parts: usize) -> (FakeHeap, Route, usize) {
        let place = |counts, steps| Place { counts, steps };
        let route = Route::new(vec![
            place(false, vec![step(true, 1)]),
            place(false, vec![step(false, 2)]),
            place(false, vec![step(true, 3)]),
            place(true, vec![]),
        ]);
        let mut heap = FakeHeap::default();
        let maps = (0..parts).map(|_| {
            let entries = (0..10).map(|_| Some(heap.add(3, vec![]))).collect();
            let table = heap.add(2, entries);
            Some(heap.add(1, vec![Some(table)]))
        });
        let maps: Vec<Option<usize>> = maps.collect();
        let owner = heap.add(0, maps);
        (heap, route, owner)
    }

    #[test]
    fn the_parts_are_read_and_their_members_are_not() {
        let (heap, route, owner) = maps(20);
        let sum = Sum::over(&route, 1);
        let read = || sum.read(&heap, &owner, |_| Some(Number { value: 10, reads: 1 }));
        assert_eq!(read(), Some(Number { value: 200, reads: 40 }));
        assert_eq!(sum.read(&heap, &owner, |_| None), None, "a part without the number");
        assert_eq!(read(), Some(Number { value: 200, reads: 40 }), "it may have one later");
    }

    #[test]
    fn of_too_many_parts_there_is_no_sum_any_more() {
        let (heap, route, owner) = maps(5_000);
        let sum = Sum::over(&route, 1);
        assert_eq!(sum.read(&heap, &owner, |_| Some(Number { value: 1, reads: 1 })), None);
        assert!(sum.is_out.get());
    }

    #[test]
    fn the_owner_and_places_that_are_not_there_have_no_sum() {
        let (heap, route, owner) = maps(3);
        for place in [0, 4] {
            assert_eq!(Sum::over(&route, place).read(&heap, &owner, |_| Some(Number { value: 1, reads: 1 })), None);
        }
    }
}
