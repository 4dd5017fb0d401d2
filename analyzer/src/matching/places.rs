//! Places: named paths down from the roots, the same for all heaps of one program.

use crate::naming::Route;
use rustc_hash::FxHashMap;
use std::collections::{HashMap, HashSet};

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

/// The step to an object that several others hold jointly.
pub(super) const JOINTLY: &str = "(jointly)";
/// The step from an array to an element.
pub(super) const ELEMENT: &str = "[*]";

/// Most levels upward that are searched for a repetition.
const MAX_PERIOD: usize = 8;

/// Most classes, arrays aside, between a node of a tree and the next.
const MOST_CLASSES_OF_A_TREE: usize = 2;

/// All places found so far.
#[derive(Clone, Debug)]
pub struct Places {
    words: HashMap<String, Word>,
    array_classes: HashSet<Word>,
    field_words: HashSet<Word>,
    places: Vec<Place>,
    below: FxHashMap<(PlaceIdx, Word, Word), PlaceIdx>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) above: PlaceIdx,
    pub(super) step: Word,
    pub(super) class: Word,
}

/// The name of a field among the words.
fn field_name(declaring: &str, name: &str) -> String {
    format!("{declaring}.{name}")
}

/// The way to the members of a structure, by the words of places.
#[derive(Debug)]
pub struct Way {
    fields: HashSet<Word>,
    member: Word,
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
        let words = HashMap::from([(String::new(), nothing)]);
        let (array_classes, field_words) = (HashSet::new(), HashSet::new());
        Self { words, array_classes, field_words, places: vec![top], below: FxHashMap::default() }
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
        if let Some(&word) = self.words.get(text) {
            return word;
        }
        let word = Word(self.words.len() as u32);
        self.words.insert(text.to_owned(), word);
        word
    }

    /// The word for the name of a class.
    pub(super) fn class_word(&mut self, name: &str) -> Word {
        let word = self.word(name);
        if name.ends_with("[]") {
            self.array_classes.insert(word);
        }
        word
    }

    /// The word for a field.
    pub(super) fn field_word(&mut self, declaring: &str, name: &str) -> Word {
        let word = self.word(&field_name(declaring, name));
        self.field_words.insert(word);
        word
    }

    /// The place of objects of a class to which a step leads from another place. The nodes of a chain or a tree are at
    /// one place, whatever its depth: nodes below one of the same class, and nodes to which the same step led before.
    /// Where the way there leads over more classes than in a tree, or over a map in a map, the first repetition has a place
    /// of its own: the entries of each session's map are not those of the map of sessions.
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

    /// Whether a place is the other one, or lies below it.
    pub fn is_within(&self, place: PlaceIdx, outer: PlaceIdx) -> bool {
        self.upward(place).any(|above| above == outer)
    }

    /// The way that a route describes; `None` where no place has objects of its last class.
    pub fn way(&self, route: &Route) -> Option<Way> {
        let member = *self.words.get(route.last_class()?)?;
        let names = route.hops.iter().map(|hop| field_name(&hop.declared_by, hop.field().unwrap_or_default()));
        Some(Way { fields: names.filter_map(|name| self.words.get(&name).copied()).collect(), member })
    }

    /// Whether a place is that of the members at the end of a way, or lies below it: it is reached over an object of their
    /// class, and that one over no other fields than those of the way.
    pub fn is_along(&self, place: PlaceIdx, way: &Way) -> bool {
        let from_members = self.upward(place).skip_while(|place| self.places[place.at()].class != way.member);
        let mut steps = from_members.map(|place| self.places[place.at()].step).peekable();
        steps.peek().is_some() && steps.all(|step| !self.field_words.contains(&step) || way.fields.contains(&step))
    }

    /// The other places of objects of its class.
    pub fn of_its_class(&self, place: PlaceIdx) -> impl Iterator<Item = PlaceIdx> + '_ {
        let class = self.get(place).map(|place| place.class);
        let all = (1..self.places.len() as u32).map(PlaceIdx);
        all.filter(move |&other| other != place && self.get(other).map(|other| other.class) == class)
    }

    /// Whether objects come from one of these places to the other when a further object of the same structure begins to
    /// hold them, or lets them go: the one is that of objects which several hold jointly, the other lies beside it.
    pub fn differ_by_holders(&self, one: PlaceIdx, other: PlaceIdx) -> bool {
        let is_among_holders = |joint: PlaceIdx, single: PlaceIdx| {
            let above = self.places[joint.at()].above;
            above != PlaceIdx::TOP && self.is_joint(joint) && self.is_within(single, above)
        };
        is_among_holders(one, other) || is_among_holders(other, one)
    }

    /// Whether it is a place of objects that several others hold jointly.
    pub(super) fn is_joint(&self, place: PlaceIdx) -> bool {
        Some(&self.places[place.at()].step) == self.words.get(JOINTLY)
    }

    /// The places above this one, nearest first, of objects that several others hold jointly.
    pub(super) fn jointly_above(&self, place: PlaceIdx) -> impl Iterator<Item = PlaceIdx> + '_ {
        self.upward(place).skip(1).filter(|&above| self.is_joint(above))
    }

    /// Number of places from the roots down to this one.
    pub fn depth(&self, place: PlaceIdx) -> usize {
        self.upward(place).count()
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
        let before = self.same_above(above, step, class)?;
        let is_repeated_again = || self.same_above(self.places[before.at()].above, step, class).is_some();
        (!self.is_apart(above, before) || is_repeated_again()).then_some(before)
    }

    /// The nearest place from `from` upward to which the same step leads.
    fn same_above(&self, from: PlaceIdx, step: Word, class: Word) -> Option<PlaceIdx> {
        self.upward(from).take(MAX_PERIOD).find(|place| {
            let place = &self.places[place.at()];
            place.step == step && place.class == class
        })
    }

    /// Whether the way from `before` down to `above`, and so back to its like, is none of a chain or a tree. Those have
    /// nodes, and at most a collection in each. Its elements are nodes again, as the one with which the tree begins.
    fn is_apart(&self, above: PlaceIdx, before: PlaceIdx) -> bool {
        let between = || self.upward(above).take_while(|&place| place != before).chain([before]);
        let class = |place: PlaceIdx| self.places[place.at()].class;
        let classes: HashSet<Word> = between().map(class).filter(|class| !self.array_classes.contains(class)).collect();
        let is_element = |&place: &PlaceIdx| Some(&self.places[place.at()].step) == self.words.get(ELEMENT);
        let first = class(self.places[before.at()].above);
        let is_of_others = || between().find(is_element).is_some_and(|element| class(element) != first);
        classes.len() > MOST_CLASSES_OF_A_TREE || classes.len() == MOST_CLASSES_OF_A_TREE && is_of_others()
    }

    fn upward(&self, from: PlaceIdx) -> impl Iterator<Item = PlaceIdx> {
        let all = std::iter::successors(Some(from), |place| Some(self.places[place.at()].above));
        all.take_while(|&place| place != PlaceIdx::TOP)
    }
}
