//! The classes and threads of a program, held by handles from before a walk by address until its end. Their places in
//! this list are the names that the capture gives them, and their handles hold their addresses during the pause. So
//! the walk needs no tags for them, and the JVM need not look for any.

use super::assigned_ids::AssignedIds;
use super::head_roll::HeadRoll;
use crate::identity::ages::Ages;
use crate::identity::tag::Tag;
use crate::jvmti::env::{Env, JvmtiError};
use crate::jvmti::jni::{Jni, Local};
use rootbound_wire::graph::{Address, StreamMark};
use rootbound_wire::ids::{ObjectId, SnapshotId};
use rootbound_wire::message::Mark;

/// One object that is held.
pub struct HeldObject<'j> {
    /// Its handle.
    pub object: Local<'j>,
    /// The tag on it before the capture.
    pub before: i64,
    /// Its mark, if it existed in an earlier snapshot.
    pub mark: Option<StreamMark>,
}

/// The named objects, in the order of the names 1, 2, 3 …: classes first. Valid only as long as the local frame in
/// which they were acquired.
pub struct HeldObjects<'j> {
    objects: Vec<HeldObject<'j>>,
    classes: usize,
    this_thread: Local<'j>,
    /// Heads to find again, which have no name.
    heads: Option<&'j (dyn HeadRoll + 'j)>,
}

impl<'j> HeldObjects<'j> {
    /// Acquires every loaded class and every live thread. An object with a name of `earlier` loses that name, and
    /// keeps its mark.
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
        Ok(Self { objects, classes, this_thread: env.this_thread(jni)?, heads: None })
    }

    /// The same with heads to find again.
    #[must_use]
    pub fn with_heads(self, heads: &'j (dyn HeadRoll + 'j)) -> Self {
        Self { heads: Some(heads), ..self }
    }

    /// Heads to find again, if there are any.
    pub fn heads(&self) -> Option<&(dyn HeadRoll + 'j)> {
        self.heads
    }

    /// All, each with its name.
    pub fn all(&self) -> impl Iterator<Item = (ObjectId, &HeldObject<'j>)> {
        (1..).map(ObjectId).zip(&self.objects)
    }

    /// The number of names, which is also the last of them.
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

    /// The address of the thread that acquired them; see [`Local::address`].
    pub fn this_thread(&self) -> Address {
        self.this_thread.address()
    }
}
