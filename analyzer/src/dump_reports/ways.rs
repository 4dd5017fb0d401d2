//! Paths from GC roots as text.

use super::words::Words;
use crate::graph::{RootPath, RootPaths};
use crate::heap::ObjectIdx;
use crate::report::dump::{Step, Way};

/// The path to an object, and its objects; empty if no root reaches it.
pub(super) fn way(words: &Words<'_>, paths: &RootPaths, object: ObjectIdx) -> (Way, Vec<ObjectIdx>) {
    let Some(path) = paths.path_to(words.heap, object) else { return (Way::default(), Vec::new()) };
    let objects = path.steps.iter().map(|&(object, _)| object).collect();
    (path_way(words, &path), objects)
}

/// A path in words.
pub(super) fn path_way(words: &Words<'_>, path: &RootPath) -> Way {
    let objects = path.steps.iter().map(|&(object, _)| object);
    let referrers = std::iter::once(None).chain(objects.map(Some));
    let step = |(referrer, &(object, label)): (Option<ObjectIdx>, &(ObjectIdx, _))| {
        let named = referrer.zip(label).map(|(referrer, label)| words.reference(referrer, label));
        let (reference, declared_by) = named.unzip();
        let (class, kind) = (words.class_name(object), words.kind(object));
        let declared_by = declared_by.unwrap_or_default();
        Step {
            reference,
            declared_by,
            class,
            kind,
            thread: words.thread(object),
            id: words.id(object),
            mark: words.mark(object),
        }
    };
    let steps = referrers.zip(&path.steps).map(step).collect();
    Way { root: words.root(&words.heap.roots()[path.root]), steps }
}
