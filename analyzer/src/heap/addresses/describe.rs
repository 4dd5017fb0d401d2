//! Completes the columns: classes that were told by references or not at all, mirrors, loaders, and the sizes that
//! objects have from their classes.

use super::class_ids::ClassIds;
use super::columns::{Columns, NOT_EXPANDED, NOT_NAMED, size};
use super::places::Places;
use super::survey::Survey;
use super::unproven::Unproven;
use crate::heap::builder::Told;
use crate::heap::{Class, ClassIdx, Classes, HeapError, ObjectIdx};
use rootbound_wire::ids::ObjectId;
use std::collections::HashMap;

/// Class and size of every object. `classes` gain what only the stream tells of them.
pub(super) fn describe(
    mut columns: Columns,
    survey: &Survey,
    places: &Places,
    class_ids: &ClassIds,
    told: &Told,
    classes: &mut Classes,
) -> Result<(Vec<ClassIdx>, Vec<u32>), HeapError> {
    add_undescribed(classes, class_ids, &columns.class_of);
    for &(object, mirror) in &columns.class_references {
        let class = &mut columns.class_of[object.at()];
        if *class == NOT_NAMED {
            *class = classes.of_mirror(mirror).unwrap_or(ClassIdx(0));
        }
    }
    add_loaders(classes, &columns.loaders);
    let mirrors = mirrors(survey, places, told, classes, &columns.class_of);
    let class_of_mirrors = classes.of_mirrors();
    mirrors.iter().for_each(|mirror| columns.class_of[mirror.at()] = class_of_mirrors);
    if columns.class_of.contains(&NOT_EXPANDED) {
        return Err(Unproven::Unexpanded { by: "name" }.into());
    }
    if columns.class_of.contains(&NOT_NAMED) {
        return Err(Unproven::NoClass.into());
    }
    let by_class = sizes_by_class(&survey.class_sizes, class_ids)?;
    let mut sizeless = 0;
    for (bytes, class) in columns.shallow_bytes.iter_mut().zip(&columns.class_of).filter(|(bytes, _)| **bytes == 0) {
        *bytes = by_class[class.at()];
        sizeless += usize::from(*bytes == 0);
    }
    // Of a mirror that nothing refers to no size is told.
    if sizeless > mirrors.iter().filter(|mirror| columns.shallow_bytes[mirror.at()] == 0).count() {
        return Err(Unproven::Size { what: "was not told" }.into());
    }
    Ok((columns.class_of, columns.shallow_bytes))
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

/// The mirror's reference to its loader tells more than the record, whose loader bears no name as a rule.
fn add_loaders(classes: &mut Classes, loaders: &[(ObjectIdx, ObjectIdx)]) {
    for &(mirror, loader) in loaders {
        if let Some(class) = classes.of_mirror(mirror) {
            classes.all[class.at()].loader.get_or_insert(loader);
        }
    }
}

/// Mirrors of classes: what is a class's, and what bears a name, is no thread, and referred to no class.
fn mirrors(survey: &Survey, places: &Places, told: &Told, classes: &Classes, class_of: &[ClassIdx]) -> Vec<ObjectIdx> {
    let is_thread = |id: Option<ObjectId>| told.threads.iter().any(|thread| Some(thread.object) == id);
    let is_mirror = |id: Option<ObjectId>, object: ObjectIdx| {
        let is_classless = [NOT_EXPANDED, NOT_NAMED].contains(&class_of[object.at()]);
        classes.of_mirror(object).is_some() || is_classless && !is_thread(id)
    };
    let named = survey.named.iter().filter_map(|&(id, address)| Some((id, places.index(address)?)));
    named.filter(|&(id, object)| is_mirror(id, object)).map(|(_, object)| object).collect()
}

fn sizes_by_class(told: &[(ObjectId, u64)], class_ids: &ClassIds) -> Result<Vec<u32>, HeapError> {
    let mut sizes: HashMap<ClassIdx, u32> = HashMap::new();
    for &(id, bytes) in told {
        let class = class_ids.class(id).ok_or(HeapError::Unknown { what: "size of a class", id: id.0 })?;
        if sizes.insert(class, size(bytes)?).is_some() {
            return Err(Unproven::ToldTwice { what: "size of a class" }.into());
        }
    }
    Ok((0..class_ids.class_count() as u32).map(|class| sizes.get(&ClassIdx(class)).copied().unwrap_or(0)).collect())
}
