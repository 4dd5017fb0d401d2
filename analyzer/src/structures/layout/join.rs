//! Makes a layout: gives every type its description, then resolves the names of pointed-to types.

use super::notes::{FileCounts, Inherited, Place, Replaced, Unfit};
use super::{ARRAY_DUMMY, CLASS, Compiled, DUMMY, Layout, REFERENCE, TypeSet};
use crate::graph::BitSet;
use crate::heap::{ClassIdx, Classes};
use crate::structures::language::{Described, Description, DescriptionFile, Language, PointedTo};
use crate::structures::resolve::{OBJECT, Resolver, Types};
use std::collections::HashMap;

/// A layout under construction.
pub(super) struct Joining<'a> {
    classes: &'a Classes,
    resolver: Resolver<'a>,
    language: &'a Language,
    compiled: Vec<Compiled>,
    of_type: Vec<u32>,
    files: Vec<FileCounts>,
    replaced: Vec<Replaced>,
    unmatched: Vec<Place>,
    unfit: Vec<Unfit>,
    inherited: Vec<Inherited>,
    places: Vec<Option<Place>>,
}

impl<'a> Joining<'a> {
    /// Every type has a dummy (AntTracks §3.2.1).
    pub(super) fn new(language: &'a Language, classes: &'a Classes) -> Self {
        let dummy = Compiled { is_head: false, followed: TypeSet::None, leaves: TypeSet::None };
        let array = Compiled { is_head: false, followed: TypeSet::All, leaves: TypeSet::None };
        let of_class = |is_array| if is_array { ARRAY_DUMMY } else { DUMMY };
        let mut of_type: Vec<u32> = classes.iter().map(|(_, class)| of_class(class.is_object_array())).collect();
        of_type.resize(2 * classes.len(), DUMMY);
        Self {
            classes,
            resolver: Resolver::new(classes),
            language,
            compiled: vec![dummy, array],
            of_type,
            files: language.files().iter().map(counts).collect(),
            replaced: Vec::new(),
            unmatched: Vec::new(),
            unfit: Vec::new(),
            inherited: Vec::new(),
            places: vec![None, None],
        }
    }

    /// Gives each described type its own description.
    pub(super) fn assign(&mut self) {
        let mut latest: HashMap<&Described, usize> = HashMap::new();
        let all: Vec<_> = self.language.descriptions().collect();
        for (at, (file, description)) in all.iter().enumerate() {
            if let Some(earlier) = latest.insert(&description.of, at) {
                let (earlier_file, earlier) = all[earlier];
                let (earlier, later) = (place(earlier_file, earlier), place(file, description));
                self.replaced.push(Replaced { earlier, later });
            }
        }
        let of_file = self.language.files().iter().enumerate();
        let files: Vec<usize> = of_file.flat_map(|(at, file)| file.descriptions.iter().map(move |_| at)).collect();
        for (at, (file, description)) in all.into_iter().enumerate() {
            let is_matched = !self.resolver.named(description.of.class()).is_empty();
            self.files[files[at]].matched += u64::from(is_matched);
            if !is_matched {
                self.unmatched.push(place(file, description));
            } else if latest.get(&description.of) == Some(&at) {
                self.give(file, description);
            }
        }
    }

    fn give(&mut self, file: &DescriptionFile, description: &Description) {
        self.places.push(Some(place(file, description)));
        if !file.is_shipped {
            self.check_names(file, description);
        }
        let number = self.compiled.len() as u32;
        let (followed, leaves) = (self.set(description, false), self.set(description, true));
        self.compiled.push(Compiled { is_head: description.is_head, followed, leaves });
        let first = if matches!(description.of, Described::Mirror(_)) { self.classes.len() } else { 0 };
        for class in self.resolver.named(description.of.class()) {
            self.of_type[first + class.at()] = number;
        }
    }

    fn check_names(&mut self, file: &DescriptionFile, description: &Description) {
        let fits = |name: &str| self.resolver.types(name) != Types::Some(Vec::new());
        let names = description.pointed_to.iter().filter(|pointed_to| !pointed_to.names().any(fits));
        let unfit =
            names.map(|pointed_to| Unfit { file: file.name.clone(), at: pointed_to.at, name: pointed_to.name.clone() });
        let unfit: Vec<Unfit> = unfit.collect();
        self.unfit.extend(unfit);
    }

    fn set(&self, description: &Description, of_leaves: bool) -> TypeSet {
        let wanted = |name: &&PointedTo| name.is_leaf == of_leaves;
        let names = description.pointed_to.iter().filter(wanted).flat_map(PointedTo::names);
        let (mut set, mut is_empty) = (BitSet::new(self.classes.len()), true);
        for name in names {
            is_empty = false;
            match self.resolver.types(name) {
                Types::All => return TypeSet::All,
                Types::Some(found) => found.iter().for_each(|class| {
                    set.insert(class.at());
                }),
            }
        }
        if is_empty { TypeSet::None } else { TypeSet::Some(set) }
    }

    /// Gives classes without a description of their own that of their nearest described superclass. That of
    /// `java.lang.Object` would go to every class and is not inherited.
    pub(super) fn inherit(&mut self) {
        let own = self.of_type.clone();
        for (class, of) in self.classes.iter() {
            if own[class.at()] != DUMMY || of.is_array() {
                continue;
            }
            let described = |above: &ClassIdx| own[above.at()] > ARRAY_DUMMY && self.classes.get(*above).name != OBJECT;
            let Some(from) = self.classes.ancestors(class).find(described) else { continue };
            self.of_type[class.at()] = own[from.at()];
            self.inherited.push(Inherited { class, from });
        }
    }

    pub(super) fn done(self) -> Layout {
        let classes = self.classes;
        let mut is_reference = BitSet::new(classes.len());
        for (at, _) in classes.iter() {
            if classes.ancestors(at).any(|above| classes.get(above).name == REFERENCE) {
                is_reference.insert(at.at());
            }
        }
        Layout {
            class_count: classes.len() as u32,
            mirrors: classes.by_name(CLASS).map_or(0, |class| class.0),
            compiled: self.compiled,
            of_type: self.of_type,
            is_reference,
            files: self.files,
            replaced: self.replaced,
            unmatched: self.unmatched,
            unfit: self.unfit,
            places: self.places,
            inherited: self.inherited,
        }
    }
}

fn counts(file: &DescriptionFile) -> FileCounts {
    FileCounts {
        file: file.name.clone(),
        is_shipped: file.is_shipped,
        types: file.descriptions.len() as u64,
        heads: file.descriptions.iter().filter(|each| each.is_head).count() as u64,
        matched: 0,
    }
}

fn place(file: &DescriptionFile, description: &Description) -> Place {
    let of = description.of.clone();
    Place { of, file: file.name.clone(), at: description.at, is_shipped: file.is_shipped }
}
