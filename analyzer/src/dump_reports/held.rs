//! One object that retains much: its place, its sizes, and its contents.

use super::place;
use super::ways::way;
use super::words::Words;
use crate::graph::{Ownership, RootPaths};
use crate::heap::ObjectIdx;
use crate::report::dump::{Contents, Held};
use crate::suspects::{self, Forest, Structure};
use std::collections::HashMap;

/// Facts from the dominator tree about the objects that are shown, so that the tree can be dropped.
#[derive(Debug, Default)]
pub(super) struct Facts {
    by_object: HashMap<ObjectIdx, (Structure, Option<suspects::Contents>)>,
}

impl Facts {
    /// Adds the facts about a known structure.
    pub(super) fn learn(&mut self, forest: &Forest<'_>, structure: Structure) {
        let contents = || suspects::contents(forest, structure.head);
        self.by_object.entry(structure.head).or_insert_with(|| (structure, contents()));
    }

    /// Adds the facts about the structure that begins with an object.
    pub(super) fn learn_of(&mut self, forest: &Forest<'_>, object: ObjectIdx) {
        if !self.by_object.contains_key(&object) {
            self.learn(forest, suspects::structure(forest, object));
        }
    }

    /// All objects that are shown.
    pub(super) fn objects(&self) -> Vec<ObjectIdx> {
        self.by_object.keys().copied().collect()
    }
}

/// Describes structures of one heap.
#[derive(Clone, Copy)]
pub(super) struct Describer<'a> {
    pub(super) ownership: &'a Ownership<'a>,
    pub(super) words: &'a Words<'a>,
    pub(super) paths: &'a RootPaths,
    pub(super) facts: &'a Facts,
}

impl Describer<'_> {
    /// Bytes as a share of the reachable heap.
    pub(super) fn share(&self, bytes: u64) -> f64 {
        bytes as f64 / self.ownership.reachable_bytes().max(1) as f64
    }

    /// Describes an object whose facts are known.
    pub(super) fn held(&self, object: ObjectIdx) -> Option<Held> {
        let (structure, contents) = self.facts.by_object.get(&object)?;
        let (root_path, objects) = way(self.words, self.paths, object);
        let place = place::of(&root_path);
        let at = place.as_ref().and_then(|place| objects.get(place.at).copied()).unwrap_or(object);
        Some(Held {
            id: self.words.id(object),
            class: self.words.name(object),
            kind: self.words.kind(object),
            names_structure_class: place.as_ref().is_none_or(|place| place.is_bare),
            static_of: place.as_ref().and_then(|place| place.static_of.clone()),
            place: place.map_or_else(|| self.words.name(object), |place| place.expression),
            structure_class: self.words.name(at),
            // The object may also be reached by a path past its collection, by an iterator for instance.
            structure_bytes: self.ownership.retained_bytes(at).max(structure.retained_bytes),
            node_count: structure.node_count,
            shallow_bytes: self.words.heap.shallow_bytes(object),
            retained_bytes: structure.retained_bytes,
            share: self.share(structure.retained_bytes),
            largest_child_bytes: structure.largest_below_bytes,
            drop_bytes: structure.drop_bytes(),
            contents: contents.as_ref().map(|contents| self.contents(contents)),
            root_path,
        })
    }

    fn contents(&self, contents: &suspects::Contents) -> Contents {
        let classes = contents.levels.iter().map(|&class| self.words.class(class)).collect();
        Contents { child_count: contents.child_count, entry_count: contents.entry_count, classes }
    }
}
