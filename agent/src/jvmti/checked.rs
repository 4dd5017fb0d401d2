//! Reads of fields and arrays that are sound whatever object they are asked of. JNI checks nothing: a field read from
//! an object that has no such field is undefined behaviour. So a field belongs to a class here, each object is checked
//! against that class before it is read, and a local reference remembers what it was checked for: the check is paid
//! once.

use super::classes::DeclaredField;
use super::env::Env;
use super::jni::{Jni, Local, Weak, jni};
use jni_sys::{jfieldID, jint};
use std::borrow::Borrow;
use std::sync::atomic::{AtomicU32, Ordering};

/// Facts that were checked of the object behind a reference. They never change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Proof {
    /// The class that it is an instance of, or the mirror of.
    of: Option<Kind>,
    /// The kind of its elements; once known, known for good.
    elements: Elements,
}

/// Instances of a class, or its mirror.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kind {
    /// See [`next_id`].
    class: u32,
    is_mirror: bool,
}

/// The kind of elements that objects of a class have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Elements {
    /// They are no arrays.
    #[default]
    None,
    /// Primitive values.
    Values,
    /// References.
    References,
}

impl Elements {
    /// Of objects of the class with this JVM signature.
    pub fn of_signature(signature: &str) -> Self {
        match signature.as_bytes() {
            [b'[', b'L' | b'[', ..] => Self::References,
            [b'[', ..] => Self::Values,
            _ => Self::None,
        }
    }
}

/// Numbers classes, so that a field of one is never read from an object of another.
fn next_id() -> u32 {
    static LAST: AtomicU32 = AtomicU32::new(0);
    LAST.fetch_add(1, Ordering::Relaxed)
}

/// A class whose objects are read, held weakly.
pub struct WeakClass {
    class: Weak,
    id: u32,
    elements: Elements,
}

/// A class whose objects are read, held for the moment: so its fields stay valid. `C` is a local reference to its
/// mirror, owned or borrowed: a plan names hundreds of classes, and each reference more needs room in the JVM's frame.
pub struct HeldClass<C> {
    class: C,
    id: u32,
    elements: Elements,
}

/// A field of a [`HeldClass`] that holds references.
#[derive(Clone, Copy)]
pub struct FieldHandle {
    raw: jfieldID,
    of: Kind,
    /// The kind of elements of the objects that it holds, by its type.
    elements: Elements,
}

/// A field of a [`HeldClass`] that holds an `int` or a `long`.
#[derive(Clone, Copy)]
pub struct NumberHandle {
    raw: jfieldID,
    of: Kind,
    is_long: bool,
}

impl WeakClass {
    /// Takes it up; `None` when it has been unloaded.
    pub fn hold<'j>(&self, jni: &'j Jni) -> Option<HeldClass<Local<'j>>> {
        Some(HeldClass { class: jni.upgrade(&self.class)?, id: self.id, elements: self.elements })
    }
}

impl<'j, C: Borrow<Local<'j>>> HeldClass<C> {
    /// The class with this mirror.
    pub fn new(env: &Env, class: C) -> Self {
        let elements = Elements::of_signature(&env.class_signature(class.borrow()));
        Self { class, id: next_id(), elements }
    }

    /// Turns the class into a weak reference.
    pub fn weaken(&self, jni: &Jni) -> Option<WeakClass> {
        Some(WeakClass { class: jni.weaken(self.mirror())?, id: self.id, elements: self.elements })
    }

