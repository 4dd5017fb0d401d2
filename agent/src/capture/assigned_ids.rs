//! The names that a capture by address assigns after its walk: classes and threads are tagged with their places in
//! [`super::roll`], so that [`super::names`] can send them and owners can be found by them. Runs while the program
//! runs; reads no reference.

use super::roll::HeldObjects;
use crate::identity::tag::Tag;
use crate::jvmti::env::Env;
use crate::jvmti::jni::{Jni, Local};
use rootbound_wire::graph::StreamMark;
use rootbound_wire::ids::{ObjectId, SnapshotId};
use rootbound_wire::message::Mark;

/// The names of one capture, with the tags before them.
#[derive(Debug, Default)]
pub struct AssignedIds {
    snapshot: SnapshotId,
    /// By id, from 1 on.
    before: Vec<i64>,
    marks: Vec<Option<StreamMark>>,
    /// Tags that exist because of the names, on objects that had none before.
    fresh: u64,
}

impl AssignedIds {
    /// Tags all held objects.
    pub fn assign(env: &Env, snapshot: SnapshotId, held_objects: &HeldObjects<'_>) -> Self {
        let mut assigned = Self { snapshot, ..Self::default() };
        for (id, object) in held_objects.all() {
            let first_seen = object.mark.map_or(0, |mark| mark.first_seen);
            let tag = Tag { id: id.0, first_seen, capture: snapshot.0 }.encode(object.before);
            // Fails for an object that is going away; its name belongs to no object then.
            let is_assigned = env.set_tag(&object.object, tag).is_ok();
            assigned.before.push(object.before);
            assigned.marks.push(object.mark);
            assigned.fresh += u64::from(is_assigned && object.before == 0);
        }
        assigned
    }

    /// Removes the name from an object, if it has one; returns the tag that it has then.
    pub fn unassign(&mut self, env: &Env, object: &Local<'_>) -> i64 {
        let standing = env.tag(object);
        let Some(id) = self.id(standing) else { return standing };
        let before = self.before(id);
        if env.set_tag(object, before).is_err() {
            return standing;
        }
        self.fresh = self.fresh.saturating_sub(u64::from(before == 0));
        before
    }

    /// Restores every tag as it was. Where the JVM no longer lists its classes or threads, names stay until the tags
    /// go.
    pub fn restore(&mut self, env: &Env, jni: &Jni) {
        let mut take = |object: &Local<'_>| {
            self.unassign(env, object);
        };
        let _listed = (env.for_each_class(jni, &mut take), env.for_each_thread(jni, &mut take));
    }

    /// The name of an object with this tag. (A mark looks like an id of capture 0, which never existed.)
    fn id(&self, tag: i64) -> Option<ObjectId> {
        if self.snapshot.0 == 0 { None } else { Tag::decode(tag).id_in(self.snapshot) }
    }

    fn before(&self, id: ObjectId) -> i64 {
        self.before.get(id.0 as usize - 1).copied().unwrap_or_default()
    }

    /// Tags that exist because of the names.
    pub fn fresh(&self) -> u64 {
        self.fresh
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
}
