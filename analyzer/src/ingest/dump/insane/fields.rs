//! Names of references in an INSANE file, to labels and to the fields of classes. Each name is kept once.

use super::super::collecting::Collecting;
use crate::heap::{ClassIdx, DumpedClass, Field, Label};
use std::collections::HashMap;

/// References that are no fields, as our own writer names them.
pub(in super::super) const SPECIAL: [(&str, Label); 5] = [
    ("(loader)", Label::CLASS_LOADER),
    ("(superclass)", Label::SUPERCLASS),
    ("(interface)", Label::INTERFACE),
    ("(constant)", Label::CONSTANT_POOL),
    ("(other)", Label::OTHER),
];
const REFERENCE: &str = "java.lang.ref.Reference";

/// Stands for the name of a reference until its class is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    Label(Label),
    /// A field, by its number.
    Field(u32),
}

/// Names of fields, numbered.
#[derive(Debug, Default)]
pub(super) struct Names {
    by_text: HashMap<String, u32>,
    /// Declaring class and own name of each.
    split: Vec<(String, String)>,
    /// By class and number of the name: the index of the field.
    of_class: HashMap<(ClassIdx, u32), u32>,
    /// By class: its fields so far.
    fields: HashMap<ClassIdx, Vec<(u32, bool)>>,
}

impl Names {
    /// The name of a reference out of an object.
    pub(super) fn read(&mut self, text: &str) -> Name {
        if let Ok(index) = text.parse() {
            return Name::Label(Label::element(index));
        }
        match SPECIAL.iter().find(|special| special.0 == text) {
            Some(&(_, label)) => Name::Label(label),
            None => Name::Field(self.number(text)),
        }
    }

    pub(super) fn number(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.by_text.get(text) {
            return number;
        }
        let number = self.split.len() as u32;
        self.by_text.insert(text.to_owned(), number);
        let (declaring, name) = text.rsplit_once('.').unwrap_or(("", text));
        self.split.push((declaring.to_owned(), name.to_owned()));
        number
    }

    /// The class that declares the field of that number.
    pub(super) fn declaring(&self, number: u32) -> &str {
        &self.split[number as usize].0
    }

    /// The label of a field in a class; adds the field if the class does not have it yet.
    pub(super) fn label(&mut self, class: ClassIdx, number: u32, is_static: bool) -> Label {
        let fields = self.fields.entry(class).or_default();
        let index = *self.of_class.entry((class, number)).or_insert_with(|| {
            fields.push((number, is_static));
            fields.len() as u32 - 1
        });
        if is_static { Label::static_field(index) } else { Label::field(index) }
    }

    /// Gives classes their fields. A class with a field of `java.lang.ref.Reference` becomes a subclass of it.
    pub(super) fn declare(&self, classes: &mut Collecting) -> Vec<(ClassIdx, Vec<Field>)> {
        let mut declared = Vec::with_capacity(self.fields.len());
        let mut in_order: Vec<_> = self.fields.iter().collect();
        in_order.sort_unstable_by_key(|entry| *entry.0);
        for (&class, fields) in in_order {
            let mut field = |&(number, is_static): &(u32, bool)| {
                let (declaring, name) = &self.split[number as usize];
                let declaring = if declaring.is_empty() { class } else { classes.class(declaring) };
                if classes.classes[declaring.at()].class.name == REFERENCE && declaring != class {
                    classes.derive(class, declaring);
                }
                Field {
                    name: name.clone(),
                    descriptor: "Ljava/lang/Object;".to_owned(),
                    declaring,
                    is_static,
                    is_final: false,
                }
            };
            declared.push((class, fields.iter().map(&mut field).collect()));
        }
        declared
    }
}

/// Stores the fields in their classes.
pub(super) fn give(classes: &mut [DumpedClass], declared: Vec<(ClassIdx, Vec<Field>)>) {
    for (class, fields) in declared {
        let class = &mut classes[class.at()].class;
        *class = crate::heap::Class::new(std::mem::take(&mut class.name), class.superclass, fields);
    }
}
