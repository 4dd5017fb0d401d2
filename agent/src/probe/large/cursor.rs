//! A whole count spread over visits: depth first, its position kept as a bounded stack of weak references and slot
//! numbers. Holds nothing alive in between, and never reads more than it is given.
//!
//! When it goes on it follows its own path down again. Where a link has changed meanwhile, the count below that link
//! is forgotten and the objects are read anew; where the owner leads to another table, the count starts over.

use crate::probe::reading::reader::HeapReader;
use crate::probe::reading::route::{Route, Step};

/// Deepest path that is kept.
pub const DEPTH: usize = 256;
/// A count of more reads than this is a circle.
const MOST_READS: u64 = 1 << 28;
/// The cost of a read, in quarters: as in a whole count within one visit.
const READ_COST: u64 = 4;
const EMPTY_SLOT_COST: u64 = 1;

/// A count under way, between two visits.
pub struct Cursor<H> {
    path: Vec<Frame<H>>,
    counted: u64,
    spent: u64,
    redone: Option<Position>,
}

/// The result of one visit's part of a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advance {
    /// Everything has been counted.
    Counted {
        /// Arrivals at counting places.
        size: u64,
    },
    /// The budget is used up.
    Unfinished,
    /// The structure is too deep, a circle, or cannot be held on to.
    GivenUp,
}

/// An object whose references are being read.
struct Frame<O> {
    place: usize,
    object: O,
    step: usize,
    slot: u32,
    /// Members counted when its present reference was read.
    before: u64,
    /// It was reached along a chain: the frame below leads to the chain's beginning, not to it.
    is_along_chain: bool,
}

/// Depth, step and slot of a frame.
type Position = (usize, usize, u32);

struct Pass<'v, R: HeapReader> {
    reader: &'v R,
    route: &'v Route,
    path: Vec<Frame<R::Ref>>,
    counted: u64,
    /// Quarters of reads since the count began, and of this visit.
    spent: u64,
    spent_now: u64,
    redone: Option<Position>,
    /// The top frame has not been read since the count was taken up again.
    is_resumed: bool,
}

/// Goes on with a count, or begins one. Returns its result, and the number of objects read; four empty slots count as
/// one.
pub fn advance<R: HeapReader>(
    reader: &R,
    route: &Route,
    owner: &R::Ref,
    memory: &mut Option<Cursor<R::Held>>,
    budget: u32,
) -> (Advance, u32) {
    let Some(mut pass) = Pass::take_up(reader, route, owner, memory.take()) else { return (Advance::GivenUp, 1) };
    let advance = pass.run(u64::from(budget) * READ_COST);
    let reads = pass.spent_now.div_ceil(READ_COST) as u32;
    if advance == Advance::Unfinished {
        *memory = pass.put_down();
        if memory.is_none() {
            return (Advance::GivenUp, reads);
        }
    }
    (advance, reads)
}

impl<'v, R: HeapReader> Pass<'v, R> {
    fn take_up(reader: &'v R, route: &'v Route, owner: &R::Ref, cursor: Option<Cursor<R::Held>>) -> Option<Self> {
        let owner = Frame::new(0, reader.duplicate(owner)?, 0, false);
        let mut pass = Self {
            reader,
            route,
            path: vec![owner],
            counted: 0,
            spent: 0,
            spent_now: 0,
            redone: None,
            is_resumed: false,
        };
        if let Some(cursor) = cursor {
            pass.resume(cursor);
        }
        Some(pass)
    }

    /// Follows the path down as far as it still exists.
    fn resume(&mut self, cursor: Cursor<R::Held>) {
        (self.counted, self.spent, self.redone) = (cursor.counted, cursor.spent, cursor.redone);
        self.is_resumed = true;
        for (depth, held) in cursor.path.into_iter().enumerate() {
            if depth == 0 {
                let owner = &mut self.path[0];
                (owner.step, owner.slot, owner.before) = (held.step, held.slot, held.before);
                continue;
            }
            let object = self.reader.recall(&held.object).filter(|object| self.still_leads(object, &held));
            let Some(object) = object else { return self.read_again(depth - 1) };
            self.path.push(held.with(object));
        }
    }

    /// Whether the frame on top still leads to this object.
    fn still_leads(&mut self, object: &R::Ref, held: &Frame<R::Held>) -> bool {
        self.spend(READ_COST);
        if held.is_along_chain {
            return true;
        }
        let Some(above) = self.path.last() else { return false };
        let referee = if above.slot > 0 {
            (above.slot <= self.reader.length(&above.object))
                .then(|| self.reader.element(&above.object, above.slot - 1))
                .flatten()
        } else {
            above.step.checked_sub(1).and_then(|step| self.route.read(self.reader, above.place, step, &above.object))
        };
        referee.is_some_and(|referee| self.reader.same(&referee, object))
    }

