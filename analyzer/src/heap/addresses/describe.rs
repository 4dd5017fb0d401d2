//! Completes the classes of objects: those reported by references or not at all, mirrors, and loaders.

use super::class_ids::ClassIds;
use super::columns::{Columns, NOT_EXPANDED, NOT_NAMED};
use super::survey::Survey;
use super::unproven::Unproven;
use crate::heap::builder::Described;
use crate::heap::places::Places;
use crate::heap::{Class, ClassIdx, Classes, HeapError, ObjectIdx};
use rootbound_wire::ids::ObjectId;

/// Determines the class of every object. Adds to `classes` the facts that only the stream holds.
pub(super) fn describe(
    mut columns: Columns,
    survey: &Survey,
    places: &Places,
    class_ids: &ClassIds,
    described: &Described,
    classes: &mut Classes,
) -> Result<Vec<ClassIdx>, HeapError> {
    add_undescribed(classes, class_ids, &columns.class_of);
    let named = named(survey, places);
    for &(object, mirror) in &columns.class_references {
        if named.binary_search(&mirror).is_err() {
            return Err(Unproven::NoMirror.into());
        }
        let class = &mut columns.class_of[object.at()];
        if *class == NOT_NAMED {
            *class = classes.of_mirror(mirror).unwrap_or(ClassIdx(0));
        }
    }
    add_loaders(classes, &columns.loaders);
    let mirrors = mirrors(survey, places, described, classes, &columns.class_of);
    let class_of_mirrors = classes.of_mirrors();
    mirrors.iter().for_each(|mirror| columns.class_of[mirror.at()] = class_of_mirrors);
    if columns.class_of.contains(&NOT_EXPANDED) {
        return Err(Unproven::Unexpanded { by: "name" }.into());
    }
    if columns.class_of.contains(&NOT_NAMED) {
        return Err(Unproven::NoClass.into());
    }
    Ok(columns.class_of)
}

/// All objects that the stream names, ascending.
fn named(survey: &Survey, places: &Places) -> Vec<ObjectIdx> {
    let mut named: Vec<ObjectIdx> = survey.named.iter().filter_map(|&(_, object)| places.index(object)).collect();
    named.sort_unstable();
    named
}

/// Classes that no record describes: unloaded since the walk, or no classes at all but threads that ended.
fn add_undescribed(classes: &mut Classes, class_ids: &ClassIds, class_of: &[ClassIdx]) {
    let described = classes.len();
    let mut is_used = vec![false; class_ids.class_count()];
    for class in class_of.iter().filter(|class| class.at() < class_ids.class_count()) {
        is_used[class.at()] = true;
    }
    for (class, &is_used) in (0..).map(ClassIdx).zip(&is_used).skip(described) {
        classes.all.push(Class::unknown());
        if let Some(mirror) = class_ids.mirror(class).filter(|_| is_used) {
            classes.by_mirror.insert(mirror, class);
        }
    }
}

/// Adds the loaders. A mirror's reference to its loader is better than the record, whose loader usually has no name.
fn add_loaders(classes: &mut Classes, loaders: &[(ObjectIdx, ObjectIdx)]) {
    for &(mirror, loader) in loaders {
        if let Some(class) = classes.of_mirror(mirror) {
            classes.all[class.at()].loader.get_or_insert(loader);
        }
    }
}

/// Mirrors of classes: mirrors of known classes, and named objects that are no thread and refer to no class.
fn mirrors(
    survey: &Survey,
    places: &Places,
    described: &Described,
    classes: &Classes,
    class_of: &[ClassIdx],
) -> Vec<ObjectIdx> {
    let is_thread = |id: Option<ObjectId>| described.threads.iter().any(|thread| Some(thread.object) == id);
    let is_mirror = |id: Option<ObjectId>, object: ObjectIdx| {
        let is_classless = [NOT_EXPANDED, NOT_NAMED].contains(&class_of[object.at()]);
        classes.of_mirror(object).is_some() || is_classless && !is_thread(id)
    };
    let named = survey.named.iter().filter_map(|&(id, address)| Some((id, places.index(address)?)));
    named.filter(|&(id, object)| is_mirror(id, object)).map(|(_, object)| object).collect()
}
