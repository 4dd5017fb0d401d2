//! T1: every object that exists now gets a tag that a later capture recognises. Sees no reference and no value.

use super::ages::Ages;
use super::tag::{FILLER_CLASS, Tag};
use crate::jvmti::env::Env;
use crate::jvmti::heap::{Next, ObjectVisitor, WalkError};
use crate::jvmti::jni::Jni;
use rootbound_wire::ids::SnapshotId;
use std::cell::Cell;
use std::time::{Duration, Instant};

/// What a mark did.
#[derive(Clone, Copy, Debug)]
pub struct Marked {
    /// Objects seen.
    pub objects: u64,
    /// Objects that bear a mark now.
    pub marked: u64,
    /// How long the program stood still, at most.
    pub pause: Duration,
}

struct Marker<'a> {
    snapshot: SnapshotId,
    ages: &'a Ages,
    objects: u64,
    marked: u64,
    panics: bool,
}

impl ObjectVisitor for Marker<'_> {
    fn visit(&mut self, class_tag: i64, tag: &Cell<i64>) -> Next {
        assert!(!self.panics, "planted panic: mark");
        self.objects += 1;
        // Fillers are dead space that a collector dresses up as objects; tagging them is undefined.
        if class_tag >= 0 {
            let before = tag.get();
            if self.ages.first_seen(Tag::decode(before), self.snapshot) == self.snapshot {
                tag.set(Tag::standing_for(self.snapshot, 1).encode(before));
            }
            self.marked += 1;
        }
        Next::Continue
    }
}

/// Marks every object; those that an earlier snapshot saw keep their tag, unless it was an aborted capture (`ages`).
/// `panics` is the test hook.
///
/// # Errors
/// When the JVM refuses the iteration, or the visitor panicked.
pub fn mark_all(env: &Env, jni: &Jni, snapshot: SnapshotId, ages: &Ages, panics: bool) -> Result<Marked, WalkError> {
    env.for_each_class(jni, |class| {
        if env.class_signature(class).starts_with("Ljdk/internal/vm/Filler") {
            let _untagged_at_worst = env.set_tag(class, FILLER_CLASS);
        }
    })?;
    let mut marker = Marker { snapshot, ages, objects: 0, marked: 0, panics };
    let begun = Instant::now();
    env.iterate_heap(&mut marker)?;
    Ok(Marked { objects: marker.objects, marked: marker.marked, pause: begun.elapsed() })
}
