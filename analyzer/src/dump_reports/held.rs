//! One object that keeps much: where it is, how much, and what it is full of.

use super::ways::way;
use super::words::Words;
use crate::graph::RootPaths;
use crate::suspects::{self, Forest, Structure};
use crate::view::dump::place;
use crate::view::dump::report::{Contents, Held};

/// Describes structures of one heap.
#[derive(Clone, Copy)]
pub(super) struct Describer<'a> {
    pub(super) forest: &'a Forest<'a>,
    pub(super) words: &'a Words<'a>,
    pub(super) paths: &'a RootPaths,
}

impl Describer<'_> {
    pub(super) fn held(&self, structure: &Structure) -> Held {
        let object = structure.head;
        let (root_path, objects) = way(self.words, self.paths, object);
        let place = place::of(&root_path);
        let at = place.as_ref().and_then(|place| objects.get(place.at).copied()).unwrap_or(object);
        Held {
            id: self.words.id(object),
            class: self.words.name(object),
            kind: self.words.kind(object),
            place: place.map_or_else(|| self.words.name(object), |place| place.expression),
            structure_class: self.words.name(at),
            // The object may be reached beside its collection, by an iterator for instance.
            structure_bytes: self.forest.retained_bytes(at).max(structure.retained_bytes),
            node_count: structure.node_count,
            shallow_bytes: self.words.heap.shallow_bytes(object),
            retained_bytes: structure.retained_bytes,
            share: self.forest.share(structure.retained_bytes),
            largest_child_bytes: structure.largest_below_bytes,
            drop_bytes: structure.drop_bytes(),
            contents: self.contents(structure),
            root_path,
        }
    }

    fn contents(&self, structure: &Structure) -> Option<Contents> {
        let contents = suspects::contents(self.forest, structure.head)?;
        let classes = contents.levels.iter().map(|&class| self.words.class(class)).collect();
        Some(Contents { child_count: contents.child_count, entry_count: contents.entry_count, classes })
    }
}
