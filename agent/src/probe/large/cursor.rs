//! A whole count spread over visits: depth first, its position kept as a bounded stack of weak references and slot
//! numbers. Holds nothing alive in between, and never reads more than it is given.
//!
//! When it goes on it follows its own path down again. Where a link has changed meanwhile, the count below that link
//! is forgotten and the objects are read anew; where the owner leads to another table, the count starts over.

use crate::probe::reading::reader::HeapReader;
use crate::probe::route::automaton::Route;
use crate::probe::route::walk::{Frame, Next, Walk};

/// Deepest path that is kept.
pub const DEPTH: usize = 256;
/// A count of more reads than this is a circle.
const MOST_READS: u64 = 1 << 28;

/// A count under way, between two visits.
pub struct Cursor<H> {
    path: Vec<Level<H>>,
    counted: u64,
    reads: u64,
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

/// An object on the path.
struct Level<O> {
    frame: Frame<O>,
    /// Members counted when its present reference was read.
    before: u64,
    /// It was reached along a chain: the level above leads to the chain's beginning, not to it.
    is_along_chain: bool,
}

/// Depth, step and slot of a frame.
type Position = (usize, usize, u32);

struct Pass<'v, R: HeapReader> {
    walk: Walk<'v, R>,
    path: Vec<Level<R::Ref>>,
    counted: u64,
    /// Objects read in the visits before.
    reads_before: u64,
    redone: Option<Position>,
    /// The last level has not been read since the count was taken up again.
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
    let Some(owner) = reader.duplicate(owner) else { return (Advance::GivenUp, 1) };
    let mut pass = Pass::begin(Walk::new(reader, route, budget), owner);
    if let Some(cursor) = memory.take() {
        pass.resume(cursor);
    }
    let advance = pass.run();
    let reads = pass.walk.reads();
    if advance == Advance::Unfinished {
        *memory = pass.put_down();
        if memory.is_none() {
            return (Advance::GivenUp, reads);
        }
    }
    (advance, reads)
}

impl<'v, R: HeapReader> Pass<'v, R> {
    fn begin(walk: Walk<'v, R>, owner: R::Ref) -> Self {
        let owner = Level { frame: Frame::new(0, owner), before: 0, is_along_chain: false };
        Self { walk, path: vec![owner], counted: 0, reads_before: 0, redone: None, is_resumed: false }
    }

    /// Follows the path down as far as it still exists.
    fn resume(&mut self, cursor: Cursor<R::Held>) {
        (self.counted, self.reads_before, self.redone) = (cursor.counted, cursor.reads, cursor.redone);
        self.is_resumed = true;
        for (depth, held) in cursor.path.into_iter().enumerate() {
            if depth == 0 {
                let owner = &mut self.path[0];
                (owner.frame.step, owner.frame.slot, owner.before) = (held.frame.step, held.frame.slot, held.before);
                continue;
            }
            let object = self.walk.reader.recall(&held.frame.object).filter(|object| self.still_leads(object, &held));
            let Some(object) = object else { return self.read_again(depth - 1) };
            self.path.push(held.with(object));
        }
    }

    /// Whether the last level still leads to this object.
    fn still_leads(&mut self, object: &R::Ref, held: &Level<R::Held>) -> bool {
        self.walk.add_read();
        if held.is_along_chain {
            return true;
        }
        let Some(Level { frame: above, .. }) = self.path.last() else { return false };
        let (reader, route) = (self.walk.reader, self.walk.route);
        let referee = if above.slot > 0 {
            (above.slot <= reader.length(&above.object))
                .then(|| reader.element(&above.object, above.slot - 1))
                .flatten()
        } else {
            above.step.checked_sub(1).and_then(|step| route.read(reader, above.place, step, &above.object))
        };
        referee.is_some_and(|referee| reader.same(&referee, object))
    }

    /// Forgets the count since the level at this depth read its last reference, and has that reference read again.
    fn read_again(&mut self, depth: usize) {
        self.path.truncate(depth + 1);
        self.is_resumed = false;
        if let Some(Level { frame, before, .. }) = self.path.last_mut() {
            self.counted = *before;
            if frame.slot > 0 { frame.slot -= 1 } else { frame.step = frame.step.saturating_sub(1) }
        }
    }

    fn run(&mut self) -> Advance {
        while let Some(level) = self.path.last_mut() {
            if self.reads_before + u64::from(self.walk.reads()) > MOST_READS {
                return Advance::GivenUp;
            }
            let next = self.walk.next(&mut level.frame);
            if matches!(next, Next::OverBudget) {
                return Advance::Unfinished;
            }
            level.before = self.counted;
            let was_resumed = std::mem::take(&mut self.is_resumed);
            match next {
                Next::Arrival(place, object) => self.arrive(place, object),
                Next::Nothing if was_resumed => self.doubt_end(),
                Next::End => drop(self.path.pop()),
                _ => {}
            }
            if self.path.len() > DEPTH {
                return Advance::GivenUp;
            }
        }
        Advance::Counted { size: self.counted }
    }

    /// Counts an object, and goes there if it leads on.
    fn arrive(&mut self, place: usize, object: R::Ref) {
        let route = self.walk.route;
        self.counted += u64::from(route.places[place].counts);
        if route.places[place].is_leaf() {
            return;
        }
        // A chain stays one level deep.
        let goes_along = |level: &mut Level<_>| level.frame.place == place && level.frame.ends_along_chain(route);
        let is_along_chain = self.path.pop_if(goes_along).is_some();
        self.path.push(Level { frame: Frame::new(place, object), before: self.counted, is_along_chain });
    }

    /// A node that leads nowhere right after the count was taken up again is the chain's end, or was taken out of the
    /// chain meanwhile. The chain is read once more, unless that has been done from the same place.
    fn doubt_end(&mut self) {
        let is_end = |level: &Level<_>| level.is_along_chain && level.frame.ends_along_chain(self.walk.route);
        let Some(below) = self.path.len().checked_sub(2).filter(|_| self.path.last().is_some_and(is_end)) else {
            return;
        };
        let position = (below, self.path[below].frame.step, self.path[below].frame.slot);
        if self.redone != Some(position) {
            self.redone = Some(position);
            self.read_again(below);
        }
    }

    /// `None` when the path cannot be held.
    fn put_down(self) -> Option<Cursor<R::Held>> {
        let reads = self.reads_before + u64::from(self.walk.reads());
        let hold = |level: Level<R::Ref>| Some(level.with(self.walk.reader.hold(&level.frame.object)?));
        let path = self.path.into_iter().map(hold).collect::<Option<Vec<_>>>()?;
        Some(Cursor { path, counted: self.counted, reads, redone: self.redone })
    }
}

impl<O> Level<O> {
    fn with<P>(&self, object: P) -> Level<P> {
        Level { frame: self.frame.with(object), before: self.before, is_along_chain: self.is_along_chain }
    }
}
