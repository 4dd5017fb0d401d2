//! The function table of JVMTI: the functions in use with their signatures, each in its slot.

use super::abi::{
    Capabilities, Event, EventCallbacks, EventMode, FrameInfo, HeapCallbacks, LineEntry, RawEnv, StackInfo, ThreadInfo,
};
use jni_sys::{jclass, jfieldID, jint, jlong, jmethodID, jobject};
use std::ffi::{c_char, c_void};
use std::mem::offset_of;

/// Declares the table: for each function its slot, its name, its parameters behind the environment; `, ...` where the
/// header says so. The slots before it that are not in use have a name and a count.
macro_rules! table {
    ($($gap:ident: $gap_slots:literal; $slot:literal $name:ident($($type:ty),* $(; $dots:tt)?);)*) => {
        /// `jvmtiInterface_1_`, up to the last function in use. An environment of JVMTI 1.2 may end one slot before:
        /// only one of [`VERSION_11`](super::abi::VERSION_11) is asked for [`Table::SetHeapSamplingInterval`].
        #[repr(C)]
        #[allow(missing_docs, non_snake_case)] // each is the specification's own name
        pub struct Table {
            $($gap: [usize; $gap_slots], pub $name: Option<unsafe extern "C" fn(RawEnv $(, $type)* $(, $dots)?) -> jint>,)*
        }

        $(const _: () = assert!(offset_of!(Table, $name) == ($slot - 1) * size_of::<usize>());)*

        /// Slot, name and C types of the parameters of each.
        #[cfg(test)]
        pub(super) fn declarations() -> Vec<(usize, &'static str, Vec<String>)> {
            use super::header_tests::c;
            vec![$(($slot, stringify!($name), vec![$(c::<$type>(),)* $(stringify!($dots).to_owned())?])),*]
        }
    };
}

table! {
    before_2: 1; 2 SetEventNotificationMode(EventMode, Event, jobject; ...);
    before_4: 1; 4 GetAllThreads(*mut jint, *mut *mut jobject);
    before_9: 4; 9 GetThreadInfo(jobject, *mut ThreadInfo);
    before_18: 8; 18 GetCurrentThread(*mut jobject);
    before_47: 28; 47 Deallocate(*mut u8);
    before_48: 0; 48 GetClassSignature(jclass, *mut *mut c_char, *mut *mut c_char);
    before_50: 1; 50 GetSourceFileName(jclass, *mut *mut c_char);
    before_53: 2; 53 GetClassFields(jclass, *mut jint, *mut *mut jfieldID);
    before_54: 0; 54 GetImplementedInterfaces(jclass, *mut jint, *mut *mut jclass);
    before_55: 0; 55 IsInterface(jclass, *mut u8);
    before_57: 1; 57 GetClassLoader(jclass, *mut jobject);
    before_60: 2; 60 GetFieldName(jclass, jfieldID, *mut *mut c_char, *mut *mut c_char, *mut *mut c_char);
    before_62: 1; 62 GetFieldModifiers(jclass, jfieldID, *mut jint);
    before_64: 1; 64 GetMethodName(jmethodID, *mut *mut c_char, *mut *mut c_char, *mut *mut c_char);
    before_65: 0; 65 GetMethodDeclaringClass(jmethodID, *mut jclass);
    before_70: 4; 70 GetLineNumberTable(jmethodID, *mut jint, *mut *mut LineEntry);
    before_78: 7; 78 GetLoadedClasses(*mut jint, *mut *mut jclass);
    before_100: 21; 100 GetAllStackTraces(jint, *mut *mut StackInfo, *mut jint);
    before_104: 3; 104 GetStackTrace(jobject, jint, jint, *mut FrameInfo, *mut jint);
    before_106: 1; 106 GetTag(jobject, *mut jlong);
    before_107: 0; 107 SetTag(jobject, jlong);
    before_108: 0; 108 ForceGarbageCollection();
    before_114: 5; 114 GetObjectsWithTags(jint, *const jlong, *mut jint, *mut *mut jobject, *mut *mut jlong);
    before_115: 0; 115 FollowReferences(jint, jclass, jobject, *const HeapCallbacks, *const c_void);
    before_116: 0; 116 IterateThroughHeap(jint, jclass, *const HeapCallbacks, *const c_void);
    before_122: 5; 122 SetEventCallbacks(*const EventCallbacks, jint);
    before_127: 4; 127 DisposeEnvironment();
    before_131: 3; 131 GetSystemProperty(*const c_char, *mut *mut c_char);
    before_142: 10; 142 AddCapabilities(*const Capabilities);
    before_156: 13; 156 SetHeapSamplingInterval(jint);
}

/// Calls a function of the table of an environment, and makes an error of its code.
macro_rules! jvmti {
    ($env:expr, $function:ident($($argument:expr),* $(,)?)) => {{
        let env = $env;
        // SAFETY: the environment is alive, the table has the types of the header (a test has a C compiler compare
        // them), and the caller's arguments are valid for the call.
        match unsafe { (**env).$function.map(|function| function(env $(, $argument)*)) } {
            Some(0) => Ok(()),
            code => Err($crate::jvmti::env::JvmtiError::of(stringify!($function), code)),
        }
    }};
}
pub(super) use jvmti;
