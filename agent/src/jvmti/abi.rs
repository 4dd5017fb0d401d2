//! The JVMTI function table by ordinal, and the few C types in use. Calls nothing.
//!
//! The `jvmti-sys` crate is not used: it declares error codes and reference kinds as Rust enums, so a value that a
//! later JVM adds would be undefined behaviour the moment it is returned. The table of JVMTI 1.2 is a frozen ABI that
//! later versions only append to; a test compares everything below with the `jvmti.h` of the JDK at hand.

use jni_sys::{jint, jlong, jobject};
use std::ffi::{c_char, c_void};

/// Number of slots in the table of JVMTI 11; that of 1.2 ends one before.
pub const SLOTS: usize = 156;

/// The function table; slot `n` of the specification is entry `n - 1`. An environment of JVMTI 1.2 may have no
/// [`slot::SET_HEAP_SAMPLING_INTERVAL`]: only one of [`VERSION_11`] is asked for it.
#[repr(C)]
pub struct Table {
    /// The functions, untyped.
    pub slots: [*const c_void; SLOTS],
}

/// What the specification calls `jvmtiEnv*`.
pub type RawEnv = *mut *const Table;

/// Version to ask for: JVMTI 1.2, which every JVM since 6 grants.
pub const VERSION: jint = 0x3001_0200;
/// JVMTI 11, which brought allocation sampling.
pub const VERSION_11: jint = 0x300b_0000;

/// The functions in use, with the specification's name and slot.
pub const SLOTS_IN_USE: &[(&str, usize)] = &[
    ("SetEventNotificationMode", slot::SET_EVENT_NOTIFICATION_MODE),
    ("GetAllThreads", slot::GET_ALL_THREADS),
    ("GetThreadInfo", slot::GET_THREAD_INFO),
    ("GetCurrentThread", slot::GET_CURRENT_THREAD),
    ("Deallocate", slot::DEALLOCATE),
    ("GetClassSignature", slot::GET_CLASS_SIGNATURE),
    ("GetClassFields", slot::GET_CLASS_FIELDS),
    ("GetImplementedInterfaces", slot::GET_IMPLEMENTED_INTERFACES),
    ("IsInterface", slot::IS_INTERFACE),
    ("GetClassLoader", slot::GET_CLASS_LOADER),
    ("GetFieldName", slot::GET_FIELD_NAME),
    ("GetFieldModifiers", slot::GET_FIELD_MODIFIERS),
    ("GetMethodName", slot::GET_METHOD_NAME),
    ("GetMethodDeclaringClass", slot::GET_METHOD_DECLARING_CLASS),
    ("GetSourceFileName", slot::GET_SOURCE_FILE_NAME),
    ("GetLineNumberTable", slot::GET_LINE_NUMBER_TABLE),
    ("GetLoadedClasses", slot::GET_LOADED_CLASSES),
    ("GetAllStackTraces", slot::GET_ALL_STACK_TRACES),
    ("GetStackTrace", slot::GET_STACK_TRACE),
    ("GetTag", slot::GET_TAG),
    ("SetTag", slot::SET_TAG),
    ("GetObjectsWithTags", slot::GET_OBJECTS_WITH_TAGS),
    ("FollowReferences", slot::FOLLOW_REFERENCES),
    ("IterateThroughHeap", slot::ITERATE_THROUGH_HEAP),
    ("SetEventCallbacks", slot::SET_EVENT_CALLBACKS),
    ("DisposeEnvironment", slot::DISPOSE_ENVIRONMENT),
    ("GetSystemProperty", slot::GET_SYSTEM_PROPERTY),
    ("AddCapabilities", slot::ADD_CAPABILITIES),
    ("SetHeapSamplingInterval", slot::SET_HEAP_SAMPLING_INTERVAL),
];

