//! The size of a structure (INSANE): everything that its roots reach by fields and array elements, by class. One pause
//! of the program. Class mirrors are neither counted nor entered.

use super::fields::{SkippedField, skipped_in};
use super::visit::{COUNTED, Class, Measurer, SKIPPED};
use crate::jvmti::env::{Env, JvmtiError};
use crate::jvmti::heap::WalkError;
use crate::jvmti::jni::{Jni, Local};
use crate::jvmti::natives::{ClassSize, Extent, NativeError, Sizes};

const CLASS_OF_MIRRORS: &str = "Ljava/lang/Class;";

/// Measures.
///
/// # Errors
/// A root is skipped, a field does not exist, or the JVM refuses.
pub fn measure<'j>(jni: &'j Jni, extent: &Extent<'_, 'j>) -> Result<Sizes<'j>, NativeError> {
    let env = Env::tagging(jni.vm())?;
    let mut measurer = prepare(&env, jni, extent)?;
    for object in extent.skipped {
        // A class is never counted, and its tag is its number.
        if env.tag(object) == 0 {
            env.set_tag(object, SKIPPED)?;
        }
    }
    check_roots(&env, jni, extent)?;
    let walked = match extent.roots {
        Some(roots) => env.follow_from(roots, &mut measurer),
        None => env.follow_references(&mut measurer),
    };
    walked.map_err(|error| match error {
        WalkError::Jvmti(error) => NativeError::from(error),
        other => NativeError::State(other.to_string()),
    })?;
    let objects = extent.wants_objects.then(|| objects(&env, jni)).transpose()?;
    Ok(Sizes { classes: sizes(&env, jni, &measurer)?, objects })
}

/// Numbers the classes by the tags of their mirrors, from 1 on.
fn prepare(env: &Env, jni: &Jni, extent: &Extent<'_, '_>) -> Result<Measurer, NativeError> {
    let fields = extent.skipped_fields.iter().map(|(class, name)| SkippedField::find(env, class, name));
    let fields = fields.collect::<Result<Vec<_>, _>>()?;
    let (mut classes, mut class_of_mirrors) = (vec![Class::default()], 0);
    env.for_each_class(jni, |class| {
        let number = classes.len() as i64;
        if env.set_tag(class, number).is_err() {
            return;
        }
        let signature = env.class_signature(class);
        // No other loader may define a class of this name.
        if signature == CLASS_OF_MIRRORS {
            class_of_mirrors = number;
        }
        classes.push(Class {
            is_skipped: extent.skipped_classes.iter().any(|skipped| jni.is_subclass(class, skipped)),
            is_array: signature.starts_with('['),
            skipped_fields: skipped_in(env, jni, class, &fields),
            ..Class::default()
        });
    })?;
    Ok(Measurer { classes, class_of_mirrors, is_from_roots: extent.roots.is_none(), tags_all: extent.wants_objects })
}

/// A filter that leaves a root out is a mistake.
fn check_roots(env: &Env, jni: &Jni, extent: &Extent<'_, '_>) -> Result<(), NativeError> {
    let of_skipped_class = |root: &Local<'_>| extent.skipped_classes.iter().any(|class| jni.is_instance(root, class));
    let is_skipped = |root: &Local<'_>| env.tag(root) == SKIPPED || of_skipped_class(root);
    match extent.root_objects.iter().position(is_skipped) {
        Some(at) => Err(NativeError::Argument(format!("root {at} is skipped"))),
        None => Ok(()),
    }
}

fn objects<'j>(env: &Env, jni: &'j Jni) -> Result<Vec<Local<'j>>, JvmtiError> {
    Ok(env.objects_with_tags(jni, &[COUNTED])?.into_iter().map(|(_, object)| object).collect())
}

/// The classes that have objects in the structure. They are listed again: a reference to each would have been a root
/// during the walk, and a search by tags compares each tag with each object.
fn sizes<'j>(env: &Env, jni: &'j Jni, measurer: &Measurer) -> Result<Vec<ClassSize<'j>>, JvmtiError> {
    let size = |class, of: &Class| ClassSize { class, count: of.count, bytes: of.bytes() };
    let met = |at: usize| measurer.classes.get(at).filter(|class| class.count > 0);
    let known = env.loaded_classes(jni)?.filter_map(|mirror| {
        let of = usize::try_from(env.tag(&mirror)).ok().filter(|&at| at > 0).and_then(met)?;
        Some(size(Some(mirror), of))
    });
    let unknown = met(0).map(|class| size(None, class));
    Ok(known.chain(unknown).collect())
}
