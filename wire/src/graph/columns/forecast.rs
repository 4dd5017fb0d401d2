//! What the next address is likely to be: the same on both sides, for it depends on the records so far alone. Bounded:
//! what does not fit is forgotten, on both sides.

use super::super::kind;

/// Objects whose references have begun, by a hash of the address: a later one takes the place of an earlier one.
const BEGUN: usize = 1 << 15;
/// Latest referees, by a hash of class and field.
const LATEST: usize = 1 << 12;
/// Objects on the stack.
const MOST_OPEN: usize = 1 << 16;
/// Objects of the stack that are searched for one that begins.
const SEARCHED: usize = 64;
/// An odd number with bits all over (2^64 by the golden ratio).
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// The state of one chunk; some 300 KB, and 512 KB for a stack that is full.
#[derive(Debug)]
pub(crate) struct Forecast {
    /// The latest address of any record.
    pub(super) last: u64,
    /// The object whose references these are, its class, and the latest index by kind of reference.
    referrer: u64,
    pub(super) class: u64,
    pub(super) index: [u64; 3],
    /// The latest referee.
    referee: u64,
    begun: Box<[u64]>,
    latest: Box<[u64]>,
    /// Objects that were met and have not begun.
    open: Vec<u64>,
}

impl Forecast {
    /// Before the first record.
    pub(crate) fn new() -> Self {
        Self {
            last: 0,
            referrer: 0,
            class: 0,
            index: [u64::MAX; 3],
            referee: 0,
            begun: vec![0; BEGUN].into(),
            latest: vec![0; LATEST].into(),
            open: Vec::new(),
        }
    }

    /// As before the first record.
    pub(super) fn reset(&mut self) {
        (self.last, self.referrer, self.class, self.referee) = (0, 0, 0, 0);
        self.index = [u64::MAX; 3];
        self.begun.fill(0);
        self.latest.fill(0);
        self.open.clear();
    }

    /// The place in the stack of an object that begins, counted from the top among those that have not begun.
    pub(super) fn place_of(&mut self, object: u64) -> Option<u8> {
        self.tops().position(|(_, open)| open == object).map(|place| place as u8)
    }

    /// The object at that place.
    pub(super) fn at_place(&mut self, place: u8) -> Option<u64> {
        self.tops().nth(usize::from(place)).map(|(_, open)| open)
    }

    /// The uppermost objects that have not begun, and how many are below each.
    fn tops(&mut self) -> impl Iterator<Item = (usize, u64)> {
        self.settle();
        let searched = self.open.iter().copied().enumerate().rev().take(SEARCHED);
        searched.filter(|&(_, open)| !self.has_begun(open))
    }

    /// Drops objects from the top that have begun by another way.
    fn settle(&mut self) {
        while self.open.last().is_some_and(|&open| self.has_begun(open)) {
            self.open.pop();
        }
    }

    fn has_begun(&self, object: u64) -> bool {
        self.begun[hash(object >> 3, BEGUN)] == object
    }

    /// The references of an object begin, or go on.
    pub(super) fn begin(&mut self, object: u64, place: Option<u8>) {
        self.settle();
        if let Some(left) = place.and_then(|place| self.tops().nth(usize::from(place))).map(|(below, _)| below) {
            self.open.truncate(left);
        }
        self.begun[hash(object >> 3, BEGUN)] = object;
        (self.referrer, self.last) = (object, object);
        self.index = [u64::MAX; 3];
    }

    /// Addresses to which the next referee may be near. The first is that of the referee before.
    pub(super) fn bases(&self, of: u8, index: u64) -> [u64; 3] {
        [self.referee, self.latest[self.place(of, index)], self.referrer]
    }

    /// A reference was met.
    pub(super) fn refer(&mut self, of: u8, index: u64, referee: u64) {
        let place = self.place(of, index);
        self.latest[place] = referee;
        (self.referee, self.last) = (referee, referee);
        if !self.has_begun(referee) && self.open.len() < MOST_OPEN {
            self.open.push(referee);
        }
    }

    /// A place for each field of each class, and one for the elements of each class of arrays.
    fn place(&self, of: u8, index: u64) -> usize {
        let index = if of == kind::ELEMENT { 0 } else { index };
        let field = u64::from(of) << 32 ^ index;
        hash(self.class.wrapping_mul(SPREAD) ^ field, LATEST)
    }
}

/// A place in a table of that size, a power of two.
fn hash(word: u64, size: usize) -> usize {
    (word.wrapping_mul(SPREAD) >> (u64::BITS - size.trailing_zeros())) as usize
}
