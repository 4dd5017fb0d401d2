//! A sample of the slots of one large array (a hash table, a ring, a list's elements). Each sampled slot remembers its
//! first object and its number of members, and the next visit compares. The number of weak references is bounded, and
//! a visit costs the same whatever the array's length.
//!
//! Where slots hold one member each and are filled without gaps, the size is exact ([`fill`]). Elsewhere the first
//! sample gives the level, and from then on the changes in the known slots carry it on. They are known far better than
//! the level itself, and the error of a fresh sample each time would hide them. The reported error is therefore that
//! of the change. Each visit compares some of the slots, and reports their changes since their last turn: on average
//! that equals the changes in all slots since the last visit.

use super::fill;
use crate::probe::observation::{Observation, Turnover};
use crate::probe::reading::reader::HeapReader;
use crate::probe::route::automaton::{Route, Step};
use crate::probe::route::traversal::{Full, traverse_from};
use crate::random::Random;
use rootbound_wire::message::VisitMethod;
use std::cell::Cell;

/// Slots known a probe.
pub const KNOWN: u32 = 256;
/// A visit compares one in this number of them, each in its turn: so the slots of a table of millions cost no more
/// than a structure of some tens of members.
const TURNS: u32 = 4;
/// One in this number of those compared is drawn anew, so that no unlucky sample stays.
const DRAWN_ANEW: u32 = 8;
/// More reads in one slot make no sample of slots.
const MOST_IN_SLOT: u32 = 256;
/// A new table whose own level lies this number of standard errors from the known one holds something else.
const ANOTHER: f64 = 4.0;

/// The memory of the slots between two visits.
pub struct Slots<H> {
    array: H,
    length: u32,
    known: Vec<Known<H>>,
    /// The number of the turn, below [`TURNS`].
    turn: u32,
    size: f64,
    variance: f64,
    last_change: f64,
}

impl<H> Slots<H> {
    /// Visits until every slot known has been compared: a sample that is small is compared as a whole.
    fn turns(&self) -> u32 {
        if self.known.len() == KNOWN as usize { TURNS } else { 1 }
    }

    fn seen(&self, turnover: Turnover, is_exact: bool) -> Seen {
        let found = Observation::new(self.size, self.variance.sqrt(), VisitMethod::Slots);
        Seen { found: found.with(turnover), is_exact }
    }
}

struct Known<H> {
    index: u32,
    first: Option<H>,
    count: u32,
}

/// The result of one visit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// The size; its error is that of the change since the first visit.
    pub found: Observation,
    /// The size is that of an array filled without gaps.
    pub is_exact: bool,
}

/// The changes between two visits, by a sample.
struct Changes {
    additions: f64,
    removals: f64,
    /// Additions less removals, and the variance of that.
    net: (f64, f64),
}

/// The present contents of one slot.
struct SlotContents<O> {
    first: Option<O>,
    count: u32,
    /// The first of the last visit is still there.
    keeps_first: bool,
}

/// Visits the slots once more. `None` when the structure is of another kind. Returns the number of reads, too.
pub fn visit<R: HeapReader>(
    reader: &R,
    route: &Route,
    owner: &R::Ref,
    memory: &mut Option<Slots<R::Held>>,
    random: &mut Random,
) -> (Option<Seen>, u32) {
    let before = memory.take();
    let mut visit = Visit { reader, route, reads: route.shape.stem.prefix.len() as u32 };
    let Some(array) = route.follow(reader, owner) else {
        let found = Observation::new(0.0, 0.0, VisitMethod::Slots).with(Turnover::default());
        return (Some(Seen { found, is_exact: false }), visit.reads);
    };
    let length = reader.length(&array);
    let is_same = |known: &Slots<R::Held>| {
        known.length == length && reader.recall(&known.array).is_some_and(|known| reader.same(&known, &array))
    };
    let seen = match before {
        Some(mut known) if is_same(&known) => {
            let seen = visit.compare(&array, &mut known, random);
            *memory = seen.is_some().then_some(known);
            seen
        }
        before => {
            let drawn = visit.draw(&array, length, random);
            let (known, seen) = drawn.and_then(|drawn| visit.begin(&array, drawn, before.as_ref())).unzip();
            *memory = known;
            seen
        }
    };
    (seen, visit.reads)
}

