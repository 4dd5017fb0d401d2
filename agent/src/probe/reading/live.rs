//! The JVM as a reader: classes and fields of one probe, resolved once, checked at every step. Pins no class: all are
//! held weakly and taken up for the time of a visit.

use super::live_counter::LiveCounter;
use super::reader::{HeapReader, Number};
use crate::jvmti::checked::{FieldHandle, HeldClass, WeakClass};
use crate::jvmti::env::Env;
use crate::jvmti::jni::{Jni, Local, Weak};

/// The classes and fields that a place needs from the JVM.
pub struct LivePlace {
    /// Its class.
    pub class: WeakClass,
    /// The owner is itself a class mirror: identity instead of instance-of.
    pub is_mirror: bool,
    /// One entry a step; `None` for array elements.
    pub fields: Vec<Option<FieldHandle>>,
}

/// One visit's view: every class is held, so that the fields stay valid.
pub struct LiveReader<'j> {
    jni: &'j Jni,
    /// The environment of the members' marks, which looks fields up too.
    marks: Option<&'j Env>,
    /// The environment of what a count has entered: in the members' one a mark of a count would take a member's place.
    entered: Option<&'j Env>,
    places: &'j [LivePlace],
    counters: &'j [Option<LiveCounter>],
    classes: Vec<HeldClass<Local<'j>>>,
}

/// The tag of an object that a count has entered. One tag is enough: counts follow one another, and none leaves a tag.
const ENTERED: i64 = 1;

impl<'j> LiveReader<'j> {
    /// Takes up the classes; `None` when one of them has been unloaded.
    pub fn new(
        jni: &'j Jni,
        marks: Option<&'j Env>,
        places: &'j [LivePlace],
        counters: &'j [Option<LiveCounter>],
    ) -> Option<Self> {
        let classes = places.iter().map(|place| place.class.hold(jni)).collect::<Option<_>>()?;
        Some(Self { jni, marks, entered: None, places, counters, classes })
    }

    /// A view with an environment in which counts may mark the objects that they enter.
    pub fn entering_by(self, entered: Option<&'j Env>) -> Self {
        Self { entered, ..self }
    }
}

impl<'j> HeapReader for LiveReader<'j> {
    type Ref = Local<'j>;
    type Held = Weak;

    fn field(&self, place: usize, step: usize, object: &Local<'j>) -> Option<Local<'j>> {
        self.classes[place].read(self.jni, object, self.places[place].fields[step]?)
    }

    fn length(&self, array: &Local<'j>) -> u32 {
        self.jni.array_length(array)
    }

    fn element(&self, array: &Local<'j>, index: u32) -> Option<Local<'j>> {
        self.jni.element(array, index)
    }

    fn admits(&self, place: usize, object: &Local<'j>) -> bool {
        let class = &self.classes[place];
        if self.places[place].is_mirror { class.is(self.jni, object) } else { class.admits(self.jni, object) }
    }

    fn same(&self, one: &Local<'j>, other: &Local<'j>) -> bool {
        self.jni.same(one, other)
    }

    fn duplicate(&self, object: &Local<'j>) -> Option<Local<'j>> {
        self.jni.duplicate(object)
    }

    fn hold(&self, object: &Local<'j>) -> Option<Weak> {
        self.jni.weaken(object)
    }

    fn recall(&self, held: &Weak) -> Option<Local<'j>> {
        self.jni.upgrade(held)
    }

    fn number(&self, counter: usize, owner: &Local<'j>) -> Option<Number> {
        self.counters.get(counter)?.as_ref()?.read(self.jni, self.marks, owner)
    }

    fn mark(&self, object: &Local<'j>) -> i64 {
        self.marks.map_or(0, |marks| marks.tag(object))
    }

    fn set_mark(&self, object: &Local<'j>, mark: i64) -> bool {
        self.marks.is_some_and(|marks| marks.set_tag(object, mark).is_ok())
    }

    fn is_entered(&self, object: &Local<'j>) -> bool {
        self.entered.is_some_and(|entered| entered.tag(object) == ENTERED)
    }

    fn set_entered(&self, object: &Local<'j>, is_entered: bool) -> bool {
        let tag = if is_entered { ENTERED } else { 0 };
        self.entered.is_some_and(|entered| entered.set_tag(object, tag).is_ok())
    }
}
