//! From the names of pointed-to types to the classes of a heap: names with wildcards, and subclasses (AntTracks
//! §3.2.2).

use crate::graph::BitSet;
use crate::heap::{ClassIdx, Classes};
use crate::naming::Pattern;
use std::collections::HashMap;

/// The class that every other one extends, and the meaning of the name `*`.
pub(super) const OBJECT: &str = "java.lang.Object";
const ANY: &str = "*";
const WILDCARD: char = '*';

/// The types with some names, and all their subclasses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Types {
    /// Every type.
    All,
    /// These classes.
    Some(Vec<ClassIdx>),
}

/// The classes of a heap by name and by superclass.
pub(super) struct Resolver<'a> {
    classes: &'a Classes,
    by_name: HashMap<&'a str, Vec<ClassIdx>>,
    /// By class: those that extend it.
    narrower: Vec<Vec<ClassIdx>>,
}

impl<'a> Resolver<'a> {
    pub(super) fn new(classes: &'a Classes) -> Self {
        let mut by_name: HashMap<&str, Vec<ClassIdx>> = HashMap::with_capacity(classes.len());
        for (at, class) in classes.iter() {
            by_name.entry(class.name.as_str()).or_default().push(at);
        }
        let mut narrower = vec![Vec::new(); classes.len()];
        for (at, class) in classes.iter() {
            if let Some(superclass) = class.superclass {
                narrower[superclass.at()].push(at);
            }
        }
        Self { classes, by_name, narrower }
    }

    /// The classes of that name.
    pub(super) fn named(&self, name: &str) -> &[ClassIdx] {
        self.by_name.get(name).map_or(&[], Vec::as_slice)
    }

    /// The types that a pointed-to name stands for. Arrays extend `java.lang.Object` alone: `Object[]` is no other
    /// array.
    pub(super) fn types(&self, name: &str) -> Types {
        match name {
            ANY | OBJECT => Types::All,
            name => Types::Some(self.with_subclasses(self.fitting(name))),
        }
    }

    fn fitting(&self, name: &str) -> Vec<ClassIdx> {
        if !name.contains(WILDCARD) {
            return self.named(name).to_vec();
        }
        let pattern = Pattern::new(name);
        self.classes.iter().filter(|(_, class)| pattern.fits(&class.name)).map(|(at, _)| at).collect()
    }

    fn with_subclasses(&self, seeds: Vec<ClassIdx>) -> Vec<ClassIdx> {
        let mut found = BitSet::new(self.classes.len());
        let mut reached = seeds;
        reached.retain(|class| found.insert(class.at()));
        let mut next = 0;
        while let Some(class) = reached.get(next).copied() {
            next += 1;
            for &subclass in &self.narrower[class.at()] {
                if found.insert(subclass.at()) {
                    reached.push(subclass);
                }
            }
        }
        reached
    }
}