    /// Forgets the count since the frame at this depth read its last reference, and has that reference read again.
    fn read_again(&mut self, depth: usize) {
        self.path.truncate(depth + 1);
        self.is_resumed = false;
        if let Some(frame) = self.path.last_mut() {
            self.counted = frame.before;
            if frame.slot > 0 { frame.slot -= 1 } else { frame.step = frame.step.saturating_sub(1) }
        }
    }

    fn spend(&mut self, cost: u64) {
        (self.spent, self.spent_now) = (self.spent + cost, self.spent_now + cost);
    }

    fn run(&mut self, limit: u64) -> Advance {
        let route = self.route;
        while let Some(frame) = self.path.last() {
            let steps = &route.places[frame.place].steps;
            let Some(step) = steps.get(frame.step) else {
                self.path.pop();
                self.is_resumed = false;
                continue;
            };
            if self.spent > MOST_READS * READ_COST {
                return Advance::GivenUp;
            }
            if self.spent_now + READ_COST > limit {
                return Advance::Unfinished;
            }
            let is_last = frame.step + 1 == steps.len();
            if !self.read_next(step, is_last) {
                return Advance::GivenUp;
            }
        }
        Advance::Counted { size: self.counted }
    }

    /// Reads one reference of the frame on top and goes where it leads. `false` when that is too deep.
    fn read_next(&mut self, step: &Step, is_last: bool) -> bool {
        let (reader, counted) = (self.reader, self.counted);
        let was_resumed = std::mem::take(&mut self.is_resumed);
        let depth = self.path.len();
        let Some(frame) = self.path.last_mut() else { return true };
        frame.before = counted;
        let referee = if step.is_array {
            if frame.slot >= reader.length(&frame.object) {
                (frame.step, frame.slot) = (frame.step + 1, 0);
                return true;
            }
            frame.slot += 1;
            reader.element(&frame.object, frame.slot - 1)
        } else {
            frame.step += 1;
            self.route.read(reader, frame.place, frame.step - 1, &frame.object)
        };
        let place = frame.place;
        let (is_chain, is_along_chain) = (is_last && !step.is_array && step.to.contains(&place), frame.is_along_chain);
        let is_empty_slot = step.is_array && referee.is_none();
        self.spend(if is_empty_slot { EMPTY_SLOT_COST } else { READ_COST });
        let Some(referee) = referee else {
            if was_resumed && is_chain && is_along_chain && depth > 1 {
                self.doubt_end();
            }
            return true;
        };
        let Some(to) = self.route.admit(reader, step, &referee) else { return true };
        self.counted += u64::from(self.route.places[to].counts);
        if self.route.is_leaf(to) {
            return true;
        }
        // A chain stays one frame deep.
        let goes_along = is_chain && to == place;
        if goes_along {
            self.path.pop();
        }
        let counted = self.counted;
        self.path.push(Frame::new(to, referee, counted, goes_along));
        self.path.len() <= DEPTH
    }

    /// A node that leads nowhere right after the count was taken up again is the chain's end, or was taken out of the
    /// chain meanwhile. The chain is read once more, unless that has been done from the same place.
    fn doubt_end(&mut self) {
        let below = self.path.len() - 2;
        let position = (below, self.path[below].step, self.path[below].slot);
        if self.redone != Some(position) {
            self.redone = Some(position);
            self.read_again(below);
        }
    }

    /// `None` when the path cannot be held.
    fn put_down(self) -> Option<Cursor<R::Held>> {
        let hold = |frame: Frame<R::Ref>| {
            let object = self.reader.hold(&frame.object)?;
            Some(frame.with(object))
        };
        let path = self.path.into_iter().map(hold).collect::<Option<Vec<_>>>()?;
        Some(Cursor { path, counted: self.counted, spent: self.spent, redone: self.redone })
    }
}

impl<O> Frame<O> {
    fn new(place: usize, object: O, before: u64, is_along_chain: bool) -> Self {
        Self { place, object, step: 0, slot: 0, before, is_along_chain }
    }

    fn with<P>(&self, object: P) -> Frame<P> {
        Frame {
            place: self.place,
            object,
            step: self.step,
            slot: self.slot,
            before: self.before,
            is_along_chain: self.is_along_chain,
        }
    }
}
