//! The names that a capture by address gives before its walk: classes and threads are tagged with ids 1, 2, 3 …, so that
//! the walk can tell them and [`super::names`] can send them. Runs while the program does; sees no reference.

use crate::identity::ages::Ages;
use crate::identity::tag::Tag;
use crate::jvmti::env::{Env, JvmtiError};
use crate::jvmti::jni::{Jni, Local};
use rootbound_wire::graph::StreamMark;
use rootbound_wire::ids::{ObjectId, SnapshotId};
use rootbound_wire::message::Mark;

/// The names of one capture, with the tags that stood before.
#[derive(Debug, Default)]
pub struct Given {
    snapshot: SnapshotId,
    /// By id, from 1 on.
    before: Vec<i64>,
    marks: Vec<Option<StreamMark>>,
    class_of_classes: Option<ObjectId>,
    /// Objects that bore no tag before.
    fresh: u64,
}

impl Given {
    /// Tags every loaded class and every live thread. What an earlier capture named gets a new name, and keeps its mark:
    /// `earlier` knows it.
    ///
    /// # Errors
    /// When the JVM does not list its classes or threads.
    pub fn give(env: &Env, jni: &Jni, snapshot: SnapshotId, ages: &Ages, earlier: &Self) -> Result<Self, JvmtiError> {
        let mut given = Self { snapshot, ..Self::default() };
        env.for_each_class(jni, |class| {
            given.name(env, ages, earlier, class);
            // The one mirror that is an instance of itself.
            if given.class_of_classes.is_none() && jni.class_of_object(class).is_some_and(|of| jni.same(&of, class)) {
                given.class_of_classes = given.id(env.tag(class));
            }
        })?;
        env.for_each_thread(jni, |thread| given.name(env, ages, earlier, thread))?;
        Ok(given)
    }

    fn name(&mut self, env: &Env, ages: &Ages, earlier: &Self, object: &Local<'_>) {
        let standing = env.tag(object);
        if self.id(standing).is_some() {
            return;
        }
        let before = earlier.id(standing).map_or(standing, |id| earlier.before(id));
        let first_seen = ages.first_seen(Tag::decode(before), self.snapshot);
        let is_old = first_seen != self.snapshot;
        let tag =
            Tag { id: self.count() + 1, first_seen: if is_old { first_seen.0 } else { 0 }, capture: self.snapshot.0 };
        if env.set_tag(object, tag.encode(before)).is_err() {
            return;
        }
        self.before.push(before);
        let mark = Tag::decode(before).mark().unwrap_or(Mark::StandsFor(1));
        self.marks.push(is_old.then_some(StreamMark { first_seen: first_seen.0, mark }));
        self.fresh += u64::from(standing == 0);
    }

    /// The name of an object with this tag. (A mark looks like an id of the capture that never was, 0.)
    fn id(&self, tag: i64) -> Option<ObjectId> {
        if self.snapshot.0 == 0 { None } else { Tag::decode(tag).id_in(self.snapshot) }
    }

    fn before(&self, id: ObjectId) -> i64 {
        self.before.get(id.0 as usize - 1).copied().unwrap_or_default()
    }

    /// Gives every tag back as it was.
    pub fn take_back(self, env: &Env, jni: &Jni) {
        let restore = |object: &Local<'_>| {
            if let Some(id) = self.id(env.tag(object)) {
                // Fails for an object that is going away.
                let _untagged_at_worst = env.set_tag(object, self.before(id));
            }
        };
        // The names mean nothing any more; where a list cannot be had, they stand until the tags go.
        let _listed = (env.for_each_class(jni, restore), env.for_each_thread(jni, restore));
    }

    /// Names given; the last id.
    pub fn count(&self) -> u64 {
        self.before.len() as u64
    }

    /// Tags that stand because of the names.
    pub fn fresh(&self) -> u64 {
        self.fresh
    }

    /// Whether this is the class whose instances the mirrors are.
    #[inline]
    pub fn is_class_of_classes(&self, class: Option<ObjectId>) -> bool {
        class.is_some() && class == self.class_of_classes
    }

    /// The planned marks of named objects, with their names.
    pub fn planned(&self) -> impl Iterator<Item = ((SnapshotId, u32), ObjectId)> {
        self.marks.iter().zip(1..).filter_map(|(mark, id)| match mark {
            Some(StreamMark { first_seen, mark: Mark::Planned(number) }) => {
                Some(((SnapshotId(*first_seen), *number), ObjectId(id)))
            }
            _ => None,
        })
    }

    /// The mark of a named object.
    pub fn mark(&self, id: ObjectId) -> Option<StreamMark> {
        self.marks.get(id.0 as usize - 1).copied().flatten()
    }
}
