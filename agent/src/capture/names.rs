//! The messages after the walk, with the program running again: classes, threads and methods by name. Sets no tag.

use crate::identity::tag::Tag;
use crate::jvmti::classes::DeclaredField;
use crate::jvmti::env::Env;
use crate::jvmti::jni::{Jni, Local};
use crate::jvmti::signature::source_name;
use crate::link::outbox::Outbox;
use rootbound_wire::ids::{MethodId, ObjectId, SnapshotId};
use rootbound_wire::message::{ClassRecord, FieldRecord, FromAgent, MethodRecord, ThreadRecord};

/// Classes in one message: with long field lists still far below the longest frame.
const CLASSES_A_MESSAGE: usize = 512;

/// Sends the classes, threads and methods of a capture. `false` when the connection is gone.
pub fn send(env: &Env, jni: &Jni, snapshot: SnapshotId, methods: &[u64], outbox: &Outbox) -> bool {
    let mut classes = Vec::new();
    let mut sent = true;
    let listed = env.for_each_class(jni, |class| {
        classes.extend(class_record(env, jni, snapshot, class));
        if classes.len() == CLASSES_A_MESSAGE {
            sent &= outbox.send(FromAgent::Classes(std::mem::take(&mut classes)));
        }
    });
    let threads = env.threads(jni).unwrap_or_default().into_iter();
    let threads = threads.filter_map(|(tag, name)| Some(ThreadRecord { object: id(tag, snapshot)?, name })).collect();
    let methods = methods.iter().filter_map(|&method| method_record(env, jni, method)).collect();
    listed.is_ok()
        && sent
        && outbox.send(FromAgent::Classes(classes))
        && outbox.send(FromAgent::Threads(threads))
        && outbox.send(FromAgent::Methods(methods))
}

fn id(tag: i64, snapshot: SnapshotId) -> Option<ObjectId> {
    Tag::decode(tag).id_in(snapshot)
}

fn class_record(env: &Env, jni: &Jni, snapshot: SnapshotId, class: &Local<'_>) -> Option<ClassRecord> {
    let object = id(env.tag(class), snapshot)?;
    let fields = env.declared_fields(class).into_iter();
    Some(ClassRecord {
        object,
        name: source_name(&env.class_signature(class)),
        loader: id(env.loader_tag(jni, class), snapshot),
        superclass: jni.superclass(class).and_then(|superclass| id(env.tag(&superclass), snapshot)),
        interfaces: env.interface_tags(jni, class).into_iter().filter_map(|tag| id(tag, snapshot)).collect(),
        is_interface: env.is_interface(class),
        fields: fields.map(field_record).collect(),
    })
}

fn field_record(DeclaredField { name, descriptor, is_static, is_final }: DeclaredField) -> FieldRecord {
    FieldRecord { name, descriptor, is_static, is_final }
}

fn method_record(env: &Env, jni: &Jni, method: u64) -> Option<MethodRecord> {
    let (class, name) = env.method_name(jni, method)?;
    Some(MethodRecord { id: MethodId(method), name: format!("{}.{name}", source_name(&class)) })
}
