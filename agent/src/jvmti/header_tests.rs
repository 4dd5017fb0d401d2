//! Everything of JVMTI that is declared by hand, compared with the `jvmti.h` of the JDK at hand by a C compiler: a C
//! program with one static assertion for each slot, signature, offset and number compiles, or the compiler names what
//! differs.

use super::abi::{
    self, Capabilities, Event, EventCallbacks, EventMode, FrameInfo, HeapCallbacks, IndexInfo, LineEntry, LocalInfo,
    ReferenceInfo, ReferenceKind, StackInfo, ThreadInfo,
};
use super::functions::{Table, declarations};
use jni_sys::{jint, jlong};
use std::ffi::{c_char, c_void};
use std::mem::offset_of;
use std::path::PathBuf;
use std::process::Command;

/// The C type that a type of ours stands for.
pub(super) trait InC {
    fn c() -> String;
}

pub(super) fn c<T: InC>() -> String {
    T::c()
}

impl<T: InC> InC for *mut T {
    fn c() -> String {
        format!("{} *", T::c())
    }
}

impl<T: InC> InC for *const T {
    fn c() -> String {
        format!("{} const *", T::c())
    }
}

macro_rules! in_c {
    ($($type:ty: $c:literal,)*) => { $(impl InC for $type { fn c() -> String { $c.to_owned() } })* };
}

in_c! {
    u8: "unsigned char",
    c_char: "char",
    c_void: "void",
    jint: "jint",
    jlong: "jlong",
    jni_sys::_jobject: "struct _jobject",
    jni_sys::_jfieldID: "struct _jfieldID",
    jni_sys::_jmethodID: "struct _jmethodID",
    (): "void",
    jni_sys::JNINativeInterface_: "struct JNINativeInterface_",
    Table: "struct jvmtiInterface_1_",
    Capabilities: "jvmtiCapabilities",
    EventMode: "jvmtiEventMode",
    Event: "jvmtiEvent",
    EventCallbacks: "jvmtiEventCallbacks",
    ReferenceKind: "jvmtiHeapReferenceKind",
    ReferenceInfo: "jvmtiHeapReferenceInfo",
    HeapCallbacks: "jvmtiHeapCallbacks",
    ThreadInfo: "jvmtiThreadInfo",
    FrameInfo: "jvmtiFrameInfo",
    StackInfo: "jvmtiStackInfo",
    LineEntry: "jvmtiLineNumberEntry",
}

macro_rules! functions_in_c {
    ($(($($argument:ident),*),)*) => { $(
        impl<R: InC, $($argument: InC),*> InC for unsafe extern "C" fn($($argument),*) -> R {
            fn c() -> String {
                let arguments: Vec<String> = vec![$($argument::c()),*];
                format!("{} (*)({})", R::c(), arguments.join(", "))
            }
        }
    )* };
}

functions_in_c! {
    (A),
    (A, B),
    (A, B, C),
    (A, B, C, D, E),
    (A, B, C, D, E, F),
    (A, B, C, D, E, F, G, H, I),
}

fn header_folder() -> Option<PathBuf> {
    let homes = [std::env::var_os("JAVA_HOME").map(PathBuf::from), Some("/usr/lib/jvm/java-17-openjdk-amd64".into())];
    let found = homes.into_iter().flatten().map(|home| home.join("include")).find(|at| at.join("jvmti.h").exists());
    if found.is_none() {
        println!("skipped: no jvmti.h (set JAVA_HOME)");
    }
    found
}

/// Whether a C compiler accepts it; otherwise the compiler's message.
fn refused(program: &str) -> Option<String> {
    let include = header_folder()?;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("probe.c");
    std::fs::write(&file, format!("#include <stddef.h>\n#include <jvmti.h>\n{program}")).unwrap();
    let compiled = Command::new("cc")
        .args(["-std=c11", "-fsyntax-only", "-I"])
        .arg(&include)
        .arg("-I")
        .arg(include.join("linux"))
        .arg(&file)
        .output()
        .expect("a C compiler");
    (!compiled.status.success()).then(|| String::from_utf8_lossy(&compiled.stderr).into_owned())
}

fn assertion(what: &str, condition: &str) -> String {
    format!("_Static_assert({condition}, \"{what}\");\n")
}

fn has_type(expression: &str, c_type: &str) -> String {
    assertion(&format!("type of {expression}"), &format!("_Generic({expression}, {c_type}: 1, default: 0)"))
}

fn member(of: &str, name: &str) -> String {
    format!("(({of} *)0)->{name}")
}

