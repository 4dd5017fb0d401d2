//! Instance fields that a user names: `CLASS.FIELD` stands for the field in all instances of the class that declares
//! it, those of its subclasses included.

use crate::heap::{ClassIdx, Heap, Label};
use crate::naming::Pattern;
use std::collections::{HashMap, HashSet};

/// Instance fields by the classes of the objects that have them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InstanceFields {
    by_class: HashMap<ClassIdx, HashSet<Label>>,
}

impl InstanceFields {
    /// The fields that fit `CLASS.FIELD`; `*` in names fits anything.
    pub fn find(heap: &Heap, text: &str) -> Self {
        let Some((class, field)) = text.trim().rsplit_once('.') else { return Self::default() };
        let (class, field) = (Pattern::new(class), Pattern::new(field));
        let is_declaring: Vec<bool> = heap.classes().iter().map(|(_, each)| class.fits(&each.name)).collect();
        let mut found = Self::default();
        for (at, class) in heap.classes().iter() {
            let fields = class
                .fields()
                .iter()
                .zip(0..)
                .filter(|(each, _)| !each.is_static && is_declaring[each.declaring.at()] && field.fits(&each.name));
            let labels: HashSet<Label> = fields.map(|(_, index)| Label::field(index)).collect();
            if !labels.is_empty() {
                found.by_class.insert(at, labels);
            }
        }
        found
    }

    /// Whether no class has such a field.
    pub fn is_empty(&self) -> bool {
        self.by_class.is_empty()
    }

    pub(super) fn extend(&mut self, others: Self) {
        for (class, labels) in others.by_class {
            self.by_class.entry(class).or_default().extend(labels);
        }
    }

    pub(super) fn are_in(&self, class: ClassIdx) -> bool {
        self.by_class.contains_key(&class)
    }

    pub(super) fn contains(&self, class: ClassIdx, label: Label) -> bool {
        self.by_class.get(&class).is_some_and(|labels| labels.contains(&label))
    }
}
