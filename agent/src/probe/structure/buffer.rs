//! One probe over its visits where the structure is one array that is replaced by a longer one when it is full, and
//! that gains no new object: a string builder, a bit set, a list or a map of primitives, a list of the same few
//! objects. Its length shows its growth in leaps; a number next to it that follows its fill is more exact. Never reads
//! an element. Knows no JVM.
//!
//! That number cannot be found by counting here, so it is recognized by its behaviour. It never exceeds the length, it
//! moves while the array stays, and it stood at the fill, or nearly, when the array was outgrown.

use crate::probe::counter::candidates::Dropped;
use crate::probe::failure::VisitFailure;
use crate::probe::members::owner_path::PathState;
use crate::probe::observation::Observation;
use crate::probe::reading::reader::HeapReader;
use crate::probe::route::shape::Kind;
use crate::probe::visit::{Outcome, Visit};
use crate::random::Random;
use rootbound_wire::message::VisitMethod;

/// In an array that was outgrown at least one slot in this number was counted: maps are half empty, and some have two
/// slots or four to an entry.
const LEAST_FILLED: u32 = 8;
/// Contradictions in a row that drop a number.
const STRIKES: u8 = 2;
/// Visits that wait for a number to show that it follows, before the length alone is reported.
const PATIENCE: u32 = 6;
/// A number that follows is enough: the others are read in one visit of this number, to see whether they contradict
/// it.
const OTHERS_EVERY: usize = 8;

/// The memory of a probe of a buffer.
pub struct Buffer<H> {
    fills: Vec<Fill>,
    array: Option<H>,
    length: Option<u32>,
    /// Length of the array that the present one replaced, while that is not checked yet.
    outgrown: Option<u32>,
    visits: u32,
}

/// A number that may show how far the array is filled.
#[derive(Clone, Default)]
struct Fill {
    last: Option<i64>,
    /// It has moved while the array stayed.
    has_moved: bool,
    /// It stood high enough when an array had been outgrown.
    has_filled: bool,
    strikes: u8,
    is_out: bool,
}

/// An array in one visit.
struct Seen<'s> {
    length: u32,
    /// It is the array of the last visit.
    is_the_same: bool,
    /// Length of the one before it, once.
    outgrown: Option<u32>,
    /// Values of the numbers, by candidate.
    numbers: &'s [Option<i64>],
}

impl<H> Buffer<H> {
    /// State before the first visit, with `counters` candidates; `before` is a length that the array had once.
    pub fn new(counters: usize, before: Option<u32>) -> Self {
        Self { fills: vec![Fill::default(); counters], array: None, length: None, outgrown: before, visits: 0 }
    }

    /// Finds the length, or the fill.
    pub fn visit<R: HeapReader<Held = H>>(&mut self, visit: &Visit<'_, R>, random: &mut Random) -> Outcome {
        let Visit { reader, route, owner, .. } = *visit;
        if route.shape.kind != Kind::Buffer {
            return Outcome::new(Err(VisitFailure::NoArray), 0);
        }
        let mut reads = 2 * route.shape.stem.prefix.len() as u32 + 1;
        self.visits = self.visits.saturating_add(1);
        let Some(array) = route.follow(reader, owner) else { return self.empty(reads) };
        let (numbers, read) = self.ask(reader, owner, random);
        reads += read;
        // A program that replaces it meanwhile has moved the numbers, too.
        let is_steady = route.follow(reader, owner).is_some_and(|again| reader.same(&again, &array));
        let length = reader.length(&array);
        let known = self.array.as_ref().and_then(|known| reader.recall(known));
        let is_the_same = known.is_some_and(|known| reader.same(&known, &array));
        let path = PathState { relinked: self.length.is_some() && !is_the_same, slots: Some(length) };
        self.remember(length, is_the_same, reader.hold(&array));
        let mut dropped = Vec::new();
        if is_steady {
            let outgrown = self.outgrown.take().filter(|&before| before < length);
            dropped = self.judge(&Seen { length, is_the_same, outgrown, numbers: &numbers });
        }
        Outcome { path, dropped, ..Outcome::new(Ok(self.found(&numbers, length)), reads) }
    }

    fn remember(&mut self, length: u32, is_the_same: bool, array: Option<H>) {
        if !is_the_same {
            self.outgrown = self.length.filter(|&before| before < length).or(self.outgrown);
            self.array = array;
        }
        self.length = Some(length);
    }