    /// The class mirror.
    pub fn mirror(&self) -> &Local<'j> {
        self.class.borrow()
    }

    /// The kind of elements of its objects.
    pub fn elements(&self) -> Elements {
        self.elements
    }

    /// Whether the object is an instance.
    pub fn admits(&self, jni: &Jni, object: &Local<'_>) -> bool {
        self.proves(object, self.kind(false), || jni.is_instance(object, self.mirror()))
    }

    /// Whether the object is the class mirror.
    pub fn is(&self, jni: &Jni, object: &Local<'_>) -> bool {
        self.proves(object, self.kind(true), || jni.same(object, self.mirror()))
    }

    fn kind(&self, is_mirror: bool) -> Kind {
        Kind { class: self.id, is_mirror }
    }

    fn proves(&self, object: &Local<'_>, kind: Kind, check: impl FnOnce() -> bool) -> bool {
        let known = object.proof.get();
        if known.of == Some(kind) {
            return true;
        }
        if !check() {
            return false;
        }
        let elements = if kind.is_mirror || self.elements == Elements::None { known.elements } else { self.elements };
        object.proof.set(Proof { of: Some(kind), elements });
        true
    }

    /// Whether the object has the field.
    pub fn has(&self, jni: &Jni, object: &Local<'_>, field: FieldHandle) -> bool {
        self.fits(jni, object, field.of)
    }

    /// Whether the object is one that fields of this kind may be read from.
    fn fits(&self, jni: &Jni, object: &Local<'_>, kind: Kind) -> bool {
        kind.class == self.id && if kind.is_mirror { self.is(jni, object) } else { self.admits(jni, object) }
    }

    /// A field that `declaring`, the class itself or one that it inherits from, declares, if there is one and it holds
    /// references. Unlike JNI's `GetFieldID` it does not initialise the class, which would run Java code, or wait for a
    /// thread that does.
    pub fn reference_field(
        &self,
        jni: &Jni,
        env: &Env,
        declaring: &Local<'_>,
        (name, descriptor, is_static): (&str, &str, bool),
    ) -> Option<FieldHandle> {
        if !descriptor.starts_with(['L', '[']) || !self.has_fields_of(jni, declaring, is_static) {
            return None;
        }
        let raw = env.field_named(declaring, name, descriptor, is_static)?;
        Some(FieldHandle { raw, of: self.kind(is_static), elements: Elements::of_signature(descriptor) })
    }

    /// Handles to all fields that the class itself declares and that hold references: for many of one class, for each
    /// look for one goes through all.
    pub fn reference_fields(&self, env: &Env) -> Vec<(DeclaredField, FieldHandle)> {
        let holds_references = |(found, _): &(DeclaredField, jfieldID)| found.descriptor.starts_with(['L', '[']);
        let handle = |(found, raw): (DeclaredField, jfieldID)| {
            let elements = Elements::of_signature(&found.descriptor);
            let handle = FieldHandle { raw, of: self.kind(found.is_static), elements };
            (found, handle)
        };
        env.fields_of(self.mirror()).into_iter().filter(holds_references).map(handle).collect()
    }

    /// As [`HeldClass::reference_field`], of a field that the class itself declares and that holds an `int` or a
    /// `long`.
    pub fn number_field(&self, env: &Env, name: &str, descriptor: &str, is_static: bool) -> Option<NumberHandle> {
        let is_long = match descriptor {
            "I" => false,
            "J" => true,
            _ => return None,
        };
        let raw = env.field_named(self.mirror(), name, descriptor, is_static)?;
        Some(NumberHandle { raw, of: self.kind(is_static), is_long })
    }

    fn has_fields_of(&self, jni: &Jni, declaring: &Local<'_>, is_static: bool) -> bool {
        if is_static { jni.same(self.mirror(), declaring) } else { jni.is_subclass(self.mirror(), declaring) }
    }

    /// Reads a reference from an object; `None` for null, and where the object has no such field.
    pub fn read<'o>(&self, jni: &'o Jni, object: &Local<'_>, field: FieldHandle) -> Option<Local<'o>> {
        if !self.fits(jni, object, field.of) {
            return None;
        }
        let read = if field.of.is_mirror {
            jni!(jni.env, v1_1.GetStaticObjectField, object.raw(), field.raw)
        } else {
            jni!(jni.env, v1_1.GetObjectField, object.raw(), field.raw)
        };
        let read = if jni.clear() { None } else { jni.adopt(read) }?;
        read.proof.set(Proof { of: None, elements: field.elements });
        Some(read)
    }

    /// Reads a number from an object; `None` where the object has no such field.
    pub fn number(&self, jni: &Jni, object: &Local<'_>, field: NumberHandle) -> Option<i64> {
        if !self.fits(jni, object, field.of) {
            return None;
        }
        let (object, raw) = (object.raw(), field.raw);
        let value = match (field.of.is_mirror, field.is_long) {
            (false, false) => i64::from(jni!(jni.env, v1_1.GetIntField, object, raw)),
            (false, true) => jni!(jni.env, v1_1.GetLongField, object, raw),
            (true, false) => i64::from(jni!(jni.env, v1_1.GetStaticIntField, object, raw)),
            (true, true) => jni!(jni.env, v1_1.GetStaticLongField, object, raw),
        };
        (!jni.clear()).then_some(value)
    }
}

impl Jni {
    /// Length of an array; 0 of an object that was never seen to be one.
    pub fn array_length(&self, array: &Local<'_>) -> u32 {
        if array.proof.get().elements == Elements::None {
            return 0;
        }
        jni!(self.env, v1_1.GetArrayLength, array.raw()).max(0) as u32
    }

    /// An element of an array of references; `None` for null, and of an object that was never seen to be such an array.
    pub fn element(&self, array: &Local<'_>, index: u32) -> Option<Local<'_>> {
        if array.proof.get().elements != Elements::References {
            return None;
        }
        let raw = jni!(self.env, v1_1.GetObjectArrayElement, array.raw(), index as jint);
        if self.clear() { None } else { self.adopt(raw) }
    }
}

#[cfg(test)]
mod tests {
    use super::Elements;

    #[test]
    fn a_signature_shows_the_elements_of_objects() {
        let of = Elements::of_signature;
        assert_eq!(
            [of("[I"), of("[Ljava/lang/String;"), of("[[I")],
            [Elements::Values, Elements::References, Elements::References]
        );
        assert_eq!([of("Ljava/lang/Object;"), of("")], [Elements::None; 2]);
    }
}
