//! The only instances of few classes: where structures begin that hang from local variables or JNI references alone, which
//! JNI cannot read. Each class takes one iteration over the heap, which stops the program; a class filter keeps the JVM
//! from touching any other object.

use crate::jvmti::env::{Env, JvmtiError};
use crate::jvmti::heap::{Next, ObjectVisitor, WalkError};
use crate::jvmti::jni::{Jni, Local};
use rootbound_wire::ids::ObjectId;
use std::cell::Cell;
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// More classes are not looked for: each is a stop.
const MOST_CLASSES: usize = 4;
const TAG: i64 = 1;

/// What was found, by class.
#[derive(Default)]
pub struct Soles<'j> {
    found: HashMap<ObjectId, Local<'j>>,
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

impl<'j> Soles<'j> {
    /// Looks for the only instance of each class; classes that have none or several are left out. Every tag is taken away.
    ///
    /// # Errors
    /// When the JVM refuses.
    pub fn find<'c>(jni: &'j Jni, classes: impl Iterator<Item = (ObjectId, &'c Local<'j>)>) -> Result<Self, JvmtiError>
    where
        'j: 'c,
    {
        let mut soles = Self::default();
        for (id, class) in classes.take(MOST_CLASSES) {
            let env = Env::tagging(jni.vm())?;
            let mut first = First::default();
            let begun = Instant::now();
            let iterated = env.iterate_instances(class, &mut first);
            soles.pause += begun.elapsed();
            match iterated {
                Ok(()) if first.seen == 1 => {
                    let tagged = env.objects_with_tags(jni, &[TAG])?.into_iter().next();
                    soles.found.extend(tagged.map(|(_, object)| (id, object)));
                }
                // A panic of these few lines, contained at the border, finds nothing.
                Ok(()) | Err(WalkError::Panicked) => {}
                Err(WalkError::Jvmti(error)) => return Err(error),
                Err(WalkError::Fork(_)) => {}
            }
        }
        Ok(soles)
    }

    /// The only instance of a class.
    pub fn of(&self, class: ObjectId) -> Option<&Local<'j>> {
        self.found.get(&class)
    }
}