    /// There is no array: the program has dropped it, or not made it yet.
    fn empty(&mut self, reads: u32) -> Outcome {
        let path = PathState { relinked: self.array.take().is_some(), slots: Some(0) };
        Outcome { path, ..Outcome::new(Ok(Observation::new(0.0, 0.0, VisitMethod::Length)), reads) }
    }

    /// Values of the candidates: all of them, or, in most visits, only those that follow.
    fn ask<R: HeapReader>(&self, reader: &R, owner: &R::Ref, random: &mut Random) -> (Vec<Option<i64>>, u32) {
        let is_known = self.fills.iter().any(Fill::follows);
        let asks_all = !is_known || self.outgrown.is_some() || random.below(OTHERS_EVERY) == 0;
        let mut reads = 0;
        let is_asked = |fill: &Fill| !fill.is_out && (asks_all || fill.follows());
        let asked = self.fills.iter().enumerate().map(|(counter, fill)| {
            let number = is_asked(fill).then(|| reader.number(counter, owner))??;
            reads += number.reads;
            Some(number.value)
        });
        (asked.collect(), reads)
    }

    /// Returns the candidates that this drops.
    fn judge(&mut self, seen: &Seen<'_>) -> Vec<Dropped> {
        let mut dropped = Vec::new();
        for (counter, fill) in self.fills.iter_mut().enumerate().filter(|(_, fill)| !fill.is_out) {
            let Some(value) = seen.numbers[counter] else { continue };
            fill.see(value, seen);
            if fill.is_out {
                dropped.push(Dropped { counter, was_trusted: fill.has_moved && fill.has_filled });
            }
        }
        dropped
    }

    fn found(&self, numbers: &[Option<i64>], length: u32) -> Observation {
        let following = self.fills.iter().zip(numbers).enumerate();
        let values =
            following.filter_map(|(counter, (fill, value))| Some((counter, value.filter(|_| fill.follows())?)));
        // A number that counts everything that came exceeds the number of those that are there.
        let least = values.filter(|&(_, value)| value >= 0).min_by_key(|&(counter, value)| (value, counter));
        let waits = self.visits <= PATIENCE && self.fills.iter().any(|fill| !fill.is_out);
        match least {
            Some((counter, value)) => {
                let size = value.min(i64::from(length)) as f64;
                Observation::new(size, 0.0, VisitMethod::Counter { counter: counter as u16 })
            }
            None if waits => Observation::unknown(f64::from(length), VisitMethod::Length),
            None => Observation::new(f64::from(length), 0.0, VisitMethod::Length),
        }
    }
}

impl Fill {
    fn follows(&self) -> bool {
        !self.is_out && self.strikes == 0 && self.has_moved && self.has_filled
    }