#[test]
fn every_function_has_the_slot_and_the_signature_of_the_header() {
    let mut program = String::new();
    for (slot, name, parameters) in declarations() {
        let at = slot - 1;
        program += &assertion(name, &format!("offsetof(struct jvmtiInterface_1_, {name}) == {at} * sizeof(void *)"));
        let parameters = [vec!["jvmtiEnv *".to_owned()], parameters].concat().join(", ");
        program += &has_type(&member("struct jvmtiInterface_1_", name), &format!("jvmtiError (*)({parameters})"));
    }
    assert_eq!(refused(&program), None);
}

/// The offset of each field.
macro_rules! offsets {
    ($($type:ident { $($field:ident = $name:literal),* } of $of:literal;)*) => {
        vec![$($(($of, $name, offset_of!($type, $field)),)*)*]
    };
}

#[test]
fn every_struct_has_the_layout_of_the_header() {
    let offsets = offsets! {
        ThreadInfo { name = "name", priority = "priority", is_daemon = "is_daemon", thread_group = "thread_group",
                     context_class_loader = "context_class_loader" } of "jvmtiThreadInfo";
        FrameInfo { method = "method", location = "location" } of "jvmtiFrameInfo";
        StackInfo { thread = "thread", state = "state", frames = "frame_buffer", count = "frame_count" } of "jvmtiStackInfo";
        LineEntry { begins_at = "start_location", line = "line_number" } of "jvmtiLineNumberEntry";
        IndexInfo { index = "field.index" } of "jvmtiHeapReferenceInfo";
        IndexInfo { index = "array.index" } of "jvmtiHeapReferenceInfo";
        LocalInfo { thread_tag = "stack_local.thread_tag", thread_id = "stack_local.thread_id",
                    depth = "stack_local.depth", method = "stack_local.method" } of "jvmtiHeapReferenceInfo";
        LocalInfo { thread_tag = "jni_local.thread_tag", thread_id = "jni_local.thread_id",
                    depth = "jni_local.depth", method = "jni_local.method" } of "jvmtiHeapReferenceInfo";
        HeapCallbacks { iteration = "heap_iteration_callback", reference = "heap_reference_callback" }
            of "jvmtiHeapCallbacks";
        EventCallbacks { vm_init = "VMInit", vm_death = "VMDeath", gc_start = "GarbageCollectionStart",
                         gc_finish = "GarbageCollectionFinish", sampled_allocation = "SampledObjectAlloc" }
            of "jvmtiEventCallbacks";
    };
    let mut program = String::new();
    for (of, name, at) in offsets {
        program += &assertion(&format!("{of}.{name}"), &format!("offsetof({of}, {name}) == {at}"));
    }
    for (of, bytes) in [
        ("jvmtiThreadInfo", size_of::<ThreadInfo>()),
        ("jvmtiFrameInfo", size_of::<FrameInfo>()),
        ("jvmtiStackInfo", size_of::<StackInfo>()),
        ("jvmtiLineNumberEntry", size_of::<LineEntry>()),
        ("jvmtiHeapCallbacks", size_of::<HeapCallbacks>()),
        ("jvmtiCapabilities", size_of::<Capabilities>()),
    ] {
        program += &assertion(of, &format!("sizeof({of}) == {bytes}"));
    }
    assert_eq!(refused(&program), None);
}

#[test]
fn every_callback_has_the_signature_of_the_header() {
    let program: String = [
        ("jvmtiHeapCallbacks", "heap_iteration_callback", c::<abi::IterationCallback>()),
        ("jvmtiHeapCallbacks", "heap_reference_callback", c::<abi::ReferenceCallback>()),
        ("jvmtiEventCallbacks", "VMInit", c::<abi::VmInitEvent>()),
        ("jvmtiEventCallbacks", "VMDeath", c::<abi::VmDeathEvent>()),
        ("jvmtiEventCallbacks", "GarbageCollectionStart", c::<abi::EnvEvent>()),
        ("jvmtiEventCallbacks", "GarbageCollectionFinish", c::<abi::EnvEvent>()),
        ("jvmtiEventCallbacks", "SampledObjectAlloc", c::<abi::AllocationEvent>()),
    ]
    .into_iter()
    .map(|(of, name, c_type)| has_type(&member(of, name), &c_type))
    .collect();
    assert_eq!(refused(&program), None);
}

