//! Where structures begin that hang from local variables or JNI references alone, which JNI cannot read: the only instances of
//! few classes, and the only objects of some among those that local variables refer to.
//!
//! Each class of the first kind takes one iteration over the heap, which stops the program; a class filter keeps the JVM
//! from touching any other object. All of the second kind take one walk that goes no further than the stacks: HotSpot tells
//! those first, and forgets what it was about at once when a walk ends before it has left the roots.

use crate::jvmti::env::{Env, JvmtiError};
use crate::jvmti::heap::{Edge, EdgeVisitor, Next, ObjectVisitor, WalkError};
use crate::jvmti::jni::{Jni, Local};
use rootbound_wire::ids::ObjectId;
use std::cell::Cell;
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// More classes are not looked for: each is a stop.
const MOST_CLASSES: usize = 4;
const TAG: i64 = 1;
/// Classes that are looked for among local variables, and what is added to a class's tag for that of its object.
const MOST_OF_LOCALS: usize = 16;
const OBJECT: i64 = 1 << 32;

/// `jvmtiHeapReferenceKind`: roots that are told after the stacks, and a local variable.
const AFTER_STACKS: [i32; 3] = [21, 22, 23];
const STACK_LOCAL: i32 = 24;

/// What was found, by class.
#[derive(Default)]
pub struct Soles<'j> {
    found: HashMap<ObjectId, Local<'j>>,
    locals: HashMap<ObjectId, Local<'j>>,
    /// How long the program stood still in all.
    pub pause: Duration,
}

#[derive(Default)]
struct First {
    seen: u32,
}

impl ObjectVisitor for First {
    fn visit(&mut self, _class_tag: i64, tag: &Cell<i64>) -> Next {
        self.seen += 1;
        if self.seen > 1 {
            return Next::Abort;
        }
        tag.set(TAG);
        Next::Continue
    }
}

/// Objects of classes that bear a tag, by that tag: how many different ones local variables refer to.
#[derive(Default)]
struct Locals {
    seen: [u32; MOST_OF_LOCALS],
}

impl EdgeVisitor for Locals {
    fn visit(&mut self, edge: &Edge<'_>) -> Next {
        if AFTER_STACKS.contains(&edge.origin.kind) {
            return Next::Abort;
        }
        let of_class = usize::try_from(edge.class_tag - 1).ok().and_then(|at| self.seen.get_mut(at));
        if let Some(seen) = of_class.filter(|_| edge.origin.kind == STACK_LOCAL && edge.tag.get() == 0) {
            *seen += 1;
            edge.tag.set(OBJECT + edge.class_tag);
        }
        Next::Leave
    }
}

impl<'j> Soles<'j> {
    /// Looks for the only instance of each class, and for the only object of each of others that local variables refer to;
    /// classes that have none or several are left out. Every tag is taken away.
    ///
    /// # Errors
    /// When the JVM refuses.
    pub fn find<'c>(
        jni: &'j Jni,
        classes: impl Iterator<Item = (ObjectId, &'c Local<'j>)>,
        of_locals: impl Iterator<Item = (ObjectId, &'c Local<'j>)>,
    ) -> Result<Self, JvmtiError>
    where
        'j: 'c,
    {
        let mut soles = Self::default();
        soles.find_instances(jni, classes)?;
        soles.find_locals(jni, of_locals)?;
        Ok(soles)
    }

    fn find_locals<'c>(
        &mut self,
        jni: &'j Jni,
        classes: impl Iterator<Item = (ObjectId, &'c Local<'j>)>,
    ) -> Result<(), JvmtiError>
    where
        'j: 'c,
    {
        let classes: Vec<(ObjectId, &Local<'j>)> = classes.take(MOST_OF_LOCALS).collect();
        if classes.is_empty() {
            return Ok(());
        }
        let env = Env::tagging(jni.vm())?;
        for ((_, class), tag) in classes.iter().zip(1..) {
            env.set_tag(class, tag)?;
        }
        let mut locals = Locals::default();
        let begun = Instant::now();
        let walked = env.follow_references(&mut locals);
        self.pause += begun.elapsed();
        if let Err(WalkError::Jvmti(error)) = walked {
            return Err(error);
        }
        let only = classes.iter().zip(1..).zip(locals.seen).filter(|(_, seen)| *seen == 1).map(|(class, _)| class);
        let ids: HashMap<i64, ObjectId> = only.map(|(&(id, _), tag): (_, i64)| (OBJECT + tag, id)).collect();
        let tags: Vec<i64> = ids.keys().copied().collect();
        let found = env.objects_with_tags(jni, &tags)?.into_iter();
        self.locals.extend(found.filter_map(|(tag, object)| Some((*ids.get(&tag)?, object))));
        Ok(())
    }

    fn find_instances<'c>(
        &mut self,
        jni: &'j Jni,
        classes: impl Iterator<Item = (ObjectId, &'c Local<'j>)>,
    ) -> Result<(), JvmtiError>
    where
        'j: 'c,
    {
        for (id, class) in classes.take(MOST_CLASSES) {
            let env = Env::tagging(jni.vm())?;
            let mut first = First::default();
            let begun = Instant::now();
            let iterated = env.iterate_instances(class, &mut first);
            self.pause += begun.elapsed();
            match iterated {
                Ok(()) if first.seen == 1 => {
                    let tagged = env.objects_with_tags(jni, &[TAG])?.into_iter().next();
                    self.found.extend(tagged.map(|(_, object)| (id, object)));
                }
                // A panic of these few lines, contained at the border, finds nothing.
                Ok(()) | Err(WalkError::Panicked) => {}
                Err(WalkError::Jvmti(error)) => return Err(error),
                Err(WalkError::Fork(_)) => {}
            }
        }
        Ok(())
    }

    /// The only object of a class that local variables refer to.
    pub fn local(&self, class: ObjectId) -> Option<&Local<'j>> {
        self.locals.get(&class)
    }

    /// The only instance of a class.
    pub fn of(&self, class: ObjectId) -> Option<&Local<'j>> {
        self.found.get(&class)
    }
}
