//! The agent's entries, as the JVM looks them up. At the JVM's start none fails: an agent that cannot work stays
//! dormant. A load into a running JVM returns the number of its failure ([`rootbound_wire::loading`]).
#![allow(unsafe_code)]

use crate::assertions::Assertions;
use crate::guard::{log, panics};
use crate::jvmti::jni::Vm;
use crate::jvmti::natives;
use crate::session::loading;
use jni_sys::{JNI_OK, JNI_VERSION_1_8, JavaVM, jint};
use rootbound_wire::loading::BROKEN;
use std::ffi::{CStr, c_char, c_void};

/// Loaded at the start of the JVM (`-agentpath`).
///
/// # Safety
/// Called by the JVM alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn Agent_OnLoad(vm: *mut JavaVM, options: *const c_char, _reserved: *mut c_void) -> jint {
    // SAFETY: both pointers come from the JVM.
    let _dormant_on_failure = unsafe { load(vm, options, false) };
    JNI_OK
}

/// Loaded into a running JVM.
///
/// # Safety
/// Called by the JVM alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn Agent_OnAttach(vm: *mut JavaVM, options: *const c_char, _reserved: *mut c_void) -> jint {
    // SAFETY: both pointers come from the JVM.
    unsafe { load(vm, options, true) }
}

/// The library goes away with the process; there is nothing to undo.
#[unsafe(no_mangle)]
pub extern "C" fn Agent_OnUnload(_vm: *mut JavaVM) {}

/// Loaded by our Java library (`System.load`): its natives can be called from now on, and nothing else happens.
///
/// # Safety
/// Called by the JVM alone.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn JNI_OnLoad(_vm: *mut JavaVM, _reserved: *mut c_void) -> jint {
    natives::serve(&Assertions);
    JNI_VERSION_1_8
}

/// # Safety
/// `vm` and `options` are the JVM's arguments.
unsafe fn load(vm: *mut JavaVM, options: *const c_char, is_live: bool) -> jint {
    natives::serve(&Assertions);
    // SAFETY: see above; options may be null, otherwise they are zero-terminated.
    let (vm, options) = unsafe {
        let options =
            if options.is_null() { String::new() } else { CStr::from_ptr(options).to_string_lossy().into_owned() };
        (Vm::from_raw(vm), options)
    };
    match panics::contain(|| loading::load(vm, &options, is_live)) {
        Ok(Ok(())) => JNI_OK,
        Ok(Err(refusal)) => {
            log::always(&refusal.to_string());
            refusal.code()
        }
        Err(panicked) => {
            log::error(&format!("the agent panicked while it was loaded: {}", panicked.0));
            BROKEN
        }
    }
}
