//! Decides which references are edges, and which class mirrors are roots: the JVM's report without the JVM's own
//! references.

use super::class::{ClassIdx, Classes};
use super::references::Label;
use super::{DumpRules, Generation, ObjectIdx};
use std::collections::HashSet;

/// The class whose `referent`, `next` and `discovered` do not keep alive (`java.lang.ref`): the collector treats
/// these three itself. Fields of its subclasses (`WeakHashMap.Entry.value`) are strong.
const REFERENCE_CLASS: &str = "java.lang.ref.Reference";
const SOFT_REFERENCE_CLASS: &str = "java.lang.ref.SoftReference";
const FINAL_REFERENCE_CLASS: &str = "java.lang.ref.FinalReference";
const REFERENT: &str = "referent";
const WEAK_FIELDS: [&str; 3] = [REFERENT, "next", "discovered"];

/// Mirrors of classes that exist as long as the program runs, as far as can be known. These are classes of the boot
/// loader, and of old loaders of a kind without a new one. Loaders that keep coming are treated as ordinary objects.
pub(super) fn class_roots(
    classes: &Classes,
    class_of: &[ClassIdx],
    generation: &[Generation],
    latest: Generation,
) -> Vec<ObjectIdx> {
    let is_old = |loader: ObjectIdx| latest == 0 || generation[loader.at()] < latest;
    let loaders = || classes.all.iter().filter_map(|class| class.loader);
    let coming: HashSet<ClassIdx> =
        loaders().filter(|&loader| !is_old(loader)).map(|loader| class_of[loader.at()]).collect();
    let long_lived = |loader: ObjectIdx| is_old(loader) && !coming.contains(&class_of[loader.at()]);
    classes.all.iter().filter(|class| class.loader.is_none_or(long_lived)).filter_map(|class| class.mirror).collect()
}

/// Separates edges from other references: weak ones, a constant pool's, and those to a mirror that is a root anyway.
#[derive(Debug)]
pub(super) struct Cut<'a> {
    classes: &'a Classes,
    /// By class: whether its instances refer weakly.
    weak: Vec<bool>,
    /// By object.
    is_class_root: Vec<bool>,
}

impl<'a> Cut<'a> {
    pub(super) fn new(classes: &'a Classes, class_roots: &[ObjectIdx], object_count: usize, rules: DumpRules) -> Self {
        let is_a =
            |class: ClassIdx, name: &str| classes.ancestors(class).any(|ancestor| classes.get(ancestor).name == name);
        let is_kept = |class: ClassIdx| {
            rules.keeps_all
                || rules.keeps_soft && is_a(class, SOFT_REFERENCE_CLASS)
                || rules.keeps_final && is_a(class, FINAL_REFERENCE_CLASS)
        };
        let weak = classes.iter().map(|(at, _)| is_a(at, REFERENCE_CLASS) && !is_kept(at)).collect();
        let mut is_class_root = vec![false; object_count];
        class_roots.iter().for_each(|mirror| is_class_root[mirror.at()] = true);
        Self { classes, weak, is_class_root }
    }

    /// Whether a reference to a class, given by its mirror, is an edge.
    pub(super) fn keeps_class(&self, mirror: ObjectIdx) -> bool {
        !self.is_class_root[mirror.at()]
    }

    /// Whether a reference that is not to a class is an edge.
    #[inline]
    pub(super) fn keeps(&self, class_of_referrer: ClassIdx, label: Label) -> bool {
        label != Label::CONSTANT_POOL && !(self.weak[class_of_referrer.at()] && self.is_weak(class_of_referrer, label))
    }

    /// Whether a reference that is no edge is a weak one to its referent.
    #[inline]
    pub(super) fn is_referent(&self, class_of_referrer: ClassIdx, label: Label) -> bool {
        self.weak[class_of_referrer.at()] && self.weak_field(class_of_referrer, label) == Some(REFERENT)
    }

    fn is_weak(&self, class: ClassIdx, label: Label) -> bool {
        self.weak_field(class, label).is_some_and(|field| WEAK_FIELDS.contains(&field))
    }

    /// The field of [`REFERENCE_CLASS`] that a label names.
    fn weak_field(&self, class: ClassIdx, label: Label) -> Option<&str> {
        let field = label.is_instance_field().then(|| self.classes.field(class, label)).flatten()?;
        (self.classes.get(field.declaring).name == REFERENCE_CLASS).then_some(field.name.as_str())
    }
}

/// The references of a heap that [`DumpRules`] may leave out: those by which the objects of `java.lang.ref` hold
/// their referents, and those of their queues. For heaps that were read with all of them.
#[derive(Debug)]
pub struct WeakFields<'a>(Cut<'a>);

impl<'a> WeakFields<'a> {
    /// Those that the rules leave out.
    pub fn new(classes: &'a Classes, rules: DumpRules) -> Self {
        Self(Cut::new(classes, &[], 0, rules))
    }

    /// Whether objects of the class may have such references.
    #[inline]
    pub fn are_in(&self, class: ClassIdx) -> bool {
        self.0.weak[class.at()]
    }

    /// Whether the reference of an object of the class is such a one.
    pub fn contains(&self, class: ClassIdx, label: Label) -> bool {
        self.are_in(class) && self.0.is_weak(class, label)
    }
}
