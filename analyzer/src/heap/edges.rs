//! Which references are edges, and which class mirrors are roots: what the JVM reports, less what is the JVM's own.

use super::class::{ClassIdx, Classes};
use super::references::Label;
use super::{Generation, ObjectIdx};
use std::collections::HashSet;

/// The class whose `referent`, `next` and `discovered` do not keep alive (`java.lang.ref`): the collector treats
/// these three itself. Fields of its subclasses (`WeakHashMap.Entry.value`) are strong.
const REFERENCE_CLASS: &str = "java.lang.ref.Reference";
const SOFT_REFERENCE_CLASS: &str = "java.lang.ref.SoftReference";
const WEAK_FIELDS: [&str; 3] = ["referent", "next", "discovered"];

/// Mirrors of the classes that live as long as the program, as far as one can tell: those of the boot loader, and of
/// old loaders of a kind of which no new one came. Loaders that keep coming are objects like any others.
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

/// Removes references that are no edges: weak ones, and those to a mirror that is a root anyway.
pub(super) fn cut(
    references: &mut Vec<(ObjectIdx, ObjectIdx, Label)>,
    classes: &Classes,
    class_of: &[ClassIdx],
    class_roots: &[ObjectIdx],
    keeps_soft: bool,
) {
    let is_a =
        |class: ClassIdx, name: &str| classes.ancestors(class).any(|ancestor| classes.get(ancestor).name == name);
    let weak: Vec<bool> = classes
        .iter()
        .map(|(at, _)| is_a(at, REFERENCE_CLASS) && !(keeps_soft && is_a(at, SOFT_REFERENCE_CLASS)))
        .collect();
    let is_weak = |referrer: ObjectIdx, label: Label| {
        let class = class_of[referrer.at()];
        weak[class.at()]
            && label.is_instance_field()
            && classes.field(class, label).is_some_and(|field| {
                classes.get(field.declaring).name == REFERENCE_CLASS && WEAK_FIELDS.contains(&field.name.as_str())
            })
    };
    let mut is_class_root = vec![false; class_of.len()];
    for mirror in class_roots {
        is_class_root[mirror.at()] = true;
    }
    references.retain(|&(referrer, referee, label)| match label {
        Label::CLASS => !is_class_root[referee.at()],
        Label::CONSTANT_POOL => false,
        _ => !is_weak(referrer, label),
    });
}