/// Slots of the functions in use.
#[allow(missing_docs)] // each is the specification's own name
pub mod slot {
    pub const SET_EVENT_NOTIFICATION_MODE: usize = 2;
    pub const GET_ALL_THREADS: usize = 4;
    pub const GET_THREAD_INFO: usize = 9;
    pub const GET_CURRENT_THREAD: usize = 18;
    pub const DEALLOCATE: usize = 47;
    pub const GET_CLASS_SIGNATURE: usize = 48;
    pub const GET_SOURCE_FILE_NAME: usize = 50;
    pub const GET_CLASS_FIELDS: usize = 53;
    pub const GET_IMPLEMENTED_INTERFACES: usize = 54;
    pub const IS_INTERFACE: usize = 55;
    pub const GET_CLASS_LOADER: usize = 57;
    pub const GET_FIELD_NAME: usize = 60;
    pub const GET_FIELD_MODIFIERS: usize = 62;
    pub const GET_METHOD_NAME: usize = 64;
    pub const GET_METHOD_DECLARING_CLASS: usize = 65;
    pub const GET_LINE_NUMBER_TABLE: usize = 70;
    pub const GET_LOADED_CLASSES: usize = 78;
    pub const GET_ALL_STACK_TRACES: usize = 100;
    pub const GET_STACK_TRACE: usize = 104;
    pub const GET_TAG: usize = 106;
    pub const SET_TAG: usize = 107;
    pub const GET_OBJECTS_WITH_TAGS: usize = 114;
    pub const FOLLOW_REFERENCES: usize = 115;
    pub const ITERATE_THROUGH_HEAP: usize = 116;
    pub const SET_EVENT_CALLBACKS: usize = 122;
    pub const DISPOSE_ENVIRONMENT: usize = 127;
    pub const GET_SYSTEM_PROPERTY: usize = 131;
    pub const ADD_CAPABILITIES: usize = 142;
    pub const SET_HEAP_SAMPLING_INTERVAL: usize = 156;
}

/// `jvmtiCapabilities`: 128 bits.
pub type Capabilities = [u32; 4];
/// Bit of `can_tag_objects`.
pub const CAN_TAG_OBJECTS_BIT: usize = 0;
/// Bit of `can_get_source_file_name`.
pub const CAN_GET_SOURCE_FILE_NAME_BIT: usize = 11;
/// Bit of `can_get_line_numbers`.
pub const CAN_GET_LINE_NUMBERS_BIT: usize = 12;
/// Bit of `can_generate_garbage_collection_events`.
pub const CAN_GENERATE_GC_EVENTS_BIT: usize = 31;
/// Bit of `can_generate_sampled_object_alloc_events`, which one environment in the whole JVM may hold.
pub const CAN_SAMPLE_ALLOCATIONS_BIT: usize = 43;

/// Event numbers; the first is also the number of the first callback slot.
pub const EVENT_VM_INIT: jint = 50;
/// `JVMTI_EVENT_VM_DEATH`.
pub const EVENT_VM_DEATH: jint = 51;
/// `JVMTI_EVENT_GARBAGE_COLLECTION_START`.
pub const EVENT_GC_START: jint = 81;
/// `JVMTI_EVENT_GARBAGE_COLLECTION_FINISH`.
pub const EVENT_GC_FINISH: jint = 82;
/// `JVMTI_EVENT_SAMPLED_OBJECT_ALLOC`.
pub const EVENT_SAMPLED_ALLOCATION: jint = 86;
/// Slots of `jvmtiEventCallbacks` up to the last event of the session's environment.
pub const EVENT_SLOTS: usize = (EVENT_GC_FINISH - EVENT_VM_INIT + 1) as usize;

/// `JVMTI_VISIT_OBJECTS`.
pub const VISIT_OBJECTS: jint = 0x100;
/// `JVMTI_VISIT_ABORT`.
pub const VISIT_ABORT: jint = 0x8000;

/// `jvmtiThreadInfo`.
#[repr(C)]
pub struct ThreadInfo {
    /// Modified UTF-8, to be deallocated.
    pub name: *mut c_char,
    /// Priority.
    pub priority: jint,
    /// Daemon or not.
    pub is_daemon: u8,
    /// A local reference.
    pub thread_group: jobject,
    /// A local reference.
    pub context_class_loader: jobject,
}

/// The common beginning of the stack variants of `jvmtiHeapReferenceInfo`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct StackInfo {
    /// Tag of the thread object.
    pub thread_tag: jlong,
    /// The thread's Java id.
    pub thread_id: jlong,
    /// Frames from the top.
    pub depth: jint,
    /// `jmethodID` of the frame.
    pub method: *mut c_void,
}

/// `jvmtiHeapIterationCallback`.
pub type IterationCallback = unsafe extern "C" fn(jlong, jlong, *mut jlong, jint, *mut c_void) -> jint;
/// `jvmtiHeapReferenceCallback`, with the kind as a plain integer: a later JVM may add kinds.
pub type ReferenceCallback =
    unsafe extern "C" fn(jint, *const c_void, jlong, jlong, jlong, *mut jlong, *mut jlong, jint, *mut c_void) -> jint;

/// `jvmtiHeapCallbacks`: sixteen pointers, of which the first two are used.
#[repr(C)]
#[derive(Default)]
pub struct HeapCallbacks {
    /// For `IterateThroughHeap`.
    pub iteration: Option<IterationCallback>,
    /// For `FollowReferences`.
    pub reference: Option<ReferenceCallback>,
    /// Primitive values are never asked for.
    pub unused: [usize; 14],
}
