//! The slots of the function table, compared with those of the crate `jvmti-sys`: a second witness, which needs neither
//! a JDK nor a C compiler. It ends with JVMTI 1.2, so the last slot has only the header.

use super::functions::declarations;
use jvmti_sys::jvmtiInterface_1;
use std::mem::offset_of;

macro_rules! slots {
    ($($name:ident)*) => {
        [$((stringify!($name), offset_of!(jvmtiInterface_1, $name) / size_of::<usize>() + 1)),*]
    };
}

#[test]
fn every_slot_is_that_of_a_second_witness() {
    let witness = slots! {
        SetEventNotificationMode GetAllThreads GetThreadInfo GetCurrentThread Deallocate GetClassSignature
        GetSourceFileName GetClassFields GetImplementedInterfaces IsInterface GetClassLoader GetFieldName
        GetFieldModifiers GetMethodName GetMethodDeclaringClass GetLineNumberTable GetLoadedClasses
        GetAllStackTraces GetStackTrace GetTag SetTag ForceGarbageCollection GetObjectsWithTags FollowReferences
        IterateThroughHeap SetEventCallbacks DisposeEnvironment GetSystemProperty AddCapabilities
    };
    let mut ours: Vec<_> = declarations().into_iter().map(|(slot, name, _)| (name, slot)).collect();
    assert_eq!(ours.pop().map(|last| last.0), Some("SetHeapSamplingInterval"));
    assert_eq!(ours, witness);
}
