//! The beginnings of structures that hang from local variables or JNI references alone, which JNI cannot read. They
//! are the only instances of a few classes, and objects to which local variables refer. Objects of one class are
//! distinguished by their order.
//!
//! Each class of the first kind takes one iteration over the heap, which pauses the program; a class filter keeps the
//! JVM from touching any other object. All of the second kind take one walk that goes no further than the stacks.
//! HotSpot reports those first, and ends at once when a walk stops before it has left the roots.

use crate::jvmti::abi::ReferenceKind;
use crate::jvmti::env::{Env, JvmtiError};
use crate::jvmti::heap::{Edge, EdgeVisitor, Next, ObjectVisitor, WalkError};
use crate::jvmti::jni::{Jni, Local};
use crate::stop::StopBound;
use rootbound_wire::ids::ObjectId;
use rootbound_wire::message::MOST_ALIKE_LOCALS;
use std::cell::Cell;
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Most classes that are looked for: each takes a pause.
const MOST_CLASSES: usize = 4;
const TAG: i64 = 1;
/// Time of an iteration that touches nothing but headers, for each megabyte in use. Collectors that move objects while
/// the program runs traverse the heap for it. Measured on slow machines with many small objects (docs/overhead.md).
const ITERATION_US_A_MB: u64 = 600;
const TRAVERSAL_US_A_MB: u64 = 12_000;
/// Classes that are looked for among local variables; their tags are 1, 2, 3 ….
const MOST_OF_LOCALS: usize = 16;
/// Tags from this one on are those of the objects found: `ALIKE` for each class.
const OBJECTS: i64 = 1 << 32;
const ALIKE: i64 = MOST_ALIKE_LOCALS as i64;

/// Roots that come after the stacks.
const AFTER_STACKS: [ReferenceKind; 3] =
    [ReferenceKind::JNI_GLOBAL, ReferenceKind::SYSTEM_CLASS, ReferenceKind::MONITOR];

/// Bound on the pauses by the searches of one command. A class filter allows no early end of an iteration, so one that
/// is forecast to take longer is not begun.
#[derive(Clone, Copy, Debug)]
pub struct MostStop {
    /// 0: as long as it takes.
    pub most_ms: u32,
    /// Whether the collector traverses the heap to iterate over it.
    pub traverses: bool,
}

impl MostStop {
    /// Whether an iteration over this number of used bytes may be begun, when the program has been paused for `spent`.
    fn allows(self, used_bytes: u64, spent: Duration) -> bool {
        let a_megabyte = if self.traverses { TRAVERSAL_US_A_MB } else { ITERATION_US_A_MB };
        let forecast = Duration::from_micros((used_bytes >> 20) * a_megabyte);
        self.most_ms == 0 || spent + forecast <= Duration::from_millis(u64::from(self.most_ms))
    }
}

/// The objects found, by class.
#[derive(Default)]
pub struct UniqueInstances<'j> {
    found: HashMap<ObjectId, Local<'j>>,
    /// By class and number, and their number by class.
    locals: HashMap<(ObjectId, u32), Local<'j>>,
    locals_of: HashMap<ObjectId, u32>,
    /// Total length of the pauses.
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

/// Counts the different objects of each tagged class to which local variables refer. They are numbered as they come.
struct Locals {
    seen: [u32; MOST_OF_LOCALS],
    stop: StopBound,
    is_cut: bool,
}

impl EdgeVisitor for Locals {
    fn visit(&mut self, edge: &Edge<'_>) -> Next {
        if AFTER_STACKS.contains(&edge.origin.kind) {
            return Next::Abort;
        }
        if self.stop.is_over() {
            self.is_cut = true;
            return Next::Abort;
        }
        let of_class = usize::try_from(edge.class_tag - 1).ok().and_then(|at| self.seen.get_mut(at));
        if let Some(seen) = of_class.filter(|_| edge.origin.kind == ReferenceKind::STACK_LOCAL && edge.tag.get() == 0) {
            let nth = i64::from(*seen).min(ALIKE - 1);
            edge.tag.set(OBJECTS + (edge.class_tag - 1) * ALIKE + nth);
            *seen += 1;
        }
        Next::Leave
    }
}