#[test]
fn every_number_is_that_of_the_header() {
    let program: String = [
        ("JVMTI_ENABLE", EventMode::ENABLE.0),
        ("JVMTI_DISABLE", EventMode::DISABLE.0),
        ("JVMTI_EVENT_VM_INIT", Event::VM_INIT.0),
        ("JVMTI_EVENT_VM_DEATH", Event::VM_DEATH.0),
        ("JVMTI_EVENT_GARBAGE_COLLECTION_START", Event::GC_START.0),
        ("JVMTI_EVENT_GARBAGE_COLLECTION_FINISH", Event::GC_FINISH.0),
        ("JVMTI_EVENT_SAMPLED_OBJECT_ALLOC", Event::SAMPLED_ALLOCATION.0),
        ("JVMTI_HEAP_REFERENCE_CLASS", ReferenceKind::CLASS.0),
        ("JVMTI_HEAP_REFERENCE_FIELD", ReferenceKind::FIELD.0),
        ("JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT", ReferenceKind::ARRAY_ELEMENT.0),
        ("JVMTI_HEAP_REFERENCE_CLASS_LOADER", ReferenceKind::CLASS_LOADER.0),
        ("JVMTI_HEAP_REFERENCE_INTERFACE", ReferenceKind::INTERFACE.0),
        ("JVMTI_HEAP_REFERENCE_STATIC_FIELD", ReferenceKind::STATIC_FIELD.0),
        ("JVMTI_HEAP_REFERENCE_CONSTANT_POOL", ReferenceKind::CONSTANT_POOL.0),
        ("JVMTI_HEAP_REFERENCE_SUPERCLASS", ReferenceKind::SUPERCLASS.0),
        ("JVMTI_HEAP_REFERENCE_JNI_GLOBAL", ReferenceKind::JNI_GLOBAL.0),
        ("JVMTI_HEAP_REFERENCE_SYSTEM_CLASS", ReferenceKind::SYSTEM_CLASS.0),
        ("JVMTI_HEAP_REFERENCE_MONITOR", ReferenceKind::MONITOR.0),
        ("JVMTI_HEAP_REFERENCE_STACK_LOCAL", ReferenceKind::STACK_LOCAL.0),
        ("JVMTI_HEAP_REFERENCE_JNI_LOCAL", ReferenceKind::JNI_LOCAL.0),
        ("JVMTI_HEAP_REFERENCE_THREAD", ReferenceKind::THREAD.0),
        ("JVMTI_HEAP_REFERENCE_OTHER", ReferenceKind::OTHER.0),
        ("JVMTI_VISIT_OBJECTS", abi::VISIT_OBJECTS),
        ("JVMTI_VISIT_ABORT", abi::VISIT_ABORT),
        ("JVMTI_VERSION_1_2", abi::VERSION),
        ("JVMTI_VERSION_11", abi::VERSION_11),
        ("JVMTI_ERROR_NOT_AVAILABLE", super::env::NOT_AVAILABLE),
    ]
    .into_iter()
    .map(|(name, number)| assertion(name, &format!("{name} == {number}")))
    .collect();
    // JVMTI 1.2 has no name of its own everywhere.
    let program = format!("#ifndef JVMTI_VERSION_1_2\n#define JVMTI_VERSION_1_2 0x30010200\n#endif\n{program}");
    assert_eq!(refused(&program), None);
}

#[test]
fn every_capability_has_the_bit_of_the_header() {
    let Some(include) = header_folder() else { return };
    let header = std::fs::read_to_string(include.join("jvmti.h")).unwrap();
    let bits: Vec<&str> = header.lines().filter(|line| line.contains("unsigned int can_")).collect();
    for (bit, name) in [
        (abi::CAN_TAG_OBJECTS_BIT, "can_tag_objects"),
        (abi::CAN_GET_SOURCE_FILE_NAME_BIT, "can_get_source_file_name"),
        (abi::CAN_GET_LINE_NUMBERS_BIT, "can_get_line_numbers"),
        (abi::CAN_SAMPLE_ALLOCATIONS_BIT, "can_generate_sampled_object_alloc_events"),
        (abi::CAN_GENERATE_GC_EVENTS_BIT, "can_generate_garbage_collection_events"),
    ] {
        assert!(bits[bit].contains(&format!(" {name} ")), "bit {bit} is not {name}");
    }
}

#[test]
fn the_compiler_refuses_what_differs() {
    if header_folder().is_none() {
        return;
    }
    let get_tag = member("struct jvmtiInterface_1_", "GetTag");
    let [right, wrong] =
        ["jlong *", "jint *"].map(|tag| has_type(&get_tag, &format!("jvmtiError (*)(jvmtiEnv *, jobject, {tag})")));
    assert!(refused(&right).is_none() && refused(&wrong).is_some());
    assert!(
        refused(&assertion("GetTag", "offsetof(struct jvmtiInterface_1_, GetTag) == 106 * sizeof(void *)")).is_some()
    );
}