    fn see(&mut self, value: i64, seen: &Seen<'_>) {
        let fills = |outgrown: u32| value.saturating_mul(i64::from(LEAST_FILLED)) >= i64::from(outgrown.max(1));
        let fits = (0..=i64::from(seen.length)).contains(&value) && seen.outgrown.is_none_or(fills);
        self.has_moved |= seen.is_the_same && self.last.is_some_and(|last| last != value);
        self.last = Some(value);
        if fits {
            self.has_filled |= seen.outgrown.is_some();
            self.strikes = 0;
        } else {
            self.strikes += 1;
            self.is_out = self.strikes >= STRIKES || !self.has_filled && seen.outgrown.is_some();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::route::automaton::{Place, Route};
    use crate::probe::structure::planner::SizeProbe;
    use crate::probe::tests::fake_heap::{FakeHeap, step};
    use rootbound_wire::message::{Sighting, VisitOutcome};

    /// An owner with an array of `slots` slots, and numbers next to it.
    struct Watched {
        heap: FakeHeap,
        buffer: SizeProbe<usize>,
        owner: usize,
    }

    impl Watched {
        fn new(length: usize, before: Option<u32>, numbers: &[i64]) -> Self {
            let place = |counts, steps| Place { counts, steps };
            let route = Route::new(vec![place(false, vec![step(false, 1)]), place(true, vec![])]);
            let mut heap = FakeHeap { numbers: numbers.iter().copied().map(Some).collect(), ..FakeHeap::default() };
            let array = heap.add(1, vec![None; length]);
            let owner = heap.add(0, vec![Some(array)]);
            Self { buffer: SizeProbe::of_buffer(route, numbers.len(), before, 1), heap, owner }
        }

        fn grow_to(&mut self, length: usize) {
            let array = self.heap.add(1, vec![None; length]);
            self.heap.objects[self.owner].1[0] = Some(array);
        }

        fn set(&mut self, numbers: &[i64]) {
            self.heap.numbers = numbers.iter().copied().map(Some).collect();
        }

        fn visit(&mut self) -> Sighting {
            let (outcome, _) = self.buffer.visit(&self.heap, &self.owner);
            let VisitOutcome::Seen(seen) = outcome else { panic!("{outcome:?}") };
            seen
        }

        /// The reports for these values of one number, a visit each, by a counter or by the length.
        fn reports(&mut self, values: impl IntoIterator<Item = i64>) -> Vec<(f64, VisitMethod)> {
            let visits = values.into_iter().map(|value| {
                self.set(&[value]);
                self.visit()
            });
            visits.filter(|seen| seen.size_error == 0.0).map(|seen| (seen.size, seen.method)).collect()
        }
    }

    const FILL: VisitMethod = VisitMethod::Counter { counter: 0 };

    #[test]
    fn a_number_that_moves_within_an_array_that_outgrew_another_is_the_size() {
        let mut watched = Watched::new(128, Some(64), &[70]);
        assert_eq!(watched.reports([70, 75, 80]), [(75.0, FILL), (80.0, FILL)]);
        watched.grow_to(256);
        assert_eq!(watched.reports([130]), [(130.0, FILL)]);
    }

    #[test]
    fn without_an_outgrown_array_the_length_is_reported() {
        let mut watched = Watched::new(128, None, &[70]);
        assert_eq!(watched.reports(70..80), [(128.0, VisitMethod::Length); 4], "the first six visits wait");
        watched.grow_to(256);
        assert_eq!(watched.reports([130, 135]), [(130.0, FILL), (135.0, FILL)]);
    }

    #[test]
    fn a_number_that_rests_exceeds_the_length_or_is_far_below_the_outgrown_array_is_no_fill() {
        for values in [[64, 64, 64, 64], [100, 120, 140, 160], [3, 4, 5, 6], [-1, -2, -3, -4]] {
            let mut watched = Watched::new(128, Some(64), &values[..1]);
            watched.reports(values);
            let last = watched.reports([values[3]; 8]).last().copied();
            assert_eq!(last, Some((128.0, VisitMethod::Length)), "{values:?}");
        }
    }

    #[test]
    fn of_two_that_follow_the_lesser_is_reported() {
        let mut watched = Watched::new(128, Some(64), &[80, 70]);
        watched.visit();
        watched.set(&[90, 75]);
        let seen = watched.visit();
        assert_eq!((seen.size, seen.method, seen.slots), (75.0, VisitMethod::Counter { counter: 1 }, Some(128)));
    }

    #[test]
    fn a_number_that_passes_the_length_later_is_dropped() {
        let mut watched = Watched::new(128, Some(64), &[70]);
        watched.reports([70, 75]);
        let reports = watched.reports([130, 140, 150, 160]);
        assert_eq!(reports, [(128.0, VisitMethod::Length); 3], "after the second contradiction; at the first it waits");
        assert_eq!(watched.buffer.take_dropped(), [Dropped { counter: 0, was_trusted: true }]);
    }

    #[test]
    fn an_array_that_is_gone_is_empty_and_one_that_was_replaced_is_reported() {
        let mut watched = Watched::new(128, Some(64), &[]);
        assert_eq!(watched.visit().size, 128.0, "there is no number to wait for");
        watched.heap.objects[watched.owner].1[0] = None;
        let seen = watched.visit();
        assert_eq!((seen.size, seen.relinked, seen.slots), (0.0, true, Some(0)));
        watched.grow_to(256);
        let seen = watched.visit();
        assert_eq!((seen.size, seen.relinked, seen.additions), (256.0, true, 256.0));
    }

    #[test]
    fn a_route_that_does_not_end_in_one_array_fails() {
        let route = Route::new(vec![Place { counts: false, steps: vec![step(true, 0)] }]);
        let mut buffer = SizeProbe::of_buffer(route, 0, None, 1);
        let mut heap = FakeHeap::default();
        let owner = heap.add(0, vec![]);
        assert!(matches!(buffer.visit(&heap, &owner).0, VisitOutcome::Failed(_)));
    }
}
