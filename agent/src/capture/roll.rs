//! The classes and threads of a program, held by handles from before a walk by address until it is over: their places on the
//! roll are the names that the capture gives them, and what the handles hold while the world stands still says where they
//! are. So no tag stands during the walk because of them, and the JVM need not look for any.

use super::assigned_ids::AssignedIds;
use crate::identity::ages::Ages;
use crate::identity::tag::Tag;
use crate::jvmti::env::{Env, JvmtiError};
use crate::jvmti::jni::{Jni, Local};
use rootbound_wire::graph::{Address, StreamMark};
use rootbound_wire::ids::{ObjectId, SnapshotId};
use rootbound_wire::message::Mark;

/// One who is called.
pub struct HeldObject<'j> {
    /// Its handle.
    pub object: Local<'j>,
    /// The tag that stands on it.
    pub before: i64,
    /// Its mark, if an earlier snapshot saw it.
    pub mark: Option<StreamMark>,
}

/// Who is named, in the order of the names 1, 2, 3 …: classes first. Goes with the local frame that it was called in.
pub struct HeldObjects<'j> {
    objects: Vec<HeldObject<'j>>,
    classes: usize,
    this_thread: Local<'j>,
}

impl<'j> HeldObjects<'j> {
    /// Calls every loaded class and every live thread. What `earlier` named loses that name, and keeps its mark.
    ///
    /// # Errors
    /// When the JVM does not list its classes or threads.
    pub fn acquire(
        env: &Env,
        jni: &'j Jni,
        snapshot: SnapshotId,
        ages: &Ages,
        earlier: &mut AssignedIds,
    ) -> Result<Self, JvmtiError> {
        let mut acquire = |object: Local<'j>| {
            let before = earlier.unassign(env, &object);
            let tag = Tag::decode(before);
            let first_seen = ages.first_seen(tag, snapshot);
            let mark = StreamMark { first_seen: first_seen.0, mark: tag.mark().unwrap_or(Mark::StandsFor(1)) };
            HeldObject { object, before, mark: (first_seen != snapshot).then_some(mark) }
        };
        let mut objects: Vec<HeldObject<'j>> = env.loaded_classes(jni)?.map(&mut acquire).collect();
        let classes = objects.len();
        objects.extend(env.live_threads(jni)?.map(&mut acquire));
        Ok(Self { objects, classes, this_thread: env.this_thread(jni)? })
    }

    /// All, each with its name.
    pub fn all(&self) -> impl Iterator<Item = (ObjectId, &HeldObject<'j>)> {
        (1..).map(ObjectId).zip(&self.objects)
    }

    /// Names given; the last of them.
    pub fn count(&self) -> u64 {
        self.objects.len() as u64
    }

    /// Whether a name is a class's, and not a thread's.
    #[inline]
    pub fn is_class(&self, id: ObjectId) -> bool {
        id.0 <= self.classes as u64
    }

    /// The mark of a named object.
    pub fn mark(&self, id: ObjectId) -> Option<StreamMark> {
        self.objects.get(id.0 as usize - 1)?.mark
    }

    /// Where the thread is that called; as [`Local::address`] says.
    pub fn this_thread(&self) -> Address {
        self.this_thread.address()
    }
}