struct Visit<'v, R: HeapReader> {
    reader: &'v R,
    route: &'v Route,
    reads: u32,
}

impl<R: HeapReader> Visit<'_, R> {
    /// The step that reads every slot.
    fn slots(&self) -> &Step {
        &self.route.places[self.route.shape.stem.place].steps[0]
    }

    /// One slot; `None` when it holds too much.
    fn look(&mut self, array: &R::Ref, index: u32, before: Option<&R::Ref>) -> Option<SlotContents<R::Ref>> {
        let (reader, route) = (self.reader, self.route);
        self.reads += 1;
        let step = self.slots();
        let empty = SlotContents { first: None, count: 0, keeps_first: before.is_none() };
        let Some(first) = reader.element(array, index) else { return Some(empty) };
        let Some(place) = route.admit(reader, step, &first) else { return Some(empty) };
        let mut count = u32::from(route.places[place].counts);
        let mut keeps_first = before.is_none_or(|before| reader.same(before, &first));
        if !route.places[place].is_leaf() {
            let below = reader.duplicate(&first)?;
            let meet = |member: &R::Ref| {
                count += 1;
                keeps_first |= before.is_some_and(|before| reader.same(before, member));
            };
            match traverse_from(reader, route, (place, below), MOST_IN_SLOT, meet) {
                Full::Counted { reads, .. } => self.reads += reads,
                Full::OverBudget { reads } => {
                    self.reads += reads;
                    return None;
                }
            }
        }
        Some(SlotContents { first: Some(first), count, keeps_first })
    }

    /// A sample of an array, one slot of each stretch.
    fn draw(&mut self, array: &R::Ref, length: u32, random: &mut Random) -> Option<Vec<Known<R::Held>>> {
        let count = KNOWN.min(length);
        (0..count).map(|stratum| self.draw_one(array, (stratum, count), length, random)).collect()
    }

    fn draw_one(
        &mut self,
        array: &R::Ref,
        (stratum, count): (u32, u32),
        length: u32,
        random: &mut Random,
    ) -> Option<Known<R::Held>> {
        let stretch = f64::from(length) / f64::from(count);
        let index = ((f64::from(stratum) + random.unit()) * stretch) as u32;
        let index = index.min(length.saturating_sub(1));
        let look = self.look(array, index, None)?;
        Some(self.remember(index, &look))
    }

    fn remember(&self, index: u32, look: &SlotContents<R::Ref>) -> Known<R::Held> {
        Known { index, first: look.first.as_ref().and_then(|first| self.reader.hold(first)), count: look.count }
    }

    fn begin(
        &mut self,
        array: &R::Ref,
        known: Vec<Known<R::Held>>,
        before: Option<&Slots<R::Held>>,
    ) -> Option<(Slots<R::Held>, Seen)> {
        let length = self.reader.length(array);
        let counts: Vec<f64> = known.iter().map(|known| f64::from(known.count)).collect();
        let (level, level_variance) = extrapolated(&counts, length);
        let exact = self.fill(array);
        let (size, variance, last_change) = match (exact, before) {
            (Some(exact), _) => (exact, 0.0, 0.0),
            // The changes during the replacement of the table were not observed: as many, probably, as at the last
            // visit.
            (None, Some(before)) if (level - before.size).abs() <= ANOTHER * level_variance.sqrt() => {
                let change = before.last_change;
                (before.size + change, before.variance + change * change, change)
            }
            (None, Some(_)) => (level, level_variance, 0.0),
            (None, None) => (level, 0.0, 0.0),
        };
        let net = before.as_ref().map_or(0.0, |before| size - before.size);
        let array = self.reader.hold(array)?;
        let slots = Slots { array, length, known, turn: 0, size, variance, last_change };
        let seen = slots.seen(Turnover::net(net), exact.is_some());
        Some((slots, seen))
    }

    /// Size of an array of single members that is filled without gaps, and with nothing else.
    fn fill(&mut self, array: &R::Ref) -> Option<f64> {
        if !self.route.shape.kind.may_fill() {
            return None;
        }
        let (reader, step) = (self.reader, self.slots());
        let holds_others = Cell::new(false);
        let is_filled = |index: u32| {
            let Some(member) = reader.element(array, index) else { return false };
            holds_others.set(holds_others.get() || self.route.admit(reader, step, &member).is_none());
            true
        };
        let (filled, reads) = fill::filled(reader.length(array), is_filled);
        self.reads += reads;
        let filled = filled.filter(|_| !holds_others.get());
        filled.map(f64::from)
    }

    fn compare(&mut self, array: &R::Ref, slots: &mut Slots<R::Held>, random: &mut Random) -> Option<Seen> {
        let Changes { mut additions, mut removals, net } = self.changes(array, slots)?;
        let (change, variance) = net;
        let exact = self.fill(array);
        match exact {
            Some(exact) => {
                // Where the end of the fill is known, the sample serves for replaced members alone.
                let net = exact - slots.size;
                let replaced = additions.min(removals);
                (additions, removals) = (replaced + net.max(0.0), replaced + (-net).max(0.0));
                (slots.size, slots.variance, slots.last_change) = (exact, 0.0, net);
            }
            None => {
                slots.size = (slots.size + change).max(0.0);
                slots.variance += variance;
                slots.last_change = change;
            }
        }
        self.draw_some_anew(array, slots, random)?;
        slots.turn = (slots.turn + 1) % slots.turns();
        Some(slots.seen(Turnover { additions, removals }, exact.is_some()))
    }

    /// Compares the slots whose turn it is. Their changes since their last turn stand for the changes in all since the
    /// last visit.
    fn changes(&mut self, array: &R::Ref, slots: &mut Slots<R::Held>) -> Option<Changes> {
        let turns = slots.turns();
        let (mut additions, mut removals, mut changes) = (0.0, 0.0, Vec::with_capacity(slots.known.len()));
        for known in slots.known.iter_mut().skip(slots.turn as usize).step_by(turns as usize) {
            let had_first = known.first.is_some();
            let first = known.first.as_ref().and_then(|first| self.reader.recall(first));
            let look = self.look(array, known.index, first.as_ref())?;
            let keeps_first = look.keeps_first && first.is_some() == had_first;
            let (before, now) = (f64::from(known.count), f64::from(look.count));
            // The first object has left: at least one was removed, though the number may be the same.
            let left =
                if had_first && !keeps_first { (before - now).max(1.0).min(before) } else { (before - now).max(0.0) };
            removals += left;
            additions += now - before + left;
            changes.push(now - before);
            *known = self.remember(known.index, &look);
        }
        let share = 1.0 / f64::from(turns);
        let factor = share * f64::from(slots.length) / f64::from(changes.len().max(1) as u32);
        let (change, variance) = extrapolated(&changes, slots.length);
        let net = (change * share, variance * share * share);
        Some(Changes { additions: additions * factor, removals: removals * factor, net })
    }

    /// Draws some of those whose turn it was anew: their next report covers the changes until their next turn.
    fn draw_some_anew(&mut self, array: &R::Ref, slots: &mut Slots<R::Held>, random: &mut Random) -> Option<()> {
        let (count, turns) = (slots.known.len() as u32, slots.turns());
        if count == slots.length {
            return Some(());
        }
        for _ in 0..count / turns / DRAWN_ANEW {
            let stratum = random.below((count / turns) as usize) as u32 * turns + slots.turn;
            slots.known[stratum as usize] = self.draw_one(array, (stratum, count), slots.length, random)?;
        }
        Some(())
    }
}

/// Sum over an array by its sampled slots, and the variance of that sum (simple random sampling without replacement;
/// strata only make it smaller).
fn extrapolated(sample: &[f64], length: u32) -> (f64, f64) {
    let count = sample.len() as f64;
    if sample.is_empty() {
        return (0.0, 0.0);
    }
    let (length, mean) = (f64::from(length), sample.iter().sum::<f64>() / count);
    let squares: f64 = sample.iter().map(|value| (value - mean).powi(2)).sum();
    let variance = if count > 1.0 { squares / (count - 1.0) } else { 0.0 };
    (mean * length, length * length * variance / count * (1.0 - count / length).max(0.0))
}
