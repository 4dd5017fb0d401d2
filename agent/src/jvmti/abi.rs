//! The C types of JVMTI that are in use, and its numbers. Calls nothing.
//!
//! The table of JVMTI 1.2 is a frozen ABI that later versions only append to. `header_tests.rs` has a C compiler
//! compare everything here and in [`super::functions`] with the `jvmti.h` of the JDK at hand: slots, signatures,
//! offsets, numbers. `docs/decisions/` says why the `jvmti-sys` crate is not used.

use super::functions::Table;
use jni_sys::{JNIEnv, jint, jlong, jmethodID, jobject};
use std::ffi::{c_char, c_void};

/// `jvmtiEnv*`.
pub type RawEnv = *mut *const Table;

/// Version to ask for: JVMTI 1.2, which every JVM since 6 grants.
pub const VERSION: jint = 0x3001_0200;
/// JVMTI 11, which brought allocation sampling.
pub const VERSION_11: jint = 0x300b_0000;

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

/// `jvmtiEventMode`.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct EventMode(pub jint);

impl EventMode {
    /// `JVMTI_ENABLE`.
    pub const ENABLE: Self = Self(1);
    /// `JVMTI_DISABLE`.
    pub const DISABLE: Self = Self(0);
}

/// `jvmtiEvent`.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Event(pub jint);

impl Event {
    /// `JVMTI_EVENT_VM_INIT`; the first one that exists.
    pub const VM_INIT: Self = Self(50);
    /// `JVMTI_EVENT_VM_DEATH`.
    pub const VM_DEATH: Self = Self(51);
    /// `JVMTI_EVENT_GARBAGE_COLLECTION_START`.
    pub const GC_START: Self = Self(81);
    /// `JVMTI_EVENT_GARBAGE_COLLECTION_FINISH`.
    pub const GC_FINISH: Self = Self(82);
    /// `JVMTI_EVENT_SAMPLED_OBJECT_ALLOC`.
    pub const SAMPLED_ALLOCATION: Self = Self(86);
}

/// `jvmtiHeapReferenceKind`, possibly one that a later JVM adds: so it is a number, and no enum.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReferenceKind(pub jint);

impl ReferenceKind {
    /// Whether [`IndexInfo`] comes with it.
    pub(super) fn has_index(self) -> bool {
        matches!(self, Self::FIELD | Self::ARRAY_ELEMENT | Self::STATIC_FIELD)
    }
}

#[allow(missing_docs)] // each is the specification's own name
impl ReferenceKind {
    pub const CLASS: Self = Self(1);
    pub const FIELD: Self = Self(2);
    pub const ARRAY_ELEMENT: Self = Self(3);
    pub const CLASS_LOADER: Self = Self(4);
    pub const INTERFACE: Self = Self(7);
    pub const STATIC_FIELD: Self = Self(8);
    pub const CONSTANT_POOL: Self = Self(9);
    pub const SUPERCLASS: Self = Self(10);
    pub const JNI_GLOBAL: Self = Self(21);
    pub const SYSTEM_CLASS: Self = Self(22);
    pub const MONITOR: Self = Self(23);
    pub const STACK_LOCAL: Self = Self(24);
    pub const JNI_LOCAL: Self = Self(25);
    pub const THREAD: Self = Self(26);
    pub const OTHER: Self = Self(27);
}

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

/// `jvmtiFrameInfo`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FrameInfo {
    /// `jmethodID`.
    pub method: usize,
    /// Byte code index; -1 in a native method.
    pub location: jlong,
}

/// `jvmtiStackInfo`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct StackInfo {
    /// A local reference.
    pub thread: jobject,
    /// State of the thread.
    pub state: jint,
    /// Its frames, from the top.
    pub frames: *mut FrameInfo,
    /// The number of these.
    pub count: jint,
}

/// `jvmtiLineNumberEntry`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct LineEntry {
    /// Byte code index.
    pub begins_at: jlong,
    /// Line of the source.
    pub line: jint,
}

/// `jvmtiHeapReferenceInfo`: a union, whose variant follows from the kind of the reference.
#[repr(C)]
pub struct ReferenceInfo {
    opaque: [u8; 0],
}

/// `jvmtiHeapReferenceInfoField`, `…Array`: of references with an index.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct IndexInfo {
    /// Index of the field, as the specification counts, or of the element.
    pub index: jint,
}

/// The common beginning of `jvmtiHeapReferenceInfoStackLocal` and `…JniLocal`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct LocalInfo {
    /// Tag of the thread object.
    pub thread_tag: jlong,
    /// The thread's Java id.
    pub thread_id: jlong,
    /// Frames from the top.
    pub depth: jint,
    /// Depth of the frame.
    pub method: jmethodID,
}

/// `jvmtiHeapIterationCallback`.
pub type IterationCallback = unsafe extern "C" fn(jlong, jlong, *mut jlong, jint, *mut c_void) -> jint;
/// `jvmtiHeapReferenceCallback`.
pub type ReferenceCallback = unsafe extern "C" fn(
    ReferenceKind,
    *const ReferenceInfo,
    jlong,
    jlong,
    jlong,
    *mut jlong,
    *mut jlong,
    jint,
    *mut c_void,
) -> jint;

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

/// An event that names the environment alone: those of collections.
pub type EnvEvent = unsafe extern "C" fn(RawEnv);
/// `jvmtiEventVMInit`.
pub type VmInitEvent = unsafe extern "C" fn(RawEnv, *mut JNIEnv, jobject);
/// `jvmtiEventVMDeath`.
pub type VmDeathEvent = unsafe extern "C" fn(RawEnv, *mut JNIEnv);
/// `jvmtiEventSampledObjectAlloc`.
pub type AllocationEvent = unsafe extern "C" fn(RawEnv, *mut JNIEnv, jobject, jobject, jobject, jlong);

/// `jvmtiEventCallbacks`, from its beginning to the last event in use. Its length is passed to the JVM.
#[repr(C)]
#[derive(Default)]
pub struct EventCallbacks {
    /// [`Event::VM_INIT`].
    pub vm_init: Option<VmInitEvent>,
    /// [`Event::VM_DEATH`].
    pub vm_death: Option<VmDeathEvent>,
    /// Events from 52 to 80.
    pub unused: [usize; 29],
    /// [`Event::GC_START`].
    pub gc_start: Option<EnvEvent>,
    /// [`Event::GC_FINISH`].
    pub gc_finish: Option<EnvEvent>,
    /// Events from 83 to 85.
    pub unused_too: [usize; 3],
    /// [`Event::SAMPLED_ALLOCATION`].
    pub sampled_allocation: Option<AllocationEvent>,
}
