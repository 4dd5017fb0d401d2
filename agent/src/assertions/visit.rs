//! The walk of a measurement: counts each object once, by its class. Inside heap callbacks: no allocation, no lock, no
//! call to the JVM.
//!
//! A tag costs more than the visit of its object. The JVM enters each object once, and begins with the reference to its
//! class: so instances are counted there. Only arrays, whose sizes differ, bear a tag.

use crate::jvmti::abi::ReferenceKind;
use crate::jvmti::heap::{Edge, EdgeVisitor, Next};

/// The tag of an object that was counted.
pub const COUNTED: i64 = i64::MAX;
/// The tag of an object that is neither counted nor entered.
pub const SKIPPED: i64 = i64::MAX - 1;

/// The rules and the sums of one class.
#[derive(Clone, Debug, Default)]
pub struct Class {
    /// Whether its objects are neither counted nor entered.
    pub is_skipped: bool,
    /// Whether its objects are arrays.
    pub is_array: bool,
    /// Size of an instance in bytes, once one was seen.
    pub instance_bytes: u64,
    /// Indexes of fields that are not followed.
    pub skipped_fields: Option<Box<[u32]>>,
    /// Objects counted.
    pub count: u64,
    /// Their own sizes in bytes, of those that were counted by tags.
    pub tagged_bytes: u64,
}

impl Class {
    /// The sizes of its objects in bytes.
    pub fn bytes(&self) -> u64 {
        if self.tagged_bytes > 0 { self.tagged_bytes } else { self.count * self.instance_bytes }
    }
}

/// Sees the references of one measurement.
#[derive(Debug)]
pub struct Measurer {
    /// By the tag of the class's mirror; that of 0 is for classes that were loaded meanwhile.
    pub classes: Vec<Class>,
    /// Tag of the mirror of `java.lang.Class`.
    pub class_of_mirrors: i64,
    /// Whether the walk begins at the GC roots: then it enters classes, too, for they hold what static fields hold.
    pub is_from_roots: bool,
    /// Whether every counted object shall bear [`COUNTED`].
    pub tags_all: bool,
}

impl Measurer {
    fn class(&self, tag: i64) -> Option<&Class> {
        usize::try_from(tag).ok().and_then(|at| self.classes.get(at))
    }

    /// Whether this reference belongs to the structure.
    fn follows(&self, edge: &Edge<'_>) -> bool {
        match edge.origin.kind {
            ReferenceKind::FIELD => {
                let skipped = self.class(edge.referrer_class_tag).and_then(|class| class.skipped_fields.as_ref());
                skipped.is_none_or(|skipped| !skipped.contains(&edge.origin.index))
            }
            ReferenceKind::ARRAY_ELEMENT => true,
            _ => self.is_from_roots,
        }
    }

    /// The JVM enters an object of this class.
    fn enter(&mut self, tag: i64) {
        if self.tags_all || tag == self.class_of_mirrors {
            return;
        }
        let class = usize::try_from(tag).ok().filter(|&at| at > 0).and_then(|at| self.classes.get_mut(at));
        if let Some(class) = class.filter(|class| !class.is_array) {
            class.count += 1;
        }
    }

    fn is_mirror(&self, edge: &Edge<'_>) -> bool {
        edge.class_tag == self.class_of_mirrors
    }
}

