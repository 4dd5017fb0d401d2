//! The events the agent listens to. Each is contained: a panic in the agent never reaches the JVM.

use super::abi::{Event, EventCallbacks, EventMode, RawEnv};
use super::env::{Env, JvmtiError};
use super::functions::jvmti;
use super::host::deliver;
use jni_sys::{JNIEnv, jint, jobject};

unsafe extern "C" fn on_vm_init(_env: RawEnv, _jni: *mut JNIEnv, _thread: jobject) {
    deliver(|host| host.on_vm_init());
}

unsafe extern "C" fn on_vm_death(_env: RawEnv, _jni: *mut JNIEnv) {
    deliver(|host| host.on_vm_death());
}

/// Sent while the world is stopped: no JNI, no JVMTI.
unsafe extern "C" fn on_gc_start(_env: RawEnv) {
    deliver(|host| host.on_gc_start());
}

/// Sent while the world is stopped: no JNI, no JVMTI.
unsafe extern "C" fn on_gc_finish(_env: RawEnv) {
    deliver(|host| host.on_gc_finish());
}

impl Env {
    /// Sets the callbacks and switches the events on; collections only when `with_gc`.
    ///
    /// # Errors
    /// When JVMTI refuses.
    pub fn listen(&self, with_gc: bool) -> Result<(), JvmtiError> {
        let callbacks = EventCallbacks {
            vm_init: Some(on_vm_init),
            vm_death: Some(on_vm_death),
            gc_start: Some(on_gc_start),
            gc_finish: Some(on_gc_finish),
            ..EventCallbacks::default()
        };
        self.set_callbacks(&callbacks)?;
        let events = [Event::VM_INIT, Event::VM_DEATH, Event::GC_START, Event::GC_FINISH];
        events[..if with_gc { 4 } else { 2 }].iter().try_for_each(|&event| self.notify(event, EventMode::ENABLE))
    }

    /// Sets the functions that the JVM calls.
    pub(super) fn set_callbacks(&self, callbacks: &EventCallbacks) -> Result<(), JvmtiError> {
        jvmti!(self.raw, SetEventCallbacks(callbacks, size_of::<EventCallbacks>() as jint))
    }

    /// Switches an event on or off, on all threads.
    pub(super) fn notify(&self, event: Event, mode: EventMode) -> Result<(), JvmtiError> {
        let all_threads: jobject = std::ptr::null_mut();
        jvmti!(self.raw, SetEventNotificationMode(mode, event, all_threads))
    }
}
