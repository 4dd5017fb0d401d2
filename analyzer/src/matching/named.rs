//! Places along shortest paths from the roots, with names for people. An object that several others hold has such a
//! place, too, unlike in the dominator tree.

use super::places::{PlaceIdx, Places, Word};
use crate::graph::RootPaths;
use crate::heap::{ClassIdx, Heap, Label, ObjectIdx, RootKind, ThreadIdx};
use std::collections::HashMap;

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlaceStep {
    /// The static fields of a class.
    Class(String),
    /// A live thread, by its name; digits are wildcards.
    Thread(String),
    /// Another GC root.
    Root(RootKind),
    /// Any element of an array.
    Element,
    /// A field.
    Field {
        /// The class that declares it.
        declared_by: String,
        /// Its name.
        name: String,
    },
    /// A reference without a name.
    Unnamed,
}

/// Stands for the digits in a thread's name: the threads of a pool have one name.
pub(super) const ANY: char = '*';

/// All places found so far, for any number of heaps of one program.
#[derive(Debug, Default)]
pub struct NamedPlaces {
    places: Places,
    steps: HashMap<Word, PlaceStep>,
    classes: HashMap<Word, String>,
}

impl NamedPlaces {
    /// Only the place above all roots.
    pub fn new() -> Self {
        Self::default()
    }

    /// The steps to a place from the root down, each with the class of the object to which it leads.
    pub fn path(&self, place: PlaceIdx) -> Vec<(&PlaceStep, &str)> {
        let named = |step: &Word, class: &Word| Some((self.steps.get(step)?, self.classes.get(class)?.as_str()));
        self.places.path(place).iter().filter_map(|place| named(&place.step, &place.class)).collect()
    }

    /// The last step to a place, the class of the objects there, and the place above it; `None` above all roots.
    pub fn last(&self, place: PlaceIdx) -> Option<(&PlaceStep, &str, PlaceIdx)> {
        let place = self.places.get(place)?;
        Some((self.steps.get(&place.step)?, self.classes.get(&place.class)?.as_str(), place.above))
    }

    /// Whether the path has no wildcard: it begins at a class or at a thread of this name, and goes on by fields.
    pub fn is_exact(&self, place: PlaceIdx) -> bool {
        let path = self.path(place);
        let begins = match path.first() {
            Some((PlaceStep::Class(_), _)) => true,
            Some((PlaceStep::Thread(name), _)) => !name.contains(ANY),
            _ => false,
        };
        begins && path.iter().skip(1).all(|(step, _)| matches!(step, PlaceStep::Field { .. }))
    }

    fn step(&mut self, step: PlaceStep) -> Word {
        let word = self.places.word(&format!("{step:?}"));
        self.steps.entry(word).or_insert(step);
        word
    }

    fn class(&mut self, name: &str) -> Word {
        let word = self.places.class_word(name);
        self.classes.entry(word).or_insert_with(|| name.to_owned());
        word
    }
}

/// Finds the places of objects of one heap: 4 bytes an object, each step is made once.
#[derive(Debug)]
pub struct PlaceFinder<'a> {
    heap: &'a Heap,
    paths: &'a RootPaths,
    places: &'a mut NamedPlaces,
    /// By object; [`PlaceIdx::TOP`] where it is not known yet.
    known: Vec<PlaceIdx>,
    /// By class.
    classes: Vec<Word>,
    fields: HashMap<(ClassIdx, Label), Word>,
    threads: HashMap<ObjectIdx, ThreadIdx>,
    element: Word,
}

impl<'a> PlaceFinder<'a> {
    /// For the paths of this heap.
    pub fn new(heap: &'a Heap, paths: &'a RootPaths, places: &'a mut NamedPlaces) -> Self {
        let known = vec![PlaceIdx::TOP; heap.object_count()];
        let classes = heap.classes().iter().map(|(_, class)| places.class(&class.name)).collect();
        let threads = heap.threads().iter().zip(0..).map(|(thread, at)| (thread.object, ThreadIdx(at))).collect();
        let element = places.step(PlaceStep::Element);
        Self { heap, paths, places, known, classes, fields: HashMap::new(), threads, element }
    }

    /// The places found so far.
    pub fn places(&self) -> &NamedPlaces {
        self.places
    }

    /// The place of an object. All that no root reaches have one place.
    pub fn place_of(&mut self, object: ObjectIdx) -> PlaceIdx {
        let mut pending = Vec::new();
        let mut at = object;
        let mut place = loop {
            if self.known[at.at()] != PlaceIdx::TOP {
                break self.known[at.at()];
            }
            if let Some(origin) = self.origin(at) {
                let class = self.classes[self.heap.class_of(at).at()];
                let step = self.places.step(origin);
                self.known[at.at()] = self.places.places.below(PlaceIdx::TOP, step, class);
                break self.known[at.at()];
            }
            pending.push(at);
            match self.paths.found_through(at) {
                Some(referrer) => at = referrer,
                None => break PlaceIdx::TOP,
            }
        };
        while let Some(object) = pending.pop() {
            let Some(referrer) = self.paths.found_through(object) else { continue };
            let (step, class) = (self.step(referrer, object), self.classes[self.heap.class_of(object).at()]);
            place = self.places.places.below(place, step, class);
            self.known[object.at()] = place;
        }
        place
    }

    /// The step with which a path begins at an object: classes and threads have names, wherever they are referred to.
    fn origin(&self, object: ObjectIdx) -> Option<PlaceStep> {
        if let Some(class) = self.heap.class_of_mirror(object) {
            return Some(PlaceStep::Class(self.heap.classes().get(class).name.clone()));
        }
        if let Some(thread) = self.threads.get(&object) {
            return Some(PlaceStep::Thread(without_digits(&self.heap.threads()[thread.0 as usize].name)));
        }
        self.paths.root_of(object).map(|root| PlaceStep::Root(self.heap.roots()[root].kind))
    }

    fn step(&mut self, referrer: ObjectIdx, object: ObjectIdx) -> Word {
        if self.heap.is_object_array(referrer) {
            return self.element;
        }
        let mut references = self.heap.references().labelled(referrer);
        let Some((_, label)) = references.find(|&(referee, _)| referee == object) else {
            return self.places.step(PlaceStep::Unnamed);
        };
        let (heap, class) = (self.heap, self.heap.class_shown_by(referrer));
        if let Some(&known) = self.fields.get(&(class, label)) {
            return known;
        }
        let step = match heap.classes().field(class, label) {
            Some(field) => {
                let declared_by = heap.classes().get(field.declaring).name.clone();
                PlaceStep::Field { declared_by, name: field.name.clone() }
            }
            None => PlaceStep::Unnamed,
        };
        let word = self.places.step(step);
        self.fields.insert((class, label), word);
        word
    }
}

/// `worker-17` → `worker-*`.
fn without_digits(name: &str) -> String {
    let mut kept = String::with_capacity(name.len());
    for letter in name.chars() {
        match letter.is_ascii_digit() {
            true if kept.ends_with(ANY) => {}
            true => kept.push(ANY),
            false => kept.push(letter),
        }
    }
    kept
}