impl EdgeVisitor for Measurer {
    fn visit(&mut self, edge: &Edge<'_>) -> Next {
        if edge.origin.kind == ReferenceKind::CLASS && edge.referrer.is_some() {
            self.enter(edge.referrer_class_tag);
        }
        if !self.follows(edge) {
            return Next::Leave;
        }
        if self.is_mirror(edge) {
            return if self.is_from_roots { Next::Continue } else { Next::Leave };
        }
        match edge.tag.get() {
            COUNTED => return Next::Continue,
            SKIPPED => return Next::Leave,
            _ => {}
        }
        let at = if self.class(edge.class_tag).is_some() { edge.class_tag as usize } else { 0 };
        let Some(class) = self.classes.get_mut(at) else { return Next::Abort };
        if class.is_skipped {
            return Next::Leave;
        }
        if at == 0 || class.is_array || self.tags_all {
            class.count += 1;
            class.tagged_bytes += edge.size_bytes;
            edge.tag.set(COUNTED);
        } else {
            class.instance_bytes = edge.size_bytes;
        }
        Next::Continue
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jvmti::heap::Origin;
    use std::cell::Cell;

    const MIRRORS: i64 = 1;
    const STRING: i64 = 2;
    const REFERENCE: i64 = 3;
    const CACHE: i64 = 4;
    const ARRAY: i64 = 5;

    fn measurer(is_from_roots: bool) -> Measurer {
        let mut classes = vec![Class::default(); 6];
        classes[REFERENCE as usize].skipped_fields = Some(Box::new([7]));
        classes[CACHE as usize].is_skipped = true;
        classes[ARRAY as usize].is_array = true;
        Measurer { classes, class_of_mirrors: MIRRORS, is_from_roots, tags_all: false }
    }

    fn saw(measurer: &mut Measurer, kind: ReferenceKind, index: u32, classes: (i64, i64), tag: &Cell<i64>) -> bool {
        let origin = Origin { kind, index, stack: None };
        let (referrer_class_tag, class_tag) = classes;
        let referrer = Cell::new(0);
        let is_root = kind == ReferenceKind::SYSTEM_CLASS;
        let referrer = (!is_root).then_some(&referrer);
        let edge = Edge { origin, class_tag, referrer_class_tag, size_bytes: 24, array_length: None, tag, referrer };
        measurer.visit(&edge) == Next::Continue
    }

    fn sums(measurer: &Measurer, class: i64) -> (u64, u64) {
        let class = &measurer.classes[class as usize];
        (class.count, class.bytes())
    }

    #[test]
    fn an_instance_counts_when_it_is_entered_however_often_it_is_reached() {
        let (mut measurer, tag) = (measurer(false), Cell::new(0));
        assert!(saw(&mut measurer, ReferenceKind::FIELD, 0, (STRING, STRING), &tag));
        assert!(saw(&mut measurer, ReferenceKind::ARRAY_ELEMENT, 3, (ARRAY, STRING), &tag));
        assert_eq!(sums(&measurer, STRING), (0, 0), "it has not been entered");
        assert!(!saw(&mut measurer, ReferenceKind::CLASS, 0, (STRING, MIRRORS), &Cell::new(STRING)));
        assert_eq!((sums(&measurer, STRING), tag.get()), ((1, 24), 0));
    }

    #[test]
    fn an_array_counts_once_by_its_tag() {
        let (mut measurer, tag) = (measurer(false), Cell::new(0));
        assert!(!saw(&mut measurer, ReferenceKind::CLASS, 0, (ARRAY, MIRRORS), &Cell::new(ARRAY)), "the start");
        for _ in 0..2 {
            assert!(saw(&mut measurer, ReferenceKind::FIELD, 0, (STRING, ARRAY), &tag));
        }
        assert_eq!((sums(&measurer, ARRAY), tag.get()), ((1, 24), COUNTED));
    }

    #[test]
    fn every_object_bears_a_tag_where_that_is_wanted() {
        let (mut measurer, tag) = (Measurer { tags_all: true, ..measurer(false) }, Cell::new(0));
        assert!(saw(&mut measurer, ReferenceKind::FIELD, 0, (STRING, STRING), &tag));
        assert!(!saw(&mut measurer, ReferenceKind::CLASS, 0, (STRING, MIRRORS), &Cell::new(STRING)));
        assert_eq!((sums(&measurer, STRING), tag.get()), ((1, 24), COUNTED));
    }

    #[test]
    fn classes_skipped_objects_and_skipped_fields_are_neither_counted_nor_entered() {
        let (mut measurer, tag, skipped) = (measurer(false), Cell::new(0), Cell::new(SKIPPED));
        assert!(!saw(&mut measurer, ReferenceKind::FIELD, 0, (STRING, MIRRORS), &tag));
        assert!(!saw(&mut measurer, ReferenceKind::FIELD, 7, (REFERENCE, STRING), &tag));
        assert!(!saw(&mut measurer, ReferenceKind::FIELD, 0, (STRING, CACHE), &tag));
        assert!(!saw(&mut measurer, ReferenceKind::FIELD, 0, (STRING, STRING), &skipped));
        assert!(measurer.classes.iter().all(|class| class.count == 0));
        assert!(saw(&mut measurer, ReferenceKind::FIELD, 6, (REFERENCE, STRING), &tag), "another field");
    }

    #[test]
    fn a_walk_from_the_roots_enters_classes_and_counts_objects_of_unknown_ones() {
        let (mut measurer, tag) = (measurer(true), Cell::new(0));
        assert!(saw(&mut measurer, ReferenceKind::SYSTEM_CLASS, 0, (0, MIRRORS), &tag));
        assert_eq!(tag.get(), 0);
        assert!(saw(&mut measurer, ReferenceKind::STATIC_FIELD, 0, (MIRRORS, 99), &tag));
        assert_eq!(sums(&measurer, 0), (1, 24));
    }
}
