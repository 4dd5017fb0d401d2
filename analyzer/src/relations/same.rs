//! Regions that are one structure ([`Rule::AssignableTypes`], [`Rule::Buffer`], [`Rule::FoundAgain`]).
//!
//! [`Rule::AssignableTypes`]: super::Rule::AssignableTypes
//! [`Rule::Buffer`]: super::Rule::Buffer
//! [`Rule::FoundAgain`]: super::Rule::FoundAgain

use super::Outline;
use super::rules::THRESHOLDS;
use crate::heap::{ClassIdx, Classes, ObjectIdx};
use crate::naming::{Fingerprint, Place};
use rustc_hash::{FxHashMap, FxHashSet};

/// O and the type of C. In addition whether C lies in another object of its type
/// ([`is_in_own_type`](super::member::is_in_own_type)).
pub type Key = (ObjectIdx, ClassIdx, bool);

/// The most general types of change-proxies, by owner.
pub struct MostGeneral<'h> {
    classes: &'h Classes,
    keys: FxHashSet<Key>,
    named: FxHashMap<(ObjectIdx, &'h str), ClassIdx>,
}

impl<'h> MostGeneral<'h> {
    /// The types that occur with these keys.
    #[must_use]
    pub fn among(classes: &'h Classes, keys: FxHashSet<Key>) -> Self {
        Self { classes, keys, named: FxHashMap::default() }
    }

    /// The key with the most general of the types to which this one is assignable (Definition 5, footnote). Types of
    /// one name count as one: another loader may have loaded the class again, which may be the leak. The class above
    /// all is no type in common: everything is assignable to it, and its own instances are mostly locks.
    pub fn key(&mut self, (owner, class, is_inner): Key) -> Key {
        let is_type = |above: ClassIdx| above == class || self.classes.get(above).superclass.is_some();
        let occurs = |above: ClassIdx| self.keys.contains(&(owner, above, is_inner));
        let known = self.classes.ancestors(class).filter(|&above| is_type(above) && occurs(above));
        let general = known.last().unwrap_or(class);
        let named = self.named.entry((owner, &self.classes.get(general).name)).or_insert(general);
        (owner, *named, is_inner)
    }
}

/// Whether the arrays of a region are only the one of a buffer.
#[must_use]
pub fn is_buffer(region: &Outline<'_>, buffer: &Outline<'_>) -> bool {
    (region.owner, region.change_class) == (buffer.owner, buffer.change_class)
        && region.proxy_size <= THRESHOLDS.arrays_of_a_buffer
}

/// Identity of a region across captures. A fingerprint leaves out numbers and the internals of collections, so the
/// place of the owner must agree in every step, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity<'n> {
    /// Fingerprint of the region.
    pub fingerprint: Fingerprint,
    /// Place of its owner.
    pub owner: &'n Place,
    /// Name of the type of its change-proxies.
    pub change_class: &'n str,
}

#[cfg(test)]
mod tests {
    use super::MostGeneral;
    use crate::heap::dsl::HeapSketch;

    #[test]
    fn listeners_and_a_lock_in_one_list_are_no_region_of_all_objects() {
        let mut heap = HeapSketch::new();
        for (class, above) in [("Listener", "Object"), ("Admin", "Listener"), ("Text", "Object")] {
            heap.subclass(class, above);
        }
        let list = heap.old("Object");
        let heap = heap.build();
        let class = |name| heap.classes().by_name(name).unwrap();
        let classes = ["Object", "Listener", "Admin", "Text"].map(class);
        let mut general =
            MostGeneral::among(heap.classes(), classes.map(|class| (list, class, false)).into_iter().collect());
        let united = classes.map(|class| heap.classes().get(general.key((list, class, false)).1).name.as_str());
        assert_eq!(united, ["Object", "Listener", "Listener", "Text"]);
    }
}
