//! Places: named paths down from the roots, the same for all heaps of one program.

use std::collections::HashMap;

/// A place by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlaceIdx(pub u32);

impl PlaceIdx {
    /// The place above all roots.
    pub(super) const TOP: Self = Self(0);

    /// The index into a column.
    #[inline]
    pub fn at(self) -> usize {
        self.0 as usize
    }
}

/// A word by its number: the name of a class, of a field, or of a kind of root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Word(u32);

/// Most levels upward that are searched for a repetition.
const MAX_PERIOD: usize = 8;

/// All places found so far.
#[derive(Debug)]
pub struct Places {
    words: HashMap<String, Word>,
    places: Vec<Place>,
    below: HashMap<(PlaceIdx, Word, Word), PlaceIdx>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) above: PlaceIdx,
    pub(super) step: Word,
    pub(super) class: Word,
}

impl Default for Places {
    fn default() -> Self {
        Self::new()
    }
}

impl Places {
    /// Only the place above all roots.
    pub fn new() -> Self {
        let nothing = Word(0);
        let top = Place { above: PlaceIdx::TOP, step: nothing, class: nothing };
        Self { words: HashMap::from([(String::new(), nothing)]), places: vec![top], below: HashMap::new() }
    }

    /// Number of places.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there is no place but the one above all roots.
    pub fn is_empty(&self) -> bool {
        self.places.len() == 1
    }

    pub(super) fn word(&mut self, text: &str) -> Word {
        let next = Word(self.words.len() as u32);
        match self.words.get(text) {
            Some(&word) => word,
            None => *self.words.entry(text.to_owned()).or_insert(next),
        }
    }

    /// The place of objects of a class to which a step leads from another place. The nodes of a chain are at one place,
    /// whatever its length: nodes below one of the same class, and nodes to which the same step led before.
    pub(super) fn below(&mut self, above: PlaceIdx, step: Word, class: Word) -> PlaceIdx {
        if let Some(&known) = self.below.get(&(above, step, class)) {
            return known;
        }
        let place = self.repeated(above, step, class).unwrap_or_else(|| {
            self.places.push(Place { above, step, class });
            PlaceIdx(self.places.len() as u32 - 1)
        });
        self.below.insert((above, step, class), place);
        place
    }

    /// The steps to a place, from the roots down.
    pub(super) fn path(&self, place: PlaceIdx) -> Vec<Place> {
        let mut path: Vec<Place> = std::iter::successors(self.get(place), |place| self.get(place.above)).collect();
        path.reverse();
        path
    }

    /// The place itself; `None` for the one above all roots.
    pub(super) fn get(&self, place: PlaceIdx) -> Option<Place> {
        (place != PlaceIdx::TOP).then(|| self.places[place.at()])
    }

    fn repeated(&self, above: PlaceIdx, step: Word, class: Word) -> Option<PlaceIdx> {
        if above != PlaceIdx::TOP && self.places[above.at()].class == class {
            return Some(above);
        }
        let upward = std::iter::successors(Some(above), |place| Some(self.places[place.at()].above));
        let upward = upward.take_while(|&place| place != PlaceIdx::TOP).take(MAX_PERIOD);
        upward.into_iter().find(|place| {
            let place = &self.places[place.at()];
            place.step == step && place.class == class
        })
    }
}
