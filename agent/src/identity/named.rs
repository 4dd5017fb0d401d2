//! Objects that the analyzer names, found by their tags: classes in the list of loaded classes, all others in one scan
//! of the tag table. Sets no tag.
//!
//! The scan compares every entry of the table with every tag asked for, while no collection can begin. So it is asked
//! for as few tags as possible, once, and never for classes.

use super::sole::{MostStop, UniqueInstances};
use super::tag::Tag;
use crate::jvmti::env::{Env, JvmtiError};
use crate::jvmti::jni::{Jni, Local, Weak};
use rootbound_wire::ids::{ObjectId, SnapshotId};
use rootbound_wire::message::MOST_ALIKE_LOCALS;
use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

/// No id of a capture is found any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the ids of that capture stand no more")]
pub struct Gone;

/// The place of a capture's ids.
pub struct Ids<'e> {
    /// The environment of the tags.
    pub env: &'e Env,
    /// The capture.
    pub snapshot: SnapshotId,
    /// Snapshots that a tag of the environment may call the first that saw its object.
    pub generations: &'e [u32],
    /// Planned marks behind an id of the capture: on classes and threads that it named.
    pub renamed: HashMap<(SnapshotId, u32), ObjectId>,
    /// Bound on the pauses by searches.
    pub most_stop: MostStop,
}

/// Names to look for.
#[derive(Debug, Default)]
pub struct Wanted {
    /// Ids of a capture.
    pub ids: BTreeSet<ObjectId>,
    /// Planned marks: the snapshot that they carry, and their number.
    pub marks: BTreeSet<(SnapshotId, u32)>,
    /// Classes of which the only instance is looked for, among `ids`.
    pub unique: BTreeSet<ObjectId>,
    /// Classes of which the objects are looked for to which local variables refer, among `ids`.
    pub locals: BTreeSet<ObjectId>,
}

/// The objects found.
#[derive(Default)]
pub struct Named<'j> {
    ids: HashMap<ObjectId, Local<'j>>,
    marks: HashMap<(SnapshotId, u32), Local<'j>>,
    unique: UniqueInstances<'j>,
}

impl Wanted {
    /// References that [`Named::find`] may make and hold.
    pub fn room(&self) -> usize {
        self.ids.len() + 2 * self.marks.len() + self.unique.len() + MOST_ALIKE_LOCALS as usize * self.locals.len()
    }
}

impl<'j> Named<'j> {
    /// Looks for all names in one scan; names of objects that are gone are not found.
    ///
    /// # Errors
    /// When JVMTI refuses.
    pub fn find(jni: &'j Jni, ids: &Ids<'_>, wanted: &Wanted) -> Result<Self, JvmtiError> {
        let mut named = Self::default();
        let renamed: Vec<_> = wanted.marks.iter().filter_map(|mark| Some((*mark, *ids.renamed.get(mark)?))).collect();
        let mut wanted_ids = wanted.ids.clone();
        wanted_ids.extend(renamed.iter().map(|&(_, id)| id));
        for (id, class) in classes(jni, ids, &wanted_ids)? {
            named.ids.extend(jni.upgrade(&class).map(|class| (id, class)));
        }
        let rest = wanted_ids.iter().filter(|id| !named.ids.contains_key(id));
        // A tag carries the first snapshot too, which the id does not contain: try each possible one. (A capture by
        // address that saw the object first writes 0.)
        let tags = rest.flat_map(|&ObjectId(id)| {
            let first_seen = ids.generations.iter().copied().chain([0]);
            first_seen.map(move |first_seen| Tag { id, first_seen, capture: ids.snapshot.0 }.encode(0))
        });
        let marks = wanted.marks.iter().map(|&(snapshot, number)| Tag::planned(snapshot, number).encode(0));
        let tags: Vec<i64> = tags.chain(marks).collect();
        for (tag, object) in ids.env.objects_with_tags(jni, &tags)? {
            let tag = Tag::decode(tag);
            match tag.id_in(ids.snapshot) {
                Some(id) => drop(named.ids.insert(id, object)),
                None => drop(named.marks.insert((SnapshotId(tag.first_seen), tag.id as u32), object)),
            }
        }
        for (mark, id) in renamed {
            let object = named.ids.get(&id).and_then(|object| jni.duplicate(object));
            named.marks.extend(object.map(|object| (mark, object)));
        }
        let known = |id: &ObjectId| Some((*id, named.ids.get(id)?));
        named.unique = UniqueInstances::find(
            jni,
            wanted.unique.iter().filter_map(known),
            wanted.locals.iter().filter_map(known),
            ids.most_stop,
        )?;
        Ok(named)
    }

    /// The only instance of the class with this id.
    pub fn sole(&self, class: ObjectId) -> Option<&Local<'j>> {
        self.unique.of(class)
    }

    /// Object number `nth` among `of` objects of the class with this id to which local variables refer.
    pub fn local(&self, class: ObjectId, nth: u32, of: u32) -> Option<&Local<'j>> {
        self.unique.local(class, nth, of)
    }

    /// Length of the pauses for the search.
    pub fn pause(&self) -> Duration {
        self.unique.pause
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty() && self.marks.is_empty()
    }

    /// The object with this id.
    pub fn id(&self, id: ObjectId) -> Option<&Local<'j>> {
        self.ids.get(&id)
    }

    /// The object with this mark.
    pub fn marked(&self, first_seen: SnapshotId, number: u32) -> Option<&Local<'j>> {
        self.marks.get(&(first_seen, number))
    }
}

fn classes(jni: &Jni, ids: &Ids<'_>, wanted: &BTreeSet<ObjectId>) -> Result<Vec<(ObjectId, Weak)>, JvmtiError> {
    let mut found = Vec::new();
    ids.env.for_each_class(jni, |class| {
        let id = Tag::decode(ids.env.tag(class)).id_in(ids.snapshot).filter(|id| wanted.contains(id));
        // The local reference ends with the listing; a weak one lasts until it is taken up again.
        found.extend(id.and_then(|id| Some((id, jni.weaken(class)?))));
    })?;
    Ok(found)
}
