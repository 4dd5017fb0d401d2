//! Fields that a measurement does not follow, by the index under which the JVM reports them. The index depends on the
//! class of the object: JVMTI counts first the fields of all its interfaces, then those of its superclasses from the
//! top, then its own (JVMTI, `jvmtiHeapReferenceInfoField`).

use crate::jvmti::env::Env;
use crate::jvmti::jni::{Jni, Local};
use crate::jvmti::natives::NativeError;

/// One field: the class that declares it, and its place in JVMTI's order there.
pub struct SkippedField<'a, 'j> {
    class: &'a Local<'j>,
    place: u32,
}

impl<'a, 'j> SkippedField<'a, 'j> {
    /// Finds the field that a class declares.
    ///
    /// # Errors
    /// The class declares no such instance field.
    pub fn find(env: &Env, class: &'a Local<'j>, name: &str) -> Result<Self, NativeError> {
        let fields = env.declared_fields(class);
        let place = fields.iter().position(|field| field.name == name && !field.is_static);
        let place = place.ok_or_else(|| {
            let class = crate::jvmti::signature::source_name(&env.class_signature(class));
            NativeError::Argument(format!("the class {class} declares no instance field {name}"))
        })?;
        Ok(Self { class, place: place as u32 })
    }
}

/// The indexes of those fields in objects of `class`; `None` when it has none of them.
pub fn skipped_in(env: &Env, jni: &Jni, class: &Local<'_>, skipped: &[SkippedField<'_, '_>]) -> Option<Box<[u32]>> {
    let has = |field: &&SkippedField<'_, '_>| jni.is_subclass(class, field.class);
    let mut own = skipped.iter().filter(has).peekable();
    own.peek()?;
    let of_interfaces = fields_of_interfaces(env, jni, class);
    Some(own.map(|field| of_interfaces + fields_above(env, jni, field.class) + field.place).collect())
}

/// Number of fields of the superclasses of a class.
fn fields_above(env: &Env, jni: &Jni, class: &Local<'_>) -> u32 {
    let mut count = 0;
    let mut above = jni.superclass(class);
    while let Some(class) = above {
        count += env.declared_fields(&class).len() as u32;
        above = jni.superclass(&class);
    }
    count
}

/// Number of fields of all interfaces of a class: its own, those of its superclasses, and those above them.
fn fields_of_interfaces(env: &Env, jni: &Jni, class: &Local<'_>) -> u32 {
    let mut known: Vec<Local<'_>> = Vec::new();
    let mut open: Vec<Local<'_>> = Vec::new();
    let mut above = jni.duplicate(class);
    while let Some(class) = above {
        open.extend(env.interfaces(jni, &class));
        above = jni.superclass(&class);
    }
    while let Some(interface) = open.pop() {
        if !known.iter().any(|other| jni.same(other, &interface)) {
            open.extend(env.interfaces(jni, &interface));
            known.push(interface);
        }
    }
    known.iter().map(|interface| env.declared_fields(interface).len() as u32).sum()
}