impl<'j> UniqueInstances<'j> {
    /// Looks for the only instance of each class, and for the objects of the other classes to which local variables
    /// refer. A class with too many objects to distinguish has none found. Every tag is removed.
    ///
    /// # Errors
    /// When the JVM refuses.
    pub fn find<'c>(
        jni: &'j Jni,
        classes: impl Iterator<Item = (ObjectId, &'c Local<'j>)>,
        of_locals: impl Iterator<Item = (ObjectId, &'c Local<'j>)>,
        most: MostStop,
    ) -> Result<Self, JvmtiError>
    where
        'j: 'c,
    {
        let mut unique = Self::default();
        unique.find_instances(jni, classes, most)?;
        unique.find_locals(jni, of_locals, most)?;
        Ok(unique)
    }

    fn find_locals<'c>(
        &mut self,
        jni: &'j Jni,
        classes: impl Iterator<Item = (ObjectId, &'c Local<'j>)>,
        most: MostStop,
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
        let mut locals = Locals { seen: [0; MOST_OF_LOCALS], stop: StopBound::from_now(most.most_ms), is_cut: false };
        let begun = Instant::now();
        let walked = env.follow_references(&mut locals);
        self.pause += begun.elapsed();
        match walked {
            // The walk was cut: the number of objects on the other stacks is unknown.
            Ok(()) if locals.is_cut => return Ok(()),
            Ok(()) => {}
            Err(WalkError::Jvmti(error)) => return Err(error),
            // As below: its result is not to be relied on.
            Err(WalkError::Panicked | WalkError::Fork(_)) => return Ok(()),
        }
        let seen = classes.iter().zip(locals.seen).map(|(&(id, _), seen)| (id, seen));
        self.locals_of = seen.filter(|&(_, seen)| (1..=MOST_ALIKE_LOCALS).contains(&seen)).collect();
        let tags = classes.iter().zip(0..).flat_map(|(&(id, _), class)| {
            let count = self.locals_of.get(&id).copied().unwrap_or(0);
            (0..count).map(move |nth| (OBJECTS + class * ALIKE + i64::from(nth), (id, nth)))
        });
        let names: HashMap<i64, (ObjectId, u32)> = tags.collect();
        let tags: Vec<i64> = names.keys().copied().collect();
        let found = env.objects_with_tags(jni, &tags)?.into_iter();
        self.locals.extend(found.filter_map(|(tag, object)| Some((*names.get(&tag)?, object))));
        Ok(())
    }

    fn find_instances<'c>(
        &mut self,
        jni: &'j Jni,
        classes: impl Iterator<Item = (ObjectId, &'c Local<'j>)>,
        most: MostStop,
    ) -> Result<(), JvmtiError>
    where
        'j: 'c,
    {
        for (id, class) in classes.take(MOST_CLASSES) {
            let used = jni.heap_bytes().map_or(u64::MAX, |(used, ..)| used);
            if !most.allows(used, self.pause) {
                break;
            }
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

    /// Object number `nth` among `of` objects of a class to which local variables refer.
    pub fn local(&self, class: ObjectId, nth: u32, of: u32) -> Option<&Local<'j>> {
        self.locals.get(&(class, nth)).filter(|_| self.locals_of.get(&class) == Some(&of))
    }

    /// The only instance of a class.
    pub fn of(&self, class: ObjectId) -> Option<&Local<'j>> {
        self.found.get(&class)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_iteration_that_would_take_too_long_is_not_begun() {
        let (moving, still) = (MostStop { most_ms: 500, traverses: true }, MostStop { most_ms: 500, traverses: false });
        let used = 100 << 20;
        assert!(still.allows(used, Duration::ZERO) && !moving.allows(used, Duration::ZERO));
        assert!(!still.allows(used, Duration::from_millis(450)), "what was spent counts");
        assert!(MostStop { most_ms: 0, traverses: true }.allows(u64::MAX, Duration::ZERO));
    }
}
